#if PostgreSQL
import DatastoreCore
import DatastoreSQL

/// The keys of rows that a statement returns, by entity where rows of several can come.
struct ReturnedRows {
  private let entity: EntityIndex
  private let family: FamilyMapping?

  /// - Parameter entity: the one that the statement is about.
  init(_ mapping: SchemaMapping, _ entity: EntityIndex) {
    self.entity = entity
    family = mapping.entities[entity].family.flatMap { $0.members.count > 1 ? $0 : nil }
  }

  /// How many columns those are.
  var columnCount: Int { family == nil ? 1 : 2 }

  /// What the statement has to return first.
  func columns(of alias: String, _ builder: QueryBuilder) -> SQLFragment {
    let key = builder.key(entity, alias)
    return family.map { "\(key), \(builder.column(alias, $0.discriminator))" } ?? key
  }

  /// The keys, without entities that no row came of.
  ///
  /// - Throws: `StoreError.unknownMember`.
  func keys(in result: PostgreSQLResult) throws -> [EntityIndex: [RowKey]] {
    guard result.rowCount > 0 else { return [:] }
    let keys = (0..<result.rowCount).map { RowKey(result.integer($0, 0) ?? 0) }
    guard let family else { return [entity: keys] }
    var members: [EntityIndex: [RowKey]] = [:]
    for (row, key) in keys.enumerated() {
      let name = result.bytes(row, 1)
      guard let member = family.members.first(where: { $0.name.elementsEqual(name) }) else {
        throw StoreError.unknownMember(
          name: String(decoding: name, as: UTF8.self), key: key, known: family.names)
      }
      members[member.entity, default: []].append(key)
    }
    return members
  }
}

extension WriteTransaction {
  /// Sets a to-one relationship to NULL in all rows where it leads to one of the keys, and answers with their keys.
  @discardableResult
  func forget(_ keys: [RowKey], in link: RelationshipLink) throws -> [RowKey] {
    guard case .toOne(let foreign) = mapping.entities[link.entity].slots[link.slot],
      foreign.isWritable, !keys.isEmpty
    else { return [] }
    let builder = QueryBuilder(mapping)
    let alias = builder.makeAlias()
    let reference = builder.column(alias, foreign.names[0])
    let result = try run(
      """
      UPDATE \(builder.table(link.entity, alias)) SET \(name: foreign.names[0]) = NULL \
      WHERE \(reference) = ANY(\(parameter: 1)) RETURNING \(builder.key(link.entity, alias))
      """, [.int8Array(keys.lazy.map(\.rawValue))], of: link.entity)
    return (0..<result.rowCount).compactMap { result.integer($0, 0).map { RowKey($0) } }
  }
}
#endif
