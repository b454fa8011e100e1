public import DatastoreCore

/// The changes of a context, as `observeObjectChanges(_:)` reports it.
public struct ContextChanges: Sendable {
  /// Who made the changes.
  public let source: ChangeSource
  /// Objects that are new: staged here, or saved elsewhere.
  public let inserted: Set<DatastoreObjectID>
  /// Objects of which properties changed, or the members of relationships.
  public let updated: Set<DatastoreObjectID>
  /// Objects that are gone, or will be with the next save.
  public let deleted: Set<DatastoreObjectID>
  /// Any object may have changed: another process has written the file, or `execute(_:arguments:)`.
  public let isEverything: Bool

  init(_ changes: GraphChanges, in graph: ObjectGraph) {
    func id(_ entity: EntityIndex, _ key: RowKey) -> DatastoreObjectID {
      DatastoreObjectID(store: graph.storeID, entity: graph.schema.entities[entity], key: key)
    }
    var inserted: Set<DatastoreObjectID> = []
    var updated: Set<DatastoreObjectID> = []
    var deleted: Set<DatastoreObjectID> = []
    for object in changes.objects {
      let id = id(object.entity.index, object.key)
      let isNew = changes.inserted.contains(ObjectIdentifier(object))
      if object.isKnownDeleted {
        // New and gone within one turn: it was never reported.
        if !isNew { deleted.insert(id) }
      } else if isNew {
        inserted.insert(id)
      } else {
        updated.insert(id)
      }
    }
    let merged = changes.merged
    for (entity, keys) in merged.inserted { inserted.formUnion(keys.map { id(entity, $0) }) }
    for (entity, keys) in merged.deleted { deleted.formUnion(keys.map { id(entity, $0) }) }
    for (entity, keys) in merged.updated { updated.formUnion(keys.keys.map { id(entity, $0) }) }
    source = changes.source
    isEverything = merged.isEverything
    self.deleted = deleted
    self.inserted = inserted.subtracting(deleted)
    self.updated = updated.subtracting(inserted).subtracting(deleted)
  }
}
