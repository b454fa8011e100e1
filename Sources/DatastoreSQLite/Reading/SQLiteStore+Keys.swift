package import DatastoreCore
import DatastoreSQL
import GRDB

/// Keys of rows.
extension SQLiteStore {
  /// The greatest key that is or, with `AUTOINCREMENT`, ever was in use.
  func lastKey(of entity: EntityIndex, in database: Database) throws -> RowKey {
    let mapped = mapping.entities[entity]
    guard case .rowid(let key) = mapped.key else { return 0 }
    let greatest =
      try RawStatement("SELECT max(\(name: key)) FROM \(name: mapped.table)", in: database)
      .firstInteger() ?? 0
    guard mapped.isAutoincrement else { return RowKey(max(greatest, 0)) }
    let used =
      try RawStatement(
        "SELECT max(seq) FROM sqlite_sequence WHERE name = \(.text(mapped.table))", in: database
      ).firstInteger() ?? 0
    return RowKey(max(greatest, used, 0))
  }

  package func key(entity: EntityIndex, values: [Value]) -> RowKey? {
    mapping.key(entity: entity, values: values)
  }
}
