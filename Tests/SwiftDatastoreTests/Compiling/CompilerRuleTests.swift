import SwiftDatastore
import Testing

/// The rules of contexts that the compiler checks: code that breaks one does not type-check, and its harmless
/// twin does.
@Suite struct CompilerRuleTests {
  private static let model = """
    import SwiftDatastore
    final class Company: DatastoreObject {
      @Attribute.NotOptional var name: String
      @Relationship.ToMany var members: Set<Person>
    }
    final class Person: DatastoreObject {
      @Attribute.NotOptional var name: String
      @Attribute.NotOptional var age: Int
      @Relationship.ToOne(inverse: \\.$members) var company: Company?
    }

    """

  private func check(
    _ wrong: String, says part: String, unlike right: String,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let compiler = try SnippetCompiler()
    let errors = try compiler.errors(in: Self.model + wrong)
    #expect(
      errors.contains { $0.contains(part) }, "\(errors)", sourceLocation: sourceLocation)
    #expect(
      try compiler.errors(in: Self.model + right) == [], sourceLocation: sourceLocation)
  }

  @Test func anObjectCannotLeavePerform() throws {
    try check(
      """
      func leak(_ context: SwiftDatastoreContext) async throws -> Company {
        try await context.perform { try $0.createObject() as Company }
      }
      """,
      says: "'Company' does not conform to the 'Sendable' protocol",
      unlike: """
        func name(_ context: SwiftDatastoreContext) async throws -> DatastoreObjectID {
          try await context.perform { (try $0.createObject() as Company).objectID }
        }
        """)
  }

  @Test func aVirtualAttributeCannotBeFetchedWithoutObjects() throws {
    let model = """
      final class Note: DatastoreObject {
        @Attribute.NotOptional var text: String
        @Attribute.Virtual var isOpen = false
      }
      """
    try check(
      """
      \(model)
      func rows(_ context: SwiftDatastoreContext.Closure) throws {
        _ = try context.fetch(Note.self, properties: [PropertyToFetch(\\.$isOpen)])
      }
      """,
      says: "a virtual attribute is not stored: fetch objects, and read it from them",
      unlike: """
        \(model)
        func rows(_ context: SwiftDatastoreContext.Closure) throws {
          _ = try context.fetch(Note.self, properties: [PropertyToFetch(\\.$text)])
        }
        """)
  }

  @Test func anObjectCannotBeBroughtIntoPerform() throws {
    try check(
      """
      @MainActor func smuggle(_ company: Company, _ context: SwiftDatastoreContext) async throws {
        try await context.perform { _ in company.name = "A" }
      }
      """,
      says: "non-Sendable type 'Company'",
      unlike: """
        @MainActor func carry(_ company: Company, _ context: SwiftDatastoreContext) async throws {
          let id = company.objectID
          try await context.perform { (try $0.object(with: id) as Company).name = "A" }
        }
        """)
  }

  @Test func aSwitchOverErrorsReckonsWithFurtherOnes() throws {
    try check(
      """
      func name(_ type: AttributeType) -> String {
        switch type {
        \(AttributeType.allCases.map { "case .\($0): \"\($0)\"" }.joined(separator: "\n  "))
        }
      }
      """,
      says: "may have additional unknown values",
      unlike: """
        func isTemporary(_ error: StoreError) -> Bool {
          switch error {
          case .locked, .beingMigrated: true
          default: false
          }
        }
        """)
  }

  @Test func theViewContextStaysOnTheMainActor() throws {
    try check(
      """
      func fetch(_ datastore: SwiftDatastore) throws -> Int {
        try datastore.sharedViewContext.count(Company.self)
      }
      """,
      says: "main actor",
      unlike: """
        @MainActor func fetch(_ datastore: SwiftDatastore) throws -> Int {
          try datastore.sharedViewContext.count(Company.self)
        }
        """)
  }

  @Test func propertiesAreComparedWithTheirOwnType() throws {
    try check(
      "let condition: Where<Person> = \\.$age > \"30\"",
      says: "error:",
      unlike: "let condition: Where<Person> = \\.$age > 30")
  }

  /// In one expression, the compiler gives up after seconds and names no property.
  @Test func aMisspeltPropertyIsFoundInItsLine() throws {
    func condition(_ property: String) -> String {
      """
      let condition: Where<Person> = .all {
        \\.$name == "a"
        \\.$name != "b"
        \\.$age > 3
        \\.$age < 60
        \\.\(property) > 4
        \\.$name ?= "x"
        [3, 4] ~= \\.$age
        3...4 ~= \\.$age
        \\.$company == nil
      }
      """
    }
    let compiler = try SnippetCompiler()
    let errors = try compiler.errors(in: Self.model + condition("$aeg"))
      .filter { $0.contains("main.swift:") }
    let line = Self.model.split(separator: "\n", omittingEmptySubsequences: false).count + 5
    #expect(!errors.isEmpty && errors.allSatisfy { $0.contains("swift:\(line):") }, "\(errors)")
    #expect(try compiler.errors(in: Self.model + condition("$age")) == [])
  }

  /// In one expression, the class before the property finds it.
  @Test func aMisspeltPropertyIsNamedWhereItsClassIsSaid() throws {
    let compiler = try SnippetCompiler()
    let parts = (1...8).map { "\\Person.$age > \($0)" } + ["\\Person.$aeg > 9"]
    let errors = try compiler.errors(
      in: Self.model + "let condition: Where<Person> = \(parts.joined(separator: " && "))")
    #expect(
      errors.contains { $0.contains("value of type 'Person' has no member '$aeg'") }, "\(errors)")
  }

  @Test func bothSidesOfARelationshipCannotNameTheOther() throws {
    let compiler = try SnippetCompiler()
    let errors = try compiler.errors(
      in: """
        import SwiftDatastore
        final class A: DatastoreObject {
          @Relationship.ToOne(inverse: \\.$a) var b: B?
        }
        final class B: DatastoreObject {
          @Relationship.ToOne(inverse: \\.$b) var a: A?
        }
        """)
    #expect(errors.contains { $0.contains("circular reference") }, "\(errors)")
  }
}
