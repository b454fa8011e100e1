import DatastoreCore
import DatastoreSQL
import DatastoreTestSupport
import Foundation
import Testing

@testable import DatastoreSQLite

// Promise: a reference leads to no row → what is stored is shown, exported and kept.
// Also: `DanglingReferenceScreenTests`
/// References in third-party files that lead to no row: what is stored stays known, of whatever kind it is.
@Suite("References that lead nowhere")
struct DanglingReferenceTests {
  /// `currency` by a text key, `planet` by a column without a type, `continent` by the rowid, `region` by two
  /// columns, `language` by the key of a table without rowids.
  private static let sql = """
    PRAGMA foreign_keys = OFF;
    CREATE TABLE currency (code TEXT PRIMARY KEY, name TEXT);
    CREATE TABLE planet (id INTEGER PRIMARY KEY, name TEXT);
    CREATE TABLE continent (id INTEGER PRIMARY KEY, name TEXT);
    CREATE TABLE region (a TEXT, b INTEGER, name TEXT, UNIQUE (a, b));
    CREATE TABLE language (tag TEXT PRIMARY KEY, name TEXT) WITHOUT ROWID;
    CREATE TABLE country (
      id INTEGER PRIMARY KEY, name TEXT, currency TEXT REFERENCES currency, planet REFERENCES planet,
      continent INTEGER REFERENCES continent, a TEXT, b INTEGER, language TEXT REFERENCES language,
      FOREIGN KEY (a, b) REFERENCES region (a, b));
    INSERT INTO currency VALUES ('EUR', 'Euro'), ('CHF', 'Franc');
    INSERT INTO planet VALUES (3, 'Earth'); INSERT INTO continent VALUES (1, 'Europe');
    INSERT INTO region VALUES ('n', 1, 'North'); INSERT INTO language VALUES ('de', 'German');
    INSERT INTO country VALUES
      (1, 'whole', 'EUR', 3, 1, 'n', 1, 'de'),
      (2, 'texts', 'XXX', 'Mars', 'nowhere', 'n', 2, 'xx'),
      (3, 'others', x'00ff', 2.5, 99, 'm', 1, 'yy'),
      (4, 'none', NULL, NULL, NULL, NULL, NULL, NULL),
      (5, 'again', 'XXX', 99, 1.25, NULL, 7, 'xx');
    """
  private static let slots = ["currency", "planet", "continent", "region", "language"]
  private static let stored = """
    SELECT id || '|' || quote(currency) || '|' || quote(planet) || '|' || quote(continent) || '|' \
    || quote(a) || '|' || quote(b) || '|' || quote(language) FROM country ORDER BY id
    """

  private let file: ForeignFile

  init() throws {
    file = try ForeignFile(Self.sql)
  }

  /// The one column of an answer of SQLite's own.
  private func plain(_ sql: String) throws -> [String] {
    try SQLiteFile.values(sql, in: file.url)
  }

  private func country(_ store: SQLiteStore) throws -> Entity {
    try #require(store.schema.entity(named: "country"))
  }

  @Test("Each holds a key, one for each stored value, that says what is stored; NULL holds none")
  func keys() throws {
    let store = try file.open(isReadOnly: true)
    let entity = try country(store)
    for name in Self.slots {
      let slot = try #require(entity.slot(named: name))
      let destination = try #require(entity.links[slot]).destination
      let rows = try (1...5).map { try store.row("country", RowKey($0))?[name] ?? .null }
      #expect(rows[3].isNull, "\(name)")
      for (index, value) in rows.enumerated() where index != 3 {
        // A NULL among several columns refers to nothing.
        if name == "region", index == 4 {
          #expect(value.isNull)
          continue
        }
        guard let key = value.key else {
          Issue.record("\(name) of \(index + 1) holds \(value)")
          continue
        }
        let isThere = try !store.rows(entity: destination, keys: [key]).isEmpty
        #expect(isThere == (index == 0), "\(name) of \(index + 1)")
        // An export writes SQLite's value.
        let written = try store.referenceValues(of: slot, in: entity, keys: [key])
        let values = written?[key] ?? [.key(key)]
        let columns = store.storedColumns(of: slot, in: entity)
          .map { "quote(\"\($0.name)\")" }.joined(separator: " || '|' || ")
        let found = try plain("SELECT \(columns) FROM country WHERE id = \(index + 1)")
        #expect(
          [values.map(Self.quoted).joined(separator: "|")] == found, "\(name) of \(index + 1)")
        #expect(
          store.keyValues(entity: destination, key: key).map { values in
            store.key(entity: destination, values: values) == key
          } ?? true)
      }
    }
    let first = try store.row("country", 2)
    let second = try store.row("country", 5)
    #expect(first?["currency"] == second?["currency"] && first?["planet"] != second?["planet"])
    try store.close()
  }

  private static func quoted(_ value: Value) -> String {
    switch value {
    case .null: "NULL"
    case .integer(let integer): String(integer)
    case .real(let real): String(real)
    case .text(let text): "'\(text)'"
    case .blob(let data):
      "X'"
        + data.map { $0 < 16 ? "0" + String($0, radix: 16) : String($0, radix: 16) }
        .joined().uppercased() + "'"
    }
  }

  @Test("Conditions, orders and groups take them for references, as integers always were")
  func conditions() throws {
    let store = try file.open(isReadOnly: true)
    func keys(_ predicate: String, sort: [SortDescriptor] = []) throws -> [RowKey] {
      let entity = try country(store)
      return try store.fetch(
        FetchRequest(
          entity: "country",
          predicate: .parse(predicate, entity: entity, in: store.schema),
          sortDescriptors: sort)
      ).flatMap { page in (0..<page.rowCount).map { page.key(ofRow: $0) } }
    }
    for (name, column) in [
      ("currency", "currency"), ("planet", "planet"), ("continent", "continent"),
      ("language", "language"), ("region", "a IS NULL OR b"),
    ] {
      let none = try plain("SELECT id FROM country WHERE (\(column)) IS NULL")
      let expected = name == "region" ? ["4", "5"] : none
      #expect(try keys("\(name) = nil").map(String.init) == expected, "\(name)")
      #expect(try keys("\(name) != nil").count == 5 - expected.count, "\(name)")
      #expect(try keys("\(name).name = nil") == (name == "region" ? [2, 3, 4, 5] : [2, 3, 4, 5]))
      let held = try (1...5).map { try store.row("country", RowKey($0))?[name] ?? .null }
      for (index, value) in held.enumerated() where !value.isNull {
        let same = held.indices.filter { held[$0] == value }.map { RowKey($0 + 1) }
        let found = try store.fetch(
          FetchRequest(
            entity: "country",
            predicate: .comparison(
              Predicate.Comparison(.keyPath([name]), .equal, .value(value))))
        ).flatMap { page in (0..<page.rowCount).map { page.key(ofRow: $0) } }
        #expect(found == same, "\(name) of \(index + 1)")
      }
    }
    try store.close()
  }

  @Test(
    "A save leaves them as they are, writes them back and finds that somebody else changed them")
  func saving() throws {
    let store = try file.open()
    let before = try plain(Self.stored)
    var rename = Changes(store)
    for key in 1...5 { try rename.update("country", RowKey(key), from: [:], to: ["name": "new"]) }
    try rename.save()
    #expect(try plain(Self.stored) == before)
    #expect(try plain("SELECT DISTINCT name FROM country") == ["new"])
    // To rows that are there.
    let row = try #require(try store.row("country", 2))
    var lead = Changes(store)
    let real = try #require(try store.row("country", 1))
    let targets = Dictionary(uniqueKeysWithValues: Self.slots.map { ($0, real[$0] ?? .null) })
    try lead.update("country", 2, from: [:], to: targets)
    try lead.save()
    #expect(try plain(Self.stored)[1].dropFirst() == before[0].dropFirst())
    // SQLite itself refuses to write one; that it would be written, and not NULL, is seen by that.
    for name in Self.slots {
      var back = Changes(store)
      try back.update("country", 2, from: [:], to: [name: row[name] ?? .null])
      #expect(throws: StoreError.self, "\(name)") { try back.save() }
    }
    var copy = Changes(store)
    try copy.insert(
      "country", key: 13,
      try #require(try store.row("country", 3)).filter { $0.key != "id" })
    #expect(throws: StoreError.self) { try copy.save() }
    #expect(try plain("SELECT count(*) FROM country") == ["5"])
    // Someone else writes another value there.
    for (name, sql) in [
      ("currency", "currency = 'YYY'"), ("planet", "planet = 'Venus'"),
      ("continent", "continent = 'here'"), ("region", "b = 3"), ("language", "language = 'zz'"),
    ] {
      var late = Changes(store)
      try late.update("country", 3, from: [:], to: [name: targets[name] ?? .null])
      try SQLiteFile.make(
        at: file.url, "PRAGMA foreign_keys = OFF; UPDATE country SET \(sql) WHERE id = 3")
      #expect(throws: ConflictError.self, "\(name)") { try late.save() }
    }
    try store.close()
  }
}
