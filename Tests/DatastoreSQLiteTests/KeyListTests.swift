import DatastoreCore
import DatastoreSQLite
import DatastoreTestSupport
import Foundation
import Testing

@Suite("Key lists and sections")
struct KeyListTests {
  let store: SQLiteStore
  var keys: [String: RowKey] = [:]

  init() throws {
    store = try SQLiteStore(inMemory: CompanySchema.schema)
    var changes = Changes(store)
    let zeta = try changes.insert("Company", ["name": "Zeta"])
    let acme = try changes.insert("Company", ["name": "Acme"])
    for (name, age, company) in [
      ("Ann", Value.integer(30), zeta), ("Bob", 20, acme), ("Cyd", .null, zeta), ("Dee", 30, acme),
      ("Eve", 20, acme),
    ] {
      keys[name] = try changes.insert(
        "Employee", ["name": .text(name), "age": age, "company": .key(company)])
    }
    keys["Zeta"] = zeta
    keys["Acme"] = acme
    try changes.save()
  }

  private func keys(_ names: String...) throws -> [RowKey] {
    try names.map { try #require(keys[$0]) }
  }

  @Test("The group key comes before the order; its values are the sections")
  func grouped() throws {
    let request = FetchRequest(
      entity: "Employee", sortDescriptors: [SortDescriptor(["name"], ascending: false)])
    let list = try store.answer(KeyListQuestion(request, groupBy: ["age"]))
    #expect(list.keys == (try keys("Cyd", "Eve", "Bob", "Dee", "Ann")))
    #expect(list.sections.map(\.value) == [.null, 20, 30])
    #expect(list.sections.map(\.count) == [1, 2, 2])
    #expect(try store.answer(SectionsQuestion(request, groupBy: ["age"])) == list.sections)
  }

  @Test("A relationship groups by its key, a path behind it by the value there")
  func relationships() throws {
    let request = FetchRequest(entity: "Employee")
    let zeta = Value.key(try #require(keys["Zeta"]))
    let acme = Value.key(try #require(keys["Acme"]))
    let list = try store.answer(KeyListQuestion(request, groupBy: ["company"]))
    #expect(list.sections.map(\.value) == [zeta, acme])
    #expect(list.keys == (try keys("Ann", "Cyd", "Bob", "Dee", "Eve")))
    let byName = try store.answer(KeyListQuestion(request, groupBy: ["company", "name"]))
    #expect(byName.sections.map(\.value) == ["Acme", "Zeta"])
    #expect(
      try store.answer(SectionsQuestion(request, groupBy: ["company", "name"])) == byName.sections)
    #expect(try store.answer(SectionsQuestion(request, groupBy: ["company"])) == list.sections)
  }

  @Test("Limit, offset and predicate count before the sections do")
  func limited() throws {
    let request = FetchRequest(
      entity: "Employee",
      predicate: .comparison(.init(.keyPath(["age"]), .notEqual, .value(.null))),
      offset: 1, limit: 2)
    let list = try store.answer(KeyListQuestion(request, groupBy: ["age"]))
    #expect(list.keys == (try keys("Eve", "Ann")))
    #expect(list.sections.map(\.count) == [1, 1])
    #expect(try store.answer(SectionsQuestion(request, groupBy: ["age"])) == list.sections)
  }

  @Test("Without a group path there is one section; nothing found is nothing")
  func plain() throws {
    let list = try store.answer(KeyListQuestion(FetchRequest(entity: "Employee")))
    #expect(list.keys == (try keys("Ann", "Bob", "Cyd", "Dee", "Eve")))
    #expect(list.sections == [.init(value: .null, count: 5)])
    let none = FetchRequest(entity: "Employee", predicate: .constant(false))
    #expect(
      try store.answer(KeyListQuestion(none, groupBy: ["age"]))
        == (try store.answer(KeyListQuestion(none))))
  }

  @Test("The asynchronous forms answer the same")
  func asynchronous() async throws {
    let request = FetchRequest(entity: "Employee")
    let list = try await store.answer(KeyListQuestion(request, groupBy: ["age"]))
    let question = KeyListQuestion(request, groupBy: ["age"])
    func answerInTransaction() throws -> KeyList {
      try store.readTransaction { try $0.answer(question) }
    }
    let same = try answerInTransaction()
    #expect(list == same)
    let sections = try await store.answer(SectionsQuestion(request, groupBy: ["age"]))
    #expect(sections == list.sections)
    let count = try await store.answer(CountQuestion(request))
    #expect(count == 5)
    let keys = try await store.answer(KeysQuestion(request))
    #expect(keys.count == 5)
  }

  @Test("Cancelling the task interrupts the query")
  func cancellation() async throws {
    let file = try ForeignFile(
      """
      CREATE VIEW endless AS WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c)
      SELECT x FROM c;
      """)
    let endless = try file.open()
    let task = Task { try await endless.answer(CountQuestion(FetchRequest(entity: "endless"))) }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    // Cancelled when SQLite has begun with the statement.
    let (begun, beginning) = AsyncStream<Void>.makeStream()
    let traced = try SQLiteStore(existing: file.url) { sql in
      if sql.contains("FROM `endless`") { beginning.yield() }
    }
    let running = Task {
      try await traced.answer(SectionsQuestion(FetchRequest(entity: "endless"), groupBy: ["x"]))
    }
    for await _ in begun { break }
    running.cancel()
    await #expect(throws: CancellationError.self) { try await running.value }
  }
}
