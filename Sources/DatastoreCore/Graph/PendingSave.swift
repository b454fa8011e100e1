/// A save between packing and settling. Not Sendable itself: only `changes` is passed on.
package struct PendingSave {
  /// The changes that the store writes.
  package var changes = ChangeSet()
  /// The objects of the save, and the place of the new values of each, if any.
  private(set) var objects: ContiguousArray<(object: ManagedObject, page: RowPage?, row: Int32)> =
    []
  /// The graph's merge count when the rows were packed.
  var mergeCount = 0
  /// Pages that are being filled, by the place of their entity among the changes.
  private var open: [(inserted: RowPage?, updated: RowPage?)] = []
  /// The place of each relationship among the links of `changes`.
  private var linkPlaces: [LinkID: Int] = [:]

  package var isEmpty: Bool { changes.isEmpty }

  /// The number of rows that fit in the first page of an entity.
  private let rowCapacity: Int

  /// - Parameter count: the expected number of objects.
  init(expecting count: Int) {
    rowCapacity = min(count, RowPage.fullCount)
    objects.reserveCapacity(count)
  }

  mutating func append(_ object: ManagedObject, _ page: RowPage?, _ row: Int) {
    objects.append((object, page, Int32(truncatingIfNeeded: row)))
  }

  /// A row for the new values of an object.
  mutating func makeRow(
    of object: ManagedObject, isNew: Bool, at place: Int
  ) -> (RowPage, Int) {
    while open.count <= place { open.append((nil, nil)) }
    let page = isNew ? open[place].inserted : open[place].updated
    let target: RowPage
    if let page, !page.isFull {
      target = page
    } else {
      target =
        page.map { RowPage(sealing: $0) }
        ?? RowPage(columnCount: object.entity.slotCount, rowCapacity: rowCapacity)
      if isNew {
        open[place].inserted = target
        changes.entities[place].inserted.append(target)
      } else {
        open[place].updated = target
      }
    }
    return (target, target.appendRow(key: object.key))
  }

  /// Ends the filling of pages.
  mutating func seal() {
    for (inserted, updated) in open {
      inserted?.seal()
      updated?.seal()
    }
    open = []
  }

  mutating func link(
    entity: EntityIndex, slot: Slot, key: RowKey, added: [RowKey], removed: [RowKey]
  ) {
    guard !added.isEmpty || !removed.isEmpty else { return }
    let id = LinkID(entity: entity, slot: slot)
    if linkPlaces[id] == nil {
      linkPlaces[id] = changes.links.count
      changes.links.append(LinkChanges(entity: entity, slot: slot))
    }
    guard let place = linkPlaces[id] else { return }
    changes.links[place].added += added.map { (key, $0) }
    changes.links[place].removed += removed.map { (key, $0) }
  }

  private struct LinkID: Hashable {
    let entity: EntityIndex
    let slot: Slot
  }
}

/// The changes of a save, for the other contexts of the same store.
package struct SavedChanges: Sendable {
  package let entities: [EntityChanges]
  package let changedRelationships: Set<ChangedRelationship>
  package let rekeyed: [EntityIndex: [RowKey: RowKey]]
  /// Rows whose stored values may differ from the written ones, by entity.
  package let stale: [EntityIndex: [RowKey]]
  /// Rows that were found under another key than the one in the changes, by root entity. Everything is read
  /// again then, because other rows were moved as well.
  package let moved: [EntityIndex: [RowKey: RowKey]]
  package let origin: SaveOrigin
  /// Other rows changed by triggers of the file during the save.
  package let sideChanges: MergedKeys
  /// The number of its commit among all commits of the store in this process.
  package let commit: Int

  package init(_ save: PendingSave, _ result: SaveResult, from origin: SaveOrigin, commit: Int) {
    self.origin = origin
    self.commit = commit
    sideChanges = result.sideChanges
    entities = save.changes.entities
    changedRelationships = save.changes.changedRelationships
    rekeyed = result.rekeyed
    stale = result.stale
    moved = result.moved
  }

  /// Adds the store's answer to a draft.
  package init(_ draft: SavedChanges, _ result: SaveResult, commit: Int) {
    origin = draft.origin
    self.commit = commit
    entities = draft.entities
    changedRelationships = draft.changedRelationships
    rekeyed = result.rekeyed
    stale = result.stale
    sideChanges = result.sideChanges
    moved = result.moved
  }

  /// Whether nothing was saved.
  package var isEmpty: Bool { entities.isEmpty && changedRelationships.isEmpty }

  /// The numbers of rows inserted, updated and deleted.
  package var counts: (inserted: Int, updated: Int, deleted: Int) {
    entities.reduce(into: (0, 0, 0)) { counts, entity in
      counts.inserted += entity.inserted.reduce(0) { $0 + $1.rowCount }
      counts.updated += entity.updated.count
      counts.deleted += entity.deleted.count
    }
  }
}
