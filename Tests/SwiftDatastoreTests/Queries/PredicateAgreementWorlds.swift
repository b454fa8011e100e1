import DatastoreCore
import DatastoreSQLite
import DatastoreTestSupport
import Foundation
import GRDB
import Testing

/// Stores full of awkward rows, of each engine: one of our own making, one that another program made.
enum PredicateAgreementWorld: String, CaseIterable, Sendable {
  case nativeFile, foreignFile, nativeFar
  #if PostgreSQL
  case nativeServer, foreignServer
  #endif

  func make(_ random: inout SeededRandom) throws -> (any StoreEngine, TemporaryDirectory?) {
    switch self {
    case .nativeFile: return (try Self.native(.sqlite, &random), nil)
    case .nativeFar: return (try Self.native(.far, &random), nil)
    case .foreignFile:
      let folder = try TemporaryDirectory()
      return (try Self.foreign(&random, at: folder.file("foreign.db")), folder)
    #if PostgreSQL
    case .nativeServer: return (try Self.native(.postgreSQL, &random), nil)
    case .foreignServer: return (try PredicateAgreementServerTables.store(&random), nil)
    #endif
    }
  }

  private static func attribute(
    _ name: String, _ type: AttributeType
  ) -> PropertyDescription {
    .attribute(AttributeDescription(name: name, type: type, isIndexed: type == .string))
  }

  private static func relationship(
    _ name: String, _ kind: RelationshipKind, _ destination: String, _ inverse: String?
  ) -> PropertyDescription {
    .relationship(
      RelationshipDescription(name: name, kind: kind, destination: destination, inverse: inverse))
  }

  private static let descriptions = [
    EntityDescription(
      name: "Person",
      properties: [
        attribute("name", .string), attribute("age", .integer64), attribute("salary", .double),
        attribute("price", .decimal), attribute("active", .boolean), attribute("born", .date),
        attribute("badge", .data), attribute("anything", .undefined),
        attribute("other", .undefined),
        relationship("place", .toOne, "Place", "people"),
        relationship("boss", .toOne, "Person", "reports"),
        relationship("reports", .toMany, "Person", "boss"),
        relationship("tasks", .orderedToMany, "Task", "owner"),
        relationship("tags", .toMany, "Tag", "people"),
        relationship("friends", .toMany, "Person", "friends"),
        relationship("home", .toOne, "Place", nil),
      ]),
    EntityDescription(
      name: "Place",
      properties: [
        attribute("name", .string), attribute("size", .undefined),
        relationship("people", .toMany, "Person", "place"),
      ]),
    EntityDescription(
      name: "Task",
      properties: [
        attribute("title", .string), attribute("estimate", .integer32),
        attribute("cost", .decimal), attribute("weight", .float), attribute("note", .undefined),
        relationship("owner", .toOne, "Person", "tasks"),
      ]),
    EntityDescription(
      name: "Tag",
      properties: [
        attribute("label", .string), relationship("people", .toMany, "Person", "tags"),
      ]),
  ]

  /// A value that a store of an engine may hold in an attribute: a server's columns have one type each, and
  /// its texts no NUL.
  private static func stored(
    _ type: AttributeType, in engine: TestEngine, _ random: inout SeededRandom
  ) -> Value {
    let value = AgreementValues.stored(type, &random)
    if engine.isSQLite { return value }
    switch (type, value) {
    case (_, .text(let text)):
      return .text(String(String.UnicodeScalarView(text.unicodeScalars.filter { $0 != "\0" })))
    case (.integer32, .integer(let integer)):
      return .integer(Int64(Int32(truncatingIfNeeded: integer)))
    case (.date, .real(let seconds)): return abs(seconds) < 1e9 ? value : .real(728_395_200.5)
    default: return value
    }
  }

  private static func native(
    _ engine: TestEngine, _ random: inout SeededRandom
  ) throws -> any StoreEngine {
    var descriptions = Self.descriptions
    if !engine.isSQLite {
      for index in descriptions.indices {
        descriptions[index].properties.removeAll { $0.attribute?.type == .undefined }
      }
    }
    let store = try engine.makeStore(try Schema(descriptions))
    var changes = Changes(store)
    var keys: [String: [RowKey]] = [:]
    for (name, count) in [("Place", 4), ("Person", 14), ("Task", 12), ("Tag", 4)] {
      let entity = try #require(store.schema.entity(named: name))
      let new = try (0..<count).map { _ in try store.makeKey(entity: entity.index) }
      keys[name] = new
      for key in new {
        var values: [String: Value] = [:]
        for property in entity.properties {
          if let attribute = property.attribute {
            values[property.name] = stored(attribute.type, in: engine, &random)
          } else if let link = property.relationship, link.kind == .toOne,
            Int.random(in: 0..<4, using: &random) > 0,
            let target = keys[link.destination]?.randomElement(using: &random)
          {
            values[property.name] = .key(target)
          }
        }
        try changes.insert(name, key: key, values)
      }
    }
    var seen: Set<[RowKey]> = []
    for _ in 0..<20 {
      guard let person = keys["Person"]?.randomElement(using: &random),
        let tag = keys["Tag"]?.randomElement(using: &random),
        let friend = keys["Person"]?.randomElement(using: &random)
      else { continue }
      if seen.insert([person, tag, 0]).inserted { try changes.link("Person", "tags", person, tag) }
      if seen.insert([min(person, friend), max(person, friend), 1]).inserted {
        try changes.link("Person", "friends", person, friend)
      }
    }
    try changes.save()
    return store
  }

  /// Columns of every affinity that hold values of every class, text and composite keys, a join
  /// table, a view, collations, and references that lead nowhere.
  private static let foreignTables = """
    CREATE TABLE country (code TEXT PRIMARY KEY COLLATE NOCASE, name TEXT) WITHOUT ROWID;
    CREATE TABLE place (id INTEGER PRIMARY KEY, name TEXT COLLATE NOCASE, size,
      ref NUMERIC UNIQUE, country TEXT REFERENCES country(code));
    CREATE TABLE person (id INTEGER PRIMARY KEY, i INTEGER, t TEXT, r REAL, n NUMERIC, b BLOB,
      x, nc TEXT COLLATE NOCASE, rt TEXT COLLATE RTRIM, d DATETIME, money DECIMAL(5,2),
      flag BOOLEAN, sum AS (i + r),
      place_id INTEGER REFERENCES place(id), boss_id INTEGER REFERENCES person(id),
      ref TEXT REFERENCES place(ref));
    CREATE INDEX person_t ON person(t);
    CREATE INDEX person_n ON person(n);
    CREATE INDEX person_place ON person(place_id);
    CREATE TABLE item (region TEXT, number INTEGER, what, price REAL,
      person_id INTEGER REFERENCES person(id), PRIMARY KEY (region, number)) WITHOUT ROWID;
    CREATE TABLE part (id INTEGER PRIMARY KEY, region TEXT, number INTEGER, weight,
      FOREIGN KEY (region, number) REFERENCES item(region, number));
    CREATE TABLE tag (label TEXT PRIMARY KEY, x);
    CREATE TABLE person_tag (person_id INTEGER REFERENCES person(id), label TEXT REFERENCES tag);
    CREATE TABLE strict (id INTEGER PRIMARY KEY, i INTEGER, r REAL, t TEXT, b BLOB, x ANY) STRICT;
    CREATE VIEW staff AS SELECT name, size, t, x FROM person JOIN place ON place.id = place_id;
    """

  /// Dates in columns of every affinity.
  private static let annotations: SchemaAnnotations = {
    var annotations = SchemaAnnotations()
    let conventions: [(String, String, DateConvention)] = [
      ("person", "i", .unixSeconds), ("person", "t", .text(.day)), ("person", "r", .julianDay),
      ("person", "n", .unixMilliseconds), ("person", "x", .appleSeconds),
      ("person", "d", .text(.day)),
      ("item", "price", .webKit), ("strict", "i", .unixNanoseconds),
      ("staff", "x", .unixMicroseconds),
    ]
    for (table, column, convention) in conventions {
      annotations.setDates(.stored(convention), of: column, in: table)
    }
    return annotations
  }()

  private static func foreign(
    _ random: inout SeededRandom, at url: URL
  ) throws -> SQLiteStore {
    let queue = try DatabaseQueue(path: url.path)
    var drawn = random
    try queue.writeWithoutTransaction { database in
      try database.execute(sql: "PRAGMA foreign_keys = OFF; " + foreignTables)
      func insert(_ table: String, _ values: [Value]) throws {
        let marks = values.map { _ in "?" }.joined(separator: ", ")
        try database.execute(
          sql: "INSERT OR IGNORE INTO \(table) VALUES (\(marks))",
          arguments: StatementArguments(values.map(\.databaseValue)))
      }
      func any() -> Value { AgreementValues.any(&drawn) }
      func reference(_ range: ClosedRange<Int64>) -> Value {
        switch Int.random(in: 0..<6, using: &drawn) {
        case 0: .null
        default: .integer(Int64.random(in: range, using: &drawn))
        }
      }
      let codes: [Value] = ["DE", "fr", "É", "de"]
      let references: [Value] = ["1", 1, 2.5, "abc", .null, "2.5", .blob(Data([1]))]
      func one(_ values: [Value]) -> Value { values.randomElement(using: &drawn) ?? .null }
      for code in codes { try insert("country", [code, .text(AgreementValues.text(&drawn))]) }
      for id in 1...5 {
        try insert("place", [.integer(Int64(id)), any(), any(), one(references), one(codes)])
      }
      for id in 1...14 {
        let values = (0..<11).map { _ in any() }
        let columns = "id, i, t, r, n, b, x, nc, rt, d, money, flag, place_id, boss_id, ref"
        // One reference in a while leads to a row that is not there, or is not an integer.
        let place = Int.random(in: 0..<8, using: &drawn) == 0 ? any() : reference(1...6)
        try insert(
          "person (\(columns))",
          [.integer(Int64(id))] + values + [place, reference(1...14), one(references)])
      }
      for number in 1...8 {
        try insert(
          "item",
          [one(["EU", "US", "1"]), .integer(Int64(number)), any(), any(), reference(1...15)])
      }
      for id in 1...8 {
        try insert(
          "part", [.integer(Int64(id)), one(["EU", "US", "1"]), reference(1...9), any()])
      }
      let labels: [Value] = ["a", "A", "é", "e\u{301}", "1"]
      for label in labels { try insert("tag", [label, any()]) }
      for _ in 1...14 { try insert("person_tag", [reference(1...15), one(labels + ["none"])]) }
      for id in 1...8 {
        try insert(
          "strict",
          [
            .integer(Int64(id)), AgreementValues.stored(.integer64, &drawn),
            AgreementValues.stored(.double, &drawn), AgreementValues.stored(.string, &drawn),
            AgreementValues.stored(.data, &drawn), any(),
          ])
      }
    }
    try queue.close()
    random = drawn
    return try SQLiteStore(existing: url, annotations: annotations)
  }
}

extension DatastoreCore.Value {
  fileprivate var databaseValue: (any DatabaseValueConvertible)? {
    switch self {
    case .null: nil
    case .integer(let integer): integer
    case .real(let real): real
    case .text(let text): text
    case .blob(let data): data
    }
  }
}
