/// Saving in three steps: pack and check, write (by the store), and settle.
extension ObjectGraph {
  /// All staged changes, checked and packed for the store.
  ///
  /// - Throws: `ValidationError` naming every object and property that cannot be saved;
  ///   `ConflictError` when a merge has already shown that a row changed under an edit.
  package func prepareSave() throws -> PendingSave {
    releaseDeparting()
    try validate()
    var save = PendingSave(expecting: tracked.count)
    var places = ByEntity<Int?>(repeating: nil, count: schema.entities.count)
    for object in tracked {
      switch object.state {
      case .inserted, .updated, .deleted:
        let entity = object.entity.index
        let place = places[entity] ?? save.changes.entities.count
        if places[entity] == nil {
          save.changes.entities.append(EntityChanges(entity: entity))
          places[entity] = place
        }
        pack(object, into: &save, at: place)
      case .fault, .clean, .gone: save.append(object, nil, 0)
      }
      packRelationships(of: object, into: &save)
    }
    save.seal()
    save.mergeCount = mergeCount
    save.changes.placement = stagedPlacement
    return save
  }

  private func pack(_ object: ManagedObject, into save: inout PendingSave, at place: Int) {
    guard object.state != .deleted, let extras = object.extras else {
      if object.state == .deleted {
        save.changes.entities[place].deleted.append(
          RowDeletion(key: object.key, original: object.page, originalRow: Int(object.row)))
        recordOwners(of: object, into: &save)
      }
      save.append(object, nil, 0)
      return
    }
    let (page, row) = save.makeRow(of: object, isNew: object.state == .inserted, at: place)
    save.append(object, page, row)
    for slot in object.entity.slots {
      if extras.changedSlots.contains(slot) {
        page.setValue(extras.values[slot], row: row, slot: slot)
      } else if let old = object.page {
        page.copyCell(from: old, row: Int(object.row), to: row, slot: slot)
      }
    }
    if object.state == .updated, let original = object.loadedPage() {
      var update = RowUpdate(
        key: object.key, page: page, row: row, original: original,
        originalRow: Int(object.row), slots: extras.changedSlots)
      update.isRowGone = extras.stagedRow == .gone
      save.changes.entities[place].updated.append(update)
    }
    recordOwners(of: object, into: &save)
    if !referred.isEmpty { markReferred(by: object, into: &save) }
  }

  /// Records the to-many relationships of other objects that this row's foreign keys affect.
  private func recordOwners(of object: ManagedObject, into save: inout PendingSave) {
    for slot in object.entity.relationshipSlots {
      let isChanged = object.extras?.changedSlots.contains(slot) ?? false
      guard isChanged || object.state == .deleted,
        let link = object.entity.links[slot], link.kind == .toOne, let inverse = link.inverseSlot
      else { continue }
      if let page = object.page, page.tag(row: Int(object.row), slot: slot) == .integer {
        let old = RowKey(page.integer(row: Int(object.row), slot: slot))
        save.changes.changedRelationships.insert(
          ChangedRelationship(entity: link.destination, slot: inverse, key: old))
      }
      if case .integer(let new)? = object.extras?.values.isEmpty == false
        ? object.extras?.values[slot] : nil
      {
        save.changes.changedRelationships.insert(
          ChangedRelationship(entity: link.destination, slot: inverse, key: RowKey(new)))
      }
    }
  }

  private func packRelationships(of object: ManagedObject, into save: inout PendingSave) {
    guard let extras = object.extras, !extras.toMany.isEmpty, object.state != .gone else { return }
    for slot in object.entity.relationshipSlots {
      guard let state = extras.toMany[slot], state.isChanged, let link = object.entity.links[slot]
      else { continue }
      save.changes.changedRelationships.insert(
        ChangedRelationship(entity: link.entity, slot: slot, key: object.key))
      if schema.entities.inverse(of: link)?.kind != .toOne, link.isCanonical {
        // A deleted object gains no members, even if a rule has left its relationship unchanged.
        let added = object.state == .deleted ? [] : state.added.byKey
        save.link(
          entity: link.entity, slot: slot, key: object.key, added: added,
          removed: state.removed.sorted())
        if !referred.isEmpty {
          for key in added {
            markReferred(link.destination, key, by: object, into: &save)
          }
          markReferred(link.entity, object.key, by: object, into: &save)
        }
      }
      if state.isReordered, object.state != .deleted {
        save.changes.orders.append(
          OrderChange(
            entity: link.entity, slot: slot, key: object.key,
            members: object.relatedKeys(at: slot)))
      }
    }
  }

  /// Makes the saved values the stored state of this graph.
  ///
  /// - Parameters:
  ///   - origin: the origin of the save, for the other contexts.
  ///   - commit: the number of the commit among all commits of the store.
  /// - Returns: the changes for other contexts of the store to merge.
  package func completeSave(
    _ save: PendingSave, _ result: SaveResult, from origin: SaveOrigin = SaveOrigin(),
    commit: Int = 0
  ) -> SavedChanges {
    saveCount += 1
    storedVersion += 1
    tracked.removeAll()
    stagedIndex = nil
    referred = [:]
    for (object, page, row) in save.objects {
      object.isTracked = false
      settle(object, page, row)
    }
    rekey(
      result.rekeyed.merging(result.moved) { $0.merging($1) { key, _ in key } },
      taken: result.taken)
    if !result.rekeyed.isEmpty { record(renamed(by: result)) }
    refault(result.stale)
    // Changes merged while the rows were written are not in the packed rows.
    if mergeCount != save.mergeCount { for (object, _, _) in save.objects { refault(object) } }
    let saved = SavedChanges(save, result, from: origin, commit: commit)
    if !saved.isEmpty {
      recordSaveAhead(saved)
      wasSaved?(saved)
    }
    return saved
  }

  /// Objects that were saved under other keys. If rows of someone else have the old keys, these become
  /// visible now.
  private func renamed(by result: SaveResult) -> MergedKeys {
    var renamed = MergedKeys()
    renamed.rekeyed = result.rekeyed
    for (root, keys) in result.taken {
      for entity in schema.entities[root].members {
        renamed.inserted[entity] = keys
        for case let key? in keys.map({ result.rekeyed[root]?[$0] }) {
          renamed.updated[entity, default: [:]][key] = SlotSet(schema.entities[entity].slots)
        }
      }
    }
    return renamed
  }

  /// Remembers the rows of a save until earlier commits are merged.
  private func recordSaveAhead(_ saved: SavedChanges) {
    guard let isAwaitingMerges else { return }
    guard isAwaitingMerges() else {
      savesAhead = []
      return
    }
    var rows: [EntityIndex: Set<RowKey>] = [:]
    for (entity, updated) in MergedKeys(saved).updated {
      rows[schema.entities[entity].root, default: []].formUnion(updated.keys)
    }
    for changes in saved.entities {
      let root = schema.entities[changes.entity].root
      for page in changes.inserted {
        rows[root, default: []].formUnion((0..<page.rowCount).map(page.key(ofRow:)))
      }
    }
    savesAhead.append(SaveAhead(commit: saved.commit, rows: rows))
  }

  /// - Parameter page: the saved values; nil for objects without new values.
  private func settle(_ object: ManagedObject, _ page: RowPage?, _ row: Int32) {
    let isGone = object.state == .clean && object.stagedRow == .gone
    if let extras = object.extras, extras.observers.isEmpty, extras.toMany.isEmpty {
      object.extras = nil
    } else if let extras = object.extras {
      for (slot, state) in extras.toMany.placed {
        guard let state, state.isChanged else { continue }
        extras.toMany[slot] = state.members.map { ToManyState(stored: $0, members: $0) }
      }
      extras.changedSlots = SlotSet()
      extras.values = []
      extras.conflictBases = [:]
      extras.stagedRow = .asRead
    }
    switch object.state {
    case .inserted, .updated:
      guard let page else { return }
      object.page = page
      object.row = row
      object.state = .clean
    case .deleted:
      vanish(object)
      record(object)
    case .clean where isGone:
      vanish(object, isLost: true)
      record(object)
    case .fault, .clean, .gone: break
    }
  }

  /// Discards values that only the file knows; they are read again when needed.
  func refault(_ stale: [EntityIndex: [RowKey]]) {
    for (entity, keys) in stale {
      for key in keys {
        guard let object = maps[entity][key], object.state == .clean else { continue }
        forgetRow(of: object)
      }
    }
  }

  /// Notifies observers of saved objects whose stored values may differ from the written ones. The owner
  /// calls it after the save, because observers may do anything.
  package func announceStale(_ saved: SavedChanges) {
    for (entity, keys) in saved.stale {
      for key in keys {
        guard let object = maps[entity][key] else { continue }
        let slots = SlotSet(object.entity.slots)
        for slot in slots { record(object, changed: slot) }
        object.notify(slots)
      }
    }
  }
}

extension RelationshipLink {
  /// Whether the join table is written from this side: the one whose (entity, slot) is lower.
  var isCanonical: Bool {
    guard let inverseSlot else { return true }
    return (entity, slot) <= (destination, inverseSlot)
  }
}
