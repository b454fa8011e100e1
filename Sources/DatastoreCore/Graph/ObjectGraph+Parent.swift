/// A graph as the store of a child context: the child reads its objects, unsaved changes included, and the
/// child's saves are staged here.
///
/// Everything runs on the queue or actor of the parent's graph.
extension ObjectGraph {
  /// The rows with the given keys as in this graph, without deleted ones.
  package func packedRows(entity: EntityIndex, keys: [RowKey]) throws -> [RowPage] {
    let objects = objects(entity: entity, keys: keys)
    try fulfil(objects)
    let described = schema.entities[entity]
    let found = objects.filter { !$0.isKnownDeleted && $0.entity.isKind(of: described) }
    return packed(found, of: described)
  }

  /// The rows of a request as in this graph, in its order.
  package func packedRows(_ request: FetchRequest) throws -> [RowPage] {
    let objects = try fetch(request)
    guard let entity = schema.entity(named: request.entity) else { return [] }
    return packed(objects, of: entity)
  }

  /// The keys of a to-many relationship in this graph.
  package func relatedKeys(entity: EntityIndex, slot: Slot, key: RowKey) -> [RowKey] {
    object(entity: entity, key: key).relatedKeys(at: slot)
  }

  private func packed(_ objects: [ManagedObject], of entity: Entity) -> [RowPage] {
    var pages: [RowPage] = []
    for object in objects {
      if pages.last?.isFull ?? true { pages.append(RowPage(columnCount: entity.pageColumnCount)) }
      guard let page = pages.last else { continue }
      let row = page.appendRow(key: object.key)
      for slot in object.entity.rowSlots {
        page.setValue(object.value(at: slot), row: row, slot: slot)
      }
      if let column = entity.entityColumn {
        page.setInteger(Int64(object.entity.index.rawValue), row: row, column: column)
      }
    }
    for page in pages { page.seal() }
    return pages
  }

  /// Stages everything that a child has saved, or nothing.
  ///
  /// The child has already applied delete rules and inverses of to-one relationships.
  ///
  /// - Parameter origin: the origin of the child's save.
  /// - Throws: `ConflictError` when a value changed by the child differs from the one before its edit.
  package func stage(_ changes: ChangeSet, from origin: SaveOrigin = SaveOrigin()) throws {
    stagedIndex = nil
    try reporting(origin.source) { try apply(changes) }
  }

  private func apply(_ changes: ChangeSet) throws {
    let conflicts = changes.entities.flatMap { self.conflicts(in: $0) }
    if !conflicts.isEmpty { throw ConflictError(conflicts: conflicts) }
    for entity in changes.entities {
      for page in entity.inserted {
        for row in 0..<page.rowCount {
          _ = makeInserted(schema.entities[entity.entity], key: page.key(ofRow: row))
        }
      }
    }
    // Values are set only now, because a new row may lead to any other new row.
    for entity in changes.entities {
      for page in entity.inserted {
        for row in 0..<page.rowCount { fillInsertion(entity.entity, page, row) }
      }
    }
    for entity in changes.entities {
      for update in entity.updated { stage(update, of: entity.entity) }
      for deletion in entity.deleted { stageDeletion(entity.entity, deletion.key) }
    }
    for link in changes.links { stage(link) }
    for order in changes.orders {
      let object = object(entity: order.entity, key: order.key)
      _ = object.relatedKeys(at: order.slot)
      object.reorder(to: order.members, order.slot)
      object.notify(order.slot)
    }
  }

  private func conflicts(in changes: EntityChanges) -> [Conflict] {
    let entity = schema.entities[changes.entity]
    let deletions = changes.deleted.compactMap { conflict(in: $0, of: entity) }
    let updates = changes.updated.compactMap { update -> Conflict? in
      let object = object(entity: changes.entity, key: update.key)
      if object.state == .fault { fulfil(object) }
      if object.isKnownDeleted {
        return Conflict(entity: entity.name, key: update.key, properties: [], isDeleted: true)
      }
      let properties = update.slots.compactMap { slot -> Conflict.Property? in
        let original = update.original.value(row: update.originalRow, slot: slot)
        let mine = update.page.value(row: update.row, slot: slot)
        let theirs = object.value(at: slot)
        guard theirs != original, !isEmptied(theirs, mine, original, entity.links[slot]) else {
          return nil
        }
        return Conflict.Property(
          name: entity.properties[slot].name, original: original, mine: mine, theirs: theirs)
      }
      guard !properties.isEmpty else { return nil }
      return Conflict(
        entity: entity.name, key: update.key, properties: properties, isDeleted: false)
    }
    return deletions + updates
  }

  /// Whether a reference is empty on both sides because its destination was deleted on both: there is no
  /// other value.
  private func isEmptied(
    _ theirs: Value, _ mine: Value, _ original: Value, _ link: RelationshipLink?
  ) -> Bool {
    guard let link, theirs.isNull, mine.isNull, let key = original.key else {
      return false
    }
    return maps[link.destination][key]?.isKnownDeleted ?? false
  }

  /// The changes made here since a child has read the object that it wants to delete.
  private func conflict(in deletion: RowDeletion, of entity: Entity) -> Conflict? {
    guard let original = deletion.original else { return nil }
    let object = object(entity: entity.index, key: deletion.key)
    if object.state == .fault { fulfil(object) }
    guard !object.isKnownDeleted else { return nil }
    let properties = object.entity.rowSlots.compactMap { slot -> Conflict.Property? in
      let before = original.value(row: deletion.originalRow, slot: slot)
      let theirs = object.value(at: slot)
      guard theirs != before else { return nil }
      return Conflict.Property(
        name: object.entity.properties[slot].name, original: before, mine: before, theirs: theirs)
    }
    guard !properties.isEmpty else { return nil }
    return Conflict(
      entity: entity.name, key: deletion.key, properties: properties, isDeleted: false,
      wasToBeDeleted: true)
  }

  private func fillInsertion(_ entity: EntityIndex, _ page: RowPage, _ row: Int) {
    let object = object(entity: entity, key: page.key(ofRow: row))
    for slot in object.entity.slots
    where object.extras?.changedSlots.contains(slot) ?? false {
      assign(page.value(row: row, slot: slot), to: object, slot)
    }
  }

  private func stage(_ update: RowUpdate, of entity: EntityIndex) {
    let object = object(entity: entity, key: update.key)
    for slot in update.slots {
      assign(update.page.value(row: update.row, slot: slot), to: object, slot)
    }
  }

  private func stageDeletion(_ entity: EntityIndex, _ key: RowKey) {
    let object = object(entity: entity, key: key)
    guard !object.isKnownDeleted else { return }
    for slot in object.entity.relationshipSlots { assign(.null, toOneOf: object, slot) }
    markDeleted(object)
  }

  private func assign(_ value: Value, toOneOf object: ManagedObject, _ slot: Slot) {
    guard let link = object.entity.links[slot], link.kind == .toOne, link.inverseSlot != nil else {
      return
    }
    assign(value, to: object, slot)
  }

  /// Sets a value, and updates the to-many side of a to-one relationship; the other side of a one-to-one is
  /// among the child's own changes.
  private func assign(_ value: Value, to object: ManagedObject, _ slot: Slot) {
    let old = object.value(at: slot)
    if let link = object.entity.links[slot], let inverse = link.inverseSlot,
      schema.entities[link.destination].links[inverse]?.kind.isToMany ?? false, old != value
    {
      if let key = old.key {
        let owner = self.object(entity: link.destination, key: key)
        owner.lose(object.key, inverse)
        owner.notify(inverse)
      }
      if let key = value.key {
        let owner = self.object(entity: link.destination, key: key)
        owner.gain(object.key, inverse)
        owner.notify(inverse)
      }
    }
    object.write(value, at: slot)
    object.notify(slot)
  }

  private func stage(_ changes: LinkChanges) {
    guard let link = schema.entities[changes.entity].links[changes.slot] else { return }
    func both(
      _ source: RowKey, _ destination: RowKey, _ body: (ManagedObject, RowKey, Slot) -> Void
    ) {
      let object = object(entity: link.entity, key: source)
      body(object, destination, link.slot)
      object.notify(link.slot)
      guard let inverse = link.inverseSlot, !link.isOwnInverse else { return }
      let other = self.object(entity: link.destination, key: destination)
      body(other, source, inverse)
      other.notify(inverse)
    }
    for pair in changes.removed { both(pair.source, pair.destination) { $0.lose($1, $2) } }
    for pair in changes.added { both(pair.source, pair.destination) { $0.gain($1, $2) } }
  }
}
