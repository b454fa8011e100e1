import DatastoreCore
import DatastoreSQLite
import DatastoreTestSupport
import Foundation
import Testing

// Promise: predicates, orders, selections, groups → one list of tests for files, servers and unsaved
// objects.
// Also: `QueryPathTests`, `SelectionTests`, `ValueQueryTests`, `RandomQueryTests`,
// `CoreStoreQueryScenarioTests`
@Suite("Requests on native files")
struct QueryTests {
  let store: SQLiteStore
  let ann: RowKey
  let bob: RowKey
  let acme: RowKey

  init() throws {
    store = try SQLiteStore(inMemory: CompanySchema.schema)
    var changes = Changes(store)
    acme = try changes.insert("Company", ["name": "Acme"])
    let zeta = try changes.insert("Company", ["name": "Zeta"])
    ann = try changes.insert(
      "Employee",
      ["name": "Ann", "age": 30, "salary": 10.5, "bonus": 9.5, "company": .key(acme)])
    bob = try changes.insert(
      "Employee", ["name": "Bob", "age": 40, "bonus": 10.25, "company": .key(acme)])
    let cyd = try changes.insert(
      "Employee", ["name": "Cyd", "salary": 7.0, "company": .key(zeta)])
    try changes.insert("Employee", ["name": "Dee", "age": 30])
    try changes.insert("Task", ["title": "x", "done": 1, "estimate": 5, "owner": .key(ann)])
    try changes.insert("Task", ["title": "y", "done": 0, "estimate": 3, "owner": .key(ann)])
    try changes.insert("Task", ["title": "z", "done": 1, "estimate": 8, "owner": .key(bob)])
    let red = try changes.insert("Tag", ["label": "red"])
    try changes.link("Employee", "tags", ann, red)
    try changes.link("Employee", "tags", cyd, red)
    try changes.save()
  }

  private func names(
    _ path: [String], _ comparator: Predicate.Comparator, _ right: Predicate.Operand,
    _ quantifier: Predicate.Quantifier = .direct
  ) throws -> [String] {
    try store.names(
      "Employee",
      .comparison(.init(.keyPath(path), comparator, right, quantifier: quantifier)))
  }

  @Test("Comparisons with values and with what is missing are two-valued")
  func comparisons() throws {
    #expect(try names(["age"], .equal, .value(30)) == ["Ann", "Dee"])
    #expect(try names(["age"], .notEqual, .value(30)) == ["Bob", "Cyd"])
    #expect(try names(["age"], .equal, .value(.null)) == ["Cyd"])
    #expect(try names(["age"], .notEqual, .value(.null)) == ["Ann", "Bob", "Dee"])
    #expect(try names(["age"], .lessThan, .value(40)) == ["Ann", "Dee"])
    let notYounger = Predicate.not(
      .comparison(.init(.keyPath(["age"]), .lessThan, .value(40))))
    #expect(try store.names("Employee", notYounger) == ["Bob", "Cyd"])
    #expect(try names(["age"], .between, .list([.value(30), .value(39)])) == ["Ann", "Dee"])
    #expect(try names(["age"], .in, .list([.value(40), .value(.null)])) == ["Bob", "Cyd"])
    #expect(try names(["age"], .in, .list([])) == [])
  }

  @Test("Storage classes order as in SQLite, without conversion by a column's affinity")
  func classes() throws {
    #expect(try names(["age"], .equal, .value("30")) == [])
    #expect(try names(["age"], .lessThan, .value("3")) == ["Ann", "Bob", "Dee"])
    #expect(try names(["name"], .greaterThan, .value(5)) == ["Ann", "Bob", "Cyd", "Dee"])
    #expect(try names(["age"], .in, .list([.value("30"), .value(40)])) == ["Bob"])
    #expect(try names(["salary"], .equal, .value(7)) == ["Cyd"])
  }

  @Test("Text operators compare bytes")
  func text() throws {
    #expect(try names(["name"], .beginsWith, .value("B")) == ["Bob"])
    #expect(try names(["name"], .beginsWith, .value("")) == ["Ann", "Bob", "Cyd", "Dee"])
    #expect(try names(["name"], .contains, .value("n")) == ["Ann"])
    #expect(try names(["name"], .endsWith, .value("d")) == ["Cyd"])
    #expect(try names(["age"], .contains, .value("3")) == [])
    #expect(try names(["company", "name"], .beginsWith, .value("Z")) == ["Cyd"])
  }

  @Test("Paths follow relationships; quantifiers ask for any, all or none")
  func paths() throws {
    #expect(try names(["company", "name"], .equal, .value("Acme")) == ["Ann", "Bob"])
    #expect(try names(["company", "name"], .equal, .value(.null)) == ["Dee"])
    #expect(try names(["company"], .equal, .value(.key(acme))) == ["Ann", "Bob"])
    #expect(try names([], .equal, .value(.key(bob))) == ["Bob"])
    #expect(try names(["tasks", "done"], .equal, .value(0), .any) == ["Ann"])
    #expect(try names(["tasks", "done"], .equal, .value(1), .all) == ["Bob", "Cyd", "Dee"])
    #expect(try names(["tasks", "done"], .equal, .value(1), .none) == ["Cyd", "Dee"])
    #expect(try names(["tags", "label"], .equal, .value("red"), .any) == ["Ann", "Cyd"])
    #expect(
      try names(["company", "employees", "name"], .equal, .value("Bob"), .any) == ["Ann", "Bob"])
    #expect(
      try store.names(
        "Company",
        .comparison(
          .init(.keyPath(["employees", "tasks", "title"]), .equal, .value("z"), quantifier: .any)))
        == ["Acme"])
  }

  @Test("Counts, aggregates and arithmetic")
  func computed() throws {
    func matching(_ left: Predicate.Operand, _ c: Predicate.Comparator, _ v: Value) throws
      -> [String]
    {
      try store.names("Employee", .comparison(.init(left, c, .value(v))))
    }
    #expect(try matching(.count(["tasks"]), .greaterThan, 1) == ["Ann"])
    #expect(try matching(.count(["tasks"]), .equal, 0) == ["Cyd", "Dee"])
    #expect(try matching(.aggregate(.sum, ["tasks", "estimate"]), .equal, 8) == ["Ann", "Bob"])
    #expect(try matching(.aggregate(.minimum, ["tasks", "estimate"]), .lessThan, 5) == ["Ann"])
    #expect(
      try matching(.arithmetic(.keyPath(["age"]), .add, .value(10)), .equal, 40) == ["Ann", "Dee"])
  }

  @Test("Decimals compare and sort as the numbers they are stored as")
  func decimals() throws {
    #expect(try names(["bonus"], .lessThan, .value(10)) == ["Ann"])
    #expect(
      try store.values(
        FetchRequest(
          entity: "Employee", sortDescriptors: [SortDescriptor(["bonus"], ascending: false)]),
        "name"
      ).prefix(2) == [["Bob"], ["Ann"]])
  }

  @Test("Order, ties by key, offset and limit, count and keys")
  func order() throws {
    var request = FetchRequest(
      entity: "Employee",
      sortDescriptors: [
        SortDescriptor(["company", "name"]), SortDescriptor(["age"], ascending: false),
      ])
    #expect(try store.values(request, "name") == [["Dee"], ["Bob"], ["Ann"], ["Cyd"]])
    request.offset = 1
    request.limit = 2
    #expect(try store.values(request, "name") == [["Bob"], ["Ann"]])
    #expect(try store.fetchKeys(request) == [bob, ann])
    #expect(try store.count(request) == 2)
    request.offset = 3
    #expect(try store.count(request) == 1)
    request.limit = 0
    #expect(try store.values(request, "name") == [["Cyd"]])
    let ties = FetchRequest(entity: "Employee", sortDescriptors: [SortDescriptor(["age"])])
    #expect(try store.values(ties, "name") == [["Cyd"], ["Ann"], ["Dee"], ["Bob"]])
  }

  @Test("Many rows come in several pages, in order")
  func pages() throws {
    var changes = Changes(store)
    for index in 0..<1000 { try changes.insert("Tag", ["label": .text("\(index)")]) }
    try changes.save()
    let pages = try store.fetch(FetchRequest(entity: "Tag"))
    #expect(pages.count > 3)
    let keys = pages.flatMap { page in (0..<page.rowCount).map { page.key(ofRow: $0) } }
    #expect(keys == (try store.fetchKeys(FetchRequest(entity: "Tag"))))
    #expect(keys.count == 1001)
  }

  @Test("Unknown names are errors that say them")
  func unknownNames() throws {
    #expect(throws: StoreError.unknownEntity("Nobody")) {
      try store.fetch(FetchRequest(entity: "Nobody"))
    }
    #expect(throws: StoreError.unknownProperty(entity: "Company", property: "size")) {
      try names(["company", "size"], .equal, .value(1))
    }
  }
}

extension QueryTests {
  @Test("[c], [d], LIKE and MATCHES fold and match as in memory")
  func foldedText() throws {
    var changes = Changes(store)
    try changes.insert("Employee", ["name": "Élodie"])
    try changes.save()
    func names(
      _ comparator: Predicate.Comparator, _ value: Value, _ options: Predicate.StringOptions
    ) throws -> [String] {
      try store.names(
        "Employee",
        .comparison(.init(.keyPath(["name"]), comparator, .value(value), options: options)))
    }
    let both: Predicate.StringOptions = [.caseInsensitive, .diacriticInsensitive]
    #expect(try names(.equal, "ELODIE", both) == ["Élodie"])
    #expect(try names(.beginsWith, "a", .caseInsensitive) == ["Ann"])
    #expect(try names(.contains, "LOD", .caseInsensitive) == ["Élodie"])
    #expect(try names(.like, "?o*", []) == ["Bob"])
    #expect(try names(.matches, "[A-C].*", []) == ["Ann", "Bob", "Cyd"])
    #expect(try names(.in, "BOB", .caseInsensitive) == ["Bob"])
  }
}
