import DatastoreCore
import SwiftDatastore

/// What references lead to by now that were made some time ago: an editor was open meanwhile, a question was
/// asked, or rows were selected.
extension EffectRunner {
  /// What a reference leads to.
  enum Found {
    /// The object that was shown, under its key.
    case object(DynamicObject)
    /// The object that was shown, which is under another key now.
    case moved(DynamicObject)
    /// Not what was shown: its key leads to another row, or to one that someone else has changed.
    case another(ObjectReference, SeenRow)
    /// It is no longer there.
    case missing

    /// The object, unless it has come to have another key.
    var objectInPlace: DynamicObject? {
      if case .object(let object) = self { object } else { nil }
    }
  }

  /// What is shown of an object; nil where its key leads to no other row, whatever someone else does.
  func seen(_ object: DynamicObject) -> SeenRow? {
    guard view.mayMoveRows(object.entity), let row = view.storedRow(of: object) else { return nil }
    return SeenRow(row: row, reloadCount: view.reloadCount, placement: view.placement)
  }

  /// A reference to an object as it is now.
  func reference(to object: DynamicObject, as entity: Entity) -> ObjectReference {
    ObjectReference(entity: entity.index, key: object.key, seen: seen(object))
  }

  /// What references of one entity lead to, in their order, read off the main actor.
  func find(_ references: [ObjectReference]) async throws -> [Found] {
    guard let entity = references.first.map({ schema.entities[$0.entity] }) else { return [] }
    let loaded = try await view.load(entity: entity.index, keys: references.map(\.key))
    let objects = Dictionary(loaded.map { ($0.key, $0) }, uniquingKeysWith: { first, _ in first })
    var found: [Found] = references.map { reference in
      let object = objects[reference.key]
      guard let seen = reference.seen else { return object.map(Found.object) ?? .missing }
      if let object,
        seen.reloadCount == view.reloadCount || view.isSameRow(object, as: seen.row)
      {
        return .object(object)
      }
      return .another(reference, seen)
    }
    var lost: [(index: Int, row: RowReference)] = []
    for (index, item) in found.enumerated() {
      guard case .another(_, let seen) = item else { continue }
      // Where no row was moved since, it was changed, or its number was given to another one.
      if let placement = seen.placement, placement == view.placement { continue }
      lost.append((index, seen.row))
    }
    if lost.isEmpty { return found }
    let keys = try await view.findRows(of: entity, equalTo: lost.map(\.row))
    let moved = try await view.load(entity: entity.index, keys: Array(keys.values))
    for (place, key) in keys {
      let (index, row) = lost[place]
      guard let object = moved.first(where: { $0.key == key }), view.isSameRow(object, as: row)
      else {
        continue
      }
      found[index] = .moved(object)
    }
    return found
  }
}
