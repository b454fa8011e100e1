import DatastoreCore
import SwiftDatastore

/// The staged changes for exports.
extension SwiftDatastoreViewContext {
  /// The values of an entity's new and changed objects by key, and the keys of those to be deleted. O(changed
  /// objects); reads nothing.
  func stagedRows(entity: EntityIndex) -> (values: [RowKey: BySlot<Value>], deleted: Set<RowKey>) {
    let graph = core.graph
    let described = graph.schema.entities[entity]
    var values: [RowKey: BySlot<Value>] = [:]
    for object in graph.insertedObjects + graph.updatedObjects
    where object.entity.isKind(of: described) {
      values[object.key] = BySlot(
        described.slots.map { slot in
          described.links[slot]?.kind.isToMany ?? false ? .null : object.value(at: slot)
        })
    }
    let deleted = graph.deletedObjects.filter { $0.entity.isKind(of: described) }.map(\.key)
    return (values, Set(deleted))
  }
}
