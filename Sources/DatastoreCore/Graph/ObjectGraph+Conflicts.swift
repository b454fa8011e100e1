/// How a context settles conflicts when it saves.
///
/// No policy writes to a row that has been replaced by another (`Conflict.isAnotherRow`), nor creates one
/// again that may have moved (`Conflict.mayBeElsewhere`): if the context's values were to win, such a
/// conflict is thrown.
public enum MergePolicy: String, Sendable, CaseIterable {
  /// Nothing is saved; `ConflictError` lists every object and property with its three values.
  case error
  /// If both sides changed a property, the store's value is kept; other edits are saved.
  case storeTrump
  /// If both sides changed a property, the context's value is saved; other changes in the store are kept.
  case objectTrump
  /// The context's version of the whole object is saved.
  case overwrite
  /// The context's edits of objects in conflict are dropped.
  case rollback
}

extension ObjectGraph {
  /// Settles conflicts by a policy, so that the save can be tried again.
  ///
  /// - Throws: the errors of the store when reading the rows in conflict; the conflict itself if another row
  ///   has the key, or the row may have moved, and the policy would write.
  package func settle(_ error: ConflictError, by policy: MergePolicy) throws {
    let isMineKept = policy == .objectTrump || policy == .overwrite
    if isMineKept, error.conflicts.contains(where: { $0.isAnotherRow || $0.mayBeElsewhere }) {
      throw error
    }
    for conflict in error.conflicts {
      guard let entity = schema.entity(named: conflict.entity),
        let object = maps[entity.index][conflict.key]
      else { continue }
      let pages = try store.rows(entity: entity.index, keys: [conflict.key])
      guard let page = pages.first(where: { $0.rowCount > 0 }) else {
        settleDeletion(of: object, by: policy)
        continue
      }
      if isMineKept, let before = object.page,
        !store.isSameRow(
          entity: entity.index, RowReference(page, 0), as: RowReference(before, Int(object.row)),
          besides: object.extras?.changedSlots ?? SlotSet())
      {
        throw error
      }
      if object.state == .deleted {
        settleDeletion(of: object, stored: page, isKept: isMineKept)
      } else {
        settle(object, conflict, stored: page, by: policy)
      }
    }
  }

  /// The row to delete has been replaced by another since it was read.
  ///
  /// - Parameter isKept: whether to delete it in its present state.
  private func settleDeletion(of object: ManagedObject, stored: RowPage, isKept: Bool) {
    object.page = stored
    object.row = 0
    object.stagedRow = .asRead
    if !isKept { revert(object) }
  }

  /// Settles one conflict property by property, so that the save can be tried again.
  ///
  /// - Parameters:
  ///   - stored: the row in the store now; nil when it is deleted.
  ///   - mine: the names of the properties in conflict whose staged values are kept. If the row is deleted,
  ///     any name keeps the object, which is then created again. If another row has the key, or the object
  ///     was to be deleted, any name applies the staged changes to it.
  /// - Returns: whether it is settled; false when the store has changed again since the conflict. The object
  ///   then knows the present row, with which the next save reports the conflict.
  @discardableResult
  package func settle(
    _ conflict: Conflict, stored: RowPage?, keeping mine: Set<String>
  ) -> Bool {
    guard let entity = schema.entity(named: conflict.entity),
      let object = maps[entity.index][conflict.key]
    else { return false }
    guard let stored else {
      guard conflict.isDeleted else {
        if object.page != nil { mergeDeletion(of: object) }
        return false
      }
      settleDeletion(of: object, by: mine.isEmpty ? .storeTrump : .objectTrump)
      return true
    }
    // The choice was between the values that were shown.
    let isAsShown = conflict.properties.allSatisfy { property in
      entity.slot(named: property.name).map { stored.value(row: 0, slot: $0) == property.theirs }
        ?? true
    }
    guard !conflict.isDeleted, isAsShown else {
      object.notify(apply(stored, 0, SlotSet(entity.slots), into: object))
      return false
    }
    if object.state == .deleted {
      settleDeletion(of: object, stored: stored, isKept: !mine.isEmpty)
      return true
    }
    if conflict.isAnotherRow {
      settle(object, stored: stored) { _, isChanged in isChanged && !mine.isEmpty }
      return true
    }
    let dropped = Set(conflict.properties.map(\.name)).subtracting(mine)
    settle(object, stored: stored) { slot, isChanged in
      isChanged && !dropped.contains(object.entity.properties[slot].name)
    }
    return true
  }

  private func settleDeletion(of object: ManagedObject, by policy: MergePolicy) {
    // A row to be deleted is not created again for that.
    switch object.state == .deleted && policy != .error ? .storeTrump : policy {
    case .error: break
    case .storeTrump, .rollback:
      vanish(object, isLost: true)
      record(object)
      object.notify(SlotSet(object.entity.slots))
    case .objectTrump, .overwrite:
      resurrect(object)
      track(object)
      record(object)
    }
  }

  private func settle(
    _ object: ManagedObject, _ conflict: Conflict, stored: RowPage, by policy: MergePolicy
  ) {
    guard policy != .error else { return }
    settle(object, stored: stored) { slot, isChanged in
      let property = object.entity.properties[slot]
      let isInConflict = conflict.properties.contains { $0.name == property.name }
      return switch policy {
      case .storeTrump: isChanged && !isInConflict && !conflict.isAnotherRow
      case .objectTrump: isChanged
      case .overwrite: !(property.attribute?.isReadOnly ?? false)
      case .rollback, .error: false
      }
    }
  }

  private func settle(
    _ object: ManagedObject, stored: RowPage, keepsMine: (_ slot: Slot, _ isChanged: Bool) -> Bool
  ) {
    guard let extras = object.extras else { return }
    stagedIndex = nil
    let mine = BySlot(object.entity.slots.map { object.value(at: $0) })
    object.page = stored
    object.row = 0
    extras.conflictBases = [:]
    extras.stagedRow = .asRead
    var changed = SlotSet()
    for slot in object.entity.rowSlots {
      let theirs = stored.value(row: 0, slot: slot)
      let keepsMine = keepsMine(slot, extras.changedSlots.contains(slot))
      extras.changedSlots.remove(slot)
      if keepsMine, mine[slot] != theirs {
        extras.changedSlots.insert(slot)
        if extras.values.isEmpty {
          extras.values = BySlot(repeating: .null, count: object.entity.slotCount)
        }
        extras.values[slot] = mine[slot]
      }
      if object.value(at: slot) != mine[slot] {
        changed.insert(slot)
        forgetRelatives(object, slot, mine[slot], theirs)
      }
    }
    object.state = object.hasRowChanges ? .updated : .clean
    for slot in object.entity.relationshipSlots {
      alignOwners(of: object, at: slot, besides: [mine[slot]])
    }
    for slot in changed { record(object, changed: slot) }
    object.notify(changed)
  }

  /// When a to-one returns to the store's value, updates the other sides, too.
  private func forgetRelatives(
    _ object: ManagedObject, _ slot: Slot, _ mine: Value, _ theirs: Value
  ) {
    guard let link = object.entity.links[slot], let inverse = link.inverseSlot else { return }
    for case let key? in [mine, theirs].map(\.key) {
      guard let other = maps[link.destination][key] else { continue }
      if other.entity.links[inverse]?.kind.isToMany ?? false {
        other.setToManyState(nil, inverse)
        other.notify(inverse)
      } else if other.state == .updated || other.state == .clean {
        revert(other)
      }
    }
  }
}
