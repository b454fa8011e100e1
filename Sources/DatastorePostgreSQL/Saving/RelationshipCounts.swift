#if PostgreSQL
import DatastoreCore
import DatastoreSQL

/// The counts that relationships demand, checked for rows that were changed without objects.
struct RelationshipCounts {
  private let transaction: WriteTransaction

  init(_ transaction: WriteTransaction) { self.transaction = transaction }

  /// Checks the relationships of which members came or went, inside the transaction: one statement for each
  /// relationship with a minimum or maximum.
  ///
  /// - Throws: `ValidationError` naming each object and relationship.
  func validate(_ changed: MergedKeys) throws {
    let schema = transaction.schema
    var faults: [ValidationError.Fault] = []
    for (entity, rows) in changed.updated.sorted(by: { $0.key < $1.key }) {
      let family = schema.entities[schema.entities[entity].root].members
      let gone = Set(family.flatMap { changed.deleted[$0] ?? [] })
      for link in schema.entities[entity].links.compactMap(\.self)
      where link.kind.isToMany && link.description.limitsCount {
        let keys = rows.lazy.filter { $0.value.contains(link.slot) && !gone.contains($0.key) }
          .map(\.key).sorted()
        if keys.isEmpty { continue }
        let result = try transaction.run(
          QueryBuilder(transaction.mapping).relatedCounts(link),
          KeyParameters(transaction.mapping, link.entity).list(keys))
        let counts = (0..<result.rowCount).compactMap { row -> (key: RowKey, count: Int)? in
          guard let key = result.integer(row, 0), let count = result.integer(row, 1) else {
            return nil
          }
          return (RowKey(key), Int(count))
        }
        for (key, count) in counts.sorted(by: { $0.key < $1.key }) {
          guard let reason = link.description.fault(ofCount: count) else { continue }
          faults.append(
            ValidationError.Fault(
              entity: schema.entities[link.entity].name, key: key,
              property: link.description.name, reason: reason))
        }
      }
    }
    if !faults.isEmpty { throw ValidationError(faults: faults) }
  }
}
#endif
