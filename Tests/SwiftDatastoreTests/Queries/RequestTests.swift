import DatastoreCore
import DatastoreTestSupport
import Foundation
import Testing

/// A company in a store of an engine.
private struct FilledCompany {
  let store: any StoreEngine
  let ann: RowKey
  let bob: RowKey
  let acme: RowKey

  init(_ engine: TestEngine) throws {
    store = try engine.makeStore(CompanySchema.schema)
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

  func names(
    _ path: [String], _ comparator: Predicate.Comparator, _ right: Predicate.Operand,
    _ quantifier: Predicate.Quantifier = .direct
  ) throws -> [String] {
    try store.names(
      "Employee",
      .comparison(.init(.keyPath(path), comparator, right, quantifier: quantifier)))
  }
}

// Promise: predicates, orders, selections, groups → one list of tests for files, servers and unsaved
// objects.
// Also: `QueryPathTests`, `SelectionTests`, `ValueQueryTests`, `RandomQueryTests`,
// `CoreStoreQueryScenarioTests`
@Suite("Requests on stores of every engine")
struct RequestTests {
  @Test(
    "Comparisons with values and with what is missing are two-valued",
    arguments: TestEngine.allCases)
  func comparisons(engine: TestEngine) throws {
    let company = try FilledCompany(engine)
    #expect(try company.names(["age"], .equal, .value(30)) == ["Ann", "Dee"])
    #expect(try company.names(["age"], .notEqual, .value(30)) == ["Bob", "Cyd"])
    #expect(try company.names(["age"], .equal, .value(.null)) == ["Cyd"])
    #expect(try company.names(["age"], .notEqual, .value(.null)) == ["Ann", "Bob", "Dee"])
    #expect(try company.names(["age"], .lessThan, .value(40)) == ["Ann", "Dee"])
    let notYounger = Predicate.not(
      .comparison(.init(.keyPath(["age"]), .lessThan, .value(40))))
    #expect(try company.store.names("Employee", notYounger) == ["Bob", "Cyd"])
    #expect(
      try company.names(["age"], .between, .list([.value(30), .value(39)])) == ["Ann", "Dee"])
    #expect(try company.names(["age"], .in, .list([.value(40), .value(.null)])) == ["Bob", "Cyd"])
    #expect(try company.names(["age"], .in, .list([])) == [])
  }

  @Test(
    "Storage classes order as in SQLite, without conversion by a column's affinity",
    arguments: TestEngine.allCases)
  func classes(engine: TestEngine) throws {
    let company = try FilledCompany(engine)
    #expect(try company.names(["age"], .equal, .value("30")) == [])
    #expect(try company.names(["age"], .lessThan, .value("3")) == ["Ann", "Bob", "Dee"])
    #expect(try company.names(["name"], .greaterThan, .value(5)) == ["Ann", "Bob", "Cyd", "Dee"])
    #expect(try company.names(["age"], .in, .list([.value("30"), .value(40)])) == ["Bob"])
    #expect(try company.names(["salary"], .equal, .value(7)) == ["Cyd"])
  }

  @Test("Text operators compare bytes", arguments: TestEngine.allCases)
  func text(engine: TestEngine) throws {
    let company = try FilledCompany(engine)
    #expect(try company.names(["name"], .beginsWith, .value("B")) == ["Bob"])
    #expect(try company.names(["name"], .beginsWith, .value("")) == ["Ann", "Bob", "Cyd", "Dee"])
    #expect(try company.names(["name"], .contains, .value("n")) == ["Ann"])
    #expect(try company.names(["name"], .endsWith, .value("d")) == ["Cyd"])
    #expect(try company.names(["age"], .contains, .value("3")) == [])
    #expect(try company.names(["company", "name"], .beginsWith, .value("Z")) == ["Cyd"])
  }

  @Test(
    "Paths follow relationships; quantifiers ask for any, all or none",
    arguments: TestEngine.allCases)
  func paths(engine: TestEngine) throws {
    let company = try FilledCompany(engine)
    #expect(try company.names(["company", "name"], .equal, .value("Acme")) == ["Ann", "Bob"])
    #expect(try company.names(["company", "name"], .equal, .value(.null)) == ["Dee"])
    #expect(try company.names(["company"], .equal, .value(.key(company.acme))) == ["Ann", "Bob"])
    #expect(try company.names([], .equal, .value(.key(company.bob))) == ["Bob"])
    #expect(try company.names(["tasks", "done"], .equal, .value(0), .any) == ["Ann"])
    #expect(
      try company.names(["tasks", "done"], .equal, .value(1), .all) == ["Bob", "Cyd", "Dee"])
    #expect(try company.names(["tasks", "done"], .equal, .value(1), .none) == ["Cyd", "Dee"])
    #expect(try company.names(["tags", "label"], .equal, .value("red"), .any) == ["Ann", "Cyd"])
    #expect(
      try company.names(["company", "employees", "name"], .equal, .value("Bob"), .any) == [
        "Ann", "Bob",
      ])
    #expect(
      try company.store.names(
        "Company",
        .comparison(
          .init(.keyPath(["employees", "tasks", "title"]), .equal, .value("z"), quantifier: .any)))
        == ["Acme"])
  }

  @Test("Counts, aggregates and arithmetic", arguments: TestEngine.allCases)
  func computed(engine: TestEngine) throws {
    let company = try FilledCompany(engine)
    func matching(_ left: Predicate.Operand, _ c: Predicate.Comparator, _ v: Value) throws
      -> [String]
    {
      try company.store.names("Employee", .comparison(.init(left, c, .value(v))))
    }
    #expect(try matching(.count(["tasks"]), .greaterThan, 1) == ["Ann"])
    #expect(try matching(.count(["tasks"]), .equal, 0) == ["Cyd", "Dee"])
    #expect(try matching(.aggregate(.sum, ["tasks", "estimate"]), .equal, 8) == ["Ann", "Bob"])
    #expect(try matching(.aggregate(.minimum, ["tasks", "estimate"]), .lessThan, 5) == ["Ann"])
    #expect(
      try matching(.arithmetic(.keyPath(["age"]), .add, .value(10)), .equal, 40) == ["Ann", "Dee"])
  }

  @Test(
    "Decimals compare and sort as the numbers they are stored as", arguments: TestEngine.allCases)
  func decimals(engine: TestEngine) throws {
    let company = try FilledCompany(engine)
    #expect(try company.names(["bonus"], .lessThan, .value(10)) == ["Ann"])
    #expect(
      try company.store.values(
        FetchRequest(
          entity: "Employee", sortDescriptors: [SortDescriptor(["bonus"], ascending: false)]),
        "name"
      ).prefix(2) == [["Bob"], ["Ann"]])
  }

  @Test("Order, ties by key, offset and limit, count and keys", arguments: TestEngine.allCases)
  func order(engine: TestEngine) throws {
    let company = try FilledCompany(engine)
    var request = FetchRequest(
      entity: "Employee",
      sortDescriptors: [
        SortDescriptor(["company", "name"]), SortDescriptor(["age"], ascending: false),
      ])
    #expect(try company.store.values(request, "name") == [["Dee"], ["Bob"], ["Ann"], ["Cyd"]])
    request.offset = 1
    request.limit = 2
    #expect(try company.store.values(request, "name") == [["Bob"], ["Ann"]])
    #expect(try company.store.fetchKeys(request) == [company.bob, company.ann])
    #expect(try company.store.count(request) == 2)
    request.offset = 3
    #expect(try company.store.count(request) == 1)
    request.limit = 0
    #expect(try company.store.values(request, "name") == [["Cyd"]])
    let ties = FetchRequest(entity: "Employee", sortDescriptors: [SortDescriptor(["age"])])
    #expect(try company.store.values(ties, "name") == [["Cyd"], ["Ann"], ["Dee"], ["Bob"]])
  }

  @Test("Many rows come in several pages, in order", arguments: TestEngine.allCases)
  func pages(engine: TestEngine) throws {
    let company = try FilledCompany(engine)
    var changes = Changes(company.store)
    for index in 0..<1000 { try changes.insert("Tag", ["label": .text("\(index)")]) }
    try changes.save()
    let pages = try company.store.fetch(FetchRequest(entity: "Tag"))
    #expect(pages.count > 3)
    let keys = pages.flatMap { page in (0..<page.rowCount).map { page.key(ofRow: $0) } }
    #expect(keys == (try company.store.fetchKeys(FetchRequest(entity: "Tag"))))
    #expect(keys.count == 1001)
  }

  @Test("Unknown names are errors that say them", arguments: TestEngine.allCases)
  func unknownNames(engine: TestEngine) throws {
    let company = try FilledCompany(engine)
    #expect(throws: StoreError.unknownEntity("Nobody")) {
      try company.store.fetch(FetchRequest(entity: "Nobody"))
    }
    #expect(throws: StoreError.unknownProperty(entity: "Company", property: "size")) {
      try company.names(["company", "size"], .equal, .value(1))
    }
  }
}

extension RequestTests {
  @Test("[c], [d], LIKE and MATCHES fold and match as in memory", arguments: TestEngine.allCases)
  func foldedText(engine: TestEngine) throws {
    let company = try FilledCompany(engine)
    var changes = Changes(company.store)
    try changes.insert("Employee", ["name": "Élodie"])
    try changes.save()
    func names(
      _ comparator: Predicate.Comparator, _ value: Value, _ options: Predicate.StringOptions
    ) throws -> [String] {
      try company.store.names(
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
