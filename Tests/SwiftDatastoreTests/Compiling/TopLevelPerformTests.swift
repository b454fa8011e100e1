import Testing

// Promise: work at the top level of `main.swift` throws → it arrives, and the program waits for it, in
// Swift 5 and 6 mode.
/// Work in a context at the top level of `main.swift`, as first programs have it.
@Suite("`perform` at the top level")
struct TopLevelPerformTests {
  @Test("It is waited for, and what it throws arrives", arguments: ["5", "6"])
  func awaited(languageMode: String) throws {
    let output = try SnippetCompiler(languageMode: languageMode).run(
      """
      import SwiftDatastore
      final class Person: DatastoreObject {
        @Attribute.NotOptional var name: String
      }
      struct Refusal: Error {}
      let model = try SwiftDatastoreModel(from: Person.self)
      let datastore = try SwiftDatastore(inMemory: model)
      let context = datastore.newContext()
      try await context.perform { context in
        let person: Person = try context.createObject()
        person.name = "Ann"
        try context.saveChanges()
      }
      let count = try await context.perform { try $0.count(Person.self) }
      print("saved:", count)
      do {
        try await context.perform { _ in throw Refusal() }
        print("nothing arrived")
      } catch {
        print("arrived:", error)
      }
      """)
    #expect(output == "saved: 1\narrived: Refusal()\n")
  }

  @Test("Where nothing can wait, it says what becomes of an error")
  func callbacks() throws {
    let compiler = try SnippetCompiler()
    func errors(_ call: String) throws -> [String] {
      try compiler.errors(
        in: """
          import SwiftDatastore
          func work(_ context: SwiftDatastoreContext) {
            \(call)
          }
          """)
    }
    #expect(try errors("context.perform { $0.revertChanges() }") != [])
    #expect(try errors("context.perform { $0.revertChanges() } failure: { print($0) }") == [])
    #expect(try errors("context.perform { $0.revertChanges() } success: { print() }") == [])
    #expect(try errors("context.perform { $0.revertChanges() } completion: { print() }") == [])
    #expect(
      try errors(
        "context.perform { $0.revertChanges() } success: { print() } failure: { print($0) }") == [])
  }
}
