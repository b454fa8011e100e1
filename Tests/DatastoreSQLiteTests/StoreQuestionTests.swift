import DatastoreCore
import DatastoreSQLite
import DatastoreTestSupport
import Foundation
import Testing

@Suite("Questions to a store")
struct StoreQuestionTests {
  private static let employees = FetchRequest(
    entity: "Employee", sortDescriptors: [SortDescriptor(["name"])])

  private let directory: TemporaryDirectory
  private let file: URL
  private let store: any StoreEngine
  /// Another opening of the same file, which writes.
  private let writer: SQLiteStore

  init() throws {
    directory = try TemporaryDirectory()
    file = directory.url.appendingPathComponent("company.sqlite")
    writer = try SQLiteStore(CompanySchema.schema, at: file)
    var changes = Changes(writer)
    let company = try changes.insert("Company", ["name": "Acme"])
    for (name, age) in [("Ann", Value.integer(30)), ("Bob", 20), ("Cyd", .null)] {
      try changes.insert(
        "Employee", ["name": .text(name), "age": age, "company": .key(company)])
    }
    try changes.save()
    store = try SQLiteStore(CompanySchema.schema, at: file)
  }

  /// Asks in all three ways, and expects the same.
  @discardableResult
  private func ask<Question: StoreQuestion>(
    _ question: Question
  ) async throws -> Question.Answer where Question.Answer: Equatable {
    func waiting() throws -> (Question.Answer, Question.Answer) {
      (
        try store.answer(question),
        try store.readTransaction { try $0.answer(question) }
      )
    }
    let (waited, given) = try waiting()
    let answer = try await store.answer(question)
    #expect(waited == answer && given == answer, "\(question)")
    return answer
  }

  @Test("Each is answered the same by waiting, without blocking a thread, and in a transaction")
  func ways() async throws {
    let all = Self.employees
    #expect(try await ask(CountQuestion(all)) == 3)
    let keys = try await ask(KeysQuestion(all))
    #expect(keys.count == 3)
    let list = try await ask(KeyListQuestion(all, groupBy: ["age"]))
    #expect(list.sections.map(\.value) == [.null, 20, 30])
    #expect(try await ask(SectionsQuestion(all, groupBy: ["age"])) == list.sections)
    #expect(try await ask(ValuesQuestion(of: [["name"]], in: all)) == [["Ann"], ["Bob"], ["Cyd"]])
    let sum = AggregatesQuestion(
      [.countRows, .aggregate(.sum, ["age"])], of: all, groupBy: [["company", "name"]])
    #expect(try await ask(sum) == [["Acme", 3, 50]])
    let entity = try #require(store.schema.entity(named: "Employee"))
    let names = DistinctValuesQuestion(
      of: "name", entity: entity.index, beginningWith: "b", limit: 5)
    #expect(try await ask(names) == ["Bob"])
    let matching = MatchingKeysQuestion(
      containing: "Y", at: [["name"]], entity: entity.index, among: keys)
    #expect(try await ask(matching) == [keys[2]])
    let company = try #require(store.schema.entity(named: "Company"))
    let counts = RelatedCountsQuestion(
      entity: company.index, slot: try #require(company.slot(named: "employees")), keys: [1])
    #expect(try await ask(counts) == [1: 3])
    #expect(
      try await ask(FrequencyQuestion(of: ["company"], in: all, limit: 5)).entries
        == [FrequencyTable.Entry(value: 1, count: 3)])
    #expect(try await ask(StatisticsQuestion(of: ["age"], in: all)).numbers?.mean == 25)
    #expect(try await ask(HistogramQuestion(of: ["age"], in: all, bins: 2))?.counts == [1, 1])
    let scale = try #require(
      try await ask(HistogramScaleQuestion(of: HistogramQuestion(of: ["age"], in: all, bins: 2))))
    let groups = GroupedHistogramsQuestion(
      of: ["age"], in: all, groupBy: ["company", "name"], scale)
    #expect(try await ask(groups) == [.init(group: "Acme", counts: [1, 1])])
    #expect(try await ask(SQLNamesQuestion()).map(\.table).contains("Employee"))
    #expect(try await ask(SuggestionsQuestion()) == [])
    let sql = try await store.answer(SQLQuestion("SELECT name FROM Company WHERE _id = ?", [1]))
    #expect(sql.columns == ["name"] && sql.rows == [["Acme"]])
  }

  // Promise: several questions belong together while someone saves → asked in one `readTransaction`, they
  // are about one state.
  @Test("All questions of a transaction are about one state, whatever is saved meanwhile")
  func oneState() throws {
    try store.readTransaction { transaction in
      #expect(try transaction.answer(CountQuestion(Self.employees)) == 3)
      var changes = Changes(writer)
      try changes.insert("Employee", ["name": "Dee"])
      try changes.save()
      #expect(try transaction.answer(CountQuestion(Self.employees)) == 3)
      #expect(try transaction.answer(KeysQuestion(Self.employees)).count == 3)
      var names: [Value] = []
      try transaction.answer(
        sql: "SELECT name FROM Employee", begin: { #expect($0.map(\.name) == ["name"]) },
        row: { names.append($0.value(row: $1, slot: 0)) })
      #expect(names == ["Ann", "Bob", "Cyd"])
    }
    #expect(try store.answer(CountQuestion(Self.employees)) == 4)
    #expect(
      try SQLiteCommand.run("SELECT count(*) FROM Employee", on: file)
        .contains("4"))
  }

  @Test("A table that is made in a third-party file has attributes of the types that are foretold")
  func foreignTypes() throws {
    let file = try ForeignFile("CREATE TABLE t (id INTEGER PRIMARY KEY)")
    let made = try file.open()
    try made.addEntities([
      EntityDescription(
        name: "made",
        properties: AttributeType.allCases.map {
          .attribute(AttributeDescription(name: $0.rawValue, type: $0))
        })
    ])
    try made.close()
    let entity = try #require(file.open().schema.entity(named: "made"))
    for type in AttributeType.allCases {
      let attribute = entity.properties.compactMap(\.attribute).first { $0.name == type.rawValue }
      #expect(attribute?.type == type.foreignType, "\(type)")
    }
  }
}
