import DatastoreCore
import SwiftDatastore

/// Loading the objects of a command.
extension EffectRunner {
  /// The objects of references to one entity, read off the main actor.
  ///
  /// - Throws: `StagingRefusal` if one of them is gone, or is not the shown object.
  func load(_ references: [ObjectReference]) async throws -> [DynamicObject] {
    try await find(references).map { found in
      switch found {
      case .object(let object), .moved(let object): return object
      case .another(let reference, _): throw StagingRefusal(Self.isAnother(reference, schema))
      case .missing: throw StagingRefusal(Self.isMissing)
      }
    }
  }

  /// References with the current rows, so that a command changes the rows that its question was about, from
  /// the values that it was about.
  func shown(_ references: [ObjectReference]) async throws -> [ObjectReference] {
    zip(references, try await load(references)).map { reference, object in
      // A row that was moved is found by what it held under the former key.
      let isMoved = reference.seen != nil && reference.key != object.key
      return ObjectReference(
        entity: reference.entity, key: reference.key,
        seen: isMoved ? reference.seen : presentRow(of: object))
    }
  }

  /// The objects to stage a change for. An object that is not the shown one begins from the shown values, so
  /// that no typed text is lost: the difference becomes a conflict.
  ///
  /// - Throws: `StagingRefusal` if one of them is gone, or if its key leads to another object with unsaved
  ///   changes.
  func begin(_ found: [Found]) throws -> [DynamicObject] {
    try found.map { item in
      switch item {
      case .object(let object), .moved(let object): return object
      case .missing: throw StagingRefusal(Self.isMissing)
      case .another(let reference, let seen):
        let entity = schema.entities[reference.entity]
        let present = view.loadedObject(entity: entity.index, key: reference.key)
        let row = BySlot(
          entity.slots.map { seen.row.page.value(row: seen.row.row, slot: $0) })
        guard present.map({ !$0.isInserted && !$0.hasChanges }) ?? true,
          let object = view.object(
            entity: entity.index, key: reference.key, beginningFrom: row, isRowGone: true)
        else { throw StagingRefusal(Self.isAnother(reference, schema)) }
        return object
      }
    }
  }

  private static let isMissing = "The object is no longer in the store; press r to read again."

  private static func isAnother(_ reference: ObjectReference, _ schema: Schema) -> String {
    "\(schema.entities[reference.entity].name) \(reference.key) is a different row now, or someone else has "
      + "changed it; look at it again."
  }
}
