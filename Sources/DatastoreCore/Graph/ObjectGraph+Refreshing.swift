/// Merging changes made in the store outside of any graph: by batch operations and other processes.
extension ObjectGraph {
  /// Notifies listeners of changed rows, and turns their clean objects back into faults. Objects with staged
  /// changes are read again at once, all of an entity together, and merged property by property, like saves
  /// of other contexts.
  ///
  /// O(known objects of those rows). Waits for the store only if they have staged changes.
  package func refresh(_ changed: MergedKeys, from source: ChangeSource = .thisContext) {
    reporting(source) { apply(changed) }
  }

  private func apply(_ changed: MergedKeys) {
    releaseDeparting()
    mergeCount += 1
    storedVersion += 1
    var objects: [(object: ManagedObject, slots: SlotSet)] = []
    if changed.isEverything {
      placement = store.placement
      reloadCount += 1
      for map in distinctMaps {
        map.visit { objects.append(($0, SlotSet($0.entity.slots))) }
      }
    }
    for (entity, keys) in changed.updated {
      for (key, slots) in keys {
        if let object = maps[entity][key] { objects.append((object, slots)) }
      }
    }
    for (object, slots) in objects {
      refault(object)
      forgetStoredMembers(object, slots)
    }
    let staged = objects.partition { $0.object.state == .updated || $0.object.state == .deleted }
    readAgain(objects[staged...])
    for (object, slots) in objects[..<staged] { object.notify(slots) }
    for (entity, keys) in changed.deleted {
      for key in keys {
        if let object = maps[entity][key] { mergeDeletion(of: object) }
      }
    }
    record(changed)
  }

  /// Merges the store's present values of some slots into objects that cannot become faults, because they
  /// have staged changes.
  ///
  /// If the store cannot be read they stay unchanged: their values are not needed now, and the save that
  /// needs them compares them with the store.
  func readAgain(_ objects: some Sequence<(object: ManagedObject, slots: SlotSet)>) {
    var notifications: [(object: ManagedObject, slots: SlotSet)] = []
    for (entity, objects) in Dictionary(grouping: objects, by: \.object.entity.index) {
      guard let pages = try? store.rows(entity: entity, keys: objects.map(\.object.key)) else {
        for (object, _) in objects where object.stagedRow == .asRead { object.stagedRow = .stale }
        continue
      }
      var rows: [RowKey: (page: RowPage, row: Int)] = [:]
      for page in pages {
        for row in 0..<page.rowCount { rows[page.key(ofRow: row)] = (page, row) }
      }
      for (object, slots) in objects {
        if let (page, row) = rows[object.key] {
          notifications.append((object, apply(page, row, slots, into: object)))
        } else if object.page != nil {
          mergeDeletion(of: object)
        }
      }
    }
    // Observers may do anything, including saving; earlier values must not be applied after that.
    for (object, slots) in notifications { object.notify(slots) }
  }

  /// Merges the store's present values of some slots into an object with staged changes.
  ///
  /// - Returns: the slots whose visible value has changed.
  func apply(
    _ page: RowPage, _ row: Int, _ slots: SlotSet, into object: ManagedObject
  ) -> SlotSet {
    guard let original = object.page else { return slots }
    let stored = RowReference(page, row)
    let before = RowReference(original, Int(object.row))
    if object.state == .deleted || object.stagedRow == .gone {
      // Only an unchanged row is treated as the same row.
      let isSame = slots.allSatisfy { before.isSame(as: stored, slot: $0) }
      if object.state == .deleted {
        if !isSame, object.stagedRow == .asRead { object.stagedRow = .stale }
        return SlotSet()
      }
      if !isSame { return SlotSet() }
    } else if !store.isSameRow(
      entity: object.entity.index, stored, as: before,
      besides: object.extras?.changedSlots ?? SlotSet())
    {
      // Its key leads to another row, whose values are unrelated to the staged changes.
      object.stagedRow = .gone
      return SlotSet()
    }
    object.stagedRow = .asRead
    var changed = apply(
      RowUpdate(
        key: object.key, page: page, row: row, original: original,
        originalRow: Int(object.row), slots: slots), into: object)
    changed.formUnion(
      SlotSet(slots.filter { object.entity.links[$0]?.kind.isToMany ?? false }))
    return changed
  }

  /// Makes changes that were just staged for an object begin from its row as it was seen before: what someone
  /// else has stored since is a conflict, as if the changes had been staged first.
  ///
  /// - Parameter slots: the slots that were edited; of no meaning if the object was deleted.
  package func antedate(_ object: ManagedObject, _ slots: SlotSet, to seen: RowReference) {
    guard object.stagedRow != .gone else { return }
    let stored = object.page.map { RowReference($0, Int(object.row)) }
    if let stored, object.entity.rowSlots.allSatisfy({ stored.isSame(as: seen, slot: $0) }) {
      return
    }
    switch object.state {
    case .deleted:
      begin(object, from: seen)
      object.stagedRow = .stale
    case .clean, .updated:
      guard let stored else { return }
      for slot in slots where !stored.isSame(as: seen, slot: slot) {
        guard object.extras?.conflictBases[slot] == nil else { continue }
        if !(object.extras?.changedSlots.contains(slot) ?? false) {
          // Staged even if the stored value has become equal.
          journal?.record(.changed(object, slot, object.former(at: slot)))
          object.stage(object.value(at: slot), at: slot)
        }
        object.lazyExtras.conflictBases[slot] = seen.value(slot)
      }
      guard
        !store.isSameRow(
          entity: object.entity.index, stored, as: seen,
          besides: object.extras?.changedSlots ?? SlotSet())
      else { return }
      // Its key leads to another row by now.
      begin(object, from: seen)
      object.stagedRow = .gone
      for slot in object.entity.relationshipSlots {
        alignOwners(of: object, at: slot, besides: [stored.value(slot)])
      }
      object.notify(SlotSet(object.entity.slots))
    case .fault, .inserted, .gone: return
    }
  }

  private func begin(_ object: ManagedObject, from seen: RowReference) {
    stagedIndex = nil
    object.page = seen.page
    object.row = Int32(seen.row)
  }

  /// Relationships with staged changes keep these, and read the other members again.
  private func forgetStoredMembers(_ object: ManagedObject, _ slots: SlotSet) {
    for slot in slots {
      guard let state = object.toManyState(slot), state.isChanged else { continue }
      object.setToManyState(state.staged, slot)
    }
  }

  /// Discards the values of a clean object, so that the next access reads them again.
  package func refault(_ object: ManagedObject) {
    if let extras = object.extras {
      for (slot, state) in extras.toMany.placed {
        guard let state, !state.isChanged else { continue }
        extras.toMany[slot] = nil
      }
    }
    if object.state == .clean { forgetRow(of: object) }
  }
}
