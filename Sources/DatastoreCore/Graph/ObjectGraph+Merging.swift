/// Taking in what another context has saved.
extension ObjectGraph {
  /// Brings the objects of this graph up to date. Staged changes survive, property by property; where
  /// both sides changed the same property, the next save reports the conflict.
  ///
  /// O(changed rows).
  package func merge(_ saved: SavedChanges) {
    telling(.otherContext(author: saved.author)) { takeIn(saved) }
  }

  private func takeIn(_ saved: SavedChanges) {
    mergeCount += 1
    var merged = MergedKeys()
    merged.rekeyed = saved.rekeyed
    for changes in saved.entities {
      let entity = changes.entity
      let rekeyed = saved.rekeyed[schema.entities[entity].root] ?? [:]
      let stale = Set(saved.stale[entity] ?? [])
      let all = stale.isEmpty ? SlotSet() : SlotSet(0..<schema.entities[entity].slotCount)
      var staged: [(object: ManagedObject, slots: SlotSet)] = []
      for page in changes.inserted {
        for row in 0..<page.rowCount {
          let key = page.key(ofRow: row)
          merged.inserted[entity, default: []].append(rekeyed[key] ?? key)
        }
      }
      let keepsFormer = changes.updated.count <= MergedKeys.formerLimit
      for update in changes.updated {
        let isStale = stale.contains(update.key)
        if keepsFormer, isListenedTo {
          merged.former[entity, default: [:]][update.key] = former(update, entity)
        }
        merged.updated[entity, default: [:]][update.key] = isStale ? all : update.slots
        guard let object = maps[entity][update.key] else { continue }
        merge(update, into: object, isStale: isStale)
        if isStale, object.state == .updated { staged.append((object, all)) }
      }
      readAgain(staged)
      for deletion in changes.deleted {
        merged.deleted[entity, default: []].append(deletion.key)
        if let object = maps[entity][deletion.key] { mergeDeletion(of: object) }
      }
    }
    for touched in saved.touched { refreshToMany(touched, &merged) }
    note(merged)
  }

  /// What a row was before an update: as this graph knows it, or else as the writer did.
  private func former(_ update: RowUpdate, _ entity: Int) -> FormerRow {
    if let object = maps[entity][update.key], let page = object.page {
      return FormerRow(key: update.key, page: page, row: Int(object.row))
    }
    return FormerRow(key: update.key, page: update.original, row: update.originalRow)
  }

  /// - Parameter isStale: the store may hold other values than were written, also in other columns.
  private func merge(_ update: RowUpdate, into object: ManagedObject, isStale: Bool) {
    guard object.page != nil else { return }
    if object.state == .deleted {
      // What was to be deleted is the row that was seen; the save finds that it is another one now.
      object.madeExtras.isRowStale = true
      return
    }
    var changed = take(update, into: object)
    if isStale, object.state == .clean {
      object.page = nil
      object.state = .fault
      changed = SlotSet(0..<object.entity.slotCount)
    }
    object.notify(changed)
  }

  /// Takes over the saved slots of a row.
  ///
  /// - Returns: the slots that show another value now.
  func take(_ update: RowUpdate, into object: ManagedObject) -> SlotSet {
    var changed = SlotSet()
    guard let old = object.page else { return changed }
    let oldRow = Int(object.row)
    // Only those: the writer may not have seen what this graph has saved or merged in the meantime.
    object.page = RowPage(merging: update, into: old, row: oldRow)
    object.row = 0
    for slot in update.slots {
      let before = old.value(row: oldRow, slot: slot)
      let after = update.page.value(row: update.row, slot: slot)
      guard before != after else { continue }
      guard let extras = object.extras, extras.changedSlots.contains(slot) else {
        changed.insert(slot)
        continue
      }
      let mine = extras.values[slot]
      if mine == after {
        // Both sides came to the same value: nothing is staged for it any more.
        extras.changedSlots.remove(slot)
        extras.disputed[slot] = nil
      } else if let base = extras.disputed[slot] {
        // Back to what the edit began from: there is nothing to settle.
        if base == after { extras.disputed[slot] = nil }
      } else {
        extras.disputed[slot] = before
      }
      alignOwners(of: object, at: slot, besides: [before, mine])
    }
    if object.state == .updated, !object.hasRowChanges { object.state = .clean }
    return changed
  }

  func mergeDeletion(of object: ManagedObject) {
    // A staged edit of a row that is gone stays staged; saving it reports the conflict.
    if object.state == .updated {
      object.extras?.isRowGone = true
      return
    }
    if object.state == .deleted, store.mayMoveRows(entity: object.entity.index) {
      // It may only be elsewhere: the save tells.
      object.madeExtras.isRowStale = true
      return
    }
    vanish(object)
    object.notify(SlotSet(0..<object.entity.slotCount))
  }

  private func refreshToMany(_ touched: Touched, _ merged: inout MergedKeys) {
    let entity = maps[touched.entity][touched.key]?.entity.index ?? touched.entity
    merged.updated[entity, default: [:]][touched.key, default: SlotSet()].insert(touched.slot)
    guard let object = maps[touched.entity][touched.key],
      let state = object.toManyState(touched.slot)
    else {
      maps[touched.entity][touched.key]?.notify(touched.slot)
      return
    }
    object.setToManyState(state.staged, touched.slot)
    object.notify(touched.slot)
  }

  func note(_ merged: MergedKeys) {
    guard isListenedTo, !merged.isEmpty else { return }
    if pending.isEmpty { changesArePending?() }
    pending.merged.formUnion(merged)
    pending.source = changeSource
  }
}

extension MergedKeys {
  /// More changed rows than this are not looked for one by one.
  fileprivate static var formerLimit: Int { 64 }

  package mutating func formUnion(_ other: MergedKeys) {
    isEverything = isEverything || other.isEverything
    inserted.merge(other.inserted) { $0 + $1 }
    deleted.merge(other.deleted) { $0 + $1 }
    former.merge(other.former) { $0.merging($1) { first, _ in first } }
    rekeyed.merge(other.rekeyed) { $0.merging($1) { _, new in new } }
    updated.merge(other.updated) { mine, theirs in
      mine.merging(theirs) { a, b in
        var union = a
        union.formUnion(b)
        return union
      }
    }
  }
}
