import Basics
import DatastoreCore
import SwiftDatastore

/// Stages the changes of a recovery document again, in the view context and as one undo group.
///
/// Edits begin from their original values: other values in the store become conflicts, at once and when
/// saving.
@MainActor
final class RecoveryRestoring {
  let runner: EffectRunner
  var report = RestoreReport()
  /// The new objects by entity and former number.
  private var created: [ObjectReference: DynamicObject] = [:]
  /// Keeps the objects that were read in memory.
  var kept: [DynamicObject] = []
  /// The new keys of rows that no longer have the keys in the document.
  var moved: [ObjectReference: RowKey] = [:]
  /// Rows, by the keys in the document, that already have all their staged values: these were saved just
  /// before the crash.
  var saved: Set<ObjectReference> = []

  var view: SwiftDatastoreViewContext { runner.view }
  var schema: Schema { runner.schema }

  init(_ runner: EffectRunner) {
    self.runner = runner
  }

  /// - Throws: errors of the store; nothing is staged then.
  func run(_ document: RecoveryDocument) async throws -> RestoreReport {
    let known = document.objects.filter { object in
      if schema.entity(named: object.entity) != nil { return true }
      report.losses.append("\(object.entity) is no longer in this file.")
      return false
    }
    try await readAll(known)
    try await reserveKeys(known)
    try await findMoved(known)
    try await reportTwins(known)
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
    _ objects: [RecoveryDocument.Object]
  ) async throws -> [(DynamicObject, RecoveryDocument.Object)] {
    let deleted = objects.compactMap { document -> (DynamicObject, RecoveryDocument.Object)? in
      guard document.kind == StagedObject.Kind.deleted.rawValue else { return nil }
      guard let object = existing(document) else {
        recordMissing(document)
        return nil
      }
      return object.isKnownDeleted ? nil : (object, document)
    }
    var confirmed: [(DynamicObject, RecoveryDocument.Object)] = []
    for (object, document) in deleted {
      let walk = try await runner.forecastDeletion(of: [object], besides: deleted.map(\.0))
      kept += walk.kept
      guard let (name, count) = walk.forecast.cascaded.min(by: { $0.key < $1.key }) else {
        confirmed.append((object, document))
        continue
      }
      report.losses.append(
        "\(object.entity.name) \(object.key) is not deleted again: \(CountText.counted(count, "row")) of "
          + "\(name) were added since, and would be deleted with it.")
    }
    return confirmed
  }

  /// Reports that a row to be deleted is not in its place, if it may have been moved.
  private func recordMissing(_ document: RecoveryDocument.Object) {
    guard let entity = schema.entity(named: document.entity),
      let key = key(document.object, entity.index), view.mayMoveRows(entity)
    else { return }
    report.losses.append(
      "\(entity.name) \(key) is not deleted again: someone else has deleted or moved it.")
  }

  /// Deletes a row again. If the row with its key is another one or has changed, that becomes a conflict.
  private func delete(_ object: DynamicObject, _ document: RecoveryDocument.Object) {
    if let recorded = recordedRow(document, object.entity) {
      let (slots, isAnotherRow) = view.difference(of: object, from: recorded)
      if object.hasChanges {
        if isAnotherRow {
          report.losses.append(
            "\(object.entity.name) \(object.key) is not deleted again: it is a different row now, with "
              + "unsaved changes.")
          return
        }
        view.deleteObject(object)
        return
      }
      if !slots.isEmpty {
        report.conflicts.append(
          Conflict(
            entity: object.entity.name, key: object.key,
            properties: slots.map { slot in
              Conflict.Property(
                name: object.entity.properties[slot].name, original: recorded[slot],
                mine: recorded[slot], theirs: object.committedValue(at: slot))
            }, isDeleted: false, isAnotherRow: isAnotherRow, wasToBeDeleted: true))
        _ = view.object(
          entity: object.entity.index, key: object.key, beginningFrom: recorded)
      }
    }
    view.deleteObject(object)
  }

  /// The row that a change began from, by slot; nil if it was unknown.
  func recordedRow(_ object: RecoveryDocument.Object, _ entity: Entity) -> BySlot<Value>? {
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

  /// Reads every object in the document, off the main actor.
  private func readAll(_ objects: [RecoveryDocument.Object]) async throws {
    var wanted: [EntityIndex: Set<RowKey>] = [:]
    func want(_ value: RecoveredValue, _ entity: EntityIndex) {
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
  func key(_ value: RecoveredValue, _ entity: EntityIndex) -> RowKey? {
    switch value {
    case .value(.integer(let number)): moved[reference(entity, RowKey(number))] ?? RowKey(number)
    case .key(let values): view.key(entity: entity, values: values)
    case .value, .new: nil
    }
  }

  /// A reference to a row by its key in the document.
  func reference(_ entity: EntityIndex, _ key: RowKey) -> ObjectReference {
    ObjectReference(entity: schema.entities[entity].root, key: key)
  }

  private func existing(_ object: RecoveryDocument.Object) -> DynamicObject? {
    guard let entity = schema.entity(named: object.entity),
      let key = key(object.object, entity.index)
    else { return nil }
    return view.loadedObject(entity: entity.index, key: key)
  }

  private func resolve(_ value: RecoveredValue, _ entity: EntityIndex) -> DynamicObject? {
    if case .new(let number) = value {
      return created[reference(entity, number)]
    }
    return key(value, entity).flatMap { view.loadedObject(entity: entity, key: $0) }
  }

  private func create(_ objects: [RecoveryDocument.Object]) throws {
    for object in objects {
      guard case .new(let number) = object.object, let entity = schema.entity(named: object.entity)
      else { continue }
      created[reference(entity.index, number)] =
        try savedObject(object, entity) ?? view.createObject(entityName: entity.name)
    }
  }

  private func stageValues(of object: RecoveryDocument.Object) {
    guard let entity = schema.entity(named: object.entity) else { return }
    let target: DynamicObject?
    switch object.kind {
    case StagedObject.Kind.inserted.rawValue: target = resolve(object.object, entity.index)
    case StagedObject.Kind.updated.rawValue: target = begin(object, entity)
    default: target = nil
    }
    guard let target, target.isInserted || object.kind == StagedObject.Kind.updated.rawValue
    else { return }
    for (name, change) in object.changes.sorted(by: { $0.key < $1.key }) {
      guard let slot = entity.slot(named: name), target.isWritable(at: slot) else {
        report.losses.append("\(entity.name).\(name) can no longer be changed.")
        continue
      }
      guard let link = entity.links[slot] else {
        if case .value(let value) = change.new { target[slot] = value }
        continue
      }
      if change.new == .value(.null) {
        target.set(nil as DynamicObject?, for: name)
      } else if let destination = resolve(change.new, link.destination), !destination.isKnownDeleted
      {
        target.set(destination, for: name)
      } else {
        report.losses.append(
          "\(entity.name).\(name) is not set again: its object is no longer there.")
      }
    }
  }

  /// The object with the values that its edit began from; reports a conflict with the stored values.
  private func begin(_ object: RecoveryDocument.Object, _ entity: Entity) -> DynamicObject? {
    guard let key = key(object.object, entity.index) else {
      report.losses.append(
        "A change of \(entity.name) is not restored: its row cannot be found in this file.")
      return nil
    }
    if saved.contains(reference(entity.index, key)) { return nil }
    let stored = view.loadedObject(entity: entity.index, key: key)
    if let stored, stored.isInserted {
      report.losses.append(
        "The change of \(entity.name) \(key) is not restored: its row is gone, and a new object "
          + "has its number.")
      return nil
    }
    let recorded = recordedRow(object, entity)
    if let stored, let recorded,
      let slots = differenceOfAnotherRow(object, entity, stored, recorded)
    {
      if stored.hasChanges {
        report.losses.append(
          "The change of \(entity.name) \(key) is not restored: its row is gone, and another one with "
            + "unsaved changes has its number.")
        return nil
      }
      return begin(object, entity, key, atAnotherRow: stored, recorded, slots)
    }
    var row = BySlot(
      entity.slots.map { slot -> Value in
        stored?.committedValue(at: slot) ?? recorded?[slot] ?? .null
      })
    var differing: [Conflict.Property] = []
    for (name, change) in object.changes.sorted(by: { $0.key < $1.key }) {
      guard let slot = entity.slot(named: name) else { continue }
      let theirs = row[slot]
      let old = value(change.old, entity, slot)
      let new = value(change.new, entity, slot)
      // A value that was saved just before the crash needs no settlement.
      if theirs == new, stored != nil { continue }
      row[slot] = old
      if theirs != old, stored != nil {
        differing.append(.init(name: name, original: old, mine: new, theirs: theirs))
      }
    }
    if stored == nil || !differing.isEmpty {
      report.conflicts.append(
        Conflict(
          entity: entity.name, key: key, properties: differing, isDeleted: stored == nil,
          mayBeElsewhere: stored == nil && view.mayMoveRows(entity)))
    }
    return view.object(
      entity: entity.index, key: key, beginningFrom: row, isRowGone: stored == nil)
  }

  /// The object with the row that its edit began from, if its key now leads to another row.
  private func begin(
    _ object: RecoveryDocument.Object, _ entity: Entity, _ key: RowKey,
    atAnotherRow stored: DynamicObject, _ recorded: BySlot<Value>, _ slots: [Slot]
  ) -> DynamicObject? {
    let properties = slots.map { slot in
      let name = entity.properties[slot].name
      return Conflict.Property(
        name: name, original: recorded[slot],
        mine: object.changes[name].map { value($0.new, entity, slot) } ?? recorded[slot],
        theirs: stored.committedValue(at: slot))
    }
    report.conflicts.append(
      Conflict(
        entity: entity.name, key: key, properties: properties, isDeleted: false,
        isAnotherRow: true))
    return view.object(
      entity: entity.index, key: key, beginningFrom: recorded, isRowGone: true)
  }

  func value(_ value: RecoveredValue, _ entity: Entity, _ slot: Slot) -> Value {
    guard let link = entity.links[slot] else {
      if case .value(let value) = value { return value }
      return .null
    }
    if case .new = value {
      return resolve(value, link.destination).map { .key($0.key) } ?? .null
    }
    return key(value, link.destination).map { .key($0) } ?? .null
  }

  private func stageMembers(of object: RecoveryDocument.Object) {
    guard let entity = schema.entity(named: object.entity), let members = object.members,
      object.kind != StagedObject.Kind.deleted.rawValue
    else { return }
    guard let owner = resolve(object.object, entity.index), !owner.isKnownDeleted else {
      report.losses.append(
        "Members of \(entity.name) are not changed again: the object is no longer there.")
      return
    }
    for (name, change) in members.sorted(by: { $0.key < $1.key }) {
      guard let slot = entity.slot(named: name), let link = entity.links[slot] else { continue }
      for (values, isMember) in [(change.added, true), (change.removed, false)] {
        for value in values {
          guard let member = resolve(value, link.destination), !member.isKnownDeleted else {
            if isMember {
              report.losses.append(
                "\(entity.name).\(name) is not given a member again: the object is no longer there."
              )
            }
            continue
          }
          view.setMember(member, of: owner, slot: slot, isMember: isMember)
        }
      }
      guard let order = change.order else { continue }
      let wanted = order.compactMap { resolve($0, link.destination) }.filter { !$0.isKnownDeleted }
      // Members that were added meanwhile stay, at the end.
      let others = owner.objects(name).filter { member in !wanted.contains { $0 === member } }
      let present = Set(owner.objects(name).map(\.key))
      owner.set(wanted.filter { present.contains($0.key) } + others, for: name)
    }
  }
}
