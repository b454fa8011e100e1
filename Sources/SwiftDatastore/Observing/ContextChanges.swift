public import DatastoreCore

/// The changes of a context, as reported by `observeObjectChanges(_:)`.
public struct ContextChanges: Sendable {
  /// The source of the changes.
  public let source: ChangeSource
  /// New objects: staged here, or saved elsewhere.
  public let inserted: Set<DatastoreObjectID>
  /// Objects whose properties or relationship members changed.
  public let updated: Set<DatastoreObjectID>
  /// Objects that are deleted, or will be with the next save.
  public let deleted: Set<DatastoreObjectID>
  /// Whether any object may have changed, because another process or `execute(_:arguments:)` has written the
  /// store.
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
        // Created and deleted within one turn, so it was never reported.
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
