import Basics
import DatastoreCore
import SwiftDatastore

/// Stages recorded changes again, in the view context and as one undo group: those that a crash has left, or
/// the opposite of a save.
///
/// Edits begin from their original values: other values in the store become conflicts, at once and when
/// saving.
@MainActor
final class Restaging {
  let runner: EffectRunner
  /// Whether the changes may have been saved before, just before a crash.
  let mayBeSaved: Bool
  /// Whether the numbers of records may lead to other ones, since files were written meanwhile.
  var recordsMayHaveMoved = false
  var report = RestagingReport()
  /// The new objects by entity and former number.
  private var created: [ObjectReference: DynamicObject] = [:]
  /// Keeps the objects that were read in memory.
  var kept: [DynamicObject] = []
  /// The new keys of rows that no longer have their recorded keys.
  var moved: [ObjectReference: RowKey] = [:]
  /// Rows, by their recorded keys, that already have all their staged values: these were saved just
  /// before the crash.
  var saved: Set<ObjectReference> = []

  var view: SwiftDatastoreViewContext { runner.view }
  var schema: Schema { runner.schema }

  init(_ runner: EffectRunner, mayBeSaved: Bool) {
    self.runner = runner
    self.mayBeSaved = mayBeSaved
  }

  /// Whether the keys of rows are the numbers of their records in files, which were read again since.
  private var hasRecords: Bool { mayBeSaved && !runner.environment.sourceFiles.isEmpty }

  /// Whether rows may have other keys than the recorded ones.
  func mayMoveRows(_ entity: Entity) -> Bool { hasRecords || view.mayMoveRows(entity) }

  /// Compares a stored row with a recorded one: the slots with other values, and whether it is another row. A
  /// number alone does not identify a record: one with other values may be any other one.
  func difference(
    of stored: DynamicObject, from recorded: BySlot<Value>, besides edited: SlotSet = SlotSet()
  ) -> (slots: [Slot], isAnotherRow: Bool) {
    let (slots, isAnotherRow) = view.difference(of: stored, from: recorded, besides: edited)
    return (slots, isAnotherRow || hasRecords && !slots.isEmpty)
  }

  /// - Throws: errors of the store; nothing is staged then.
  func run(_ objects: [RecordedObject]) async throws -> RestagingReport {
    let known = objects.filter { object in
      if schema.entity(named: object.entity) != nil { return true }
      report.losses.append("\(object.entity) is no longer in this file.")
      return false
    }
    try await readAll(known)
    try await reserveKeys(known)
    try await findMoved(known)
    if mayBeSaved { try await reportTwins(known) }
    let deletions = try await deletions(known)
    try withExtendedLifetime(kept) {
      try view.undoGroup {
        try create(known)
        for object in known { stageValues(of: object) }
        for object in known { stageMembers(of: object) }
        for (object, document) in deletions where !object.isKnownDeleted {
          delete(object, document)
        }
      }
    }
    return report
  }

  /// The objects to delete, except for those that would take newer rows with them.
  private func deletions(
    _ objects: [RecordedObject]
  ) async throws -> [(DynamicObject, RecordedObject)] {
    let deleted = objects.compactMap { document -> (DynamicObject, RecordedObject)? in
      guard document.kind == StagedObject.Kind.deleted.rawValue else { return nil }
      guard let object = existing(document) else {
        recordMissing(document)
        return nil
      }
      return object.isKnownDeleted ? nil : (object, document)
    }
    // An object that was changed beside the deletion was not a member any more.
    let changed = objects.filter { $0.kind == StagedObject.Kind.updated.rawValue }
      .compactMap(existing)
    let all = try await runner.forecastDeletion(of: deleted.map(\.0), besides: changed)
    kept += all.kept
    if all.forecast.cascaded.isEmpty { return deleted }
    var confirmed: [(DynamicObject, RecordedObject)] = []
    for (object, document) in deleted {
      let walk = try await runner.forecastDeletion(
        of: [object], besides: deleted.map(\.0) + changed)
      kept += walk.kept
      guard let (name, count) = walk.forecast.cascaded.min(by: { $0.key < $1.key }) else {
        confirmed.append((object, document))
        continue
      }
      report.losses.append(
        "\(object.entity.name) \(object.key) is not deleted: \(CountText.counted(count, "row")) of "
          + "\(name) were added since, and would be deleted with it.")
    }
    return confirmed
  }

  /// Reports that a row to be deleted is not in its place, if it may have been moved.
  private func recordMissing(_ document: RecordedObject) {
    guard let entity = schema.entity(named: document.entity),
      let key = key(document.object, entity.index), mayMoveRows(entity)
    else { return }
    report.losses.append(
      "\(entity.name) \(key) is not deleted: someone else has deleted or moved it.")
  }

  /// The row that a change began from, by slot; nil if it was unknown.
  func recordedRow(_ object: RecordedObject, _ entity: Entity) -> BySlot<Value>? {
    guard let recorded = object.row else { return nil }
    var row = BySlot(
      zip(entity.slots, entity.properties).map { slot, property in
        recorded[property.name].map { value($0, entity, slot) } ?? .null
      })
    for (name, change) in object.changes {
      if let slot = entity.slot(named: name) { row[slot] = value(change.old, entity, slot) }
    }
    return row
  }

  /// Reads every recorded object, off the main actor.
  private func readAll(_ objects: [RecordedObject]) async throws {
    var wanted: [EntityIndex: Set<RowKey>] = [:]
    func want(_ value: RecordedValue, _ entity: EntityIndex) {
      if let key = key(value, entity) { wanted[entity, default: []].insert(key) }
    }
    for object in objects {
      guard let entity = schema.entity(named: object.entity) else { continue }
      want(object.object, entity.index)
      // The object may have been saved just before the crash.
      if let key = keyOfNew(object, entity) { wanted[entity.index, default: []].insert(key) }
      for (name, change) in object.changes {
        guard let slot = entity.slot(named: name), let link = entity.links[slot] else { continue }
        want(change.old, link.destination)
        want(change.new, link.destination)
      }
      for (name, members) in object.members ?? [:] {
        guard let slot = entity.slot(named: name), let link = entity.links[slot] else { continue }
        for member in members.added + members.removed + (members.order ?? []) {
          want(member, link.destination)
        }
      }
    }
    for (entity, keys) in wanted {
      kept += try await view.load(entity: entity, keys: Array(keys))
    }
    for object in objects where object.members != nil {
      guard let owner = existing(object) else { continue }
      for name in (object.members ?? [:]).keys {
        guard let slot = owner.entity.slot(named: name), owner.entity.links[slot] != nil else {
          continue
        }
        _ = try await view.loadRelatedKeys(of: owner, slot: slot)
      }
    }
  }

  /// The key of a reference in this session; nil for new objects and values.
  func key(_ value: RecordedValue, _ entity: EntityIndex) -> RowKey? {
    switch value {
    case .value(.integer(let number)): moved[reference(entity, RowKey(number))] ?? RowKey(number)
    case .key(let values): view.key(entity: entity, values: values)
    case .value, .new: nil
    }
  }

  /// A reference to a row by its recorded key.
  func reference(_ entity: EntityIndex, _ key: RowKey) -> ObjectReference {
    ObjectReference(entity: schema.entities[entity].root, key: key)
  }

  private func existing(_ object: RecordedObject) -> DynamicObject? {
    guard let entity = schema.entity(named: object.entity),
      let key = key(object.object, entity.index)
    else { return nil }
    return view.loadedObject(entity: entity.index, key: key)
  }

  func resolve(_ value: RecordedValue, _ entity: EntityIndex) -> DynamicObject? {
    if case .new(let number) = value {
      return created[reference(entity, number)]
    }
    return key(value, entity).flatMap { view.loadedObject(entity: entity, key: $0) }
  }

  private func create(_ objects: [RecordedObject]) throws {
    for object in objects {
      guard case .new(let number) = object.object, let entity = schema.entity(named: object.entity)
      else { continue }
      created[reference(entity.index, number)] =
        try savedObject(object, entity) ?? view.createObject(entityName: entity.name)
    }
  }

  func value(_ value: RecordedValue, _ entity: Entity, _ slot: Slot) -> Value {
    guard let link = entity.links[slot] else {
      if case .value(let value) = value { return value }
      return .null
    }
    if case .new = value {
      return resolve(value, link.destination).map { .key($0.key) } ?? .null
    }
    return key(value, link.destination).map { .key($0) } ?? .null
  }
}

/// The result of staging recorded changes again.
struct RestagingReport: Hashable, Sendable {
  /// The number of objects with changes that are staged.
  var count = 0
  /// Changes of the same values by others, which are settled when saving.
  var conflicts: [Conflict] = []
  /// The changes that could not be staged, one sentence each.
  var losses: [String] = []
}
