import DatastoreCore
import SwiftDatastore

extension Effect {
  /// Looks where the selected rows are after somebody else has written the file.
  static func findSelection(_ references: [ObjectReference]) -> Effect {
    .work { runner in
      guard let entity = references.first?.entity else { return }
      runner.performStaging { runner in
        // Where the store cannot be read, they are compared when something is done with them.
        guard let found = try? await runner.rows(references) else { return }
        runner.send(SelectionFound(entity: entity, rows: found))
      }
    }
  }
}

/// Where selected rows are.
private struct SelectionFound: BrowserEvent {
  let entity: Int
  /// By the keys that they had; nil for those that are not found.
  let rows: [Int64: ObjectReference?]

  func apply(to state: inout BrowserState) -> [Effect] {
    guard state.editing.selection.entity == entity else { return [] }
    let before = state.editing.selection.keys.count
    state.editing.selection.follow(rows)
    let lost = before - state.editing.selection.keys.count
    if lost > 0 {
      let (were, are) = lost == 1 ? ("was", "is") : ("were", "are")
      state.message = BrowserState.Message(
        text: "\(CountText.counted(lost, "selected row")) \(were) changed or deleted by someone "
          + "else, and \(are) no longer selected.",
        severity: .warning)
    }
    return []
  }
}

/// What references lead to by now that were made some time ago: an editor was open meanwhile, a question was
/// asked, or rows were selected.
extension EffectRunner {
  /// What a reference leads to.
  enum Found {
    /// The object that was shown, under its key.
    case object(DynamicObject)
    /// The object that was shown, which is under another key now.
    case moved(DynamicObject)
    /// Not what was shown: its key leads to another row, or to one that somebody else has changed.
    case another(ObjectReference, SeenRow)
    /// It is no longer there.
    case missing

    /// The object, unless it has come to have another key.
    var objectInPlace: DynamicObject? {
      if case .object(let object) = self { object } else { nil }
    }
  }

  /// What is shown of an object; nil where its key leads to no other row, whatever somebody else does.
  func seen(_ object: DynamicObject) -> SeenRow? {
    guard view.mayMoveRows(object.entity), let row = view.storedRow(of: object) else { return nil }
    return SeenRow(row: row, readAnewCount: view.readAnewCount, placement: view.placement)
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
        seen.readAnewCount == view.readAnewCount || view.isSameRow(object, as: seen.row)
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

  /// The objects of references of one entity, read off the main actor.
  ///
  /// - Throws: `StagingRefusal` when one of them is gone, or is not what was shown.
  func load(_ references: [ObjectReference]) async throws -> [DynamicObject] {
    try await find(references).map { found in
      switch found {
      case .object(let object), .moved(let object): return object
      case .another(let reference, _): throw StagingRefusal(Self.isAnother(reference, schema))
      case .missing: throw StagingRefusal(Self.isMissing)
      }
    }
  }

  /// References with what they lead to now, where nothing was seen of that before: what a question is about is
  /// what is done.
  func shown(_ references: [ObjectReference]) async throws -> [ObjectReference] {
    guard let first = references.first, view.mayMoveRows(schema.entities[first.entity]),
      references.contains(where: { $0.seen == nil })
    else { return references }
    return zip(references, try await load(references)).map { reference, object in
      ObjectReference(
        entity: reference.entity, key: reference.key, seen: reference.seen ?? seen(object))
    }
  }

  /// The objects to stage something for. One that is not what was shown begins from what was shown, so that
  /// nothing that was typed is lost: it is told as a conflict.
  ///
  /// - Throws: `StagingRefusal` when one of them is gone; when the key of one leads to another object with
  ///   unsaved changes.
  func begin(_ found: [Found]) throws -> [DynamicObject] {
    try found.map { item in
      switch item {
      case .object(let object), .moved(let object): return object
      case .missing: throw StagingRefusal(Self.isMissing)
      case .another(let reference, let seen):
        let entity = schema.entities[reference.entity]
        let present = view.loadedObject(entity: entity.index, key: reference.key)
        let row = (0..<entity.slotCount).map { seen.row.page.value(row: seen.row.row, slot: $0) }
        guard present.map({ !$0.isInserted && !$0.hasChanges }) ?? true,
          let object = view.object(
            entity: entity.index, key: reference.key, beginningFrom: row, isRowGone: true)
        else { throw StagingRefusal(Self.isAnother(reference, schema)) }
        return object
      }
    }
  }

  /// Where the selected rows are, by the keys that they had; nil for those that are not found.
  fileprivate func rows(
    _ references: [ObjectReference]
  ) async throws -> [Int64: ObjectReference?] {
    var rows: [Int64: ObjectReference?] = [:]
    for (old, found) in zip(references, try await find(references)) {
      switch found {
      case .object(let object), .moved(let object):
        rows.updateValue(
          reference(to: object, as: schema.entities[old.entity]), forKey: old.key)
      case .another, .missing: rows.updateValue(nil, forKey: old.key)
      }
    }
    return rows
  }

  private static let isMissing = "The object is no longer in the store; press r to read again."

  private static func isAnother(_ reference: ObjectReference, _ schema: Schema) -> String {
    "\(schema.entities[reference.entity].name) \(reference.key) is another row now, or someone else has "
      + "changed it; look at it again."
  }
}
