#if PostgreSQL
import Basics
import DatastoreCore
import DatastoreSQL

extension SchemaMapping {
  /// The column that is set to itself in rows to be locked; nil if they are locked by `FOR UPDATE`.
  ///
  /// An extension that distributes tables over machines (Citus) refuses `FOR UPDATE` unless the rows are on
  /// one of them. An update that changes nothing locks as well.
  func lockingColumn(_ entity: EntityIndex, _ tables: ByEntity<ServerTable?>) -> String? {
    guard entities[entity].distribution?.isSpread ?? tables[entity]?.isDistributed ?? false else {
      return nil
    }
    let columns = entities[entity].slots.indices.filter { !entities[entity].isKeyPart(slot: $0) }
      .flatMap { ServerColumn.all(self, entity, $0) }.map(\.name)
    return columns.first { !$0.isExactly(entities[entity].distribution?.column ?? "") }
      ?? columns.first
  }

  /// - Throws: `StoreError.refused` for a property that determines which machine has the row.
  func requireUndistributed(
    _ slots: some Sequence<Slot>, of entity: EntityIndex, _ key: RowKey?
  ) throws(StoreError) {
    let described = schema.entities[entity]
    for slot in slots
    where entities[entity].isPlace(ServerColumn.all(self, entity, slot).map(\.name)) {
      throw .refused(
        entity: described.name, key: key,
        detail:
          "its “\(described.properties[slot].name)” says on which machine it is, and stays what it is; "
          + "make a new object instead")
    }
  }
}
#endif
