/// Undo and redo.
extension ObjectGraph {
  /// Undoes the last group of staged changes. Does nothing when there is none.
  ///
  /// If the changes were saved in the meantime, stages the opposite ones: an object that was created and
  /// saved is deleted, one that was deleted and saved is created again.
  package func undo() {
    journal?.undo(in: self)
  }

  /// Redoes the last undone group.
  package func redo() {
    journal?.redo(in: self)
  }

  func takeBack(_ step: UndoJournal.Step) {
    switch step {
    case .changed(let object, let slot, let former):
      guard object.state != .gone || object.isLost else { return }
      takeBack(slot, of: object, former)
      object.notify(slot)
    case .gained(let object, let slot, let key):
      object.lose(key, slot)
      object.notify(slot)
    case .lost(let object, let slot, let key):
      object.gain(key, slot)
      object.notify(slot)
    case .ordered(let object, let slot, let members):
      object.reorder(backTo: members, slot)
      object.notify(slot)
    case .inserted(let object):
      guard object.state != .gone else { return }
      markDeleted(object)
    case .deleted(let object, let state):
      restore(object, to: state)
    }
  }

  /// Stages a former value again, on top of later values stored by someone else.
  private func takeBack(_ slot: Slot, of object: ManagedObject, _ former: UndoJournal.Former) {
    let isSaved = object.state != .inserted && object.state != .deleted
    guard isSaved, former.saveCount == saveCount else {
      object.write(former.value, at: slot)
      return
    }
    guard let base = former.base else {
      journal?.record(.changed(object, slot, object.former(at: slot)))
      unstage(slot, of: object)
      return
    }
    let stored = object.committedValue(at: slot)
    object.write(former.value, at: slot)
    guard stored != base else {
      object.extras?.conflictBases[slot] = nil
      return
    }
    // Staged even if the stored value has become equal.
    object.stage(former.value, at: slot)
    object.extras?.conflictBases[slot] = base
  }

  /// Corrects the result of single steps, which know nothing of later values stored by someone else, and
  /// leave an order staged that equals the stored one.
  func align(after group: [UndoJournal.Step]) {
    for step in group {
      switch step {
      case .gained(let owner, let slot, let key), .lost(let owner, let slot, let key):
        if mergeCount > 0, let link = owner.entity.links[slot], let inverse = link.inverseSlot,
          let member = maps[link.destination][key]
        {
          alignOwners(of: member, at: inverse, besides: [.key(owner.key)])
        }
        unstageStoredOrder(of: owner, slot)
      case .ordered(let owner, let slot, _): unstageStoredOrder(of: owner, slot)
      case .changed(let object, _, _): if mergeCount > 0 { becomeCleanIfUnchanged(object) }
      case .inserted, .deleted: continue
      }
    }
  }

  /// Discards a staged order that equals the stored one, or that has no step left.
  func unstageStoredOrder(of owner: ManagedObject, _ slot: Slot) {
    guard let state = owner.toManyState(slot), state.isReordered, state.added.isEmpty,
      state.removed.isEmpty, owner.state != .inserted, owner.state != .gone
    else { return }
    let isForgotten = mergeCount > 0 && journal?.mentions(owner, slot) == false
    if !isForgotten, owner.relatedKeys(at: slot) != owner.toManyState(slot)?.stored { return }
    owner.setToManyState(ToManyState(stored: owner.toManyState(slot)?.stored), slot)
    record(owner, changed: slot)
  }

  private func restore(_ object: ManagedObject, to state: ManagedObjectState) {
    stagedIndex = nil
    journal?.record(.inserted(object))
    if object.state == .deleted {
      object.state = state == .inserted ? .clean : state
      if object.state == .updated, !object.hasRowChanges { object.state = .clean }
      if object.state == .clean, object.stagedRow != .gone { becomeClean(object) }
    } else {
      resurrect(object)
    }
    track(object)
    recordReturn(of: object)
    object.notify(SlotSet(object.entity.slots))
  }

  /// Turns a deleted object into a new one with its former values.
  func resurrect(_ object: ManagedObject) {
    stagedIndex = nil
    let extras = object.lazyExtras
    let kept = extras.values
    let changed = extras.changedSlots
    extras.values = BySlot(repeating: .null, count: object.entity.slotCount)
    for slot in object.entity.rowSlots {
      if !kept.isEmpty, changed.contains(slot) {
        extras.values[slot] = kept[slot]
      } else if let page = object.page {
        extras.values[slot] = page.value(row: Int(object.row), slot: slot)
      }
      extras.changedSlots.insert(slot)
    }
    extras.stagedRow = .asRead
    extras.conflictBases = [:]
    object.page = nil
    object.state = .inserted
    object.isLost = false
    if maps[object.entity.index][object.key] == nil { maps[object.entity.index].insert(object) }
  }

  /// Discards the staged changes of one object, and updates the other sides of its relationships. New objects
  /// disappear, deleted ones return.
  package func revert(_ object: ManagedObject) {
    switch object.state {
    case .inserted:
      delete(object)
      return
    case .deleted:
      restore(object, to: object.page == nil ? .fault : .updated)
    case .gone: return
    case .fault, .clean, .updated: break
    }
    for slot in object.entity.slots { revertProperty(slot, of: object) }
    becomeCleanIfUnchanged(object)
    record(object)
  }

  /// Discards the staged change of one property; that of a new object gets its default value.
  package func revert(_ object: ManagedObject, slot: Slot) {
    switch object.state {
    case .deleted, .gone: return
    case .inserted:
      if object.entity.links[slot]?.kind == .toOne {
        object.setRelated(nil as ManagedObject?, at: slot)
      } else if let attribute = object.entity.properties[slot].attribute {
        object.write(attribute.defaultValue, at: slot)
        object.notify(slot)
      } else {
        revertProperty(slot, of: object)
      }
    case .fault, .clean, .updated:
      revertProperty(slot, of: object)
      becomeCleanIfUnchanged(object)
    }
    record(object)
  }

  /// Discards a staged value: without an edit, the value stored by someone else applies.
  private func unstage(_ slot: Slot, of object: ManagedObject) {
    object.extras?.changedSlots.remove(slot)
    object.extras?.conflictBases[slot] = nil
    stagedIndex?.touch(object)
    if object.state == .updated, !object.hasRowChanges {
      object.state = .clean
      if object.stagedRow != .asRead { departing.append(object) }
    }
    record(object, changed: slot)
  }

  private func becomeCleanIfUnchanged(_ object: ManagedObject) {
    guard object.state == .updated || object.state == .clean, !object.hasRowChanges else { return }
    let isGone = object.stagedRow == .gone
    becomeClean(object)
    guard isGone else { return }
    record(object)
    object.notify(SlotSet(object.entity.slots))
  }

  /// Ends the state of a saved object without staged changes: an object whose row was deleted meanwhile is
  /// removed, and one whose row could not be read becomes a fault.
  func becomeClean(_ object: ManagedObject) {
    switch object.stagedRow {
    case .gone: vanish(object, isLost: true)
    case .stale:
      object.stagedRow = .asRead
      object.state = object.page == nil ? .fault : .clean
      refault(object)
    case .asRead: object.state = object.page == nil ? .fault : .clean
    }
  }

  /// Releases objects whose edits were reverted by hand.
  func releaseDeparting() {
    guard !departing.isEmpty else { return }
    let objects = departing
    departing = []
    for object in objects { becomeCleanIfUnchanged(object) }
  }

  private func revertProperty(_ slot: Slot, of object: ManagedObject) {
    switch object.entity.properties[slot] {
    case .attribute:
      guard object.extras?.changedSlots.contains(slot) ?? false else { return }
      object.write(object.committedValue(at: slot), at: slot)
      unstage(slot, of: object)
      object.notify(slot)
    case .relationship(let relationship) where relationship.kind == .toOne:
      guard object.extras?.changedSlots.contains(slot) ?? false,
        let link = object.entity.links[slot]
      else { return }
      if let key = object.committedValue(at: slot).key {
        object.setRelated(self.object(entity: link.destination, key: key), at: slot)
      } else {
        object.setRelated(nil as ManagedObject?, at: slot)
      }
    case .relationship:
      guard let state = object.toManyState(slot), state.isChanged,
        let link = object.entity.links[slot]
      else { return }
      let stored = state.stored ?? readRelatedKeys(of: object, slot: slot)
      object.setRelated(
        objects(entity: link.destination, keys: stored).filter { !$0.isKnownDeleted }, at: slot)
      unstageStoredOrder(of: object, slot)
    }
  }
}
