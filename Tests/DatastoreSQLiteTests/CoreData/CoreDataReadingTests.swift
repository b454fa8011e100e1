import DatastoreCore
import DatastoreSQL
import DatastoreSQLite
import DatastoreTestSupport
import Foundation
import Testing

// Promise: Core Data has made a store → it is read with the entities, relationships and types of its model.
// Also: `CoreDataStoreTests.schema`
/// What is asked by the names of the model is compared with what the sqlite3 program answers to statements on
/// the tables, in stores as one system and another have written them.
@Suite("Queries on Core Data stores", .enabled(if: SQLiteCommand.isPresent))
struct CoreDataReadingTests {
  enum Variant: CaseIterable {
    case plain, withProxies, otherJoinNames, withHistory, inLogOnly
    /// As before 2015, with the model that the user names.
    case withoutCache
    /// Its model was removed, and the user names it.
    case withNullCache

    func change(_ sample: inout CoreDataSample) {
      switch self {
      case .plain, .inLogOnly: break
      case .withProxies: sample.writing = .withProxies
      case .otherJoinNames: sample.joinNaming = .byHigherNumber
      case .withoutCache: (sample.frameworkVersion, sample.cache) = (419, .absent)
      case .withNullCache: sample.cache = .null
      case .withHistory: (sample.frameworkVersion, sample.hasHistory) = (641, true)
      }
    }
  }

  /// A store, and a copy of it for the sqlite3 program, which would move the log of the other one into the
  /// file.
  private struct Files {
    let folder: TemporaryDirectory
    let store: SQLiteStore
    let sample: CoreDataSample
    private let copy: URL

    init(_ variant: Variant) throws {
      var sample = CoreDataSample.office()
      variant.change(&sample)
      self.sample = sample
      folder = try TemporaryDirectory()
      copy = folder.file("copy.sqlite")
      try sample.write(to: copy)
      let url = folder.file("Model.storedata")
      try sample.write(to: url, isInLogOnly: variant == .inLogOnly)
      let isNamed = variant == .withoutCache || variant == .withNullCache
      store = try SQLiteStore(
        existing: url,
        coreDataModel: isNamed ? try CoreDataModel(archive: sample.archivedModel()) : nil)
    }

    func numbers(_ sql: String) throws -> [RowKey] {
      try SQLiteCommand.run(sql, on: copy).split(separator: "\n").compactMap {
        Int64($0).map { RowKey($0) }
      }
    }

    func lines(_ sql: String) throws -> [String] {
      try SQLiteCommand.run(sql, on: copy).split(separator: "\n").map(String.init)
    }

    func keys(_ name: String, _ condition: String) throws -> [RowKey] {
      let entity = try #require(store.schema.entity(named: name))
      let predicate = try Predicate.parse(condition, entity: entity, in: store.schema)
      return try store.fetchKeys(FetchRequest(entity: name, predicate: predicate)).sorted()
    }
  }

  /// Entity, condition, and the statement by hand. People and their kinds are entities 5 to 8, tags 9.
  private static let questions: [(entity: String, condition: String, sql: String)] = [
    ("Person", "TRUEPREDICATE", "SELECT Z_PK FROM ZPERSON"),
    ("Employee", "TRUEPREDICATE", "SELECT Z_PK FROM ZPERSON WHERE Z_ENT IN (6, 7)"),
    ("Trainee", "TRUEPREDICATE", "SELECT Z_PK FROM ZPERSON WHERE Z_ENT = 7"),
    ("Person", "@entity == \"Manager\"", "SELECT Z_PK FROM ZPERSON WHERE Z_ENT = 8"),
    (
      "Employee", "title == \"Clerk\"",
      "SELECT Z_PK FROM ZPERSON WHERE Z_ENT IN (6, 7) AND ZTITLE = 'Clerk'"
    ),
    (
      "Manager", "title == \"Chief\"",
      "SELECT Z_PK FROM ZPERSON WHERE Z_ENT = 8 AND ZTITLE1 = 'Chief'"
    ),
    ("Person", "born < 2000-01-01", "SELECT Z_PK FROM ZPERSON WHERE ZBORN < -31622400"),
    (
      "Person", "born == nil OR born > 2001-01-01",
      "SELECT Z_PK FROM ZPERSON WHERE ZBORN IS NULL OR ZBORN > 0"
    ),
    ("Person", "isActive == YES", "SELECT Z_PK FROM ZPERSON WHERE ZISACTIVE = 1"),
    ("Person", "pay > 1.4 AND pay < 3", "SELECT Z_PK FROM ZPERSON WHERE ZPAY > 1.4 AND ZPAY < 3"),
    ("Person", "visits > 4999999999", "SELECT Z_PK FROM ZPERSON WHERE ZVISITS > 4999999999"),
    ("Person", "home ENDSWITH \"ann\"", "SELECT Z_PK FROM ZPERSON WHERE ZHOME LIKE '%ann'"),
    (
      "Person", "company.name == \"Acme\"",
      "SELECT p.Z_PK FROM ZPERSON p JOIN ZCOMPANY c ON c.Z_PK = p.ZCOMPANY WHERE c.ZNAME = 'Acme'"
    ),
    ("Person", "company == nil", "SELECT Z_PK FROM ZPERSON WHERE ZCOMPANY IS NULL"),
    (
      "Company", "seat.street CONTAINS \"Main\"",
      "SELECT c.Z_PK FROM ZCOMPANY c JOIN ZADDRESS a ON a.Z_PK = c.ZSEAT WHERE a.ZSTREET LIKE '%Main%'"
    ),
    (
      "Address", "company.name == \"Acme\"",
      "SELECT a.Z_PK FROM ZADDRESS a JOIN ZCOMPANY c ON c.Z_PK = a.ZCOMPANY WHERE c.ZNAME = 'Acme'"
    ),
    (
      "Person", "spouse.name == \"Ann\"",
      "SELECT p.Z_PK FROM ZPERSON p JOIN ZPERSON s ON s.Z_PK = p.ZSPOUSE WHERE s.ZNAME = 'Ann'"
    ),
    (
      "Company", "ANY staff.name == \"Bob\"",
      "SELECT Z_PK FROM ZCOMPANY c WHERE EXISTS (SELECT 1 FROM ZPERSON WHERE ZCOMPANY = c.Z_PK AND ZNAME = 'Bob')"
    ),
    (
      "Company", "staff.@count == 1",
      "SELECT Z_PK FROM ZCOMPANY c WHERE (SELECT count(*) FROM ZPERSON WHERE ZCOMPANY = c.Z_PK) = 1"
    ),
    (
      "Company", "archive.@count > 0",
      "SELECT DISTINCT Z2ARCHIVE FROM ZDOCUMENT WHERE Z2ARCHIVE IS NOT NULL"
    ),
    (
      "Company", "NONE archive.text == \"b\"",
      "SELECT Z_PK FROM ZCOMPANY WHERE Z_PK NOT IN (SELECT Z2ARCHIVE FROM ZDOCUMENT WHERE ZTEXT = 'b')"
    ),
    (
      "Manager", "ANY reports.name == \"Cyd\"",
      "SELECT ZBOSS FROM ZPERSON WHERE ZNAME = 'Cyd'"
    ),
    (
      "Person", "ANY friends.name == \"Ann\"",
      "SELECT REFLEXIVE FROM Z_5FRIENDS JOIN ZPERSON ON Z_PK = Z_5FRIENDS WHERE ZNAME = 'Ann'"
    ),
    (
      "Person", "friends.@count == 2",
      "SELECT REFLEXIVE FROM Z_5FRIENDS GROUP BY 1 HAVING count(*) = 2"
    ),
    (
      "Person", "ANY tags.label == \"blue\"",
      "SELECT Z_5PEOPLE FROM TAGS JOIN ZTAG ON Z_PK = Z_9TAGS WHERE ZLABEL = 'blue'"
    ),
    (
      "Tag", "ANY children.label == \"blue\"",
      "SELECT Z_9PARENTS FROM CHILDREN JOIN ZTAG ON Z_PK = Z_9CHILDREN WHERE ZLABEL = 'blue'"
    ),
    ("Tag", "parents.@count == 1", "SELECT Z_9CHILDREN FROM CHILDREN"),
  ]

  @Test("Conditions find what statements by hand find", arguments: Variant.allCases)
  func conditions(variant: Variant) throws {
    let files = try Files(variant)
    let isByHigher = variant == .otherJoinNames
    // Tables of pairs have the name of either side.
    let names = [
      "TAGS": isByHigher ? "Z_9PEOPLE" : "Z_5TAGS",
      "CHILDREN": isByHigher ? "Z_9PARENTS" : "Z_9CHILDREN",
    ]
    for question in Self.questions {
      var words = question.sql.split(separator: " ").map(String.init)
      for (place, word) in words.enumerated() { words[place] = names[word] ?? word }
      let expected = try files.numbers(words.joined(separator: " "))
      #expect(
        try files.keys(question.entity, question.condition) == Set(expected).sorted(),
        "\(question.entity) where \(question.condition)")
    }
  }

  @Test("To-many relationships lead to what is in the tables, in their order")
  func relatedRows() throws {
    let files = try Files(.plain)
    func related(_ name: String, _ property: String, _ key: RowKey) throws -> [RowKey] {
      let entity = try #require(files.store.schema.entity(named: name))
      let slot = try #require(entity.slot(named: property))
      return Array(try files.store.relatedKeys(entity: entity.index, slot: slot, key: key))
    }
    #expect(
      try related("Manager", "reports", 1)
        == files.numbers("SELECT Z_PK FROM ZPERSON WHERE ZBOSS = 1 ORDER BY Z_FOK_BOSS"))
    #expect(try related("Manager", "reports", 1) == [3, 2])
    #expect(
      try related("Tag", "children", 1)
        == files.numbers(
          "SELECT Z_9CHILDREN FROM Z_9CHILDREN WHERE Z_9PARENTS = 1 ORDER BY Z_FOK_9CHILDREN"))
    #expect(try related("Tag", "children", 1) == [3, 2])
    #expect(try related("Tag", "parents", 3) == [1])
    #expect(try related("Company", "archive", 1) == [1, 2])
    #expect(try related("Company", "staff", 1) == [1, 2])
    #expect(try related("Person", "friends", 1) == [2, 3])
    #expect(try related("Person", "friends", 3) == [1])
    #expect(try related("Person", "tags", 3) == [2])
  }

  @Test("Rows have the entity that they are of, and what is stored")
  func rows() throws {
    let files = try Files(.withProxies)
    let store = files.store
    let person = try #require(store.schema.entity(named: "Person"))
    let keys = try store.fetchKeys(FetchRequest(entity: "Person")).sorted()
    var lines: [String] = []
    for page in try store.rows(entity: person.index, keys: keys) {
      for row in 0..<page.rowCount {
        let entity = store.schema.entities[person.index(ofRow: row, in: page)]
        let values = ["name", "born", "isActive", "pay", "title", "room", "company"].map {
          entity.slot(named: $0).map { Self.text(page.value(row: row, slot: $0)) } ?? "-"
        }
        lines.append("\(entity.name)|\(values.joined(separator: "|"))")
      }
    }
    let expected = try files.lines(
      """
      SELECT e.Z_NAME || '|' || ZNAME || '|' || ifnull(ZBORN, '') || '|' || ifnull(ZISACTIVE, '') || '|' || \
      ifnull(ZPAY, '') || '|' || ifnull(iif(p.Z_ENT = 8, ZTITLE1, ZTITLE), '') || '|' || ifnull(ZROOM, '') || \
      '|' || ifnull(ZCOMPANY, '') FROM ZPERSON p JOIN Z_PRIMARYKEY e ON e.Z_ENT = p.Z_ENT ORDER BY p.Z_PK
      """)
    #expect(lines == expected)
    #expect(lines.count == 4)
  }

  private static func text(_ value: Value) -> String {
    switch value {
    case .null: ""
    case .integer(let integer): "\(integer)"
    case .real(let real): "\(real)"
    case .text(let text): text
    case .blob(let data): "\(data.count) bytes"
    }
  }

  @Test("History is read as entities: what was changed, when, and by whom")
  func history() throws {
    let files = try Files(.withHistory)
    #expect(
      try files.keys("CHANGE", "transactionID.bundleIDTS.name == \"com.example.notes\"") == [1])
    #expect(try files.keys("TRANSACTION", "ANY changes.entityPK == 1") == [1])
    let change = try #require(files.store.schema.entity(named: "CHANGE"))
    let entity = try #require(change.description.properties.first { $0.name == "entity" })
    #expect(
      entity.attribute?.cases?.map(\.name)
        == files.sample.numbers.sorted { $0.value < $1.value }.map(\.key))
    #expect(try Files(.plain).store.schema.entity(named: "CHANGE") == nil)
  }
}
