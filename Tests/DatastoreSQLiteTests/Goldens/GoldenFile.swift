import DatastoreCore
import DatastoreSQL
import DatastoreTestSupport
import Foundation
import GRDB
import Testing

@testable import DatastoreSQLite

/// A SQLite file that records every statement that its store runs, with the bound values in it, and the rows
/// that SQLite answers.
///
/// Belongs to one test at a time. A golden text holds the statements, an empty line, and the rows as the
/// sqlite3 program lists them. To render a request in another way, run the tests with
/// `DATASTORE_RECORD_GOLDENS=1`, which writes the texts into the sources, and read the diff.
final class GoldenFile {
  let store: SQLiteStore
  private let directory: TemporaryDirectory
  private let url: URL
  private let statements: Lock<[String]>

  /// A file of another program, made by statements of SQL.
  convenience init(_ sql: String) throws {
    try self.init { try SQLiteFile.make(at: $0, sql) }
  }

  /// A native file with some rows.
  convenience init(_ schema: Schema, _ fill: (inout Changes) throws -> Void) throws {
    try self.init { url in
      let store = try SQLiteStore(schema, at: url)
      var changes = Changes(store)
      try fill(&changes)
      try changes.save()
      try store.close()
    }
  }

  private init(_ make: (URL) throws -> Void) throws {
    directory = try TemporaryDirectory()
    url = directory.url.appending(path: "golden.sqlite")
    try make(url)
    let found = try SQLiteStore(existing: url, isReadOnly: true)
    let mapping = found.mapping
    let version = try found.read { try RawStatement.schemaVersion($0) }
    try found.close()
    let statements = Lock<[String]>([])
    self.statements = statements
    var configuration = Connections.configuration(keyTables: mapping.keyTables, isReadOnly: true)
    configuration.prepareDatabase { database in
      database.trace(options: .statement) { event in
        guard case .statement(let statement) = event else { return }
        let sql = statement.expandedSQL
        statements.withLock { $0.append(sql) }
      }
    }
    // One connection, so that every statement is recorded.
    store = SQLiteStore(
      mapping: mapping, schemaVersion: version, url: url, isReadOnly: true,
      reader: try DatabaseQueue(path: url.path, configuration: configuration),
      writer: .notYetOpen, trace: nil)
  }

  deinit { try? store.close() }

  /// Asks, and compares what SQLite was asked and what it answered with a golden text.
  ///
  /// - Parameters:
  ///   - oracle: SQL that someone who knows nothing of this library would write; the sqlite3 program must
  ///     list the same rows for it.
  ///   - golden: the statements, an empty line, and the rows.
  func expect(
    oracle: String? = nil, is golden: String, file: String = #filePath,
    sourceLocation: SourceLocation = #_sourceLocation,
    _ question: (SQLiteStore) async throws -> [[Value]]
  ) async throws {
    statements.withLock { $0.removeAll() }
    let rows = try await question(store).map(GoldenText.row)
    let asked = statements.withLock { $0 }.filter(Self.isQuestion).map(SQLLayout.lines)
    let shown = (asked + [""] + rows).joined(separator: "\n")
    if shown != golden {
      if GoldenRecorder.isOn {
        try GoldenRecorder.record(shown, inCallAt: sourceLocation.line, of: file)
      }
      Issue.record(
        """
        This is asked and answered:
        \(shown)

        It should be:
        \(golden)
        """, sourceLocation: sourceLocation)
    }
    if let oracle { try expectFound(rows, by: oracle, sourceLocation: sourceLocation) }
  }

  /// Compares rows with those that the sqlite3 program lists.
  func expectFound(
    _ rows: [String], by oracle: String, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    guard SQLiteCommand.isPresent else { return }
    let answer = try SQLiteFile.output(of: ".nullvalue NULL\n\(oracle);\n", at: url)
    #expect(
      rows == answer.split(separator: "\n").map(String.init), "sqlite3 answers something else",
      sourceLocation: sourceLocation)
  }

  /// The statements that GRDB adds around a question are not part of it.
  private static func isQuestion(_ statement: String) -> Bool {
    let others = ["BEGIN", "COMMIT", "ROLLBACK", "PRAGMA", "SAVEPOINT", "RELEASE"]
    return !others.contains { statement.hasPrefix($0) }
  }
}

/// Requests as people write them.
extension GoldenFile {
  /// Asks for values of the objects of an entity.
  ///
  /// - Parameters:
  ///   - shown: the paths whose values are the rows, with commas between them.
  ///   - condition: in the format language of predicates.
  ///   - order: as `SortDescriptor.parse` takes it.
  func expect(
    _ shown: String = "name", of entity: String, where condition: String? = nil,
    order: String = "", offset: Int = 0, limit: Int = 0, oracle: String? = nil,
    is golden: String, file: String = #filePath,
    sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    let request = try request(entity, condition, order: order, offset: offset, limit: limit)
    let paths = shown.split(separator: ",").map { path in
      path == "SELF" ? [] : path.split(separator: ".").map(String.init)
    }
    try await expect(oracle: oracle, is: golden, file: file, sourceLocation: sourceLocation) {
      try await $0.answer(ValuesQuestion(of: paths, in: request))
    }
  }

  /// Asks for whole objects: the key, then attributes and to-one relationships.
  func expectObjects(
    of entity: String, where condition: String? = nil, order: String = "", offset: Int = 0,
    limit: Int = 0, oracle: String? = nil, is golden: String, file: String = #filePath,
    sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    let request = try request(entity, condition, order: order, offset: offset, limit: limit)
    try await expect(oracle: oracle, is: golden, file: file, sourceLocation: sourceLocation) {
      Self.rows(of: try $0.fetch(request), in: try self.entity(entity))
    }
  }

  /// The cells of packed rows: keys first, without the slots that hold nothing.
  static func rows(of pages: [RowPage], in entity: Entity) -> [[Value]] {
    let slots = entity.slots.filter {
      !(entity.properties[$0].relationship?.kind.isToMany ?? false)
    }
    return pages.flatMap { page in
      (0..<page.rowCount).map { row in
        [.key(page.key(ofRow: row))] + slots.map { page.value(row: row, slot: $0) }
      }
    }
  }

  func entity(_ name: String) throws -> Entity {
    try #require(store.schema.entity(named: name))
  }

  func slot(_ name: String, of entity: String) throws -> Slot {
    try #require(self.entity(entity).slot(named: name))
  }

  func request(
    _ entity: String, _ condition: String? = nil, order: String = "", offset: Int = 0,
    limit: Int = 0
  ) throws -> FetchRequest {
    let described = try self.entity(entity)
    return FetchRequest(
      entity: entity,
      predicate: try condition.map {
        try Predicate.parse($0, entity: described, in: store.schema)
      },
      sortDescriptors: try SortDescriptor.parse(order, entity: described, in: store.schema),
      offset: offset, limit: limit)
  }
}
