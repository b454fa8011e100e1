/// Changes for one of several stores, before and after they are written.
extension KeyShift {
  /// The part of a save that concerns rows of this store, with its own keys.
  ///
  /// - Parameter holders: by entity, the number of stores that hold it; 0 for entities that this store does
  ///   not hold.
  func share(of changes: ChangeSet, holders: ByEntity<Int>) -> ChangeSet {
    func isHere(_ key: RowKey, _ entity: EntityIndex) -> Bool {
      holders[entity] == 1 || holders[entity] > 1 && Self.rank(of: key) == ranks[entity]
    }
    var share = ChangeSet()
    share.placement = changes.placement
    for entity in changes.entities where holders[entity.entity] > 0 {
      let part =
        holders[entity.entity] == 1 && !self.changes(entity.entity)
        ? entity : self.share(of: entity) { isHere($0, entity.entity) }
      if !part.isEmpty { share.entities.append(part) }
    }
    for link in changes.links where holders[link.entity] > 0 {
      let destination = schema.entities[link.entity].links[link.slot]?.destination ?? link.entity
      func pairs(_ pairs: [(source: RowKey, destination: RowKey)]) -> [(
        source: RowKey, destination: RowKey
      )] {
        pairs.filter { isHere($0.source, link.entity) }
          .map { (own($0.source, of: link.entity), own($0.destination, of: destination)) }
      }
      var part = link
      (part.added, part.removed) = (pairs(link.added), pairs(link.removed))
      if !part.added.isEmpty || !part.removed.isEmpty { share.links.append(part) }
    }
    for order in changes.orders where isHere(order.key, order.entity) {
      let destination = schema.entities[order.entity].links[order.slot]?.destination ?? order.entity
      share.orders.append(
        OrderChange(
          entity: order.entity, slot: order.slot, key: own(order.key, of: order.entity),
          members: own(order.members, of: destination)))
    }
    for row in changes.referred where isHere(row.key, row.entity) {
      share.referred.append(
        ReferredRow(
          entity: row.entity, key: own(row.key, of: row.entity),
          original: self.changes(row.entity)
            ? copy(row.original, of: row.entity, own) : row.original,
          owner: (row.owner.entity, own(row.owner.key, of: row.owner.entity))))
    }
    return share
  }

  private func share(
    of changes: EntityChanges, where isHere: (RowKey) -> Bool
  ) -> EntityChanges {
    let entity = changes.entity
    var share = EntityChanges(entity: entity)
    for page in changes.inserted {
      let rows = (0..<page.rowCount).filter { isHere(page.key(ofRow: $0)) }
      if rows.isEmpty { continue }
      let copy = RowPage(columnCount: page.columnCount, rowCapacity: rows.count)
      for row in rows { append(RowReference(page, row), of: entity, to: copy, own) }
      copy.seal()
      share.inserted.append(copy)
    }
    let isMoved = self.changes(entity)
    for update in changes.updated where isHere(update.key) {
      guard isMoved else {
        share.updated.append(update)
        continue
      }
      let new = copy(RowReference(update.page, update.row), of: entity, own)
      let old = copy(RowReference(update.original, update.originalRow), of: entity, own)
      var moved = RowUpdate(
        key: own(update.key, of: entity), page: new.page, row: new.row, original: old.page,
        originalRow: old.row, slots: update.slots)
      (moved.overwrites, moved.isRowGone) = (update.overwrites, update.isRowGone)
      share.updated.append(moved)
    }
    for deletion in changes.deleted where isHere(deletion.key) {
      let original = deletion.original.map {
        isMoved
          ? copy(RowReference($0, deletion.originalRow), of: entity, own)
          : RowReference($0, deletion.originalRow)
      }
      share.deleted.append(
        RowDeletion(
          key: own(deletion.key, of: entity), original: original?.page,
          originalRow: original?.row ?? 0))
    }
    return share
  }

  /// The store's answer to a save, with shared keys.
  func shared(_ result: SaveResult) -> SaveResult {
    var shared = SaveResult(
      rekeyed: pairs(result.rekeyed),
      stale: keys(result.stale))
    shared.taken = keys(result.taken)
    shared.moved = pairs(result.moved)
    shared.sideChanges = self.shared(result.sideChanges)
    return shared
  }

  /// Rows written in the store, with shared keys.
  func shared(_ changed: MergedKeys) -> MergedKeys {
    var shared = MergedKeys()
    shared.isEverything = changed.isEverything
    shared.inserted = keys(changed.inserted)
    shared.deleted = keys(changed.deleted)
    shared.rekeyed = pairs(changed.rekeyed)
    for (entity, rows) in changed.updated { shared.updated[entity] = moved(rows, of: entity) }
    for (entity, rows) in changed.former {
      shared.former[entity] = moved(
        changes(entity) ? rows.mapValues { former($0, of: entity) } : rows, of: entity)
    }
    return shared
  }

  private func former(_ row: FormerRow, of entity: EntityIndex) -> FormerRow {
    let moved = copy(row.reference, of: entity, shared)
    return FormerRow(key: shared(row.key, of: entity), page: moved.page, row: moved.row)
  }

  private func keys(_ keys: [EntityIndex: [RowKey]]) -> [EntityIndex: [RowKey]] {
    var shared: [EntityIndex: [RowKey]] = [:]
    for (entity, own) in keys { shared[entity] = own.map { self.shared($0, of: entity) } }
    return shared
  }

  private func pairs(_ keys: [EntityIndex: [RowKey: RowKey]]) -> [EntityIndex: [RowKey: RowKey]] {
    var shared: [EntityIndex: [RowKey: RowKey]] = [:]
    for (entity, own) in keys {
      shared[entity] = moved(own.mapValues { self.shared($0, of: entity) }, of: entity)
    }
    return shared
  }

  private func moved<Element>(
    _ rows: [RowKey: Element], of entity: EntityIndex
  ) -> [RowKey: Element] {
    if ranks[entity] == 0 { return rows }
    return Dictionary(uniqueKeysWithValues: rows.map { (shared($0.key, of: entity), $0.value) })
  }
}

extension EntityChanges {
  fileprivate var isEmpty: Bool { inserted.isEmpty && updated.isEmpty && deleted.isEmpty }
}
