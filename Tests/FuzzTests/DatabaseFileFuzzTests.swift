import DatastoreCore
import DatastoreSQL
import DatastoreSQLite
import DatastoreTestSupport
import Foundation
import SampleModel
import SwiftDatastore
import Testing

// Promise: a database is damaged → a sentence, never a trap.
/// Damaged database files are opened, read and edited: whatever is wrong with them is a sentence. It never
/// ends the process, and never takes for ever.
@Suite(.serialized) struct DatabaseFileFuzzTests {
  /// Files: a tenth of `DATASTORE_FUZZ_CASES`, which is 2,000 in `make fuzz`; else 60.
  private static let cases =
    ProcessInfo.processInfo.environment["DATASTORE_FUZZ_CASES"].flatMap { Int($0) }.map { $0 / 10 }
    ?? 60

  private static let schemas: [(name: String, sql: String)] = [
    (
      "keys",
      """
      CREATE TABLE team (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
      CREATE TABLE person (id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT, pay REAL,
        team_id INTEGER REFERENCES team ON DELETE CASCADE);
      CREATE INDEX person_name ON person (name);
      CREATE VIEW paid AS SELECT name, pay FROM person WHERE pay > 1;
      CREATE TRIGGER t AFTER UPDATE ON person BEGIN UPDATE team SET name = name; END;
      INSERT INTO team VALUES (1, 'Red'), (2, 'Blue');
      INSERT INTO person (name, pay, team_id) VALUES ('Ann', 1.5, 1), ('Bob', NULL, 2);
      """
    ),
    (
      "small pages",
      """
      PRAGMA page_size = 512; PRAGMA auto_vacuum = FULL;
      CREATE TABLE person (name TEXT, note TEXT, photo BLOB);
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 40)
        INSERT INTO person SELECT 'p' || i, printf('%.*c', i * 30, 'x'), randomblob(5) FROM n;
      """
    ),
    (
      "composite",
      """
      CREATE TABLE person (region TEXT, number INTEGER, name TEXT, PRIMARY KEY (region, number))
        WITHOUT ROWID;
      CREATE TABLE line (region TEXT, number INTEGER, line INTEGER, name TEXT,
        PRIMARY KEY (region, number, line),
        FOREIGN KEY (region, number) REFERENCES person(region, number));
      INSERT INTO person VALUES ('EU', 1, 'a'), ('US', 1, 'b');
      INSERT INTO line VALUES ('EU', 1, 1, 'pen'), ('EU', 1, 2, 'ink');
      """
    ),
    (
      "strict and generated",
      """
      PRAGMA encoding = 'UTF-16le';
      CREATE TABLE person (id INTEGER PRIMARY KEY, name TEXT COLLATE NOCASE,
        upper TEXT AS (upper(name)), size INTEGER AS (length(name)) STORED, pay ANY) STRICT;
      INSERT INTO person (name, pay) VALUES ('Ann', 1), ('Bób', x'00FF'), (NULL, 'x');
      CREATE VIRTUAL TABLE words USING fts5(body);
      INSERT INTO words VALUES ('some words'), ('others');
      """
    ),
  ]

  private static func files(in folder: TemporaryDirectory) throws -> [(String, [UInt8])] {
    var files: [(String, [UInt8])] = []
    for (name, sql) in schemas {
      let url = folder.url.appending(path: "\(files.count).sqlite")
      try SQLiteFile.make(at: url, sql)
      files.append((name, Array(try Data(contentsOf: url))))
    }
    let own = folder.url.appending(path: "own.sqlite")
    let model = try SwiftDatastoreModel.sampleCompanies()
    let datastore = try SwiftDatastore(schema: model.schema, url: own)
    try datastore.close()
    files.append(("own", Array(try Data(contentsOf: own))))
    return files
  }

  @Test("Damaged files are told of in sentences")
  func damagedFiles() async throws {
    let folder = try TemporaryDirectory()
    let seed = RandomCases.seed()
    var mutator = FileMutator(try Self.files(in: folder), seed: seed)
    let black = try BlackBox("database file")
    var opened = 0
    var edited = 0
    for number in 0..<Self.cases {
      let (name, bytes) = mutator.next()
      black.record(bytes)
      let url = folder.url.appending(path: "case.sqlite")
      for suffix in ["", "-wal", "-shm", "-journal"] { unlink(url.path + suffix) }
      try Data(bytes).write(to: url)
      var broken: [String] = []
      do {
        try Self.readAll(url)
        opened += 1
      } catch {
        broken += Self.fault(error)
      }
      do {
        if try await Self.edit(url) { edited += 1 }
      } catch {
        broken += Self.fault(error)
      }
      if !broken.isEmpty {
        Issue.record("file \(number), made of “\(name)”: \(broken.joined(separator: "; "))")
        return black.keep()
      }
    }
    black.close()
    print(
      "fuzz: \(Self.cases) database files, seed \(seed): \(opened) read whole, \(edited) edited")
    // Otherwise the damage is so great that only the first checks are tested.
    #expect(opened > Self.cases / 10 && edited > 0)
  }

  /// The rule that an error breaks: each is a `StoreError`, and a sentence.
  private static func fault(_ error: any Error) -> [String] {
    switch error {
    case let error as StoreError: FuzzTarget.sentence(error.description, of: [])
    case let error as SchemaError: FuzzTarget.sentence(error.description, of: [])
    case let error as ValidationError: FuzzTarget.sentence(error.description, of: [])
    case let error as ConflictError: FuzzTarget.sentence("\(error)", of: [])
    default: ["an error of another kind: \(type(of: error)) \(error)"]
    }
  }

  /// Reads rows of every table, and their related rows.
  private static func readAll(_ url: URL) throws {
    let store = try SQLiteStore(existing: url, isReadOnly: true)
    defer { try? store.close() }
    var first: (any Error)?
    for entity in store.schema.entities {
      do {
        _ = try store.count(FetchRequest(entity: entity.name))
        let keys = try store.fetchKeys(FetchRequest(entity: entity.name))
        let some = Array(keys.prefix(50))
        for page in try store.rows(entity: entity.index, keys: some) {
          for row in 0..<page.rowCount {
            for column in 0..<page.columnCount {
              _ = page.value(row: row, column: column).description
            }
          }
        }
        for (slot, link) in zip(entity.slots, entity.links) where link?.kind.isToMany == true {
          for key in some.prefix(3) {
            _ = try store.relatedKeys(entity: entity.index, slot: slot, key: key)
          }
        }
      } catch {
        // One damaged table has no effect on the others.
        if !fault(error).isEmpty { throw error }
        first = first ?? error
      }
    }
    if let first { throw first }
  }

  /// Gives the first text of the first row with one another value and saves it. False if there is nothing to
  /// edit.
  private static func edit(_ url: URL) async throws -> Bool {
    let datastore = try SwiftDatastore(opening: url)
    defer { try? datastore.close() }
    return try await datastore.newContext().perform { context in
      for entity in datastore.schema.entities where !entity.description.isReadOnly {
        let slot = entity.slots.first { slot in
          guard case .attribute(let attribute) = entity.properties[slot] else { return false }
          return attribute.type == .string && !attribute.isReadOnly
        }
        var request = FetchRequest(entity: entity.name)
        request.limit = 1
        let found: [DynamicObject] = try context.fetch(request)
        guard let slot, let object = found.first else { continue }
        object[slot] = .text("changed")
        try context.saveChanges()
        return true
      }
      return false
    }
  }
}

// Foundation has a type of the same name.
private typealias FetchRequest = DatastoreCore.FetchRequest
