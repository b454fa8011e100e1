import DatastoreCore
import SwiftDatastore

/// Finding the rows of the recorded changes in the file.
extension Restaging {
  /// Reserves the recorded keys of all rows: if such a row is gone, and a new object got its key, the
  /// changes would be made to the new object.
  func reserveKeys(_ objects: [RecordedObject]) async throws {
    var keys: [EntityIndex: [RowKey]] = [:]
    for object in objects where object.kind != StagedObject.Kind.inserted.rawValue {
      guard let entity = schema.entity(named: object.entity),
        let key = key(object.object, entity.index)
      else { continue }
      keys[entity.index, default: []].append(key)
    }
    for (entity, keys) in keys { try await view.reserve(keys, of: schema.entities[entity]) }
  }

  /// Finds the rows that no longer have their recorded numbers, each by all its values. It is unknown
  /// what has happened to the file since, or whether it is the same one.
  func findMoved(_ objects: [RecordedObject]) async throws {
    for (entity, lost) in lostRows(objects) {
      try await find(lost.rows, besides: lost.present, of: schema.entities[entity])
    }
  }

  /// The key of a new object if it was saved just before the crash.
  func keyOfNew(_ object: RecordedObject, _ entity: Entity) -> RowKey? {
    guard case .new(let number) = object.object else { return nil }
    return view.key(of: entity) { slot in
      guard case .value(let value) = object.changes[entity.properties[slot].name]?.new else {
        return .null
      }
      return value
    } ?? number
  }

  /// A new object that was saved just before the crash: its row exists with exactly its values.
  func savedObject(_ object: RecordedObject, _ entity: Entity) -> DynamicObject? {
    guard mayBeSaved, !object.changes.isEmpty, let key = keyOfNew(object, entity) else {
      return nil
    }
    return kept.first { stored in
      stored.entity === entity && stored.key == key && !stored.isInserted
        && object.changes.allSatisfy { name, change in
          guard let slot = entity.slot(named: name), case .value(let value) = change.new else {
            return false
          }
          return stored.committedValue(at: slot) == value
        }
    }
  }

  /// Reports new objects of tables without keys that have the same values as an existing row: they may have
  /// been saved just before the crash, and moved since.
  func reportTwins(_ objects: [RecordedObject]) async throws {
    var rows: [EntityIndex: [RowReference]] = [:]
    for object in objects {
      guard case .new(let number) = object.object, !object.changes.isEmpty,
        let entity = schema.entity(named: object.entity), mayMoveRows(entity),
        savedObject(object, entity) == nil
      else { continue }
      let values = BySlot(
        zip(entity.slots, entity.properties).map { slot, property in
          object.changes[property.name].map { value($0.new, entity, slot) } ?? .null
        })
      rows[entity.index, default: []].append(
        RowReference(values, key: number, columnCount: entity.slotCount))
    }
    for (index, rows) in rows {
      let entity = schema.entities[index]
      for key in try await view.findRows(of: entity, equalTo: rows).values.sorted() {
        report.losses.append(
          "A new \(entity.name) is there again, and \(entity.name) \(key) holds the same: it may have "
            + "been saved just before the crash.")
      }
    }
  }

  /// A row that does not have its number any more.
  private struct LostRow {
    let key: RowKey
    let recorded: BySlot<Value>
    /// The values of the row if the changes were saved just before the crash; nil for deletions.
    let edited: BySlot<Value>?
  }

  /// For each entity, the rows that do not have their numbers any more, and the numbers of those that do.
  private func lostRows(
    _ objects: [RecordedObject]
  ) -> [EntityIndex: (rows: [LostRow], present: Set<RowKey>)] {
    var lost: [EntityIndex: (rows: [LostRow], present: Set<RowKey>)] = [:]
    for object in objects where object.kind != StagedObject.Kind.inserted.rawValue {
      guard let entity = schema.entity(named: object.entity), mayMoveRows(entity),
        let key = key(object.object, entity.index), let recorded = recordedRow(object, entity)
      else { continue }
      if let stored = view.loadedObject(entity: entity.index, key: key), !stored.isInserted,
        differenceOfAnotherRow(object, entity, stored, recorded) == nil
      {
        lost[entity.index, default: ([], [])].present.insert(key)
        continue
      }
      var edited: BySlot<Value>?
      if object.kind == StagedObject.Kind.updated.rawValue {
        edited = recorded
        for (name, change) in object.changes {
          if let slot = entity.slot(named: name) { edited?[slot] = value(change.new, entity, slot) }
        }
      }
      lost[entity.index, default: ([], [])].rows.append(
        LostRow(key: key, recorded: recorded, edited: edited))
    }
    return lost
  }

  private func find(
    _ lost: [LostRow], besides present: Set<RowKey>, of entity: Entity
  ) async throws {
    if lost.isEmpty { return }
    var rows: [RowReference] = []
    var asked: [(key: RowKey, isEdited: Bool)] = []
    func ask(_ values: BySlot<Value>, _ key: RowKey, isEdited: Bool) {
      rows.append(RowReference(values, key: key, columnCount: entity.slotCount))
      asked.append((key, isEdited))
    }
    for row in lost {
      ask(row.recorded, row.key, isEdited: false)
      if let edited = row.edited { ask(edited, row.key, isEdited: true) }
    }
    let found = try await view.findRows(of: entity, equalTo: rows)
    kept += try await view.load(entity: entity.index, keys: Array(Set(found.values)))
    for (index, key) in found.sorted(by: { $0.key < $1.key }) where !present.contains(key) {
      let row = reference(entity.index, asked[index].key)
      if asked[index].isEdited {
        if moved[row] == nil { saved.insert(row) }
      } else if view.loadedObject(entity: entity.index, key: key)?.hasChanges == false {
        moved[row] = key
      }
    }
  }

  /// The slots in which a stored row differs from the row that a change began from, if it is another row. Nil
  /// if it is the same row, also if the change was saved just before the crash.
  func differenceOfAnotherRow(
    _ object: RecordedObject, _ entity: Entity, _ stored: DynamicObject,
    _ recorded: BySlot<Value>
  ) -> [Slot]? {
    let edited = SlotSet(object.changes.keys.compactMap { entity.slot(named: $0) })
    let (slots, isAnotherRow) = difference(of: stored, from: recorded, besides: edited)
    guard isAnotherRow else { return nil }
    let isSaved =
      !object.changes.isEmpty
      && object.changes.allSatisfy { name, change in
        entity.slot(named: name).map {
          stored.committedValue(at: $0) == value(change.new, entity, $0)
        } ?? true
      }
    return isSaved && slots.allSatisfy(edited.contains) ? nil : slots
  }
}
