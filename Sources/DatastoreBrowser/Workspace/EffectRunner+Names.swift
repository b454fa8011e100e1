import DatastoreCore
import SwiftDatastore

/// The names of objects.
extension EffectRunner {
  /// The names of objects of an entity; those of missing objects are left out.
  ///
  /// - Parameter slot: a property to leave out of the names.
  func names(
    entity index: EntityIndex, keys: [RowKey], besides slot: Slot? = nil
  ) async throws -> [RowKey: String] {
    try await names(of: view.load(entity: index, keys: keys), as: index, besides: slot)
  }

  /// The names of objects; reads the objects that they refer to if names need them.
  func names(
    of objects: [DynamicObject], as index: EntityIndex, besides slot: Slot? = nil
  ) async throws -> [RowKey: String] {
    let label = labels[index].besides(slot)
    var related: [EntityIndex: Set<RowKey>] = [:]
    for part in label.parts {
      guard let destination = part.destination else { continue }
      related[destination, default: []].formUnion(
        objects.compactMap { $0.shownValue(at: part.slot).key })
    }
    var names: [ObjectReference: String] = [:]
    for (destination, keys) in related {
      let label = labels[destination]
      for object in try await view.load(entity: destination, keys: keys.sorted()) {
        // The references of these objects are not followed.
        names[ObjectReference(entity: destination, key: object.key)] = label.text(
          key: object.key, value: { object.shownValue(at: $0) }, related: { _, _ in nil })
      }
    }
    return Dictionary(
      objects.map { object in
        let name = label.text(
          key: object.key, value: { object.shownValue(at: $0) },
          related: { names[ObjectReference(entity: $0, key: $1)] })
        return (object.key, name)
      }, uniquingKeysWith: { first, _ in first })
  }

  /// The name of an object, as far as the objects that it refers to are in memory.
  func knownName(of object: DynamicObject, as index: EntityIndex) -> String {
    labels[index].text(
      key: object.key, value: { object.shownValue(at: $0) },
      related: { [self] entity, key in
        guard let other = view.loadedObject(entity: entity, key: key) else { return nil }
        return labels[entity].text(
          key: key, value: { other.shownValue(at: $0) }, related: { _, _ in nil })
      })
  }
}

extension BrowserState {
  /// Requests the names of objects that are not known yet.
  mutating func requestNames(of references: [EntityIndex: Set<RowKey>]) {
    for (entity, keys) in references.sorted(by: { $0.key < $1.key }) {
      let missing = names.takeMissing(entity: entity, keys: keys)
      if !missing.isEmpty { request(.loadNames(entity: entity, keys: missing)) }
    }
  }
}
