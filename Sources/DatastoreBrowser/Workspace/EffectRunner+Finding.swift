import DatastoreCore
import SwiftDatastore

/// Resolving references that were made some time ago: an editor was open meanwhile, a question was asked, or
/// rows were selected.
extension EffectRunner {
  /// The result of resolving a reference.
  enum Found {
    /// The shown object, under its key.
    case object(DynamicObject)
    /// The shown object, which has another key now.
    case moved(DynamicObject)
    /// Not the shown object: its key leads to another row, or to one that someone else has changed.
    case another(ObjectReference, SeenRow)
    /// The object no longer exists.
    case missing

    /// The object, unless its key has changed.
    var objectInPlace: DynamicObject? {
      if case .object(let object) = self { object } else { nil }
    }
  }

  /// The row of an object as it is shown; nil if nobody can move rows of its entity to other keys.
  func seen(_ object: DynamicObject) -> SeenRow? {
    view.mayMoveRows(object.entity) ? presentRow(of: object) : nil
  }

  /// The row of an object as it is now; nil for new objects.
  func presentRow(of object: DynamicObject) -> SeenRow? {
    view.storedRow(of: object).map {
      SeenRow(row: $0, reloadCount: view.reloadCount, placement: view.placement)
    }
  }

  /// A reference to an object as it is now.
  func reference(to object: DynamicObject, as entity: Entity) -> ObjectReference {
    ObjectReference(entity: entity.index, key: object.key, seen: seen(object))
  }

  /// Resolves references to one entity, in their order. Reads off the main actor.
  func find(_ references: [ObjectReference]) async throws -> [Found] {
    guard let entity = references.first.map({ schema.entities[$0.entity] }) else { return [] }
    let loaded = try await view.load(entity: entity.index, keys: references.map(\.key))
    let objects = Dictionary(loaded.map { ($0.key, $0) }, uniquingKeysWith: { first, _ in first })
    let mayMove = view.mayMoveRows(entity)
    var found: [Found] = references.map { reference in
      let object = objects[reference.key]
      guard mayMove, let seen = reference.seen else { return object.map(Found.object) ?? .missing }
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
      // If no row has been moved since, this row was changed, or its number was given to another row.
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
