/// Merging saves of other contexts.
extension ObjectGraph {
  /// Updates the objects of this graph. Staged changes survive, property by property; if both sides changed
  /// the same property, the next save reports the conflict.
  ///
  /// O(changed rows).
  package func merge(_ saved: SavedChanges) {
    reporting(saved.origin.source) { apply(saved) }
  }

  private func apply(_ saved: SavedChanges) {
    releaseDeparting()
    mergeCount += 1
    storedVersion += 1
    var merged = MergedKeys()
    let newer = rowsSavedHere(after: saved.commit)
    let gone = saved.deletedKeys(in: schema)
    // Observers may do anything, including saving: they are notified once everything is merged.
    var notifications: [(object: ManagedObject, slots: SlotSet)] = []
    var staged: [(object: ManagedObject, slots: SlotSet)] = []
    for changes in saved.entities {
      let entity = changes.entity
      let root = schema.entities[entity].root
      let rekeyed = saved.rekeyed[root] ?? [:]
      let moved = saved.moved[root] ?? [:]
      let stale = Set(saved.stale[entity] ?? []).union(newer[root] ?? [])
      for page in changes.inserted {
        for row in 0..<page.rowCount {
          let key = page.key(ofRow: row)
          merged.inserted[entity, default: []].append(rekeyed[key] ?? key)
        }
      }
      let keepsFormer = changes.updated.count <= MergedKeys.formerLimit
      for update in changes.updated where moved[update.key] == nil {
        let isStale = stale.contains(update.key) || refers(update, entity, to: saved.rekeyed)
        if keepsFormer, isListenedTo {
          merged.former[entity, default: [:]][update.key] = former(update, entity)
        }
        merged.updated[entity, default: [:]][update.key] =
          isStale ? SlotSet(schema.entities[entity].slots) : update.slots
        guard let object = maps[entity][update.key] else { continue }
        if newer[root]?.contains(update.key) ?? false {
          readAgain(object, &notifications, &staged)
          continue
        }
        guard object.page != nil else { continue }
        notifications.append((object, merge(update, into: object, isStale: isStale, gone: gone)))
        if isStale, object.state == .updated {
          staged.append((object, SlotSet(object.entity.slots)))
        }
      }
      for deletion in changes.deleted where moved[deletion.key] == nil {
        merged.deleted[entity, default: []].append(deletion.key)
        guard let object = maps[entity][deletion.key] else { continue }
        if newer[root]?.contains(deletion.key) ?? false {
          readAgain(object, &notifications, &staged)
        } else if let slots = applyDeletion(of: object) {
          notifications.append((object, slots))
        }
      }
    }
    for relationship in saved.changedRelationships {
      if let object = refreshToMany(relationship, &merged) {
        notifications.append((object, SlotSet([relationship.slot])))
      }
    }
    readAgain(staged)
    for (object, slots) in notifications { object.notify(slots) }
    record(merged)
  }

  /// Rows that this graph has saved after a commit, by root entity: the values of the commit may be older
  /// than theirs. Commits are merged in their order, so earlier saves are discarded.
  private func rowsSavedHere(after commit: Int) -> [EntityIndex: Set<RowKey>] {
    if savesAhead.isEmpty { return [:] }
    savesAhead.removeAll { $0.commit < commit }
    return savesAhead.reduce(into: [:]) { rows, save in
      rows.merge(save.rows) { $0.union($1) }
    }
  }

  /// Whether an update refers to a new object by the key that it was created with, instead of the one it was
  /// saved under: only the writer knows it by that key.
  private func refers(
    _ update: RowUpdate, _ entity: EntityIndex, to rekeyed: [EntityIndex: [RowKey: RowKey]]
  ) -> Bool {
    if rekeyed.isEmpty { return false }
    return update.slots.contains { slot in
      guard let link = schema.entities[entity].links[slot], link.kind == .toOne,
        let key = update.page.value(row: update.row, slot: slot).key
      else { return false }
      return rekeyed[schema.entities[link.destination].root]?[key] != nil
    }
  }

  /// Makes an object show newer values in the store than those being merged.
  private func readAgain(
    _ object: ManagedObject, _ notifications: inout [(object: ManagedObject, slots: SlotSet)],
    _ staged: inout [(object: ManagedObject, slots: SlotSet)]
  ) {
    let all = SlotSet(object.entity.slots)
    if object.state == .clean {
      forgetRow(of: object)
      notifications.append((object, all))
    } else if object.state == .updated || object.state == .deleted {
      staged.append((object, all))
    }
  }

  /// The row before an update: as this graph knows it, or otherwise as the writer did.
  private func former(_ update: RowUpdate, _ entity: EntityIndex) -> FormerRow {
    if let object = maps[entity][update.key], let page = object.page {
      return FormerRow(key: update.key, page: page, row: Int(object.row))
    }
    return FormerRow(key: update.key, page: update.original, row: update.originalRow)
  }

  /// - Parameters:
  ///   - isStale: whether the store may hold other values than were written, also in other columns.
  ///   - gone: rows that were deleted with the update, by root entity.
  /// - Returns: the slots whose visible value has changed.
  private func merge(
    _ update: RowUpdate, into object: ManagedObject, isStale: Bool, gone: [EntityIndex: Set<RowKey>]
  ) -> SlotSet {
    if object.state == .deleted {
      // A deletion refers to the row that was seen; the save will find that it has changed.
      if object.stagedRow == .asRead { object.stagedRow = .stale }
      return SlotSet()
    }
    var changed = apply(update, into: object, gone: gone)
    if isStale, object.state == .clean {
      forgetRow(of: object)
      changed = SlotSet(object.entity.slots)
    }
    return changed
  }

  /// Applies the saved slots of a row.
  ///
  /// A staged value stays staged and is in conflict, even if the stored value has become equal: someone who
  /// counted from 5 to 6 did not count the other's 6.
  ///
  /// - Parameter gone: rows that were deleted with the update, by root entity.
  /// - Returns: the slots whose visible value has changed.
  func apply(
    _ update: RowUpdate, into object: ManagedObject, gone: [EntityIndex: Set<RowKey>] = [:]
  ) -> SlotSet {
    var changed = SlotSet()
    guard let old = object.page else { return changed }
    let oldRow = Int(object.row)
    // Only these slots: the writer may not have seen later saves or merges of this graph.
    stagedIndex = nil
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
      if mine == after, isNothingToSettle(before, after, object, slot, gone) {
        extras.changedSlots.remove(slot)
        extras.conflictBases[slot] = nil
      } else if let base = extras.conflictBases[slot] {
        // The stored value is again the one from before the edit: there is no conflict.
        if base == after { extras.conflictBases[slot] = nil }
      } else {
        extras.conflictBases[slot] = before
      }
      alignOwners(of: object, at: slot, besides: [before, mine])
    }
    if object.state == .updated, !object.hasRowChanges { object.state = .clean }
    return changed
  }

  /// Whether a newly stored value does not conflict with an equal staged one: because this context wrote it
  /// itself with a batch operation, or because it is an empty reference to a deleted destination, for which
  /// there is no other value.
  private func isNothingToSettle(
    _ before: Value, _ after: Value, _ object: ManagedObject, _ slot: Slot,
    _ gone: [EntityIndex: Set<RowKey>]
  ) -> Bool {
    if changeSource == .thisContext { return true }
    guard after.isNull, let key = before.key, let link = object.entity.links[slot] else {
      return false
    }
    return maps[link.destination][key]?.isKnownDeleted
      ?? gone[schema.entities[link.destination].root]?.contains(key) ?? false
  }

  func mergeDeletion(of object: ManagedObject) {
    if let slots = applyDeletion(of: object) { object.notify(slots) }
  }

  /// - Returns: the slots to notify observers of; nil if an edit is staged.
  private func applyDeletion(of object: ManagedObject) -> SlotSet? {
    // A staged edit of a deleted row stays staged; saving it reports the conflict.
    if object.state == .updated {
      object.stagedRow = .gone
      return nil
    }
    if object.state == .deleted, store.mayMoveRows(entity: object.entity.index) {
      // The row may only have moved: the save reports it.
      if object.stagedRow == .asRead { object.stagedRow = .stale }
      return nil
    }
    vanish(object, isLost: true)
    return SlotSet(object.entity.slots)
  }

  /// - Returns: the owner of the relationship, if it is known.
  private func refreshToMany(_ relationship: ChangedRelationship, _ merged: inout MergedKeys)
    -> ManagedObject?
  {
    let object = maps[relationship.entity][relationship.key]
    merged.updated[object?.entity.index ?? relationship.entity, default: [:]][
      relationship.key, default: SlotSet()
    ].insert(relationship.slot)
    if let object, let state = object.toManyState(relationship.slot) {
      object.setToManyState(state.staged, relationship.slot)
    }
    return object
  }

  func record(_ merged: MergedKeys) {
    guard isListenedTo, !merged.isEmpty else { return }
    if pending.isEmpty { changesArePending?() }
    pending.merged.formUnion(merged)
    pending.source = changeSource
  }
}

extension SavedChanges {
  /// The keys of deleted rows by root entity.
  fileprivate func deletedKeys(in schema: Schema) -> [EntityIndex: Set<RowKey>] {
    entities.reduce(into: [:]) { keys, changes in
      guard !changes.deleted.isEmpty else { return }
      keys[schema.entities[changes.entity].root, default: []].formUnion(changes.deleted.map(\.key))
    }
  }
}

extension MergedKeys {
  /// The rows written by a save.
  package init(_ saved: SavedChanges) {
    self.init(saved.entities, saved.changedRelationships)
    rekeyed = saved.rekeyed
  }

  /// The rows to be written by a save.
  package init(_ changes: ChangeSet) {
    self.init(changes.entities, changes.changedRelationships)
  }

  private init(_ entities: [EntityChanges], _ relationships: Set<ChangedRelationship>) {
    for changes in entities {
      let entity = changes.entity
      for page in changes.inserted {
        inserted[entity, default: []] += (0..<page.rowCount).map(page.key(ofRow:))
      }
      for update in changes.updated { updated[entity, default: [:]][update.key] = update.slots }
      if !changes.deleted.isEmpty { deleted[entity] = changes.deleted.map(\.key) }
    }
    for relationship in relationships {
      updated[relationship.entity, default: [:]][relationship.key, default: SlotSet()].insert(
        relationship.slot)
    }
  }

  /// With more changed rows than this, former values are not collected.
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
