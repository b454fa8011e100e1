import Basics
import DatastoreCore
import DatastoreSQL
import GRDB

/// Views, triggers and indexes that users have created in a native file: set aside while its tables are
/// changed, and created again afterwards.
struct UserMadeObjects {
  private struct Object {
    let kind: String
    let name: String
    let table: String
    let sql: String
  }

  private var objects: [Object] = []
  /// Tables and views with triggers that did not work before.
  private var faulty: Set<String> = []

  /// Whether a file has any.
  ///
  /// - Throws: the errors of SQLite.
  static func areAny(in database: Database, besides mapping: SchemaMapping) throws -> Bool {
    try !all(in: database, besides: mapping).isEmpty
  }

  /// Those in a file, besides what the library has made for a mapping.
  private static func all(
    in database: Database, besides mapping: SchemaMapping
  ) throws -> [Object] {
    let ours = Set(NativeTables(mapping: mapping).describedIndexes.map(\.name))
    let wordTriggers = WordTables(mapping).triggers
    let list = try RawStatement(
      """
      SELECT type, name, tbl_name, sql FROM sqlite_master \
      WHERE type IN ('view', 'trigger', 'index') AND sql IS NOT NULL ORDER BY rowid
      """, in: database)
    var found: [Object] = []
    while try list.step() {
      let object = Object(
        kind: list.value(at: 0).plainText, name: list.value(at: 1).plainText,
        table: list.value(at: 2).plainText, sql: list.value(at: 3).plainText)
      if object.kind == "index", ours.contains(object.name) { continue }
      if object.kind == "trigger", wordTriggers.contains(object.name.caselessKey) { continue }
      found.append(object)
    }
    return found
  }

  /// Drops the existing ones, and remembers them. Indexes are dropped with their tables.
  ///
  /// - Parameter tables: the tables to be dropped, with all indexes.
  mutating func putAside(
    in database: Database, before: SchemaMapping, dropping tables: Set<String>
  ) throws {
    let found = try Self.all(in: database, besides: before)
      .filter { $0.kind != "index" || tables.contains($0.table) }
    objects += found
    for table in Set(found.filter { $0.kind == "trigger" }.map(\.table))
    where try Self.fault(ofTriggersOn: table, in: database) != nil { faulty.insert(table) }
    // Triggers first, because they may belong to views.
    for object in found.filter({ $0.kind == "trigger" })
      + found.filter({ $0.kind == "view" })
      .reversed()
    {
      let kind: SQLFragment = object.kind == "view" ? "VIEW" : "TRIGGER"
      try RawStatement("DROP \(kind) IF EXISTS \(name: object.name)", in: database).run()
    }
  }

  /// Creates them again.
  ///
  /// - Throws: `MigrationError` with all that do not fit the new tables.
  func putBack(in database: Database, path: String) throws {
    var obstacles: [MigrationObstacle] = []
    for object in objects.filter({ $0.kind == "view" }) + objects.filter({ $0.kind == "index" })
      + objects.filter({ $0.kind == "trigger" })
    {
      do {
        try RawStatement(SQLFragment(stringLiteral: object.sql), in: database).run()
        if object.kind == "view" {
          try RawStatement("SELECT 1 FROM \(name: object.name) LIMIT 0", in: database).run()
        }
        // SQLite makes a trigger whatever it is to do, and every later change of its table fails.
        if object.kind == "trigger", !faulty.contains(object.table),
          let fault = try Self.fault(ofTriggersOn: object.table, in: database)
        {
          obstacles.append(Self.obstacle(object, fault))
          // Others of the table are looked at by themselves.
          try RawStatement("DROP TRIGGER \(name: object.name)", in: database).run()
        }
      } catch let error as DatabaseError
        where error.resultCode == .SQLITE_ERROR || error.resultCode == .SQLITE_CONSTRAINT
      {
        obstacles.append(Self.obstacle(object, error.message ?? ""))
      }
    }
    guard obstacles.isEmpty else { throw MigrationError(path: path, obstacles: obstacles) }
  }

  private static func obstacle(_ object: Object, _ message: String) -> MigrationObstacle {
    .inTheWay(
      kind: object.kind, name: object.name,
      detail:
        "it does not fit the new tables (SQLite says “\(message)”); drop it, and make it "
        + "again after the migration")
  }

  /// What SQLite says of a change of a table, or of a view, that its triggers do not let be compiled; nil if
  /// all changes are.
  private static func fault(
    ofTriggersOn table: String, in database: Database
  ) throws -> String? {
    let list = try RawStatement(
      "SELECT name FROM pragma_table_info(\(.text(table)))", in: database)
    var assignments: [SQLFragment] = []
    while try list.step() {
      let column: SQLFragment = "\(name: list.value(at: 0).plainText)"
      assignments.append("\(column) = \(column)")
    }
    let changes: [SQLFragment] = [
      "INSERT INTO \(name: table) DEFAULT VALUES", "DELETE FROM \(name: table)",
      "UPDATE \(name: table) SET \(assignments.joined(by: ", "))",
    ]
    for change in changes {
      do {
        _ = try RawStatement(change, in: database)
      } catch let error as DatabaseError where error.resultCode == .SQLITE_ERROR {
        let message = error.message ?? ""
        // A view has a trigger for some changes only.
        if !message.hasPrefix("cannot modify ") { return message }
      }
    }
    return nil
  }
}
