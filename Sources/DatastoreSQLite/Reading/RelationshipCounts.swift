import DatastoreCore
import DatastoreSQL
import GRDB
import GRDBSQLite

/// The counts that relationships demand, checked for rows that were changed without objects.
struct RelationshipCounts {
  let store: SQLiteStore
  let database: Database

  /// Checks the relationships of which members came or went, inside the transaction.
  ///
  /// O(rows whose relationship has a minimum or maximum).
  /// - Throws: `ValidationError` naming each object and relationship.
  func validate(_ changed: MergedKeys) throws {
    var faults: [ValidationError.Fault] = []
    for (entity, rows) in changed.updated.sorted(by: { $0.key < $1.key }) {
      let family = store.schema.entities[store.schema.entities[entity].root].members
      let gone = Set(family.flatMap { changed.deleted[$0] ?? [] })
      for link in limitedLinks(of: entity) {
        let keys = rows.lazy.filter { $0.value.contains(link.slot) && !gone.contains($0.key) }
          .map(\.key).sorted()
        faults += try keys.compactMap { try fault(of: $0, link) }
      }
    }
    if !faults.isEmpty { throw ValidationError(faults: faults) }
  }

  private func limitedLinks(of entity: EntityIndex) -> [RelationshipLink] {
    store.schema.entities[entity].links.compactMap(\.self).filter {
      $0.kind.isToMany && $0.description.limitsCount
    }
  }

  private func fault(
    of key: RowKey, _ link: RelationshipLink
  ) throws -> ValidationError.Fault? {
    let statement = try RawStatement(
      QueryBuilder(store.mapping).relatedKeys(link.entity, link.slot), in: database,
      isCached: true)
    defer { statement.reset() }
    statement.bind(key, at: 1)
    var count = 0
    while try statement.step() { count += 1 }
    guard let reason = link.description.fault(ofCount: count) else { return nil }
    return ValidationError.Fault(
      entity: store.schema.entities[link.entity].name, key: key, property: link.description.name,
      reason: reason)
  }
}
