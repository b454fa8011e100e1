import DatastoreCore
import GRDB
import GRDBSQLite

/// The entity of each row that a statement returns, where rows of several can come.
struct ReturnedEntity {
  private let family: FamilyMapping?

  /// - Parameter mapped: the entity that the statement asks for.
  init(_ mapped: EntityMapping) {
    family = mapped.family.flatMap { $0.members.count > 1 ? $0 : nil }
  }

  /// `, column` for the end of a list of columns; empty where there is one entity.
  var column: SQLFragment { family.map { ", \(name: $0.discriminator)" } ?? "" }

  /// How many columns that is.
  var columnCount: Int32 { family == nil ? 0 : 1 }

  /// The index of the entity of the current row; nil where there is one entity.
  ///
  /// - Throws: `StoreError.unknownMember`.
  func entity(_ statement: RawStatement, at column: Int32) throws -> Int? {
    guard let family else { return nil }
    let key = sqlite3_column_int64(statement.pointer, 0)
    return try family.member(of: statement.pointer, at: column, key: key).entity
  }
}
