#if PostgreSQL
import DatastoreCore
import DatastoreSQL

extension StoreError {
  /// What a server has refused of a save, about the object and property as far as the server says them.
  ///
  /// - Parameter entity: whose rows the statement has written; nil at the end of the transaction.
  init(_ failure: PostgreSQLFailure, of entity: EntityIndex?, in store: PostgreSQLStore) {
    let mapping = store.mapping
    let table = failure.table.flatMap { table in
      mapping.entities.firstIndex { $0.table == table }
    }
    let described = (entity ?? table).map { mapping.schema.entities[$0] }
    let name = described?.name ?? failure.table ?? "object"
    let detail = failure.detail.map { "\(failure.message) (\($0))" } ?? failure.message
    switch failure.code {
    case "23505", "23P01":
      let index = NativeTables(mapping: mapping).describedIndexes.first {
        $0.name == failure.constraint
      }
      let owner = index?.entity.map { mapping.schema.entities[$0].name } ?? name
      self = .notUnique(
        entity: owner, properties: index?.properties ?? [failure.constraint ?? "key"], key: nil)
    case "23502":
      let property = described.flatMap { entity in
        mapping.entities[entity.index].slot(holding: failure.column ?? "").map {
          entity.properties[$0].name
        }
      }
      self = .missingValue(
        entity: name, property: property ?? failure.column ?? "a column", key: nil)
    case "23503":
      self = .brokenReference(entity: name, property: nil, key: nil, detail: detail)
    case "23514":
      self = .checkFailed(entity: name, constraint: failure.constraint ?? detail, key: nil)
    case "22003", "22021", "22P05", "22001", "22008", "22P02":
      self = .refused(entity: name, key: nil, detail: detail)
    default: self = store.storeError(failure)
    }
  }
}

extension EntityMapping {
  /// The slot whose value a column holds.
  fileprivate func slot(holding name: String) -> Slot? {
    slots.indices.first { slot in
      switch slots[slot] {
      case .attribute(let column): column.name == name
      case .toOne(let foreign): foreign.names == [name]
      case .toManyForeignKey, .toManyJoin: false
      }
    }
  }
}
#endif
