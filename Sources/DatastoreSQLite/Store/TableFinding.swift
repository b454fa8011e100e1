import Basics
import DatastoreCore
import DatastoreSQL
import GRDB
import GRDBSQLite

/// The differences of a file's tables from those that a mapping was made from, in one version of its schema.
final class TableFinding: Sendable {
  /// Tables whose rows can no longer be read by the mapping.
  let unreadable: Set<String>
  /// Tables whose rows can no longer be written by the mapping.
  let unwritable: Set<String>
  /// Set if the file describes other entities than the mapping: the version of its model, which may have no
  /// name.
  let migration: Migration?
  private let unreadableNames: Set<String>

  struct Migration {
    let version: String?
  }

  /// Compares the tables in a transaction.
  ///
  /// - Parameter expected: the tables when the mapping was made.
  init(_ mapping: SchemaMapping, _ expected: [FileTable], in database: Database) throws {
    migration = try mapping.isNative ? Self.migration(mapping, in: database) : nil
    let present = try FileTable.all(in: database)
    func differing(_ isUsable: (FileTable, FileTable) -> Bool) -> Set<String> {
      Set(
        expected.compactMap { table in
          let now = present.first { $0.name.caselessKey == table.name.caselessKey }
          return now.map { isUsable($0, table) } ?? false ? nil : table.name
        })
    }
    unreadable = differing { $0.isReadable(as: $1) }
    var unwritable = differing { $0.isUsable(as: $1) }
    // Deleting a row of an old table may delete or depend on rows of a new one.
    let names = Set(expected.map { $0.name.caselessKey })
    for table in present where !names.contains(table.name.caselessKey) {
      for key in table.foreignKeys where names.contains(key.table.caselessKey) {
        unwritable.formUnion(
          expected.map(\.name).filter { $0.caselessKey == key.table.caselessKey })
      }
    }
    self.unwritable = unwritable
    unreadableNames = Set(unreadable.map { $0.caselessKey })
  }

  /// Whether a native file describes an entity differently than the mapping. Further entities make no
  /// difference.
  private static func migration(
    _ mapping: SchemaMapping, in database: Database
  ) throws -> Migration? {
    // If the file no longer has a description, its tables decide.
    guard let described = try? FileMetadata.descriptions(in: database) else { return nil }
    let hashes = EntityHash.all(described)
    let isSame = EntityHash.all(mapping.fileSchema.entities.map(\.description)).allSatisfy {
      hashes[$0.key]?.tables == $0.value.tables
    }
    return isSame ? nil : Migration(version: try FileMetadata.value("version", in: database))
  }

  /// - Throws: `StoreError.migrated`.
  func unlessMigrated(_ path: String) throws -> TableFinding {
    if let migration { throw StoreError.migrated(path: path, version: migration.version) }
    return self
  }

  /// Makes SQLite refuse statements on a connection that read a column of a changed table, except for typed
  /// ones. An unchanged view may read tables that have changed.
  func refuse(on database: Database) {
    sqlite3_set_authorizer(
      database.sqliteConnection,
      { context, action, first, second, _, view in
        if TypedSQL.isRunning { return TypedSQL.verdict(action, first, second) }
        guard action == SQLITE_READ, view == nil, let context, let first, !TableGuard.isComparing
        else { return SQLITE_OK }
        let finding = Unmanaged<TableFinding>.fromOpaque(context).takeUnretainedValue()
        let isUnreadable = finding.unreadableNames.contains(String(cString: first).caselessKey)
        return isUnreadable ? SQLITE_DENY : SQLITE_OK
      }, Unmanaged.passUnretained(self).toOpaque())
  }

  /// Whether SQLite has refused a statement, or not found a name in it, because of the changes.
  func isCause(of error: DatabaseError) -> Bool {
    switch error.resultCode {
    case .SQLITE_AUTH: true
    case .SQLITE_ERROR: error.message?.hasPrefix("no such ") ?? false
    default: false
    }
  }
}

extension FileTable {
  /// Whether everything known about a table is also true of this one. It may have more columns, after the
  /// known ones, and more indexes.
  fileprivate func isUsable(as known: FileTable) -> Bool {
    isStrict == known.isStrict && isReadable(as: known)
      && known.indexes.allSatisfy { !$0.isUnique || indexes.contains($0) }
      && Set(foreignKeys).isSuperset(of: known.foreignKeys)
      && foreignKeys.allSatisfy { key in
        known.foreignKeys.contains(key) || key.columns.allSatisfy { known.column($0) == nil }
      }
  }

  /// Whether rows of this table are read like those of a known one.
  fileprivate func isReadable(as known: FileTable) -> Bool {
    kind == known.kind && isWithoutRowid == known.isWithoutRowid
      && hasVirtualRowid == known.hasVirtualRowid && primaryKey == known.primaryKey
      && rowidColumn == known.rowidColumn
      && columns.starts(with: known.columns) { $0.isReadable(as: $1) }
  }
}

extension FileTable.Column {
  /// Defaults of new rows do not affect existing ones.
  fileprivate func isReadable(as known: Self) -> Bool {
    name == known.name && declaredType == known.declaredType && isNotNull == known.isNotNull
      && keyPosition == known.keyPosition && isGenerated == known.isGenerated
      && isBinary == known.isBinary
  }
}
