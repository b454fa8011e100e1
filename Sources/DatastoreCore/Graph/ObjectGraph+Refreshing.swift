/// Merging what was changed in the store outside any graph: by batch operations and other processes.
extension ObjectGraph {
  /// Notifies listeners of those rows, and turns clean objects of them back into faults. Objects with
  /// staged changes are read again at once, all of an entity together, and merged property by property,
  /// as what another context has saved is.
  ///
  /// O(known objects of those rows). Waits for the store only where there are staged changes of them.
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

  /// Merges what the store now holds for those slots into objects that cannot become faults, since
  /// something is staged for them.
  ///
  /// Where the store cannot be read they stay as they are: nothing asks for their values just now, and
  /// the save that does compares them with the store.
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
    // Observers may do anything, also save; what was read before must not come after that.
    for (object, slots) in notifications { object.notify(slots) }
  }

  private func apply(
    _ page: RowPage, _ row: Int, _ slots: SlotSet, into object: ManagedObject
  ) -> SlotSet {
    guard let original = object.page else { return slots }
    let stored = RowReference(page, row)
    let before = RowReference(original, Int(object.row))
    if object.state == .deleted || object.stagedRow == .gone {
      // Only a row that is just the one that was seen is treated as it.
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
      // Its key leads to another row, whose values have nothing to do with what is staged.
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

  /// To-many relationships with staged changes keep these, and read the rest again.
  private func forgetStoredMembers(_ object: ManagedObject, _ slots: SlotSet) {
    for slot in slots {
      guard let state = object.toManyState(slot), state.isChanged else { continue }
      object.setToManyState(state.staged, slot)
    }
  }

  /// Forgets the values of a clean object, so that the next access reads them again.
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
