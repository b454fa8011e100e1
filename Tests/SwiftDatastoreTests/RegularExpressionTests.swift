import DatastoreCore
import Foundation
import SwiftDatastore
import Testing

@Suite("MATCHES with expressions that cannot be used")
struct RegularExpressionTests {
  /// Every way to match fails only at its end: exponential in the length.
  private static let evil = "(a+)+b"
  private static let text = String(repeating: "a", count: 64)

  private func matching(_ pattern: String) -> FetchRequest {
    FetchRequest(
      entity: "Employee",
      predicate: .comparison(
        Predicate.Comparison(.keyPath(["name"]), .matches, .value(.text(pattern)))))
  }

  @Test("One that does not compile is an error wherever it is used")
  @MainActor func invalid() async throws {
    let datastore = try TestModel.inMemory()
    let request = matching("a(")
    try await datastore.newContext().perform { context in
      let sentence = "“a(” is not a valid regular expression."
      for isStaged in [false, true] {
        if isStaged { (try context.createObject() as Employee).name = "a" }
        let fetched = try #require(throws: PredicateFault.self) {
          _ = try context.fetch(request) as [Employee]
        }
        #expect("\(fetched)" == sentence)
        #expect(throws: PredicateFault.self) { try context.count(request) }
        let values = try #require(throws: StoreError.self) {
          try context.fetchValues(request, of: [["name"]])
        }
        #expect("\(values)" == sentence)
        #expect(throws: StoreError.self) { try context.countGroups(request, by: [["age"]]) }
        #expect(throws: StoreError.self) {
          try context.deleteMany(entityName: "Employee", where: request.predicate)
        }
        #expect(throws: (any Error).self) { try context.fetchIDs(request) }
      }
    }
    let controller = FetchedObjectsController<Employee>(
      viewContext: datastore.sharedViewContext, where: .matches(\.$name, "a("),
      orderBy: [.asc(\.$name)])
    await #expect(throws: StoreError.self) { try await controller.performFetch() }
  }

  @Test("One that would try for ever is given up, in SQL and in memory", .timeLimit(.minutes(10)))
  func catastrophic() async throws {
    let datastore = try TestModel.inMemory()
    let request = matching(Self.evil)
    try await datastore.newContext().perform { context in
      let employee: Employee = try context.createObject()
      employee.name = Self.text
      let inMemory = try #require(throws: (any Error).self) {
        _ = try context.fetch(request) as [Employee]
      }
      #expect("\(inMemory)".hasPrefix("The regular expression “(a+)+b” was given up after"))
      try context.saveChanges()
      let inSQL = try #require(throws: StoreError.self) {
        _ = try context.fetch(request) as [Employee]
      }
      #expect("\(inSQL)" == "\(inMemory)")
      // The connection and the expression go on working.
      employee.name = "aaab"
      let staged: [Employee] = try context.fetch(request)
      try context.saveChanges()
      let saved: [Employee] = try context.fetch(request)
      #expect(staged == [employee] && saved == [employee])
      let long: [Employee] = try context.fetch(matching("a+b"))
      #expect(long == [employee])
    }
  }

  @Test("Long texts do not count as too much")
  func longTexts() async throws {
    try await TestModel.inMemory().newContext().perform { context in
      let employee: Employee = try context.createObject()
      employee.name = String(repeating: "word and ", count: 20_000) + "end"
      try context.saveChanges()
      let found: [Employee] = try context.fetch(matching("(\\w+ and )+end"))
      #expect(found == [employee])
    }
  }
}
