package import DatastoreCore

/// Finds the keys of rows, on one connection.
package protocol KeyReader {
  var mapping: SchemaMapping { get }

  /// The condition that a key is among those of some rows of an entity.
  func isMember(_ key: SQLFragment, of keys: [RowKey], _ entity: EntityIndex) -> SQLFragment
  /// The keys of rows of an entity that a query selects, without NULL.
  func keys(_ query: SQLFragment, of entity: EntityIndex) throws -> [RowKey]
  /// The keys of rows of an entity that a query selects, each with a number.
  func counts(
    _ query: SQLFragment, of entity: EntityIndex
  ) throws -> [(key: RowKey, count: Int)]
}

extension KeyReader {
  package var schema: Schema { mapping.schema }

  /// The number of members of a to-many relationship by owner; leaves out owners without members.
  package func memberCounts(
    _ link: RelationshipLink, of owners: [RowKey]
  ) throws -> [(key: RowKey, count: Int)] {
    try counts(
      QueryBuilder(mapping).memberCounts(link) { self.isMember($0, of: owners, link.entity) },
      of: link.entity)
  }
}

extension Value {
  /// A count: the integer, or 0.
  package var wholeNumber: Int {
    if case .integer(let integer) = self { Int(integer) } else { 0 }
  }
}
