import DatastoreCore
import DatastoreSQL
import GRDB
import GRDBSQLite

/// The keys of rows that a statement returns, by entity where rows of several can come.
struct ReturnedKeys {
  private let entity: EntityIndex
  private(set) var all: [RowKey] = []
  private var members: [EntityIndex: [RowKey]] = [:]

  /// - Parameter entity: the one that the statement asks for.
  init(of entity: EntityIndex) {
    self.entity = entity
  }

  /// - Parameter member: what `ReturnedEntity` says of the row.
  @inline(__always)
  mutating func append(_ key: RowKey, _ member: EntityIndex?) {
    all.append(key)
    if let member { members[member, default: []].append(key) }
  }

  /// Takes the keys of rows that all are of the entity itself.
  mutating func setAll(_ keys: [RowKey]) {
    all = keys
  }

  /// Without entities that no row came of.
  var byEntity: [EntityIndex: [RowKey]] {
    members.isEmpty && !all.isEmpty ? [entity: all] : members
  }
}

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
  func entity(_ statement: RawStatement, at column: Int32) throws -> EntityIndex? {
    guard let family else { return nil }
    let key = statement.key(at: 0)
    return try family.member(of: statement.pointer, at: column, key: key).entity
  }
}
