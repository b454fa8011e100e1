import DatastoreCore
import SwiftDatastore

/// Staging the values, members and deletions of one object again.
extension Restaging {
  func stageValues(of object: RecordedObject) {
    guard let entity = schema.entity(named: object.entity) else { return }
    let target: DynamicObject?
    switch object.kind {
    case StagedObject.Kind.inserted.rawValue: target = resolve(object.object, entity.index)
    case StagedObject.Kind.updated.rawValue: target = begin(object, entity)
    default: target = nil
    }
    guard let target, target.isInserted || object.kind == StagedObject.Kind.updated.rawValue
    else { return }
    report.count += 1
    if target.isInserted { clearDefaults(of: target, besides: object.changes.keys) }
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
      } else if recordsMayHaveMoved, case .value = change.new {
        report.losses.append(
          "\(entity.name).\(name) is not set again: the files were written since, so it is not known "
            + "which record it led to.")
      } else if let destination = resolve(change.new, link.destination), !destination.isKnownDeleted
      {
        target.set(destination, for: name)
      } else {
        report.losses.append(
          "\(entity.name).\(name) is not set again: its object is no longer there.")
      }
    }
  }

  /// Clears the values that a new object starts with, unless they are recorded: they were cleared before.
  private func clearDefaults(of object: DynamicObject, besides recorded: some Collection<String>) {
    for (slot, value) in object.entity.initialValues.placed
    where !value.isNull && !recorded.contains(object.entity.properties[slot].name)
      && object.isWritable(at: slot)
    {
      object[slot] = .null
    }
  }

  /// The object with the values that its edit began from; reports a conflict with the stored values.
  private func begin(_ object: RecordedObject, _ entity: Entity) -> DynamicObject? {
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
          mayBeElsewhere: stored == nil && mayMoveRows(entity)))
    }
    return view.object(
      entity: entity.index, key: key, beginningFrom: row, isRowGone: stored == nil)
  }

  /// The object with the row that its edit began from, if its key now leads to another row.
  private func begin(
    _ object: RecordedObject, _ entity: Entity, _ key: RowKey,
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

  func stageMembers(of object: RecordedObject) {
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

  /// Deletes a row again. If the row with its key is another one or has changed, that becomes a conflict.
  func delete(_ object: DynamicObject, _ document: RecordedObject) {
    if let recorded = recordedRow(document, object.entity) {
      let (slots, isAnotherRow) = difference(of: object, from: recorded)
      if object.hasChanges {
        if isAnotherRow {
          report.losses.append(
            "\(object.entity.name) \(object.key) is not deleted: it is a different row now, with "
              + "unsaved changes.")
          return
        }
        report.count += 1
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
    report.count += 1
    view.deleteObject(object)
  }
}
