import Basics

/// Relationships: reading them, and keeping both sides consistent.
extension ManagedObject {
  private func link(_ slot: Slot) -> RelationshipLink {
    guard let link = entity.links[slot] else {
      trap("\(entity.name).\(entity.properties[slot].name) is not a relationship")
    }
    return link
  }

  /// The object of a to-one relationship, or nil. Not read from the store until it is used.
  package final func related(at slot: Slot) -> ManagedObject? {
    guard let key = value(at: slot).key else { return nil }
    return graph.object(entity: link(slot).destination, key: key)
  }

  /// The current keys of a to-many relationship: stored ones and unsaved changes.
  ///
  /// Unordered relationships come by ascending stored key, new members last. O(members) the first
  /// time, then O(1).
  package final func relatedKeys(at slot: Slot) -> [RowKey] {
    if let members = toManyState(slot)?.members { return members }
    var state = toManyState(slot) ?? ToManyState()
    let stored = state.stored ?? storedKeys(at: slot)
    state.stored = stored
    var members = stored
    if !state.added.isEmpty || !state.removed.isEmpty {
      members.removeAll { state.removed.contains($0) }
      let known = Set(members)
      let isOrdered = link(slot).kind == .orderedToMany
      let added = isOrdered ? state.added.byArrival : state.added.byKey
      members += added.filter { !known.contains($0) }
    }
    if let order = state.order {
      members.reorder(like: order)
      state.order = nil
    }
    state.members = members
    setToManyState(state, slot)
    return state.members ?? []
  }

  private func storedKeys(at slot: Slot) -> [RowKey] {
    guard state != .inserted, state != .gone else { return [] }
    return graph.readRelatedKeys(of: self, slot: slot)
  }

  /// The current objects of a to-many relationship.
  package final func relatedObjects(at slot: Slot) -> [ManagedObject] {
    graph.objects(entity: link(slot).destination, keys: relatedKeys(at: slot))
  }

  /// The object of a to-one relationship, for users: its row has been read, so that it stays readable even if
  /// others delete it; nil if its row is deleted.
  @usableFromInline
  package final func readableRelated(at slot: Slot) -> ManagedObject? {
    guard let object = related(at: slot) else { return nil }
    if object.state == .fault { graph.fulfil(object) }
    return object.state == .gone ? nil : object
  }

  /// The objects of a to-many relationship, for users: unread rows have been read together, and deleted ones
  /// are left out.
  package final func readableRelatedObjects(at slot: Slot) -> [ManagedObject] {
    graph.readable(relatedObjects(at: slot))
  }

  /// Stages a new destination of a to-one relationship and updates the inverse.
  @usableFromInline
  package final func setRelated(_ object: ManagedObject?, at slot: Slot) {
    requireSameGraph(object, slot)
    let link = link(slot)
    let old = related(at: slot)
    if old !== object {
      if let object { graph.markReferred(object) }
      if let inverse = link.inverseSlot {
        old?.forget(key, at: inverse)
        if let object {
          // A one-to-one destination leaves its former partner.
          if object.entity.links[inverse]?.kind == .toOne {
            object.related(at: inverse)?.forget(object.key, at: slot)
          }
          object.remember(self, at: inverse)
        }
      }
      write(object.map { .key($0.key) } ?? .null, at: slot)
    }
    notify(slot)
  }

  /// Stages the members of a to-many relationship, in their order, and updates the inverses.
  ///
  /// An object that occurs twice in the list counts once.
  @usableFromInline
  package final func setRelated(_ objects: [ManagedObject], at slot: Slot) {
    let link = link(slot)
    for object in objects { requireSameGraph(object, slot) }
    requireAssignable(slot)
    var seen: Set<RowKey> = []
    for object in objects where object.isLost { graph.readopt(object) }
    let wanted = objects.map(\.key).filter { seen.insert($0).inserted }
    let current = relatedKeys(at: slot)
    let kept = Set(current)
    let leaving = current.filter { !seen.contains($0) }
    for object in graph.objects(entity: link.destination, keys: leaving) { unlink(object, link) }
    for key in wanted where !kept.contains(key) {
      self.link(with: graph.object(entity: link.destination, key: key), link)
    }
    if link.kind == .orderedToMany { reorder(to: wanted, slot) }
    notify(slot)
  }

  /// Adds one member to a to-many relationship without reading the others.
  package final func addRelated(_ object: ManagedObject, at slot: Slot) {
    requireSameGraph(object, slot)
    requireAssignable(slot)
    let link = link(slot)
    if object.isRowGone || !isRelated(to: object, link) { self.link(with: object, link) }
    notify(slot)
  }

  /// Removes one member of a to-many relationship without reading the others.
  package final func removeRelated(_ object: ManagedObject, at slot: Slot) {
    requireSameGraph(object, slot)
    requireAssignable(slot)
    let link = link(slot)
    if isRelated(to: object, link) { unlink(object, link) }
    notify(slot)
  }

  /// Whether a to-many relationship leads to an object.
  package final func isRelated(to object: ManagedObject, at slot: Slot) -> Bool {
    !object.isKnownDeleted && isRelated(to: object, link(slot))
  }

  private func requireAssignable(_ slot: Slot) {
    require(
      entity.links[slot]?.description.isReadOnly != true && !entity.isReadOnly,
      "\(entity.name).\(entity.properties[slot].name) is read-only and cannot be assigned")
  }

  private func isRelated(to object: ManagedObject, _ link: RelationshipLink) -> Bool {
    if let inverse = link.inverseSlot, object.entity.links[inverse]?.kind == .toOne {
      return object.related(at: inverse) === self
    }
    return relatedKeys(at: link.slot).contains(object.key)
  }

  private func link(with object: ManagedObject, _ link: RelationshipLink) {
    graph.markReferred(object)
    graph.markReferred(self)
    if let inverse = link.inverseSlot {
      if object.entity.links[inverse]?.kind == .toOne {
        if let owner = object.related(at: inverse), owner !== self {
          owner.forget(object.key, at: link.slot)
        }
      }
      object.remember(self, at: inverse)
      if object === self, link.isOwnInverse { return }
    }
    gain(object.key, link.slot)
  }

  private func unlink(_ object: ManagedObject, _ link: RelationshipLink) {
    if let inverse = link.inverseSlot {
      object.forget(key, at: inverse)
      if object === self, link.isOwnInverse { return }
    }
    lose(object.key, link.slot)
  }

  /// Restores the former order of an ordered relationship; newer members are placed as in the store.
  final func reorder(backTo former: [RowKey], _ slot: Slot) {
    var wanted = relatedKeys(at: slot)
    if let stored = toManyState(slot)?.stored { wanted.reorder(like: stored) }
    wanted.reorder(like: former)
    reorder(to: wanted, slot)
  }

  /// Changes the order of an ordered relationship.
  final func reorder(to wanted: [RowKey], _ slot: Slot) {
    guard let members = toManyState(slot)?.members, members != wanted else { return }
    graph.journal?.record(.ordered(self, slot, members))
    updateToMany(slot) { state in
      state.members = wanted
      state.isReordered = true
    }
    graph.track(self)
    graph.record(self, changed: slot)
  }

  /// Makes this side lead to an object; one half of an update, which does not call back.
  private func remember(_ object: ManagedObject, at slot: Slot) {
    graph.markReferred(object)
    if link(slot).kind == .toOne {
      write(.key(object.key), at: slot)
      // A deleted row has no stored values, so this is an edit even if the row led there before.
      if isRowGone, stagedValue(at: slot) == nil { stage(.key(object.key), at: slot) }
    } else {
      gain(object.key, slot)
    }
    notify(slot)
  }

  /// Makes this side no longer lead to a key.
  final func forget(_ key: RowKey, at slot: Slot) {
    if link(slot).kind == .toOne {
      write(.null, at: slot)
    } else {
      lose(key, slot)
    }
    notify(slot)
  }

  /// Adds a member to a to-many of this object; the caller updates the other side.
  final func gain(_ key: RowKey, _ slot: Slot) {
    let isOrdered = link(slot).kind == .orderedToMany
    if isLost { graph.readopt(self) }
    if toManyState(slot)?.added.contains(key) ?? false { return }
    // A member that returns also goes to the end, so its place among the others must be known.
    if isOrdered, toManyState(slot)?.removed.contains(key) ?? false { _ = relatedKeys(at: slot) }
    graph.journal?.record(.gained(self, slot, key))
    updateToMany(slot) { state in
      if state.removed.remove(key) == nil { state.added.insert(key) }
      state.members?.append(key)
      if isOrdered { state.isReordered = true }
    }
    graph.track(self)
    graph.record(self, changed: slot)
  }

  /// Removes a member from a to-many of this object; the caller updates the other side.
  final func lose(_ key: RowKey, _ slot: Slot) {
    let isOrdered = link(slot).kind == .orderedToMany
    if isLost { graph.readopt(self) }
    if toManyState(slot)?.removed.contains(key) ?? false { return }
    if isOrdered, let members = toManyState(slot)?.members {
      graph.journal?.record(.ordered(self, slot, members))
    }
    graph.journal?.record(.lost(self, slot, key))
    updateToMany(slot) { state in
      if !state.added.remove(key) { state.removed.insert(key) }
      if isOrdered {
        if let index = state.members?.firstIndex(of: key) { state.members?.remove(at: index) }
      } else {
        // Rebuilt on the next read: removing many members one by one from an array is quadratic.
        state.members = nil
      }
    }
    graph.track(self)
    graph.record(self, changed: slot)
  }

  private func requireSameGraph(_ object: ManagedObject?, _ slot: Slot) {
    guard let object else { return }
    require(
      object.graph === graph,
      "\(entity.name).\(entity.properties[slot].name) was given an object of another context; "
        + "convert it with `convert(existingObject:)` first")
    require(
      object.entity.isKind(of: graph.schema.entities[link(slot).destination]),
      "\(entity.name).\(entity.properties[slot].name) was given a \(object.entity.name)")
    require(
      !object.isDeletedHere,
      "\(entity.name).\(entity.properties[slot].name) was given a deleted \(object.entity.name)")
    require(
      !isDeletedHere,
      "\(entity.name).\(entity.properties[slot].name) was assigned on a deleted object")
  }
}

extension [RowKey] {
  /// Sorts the elements like a list; an element that is not in the list stays after its present predecessor.
  fileprivate mutating func reorder(like list: [RowKey]) {
    let present = Set(self)
    var listed = Set(list)
    var first: [RowKey] = []
    var followers: [RowKey: [RowKey]] = [:]
    var leader: RowKey?
    for element in self {
      if listed.contains(element) {
        leader = element
      } else if let leader {
        followers[leader, default: []].append(element)
      } else {
        first.append(element)
      }
    }
    self = first
    listed.formIntersection(present)
    for element in list where listed.remove(element) != nil {
      append(element)
      append(contentsOf: followers[element] ?? [])
    }
  }
}

extension ManagedObject {
  final func toManyState(_ slot: Slot) -> ToManyState? {
    guard let extras, !extras.toMany.isEmpty else { return nil }
    return extras.toMany[slot]
  }

  /// The number of staged additions less staged removals of a to-many relationship. O(1).
  package final func stagedMemberCount(at slot: Slot) -> Int {
    toManyState(slot).map { $0.added.count - $0.removed.count } ?? 0
  }

  /// Changes the state in place: while `body` runs, there are no other references to its arrays, so none is
  /// copied.
  private func updateToMany(_ slot: Slot, _ body: (inout ToManyState) -> Void) {
    var state = toManyState(slot) ?? ToManyState()
    setToManyState(nil, slot)
    body(&state)
    setToManyState(state, slot)
  }

  final func setToManyState(_ state: ToManyState?, _ slot: Slot) {
    let extras = lazyExtras
    if extras.toMany.isEmpty {
      extras.toMany = BySlot(repeating: nil, count: entity.slotCount)
    }
    extras.toMany[slot] = state
  }

  /// The current keys of a relationship.
  package final func keys(_ link: RelationshipLink) -> [RowKey] {
    link.kind == .toOne
      ? value(at: link.slot).key.map { [$0] } ?? [] : relatedKeys(at: link.slot)
  }

  /// Removes this object from a relationship, and from its inverse; called when it is deleted.
  final func leaveRelationship(at slot: Slot) {
    let link = link(slot)
    if link.kind == .toOne {
      guard let inverse = link.inverseSlot, let object = related(at: slot) else { return }
      object.forget(key, at: inverse)
      write(.null, at: slot)
    } else {
      for object in relatedObjects(at: slot) { unlink(object, link) }
    }
    notify(slot)
  }
}

extension ManagedObject {
  /// Whether `relatedKeys(at:)` answers without reading the store.
  package final func knowsRelatedKeys(at slot: Slot) -> Bool {
    state == .inserted || toManyState(slot)?.stored != nil
  }

  /// Sets the members of a to-many relationship that were read from the store elsewhere.
  package final func adoptRelatedKeys(_ keys: [RowKey], at slot: Slot) {
    guard !knowsRelatedKeys(at: slot) else { return }
    var state = toManyState(slot) ?? ToManyState()
    state.stored = keys
    setToManyState(state, slot)
  }
}
