import Basics

/// Staging: new objects, deletions, and taking everything back.
extension ObjectGraph {
  /// A new object with the default values of its entity; saved by the next save.
  ///
  /// - Parameter stores: the one of several stores that it is to be in; nil where only one holds the entity.
  /// - Throws: when the store cannot give it a key.
  package func insert(_ entity: Entity, in stores: StoreSelection? = nil) throws -> ManagedObject {
    require(!entity.isReadOnly, "\(entity.name) is read-only; objects cannot be created in it")
    require(!entity.isAbstract, AbstractEntityError(entity, in: schema).description)
    func makeKey() throws -> RowKey {
      try stores.map { try store.makeKey(entity: entity.index, in: $0) }
        ?? store.makeKey(entity: entity.index)
    }
    var key = try makeKey()
    // Another process may have taken the key since it was made, and its row be known here already.
    while maps[entity.index][key] != nil { key = try makeKey() }
    return makeInserted(entity, key: key)
  }

  /// A new object under a key that was made for it.
  package func makeInserted(_ entity: Entity, key: RowKey) -> ManagedObject {
    let object: ManagedObject
    if let fault = maps[entity.index][key] {
      // Someone has asked for the key before there was a row.
      object = fault
      object.state = .inserted
    } else {
      object = register(
        ManagedObjectLogic(
          home: home(of: entity.index), key: key, page: nil, row: 0, state: .inserted))
    }
    let extras = object.lazyExtras
    extras.values = entity.initialValues
    extras.changedSlots.formUnion(entity.rowSlots)
    track(object)
    note(object)
    if isListenedTo { pending.inserted.insert(ObjectIdentifier(object)) }
    journal?.recordCreation(of: object)
    return object
  }

  /// Stages the deletion of an object and applies the delete rules of its relationships.
  ///
  /// Nullified and cascaded objects are staged at once, also the owners of relationships to it that have no
  /// inverse. A `deny` rule is checked when saving.
  package func delete(_ object: ManagedObject) {
    require(
      !object.entity.isReadOnly, "\(object.entity.name) is read-only; its objects cannot be deleted"
    )
    var stack = [object]
    while let object = stack.popLast() {
      guard !object.isKnownDeleted else { continue }
      require(object.graph === self, "an object of another context was deleted")
      for slot in object.entity.relationshipSlots {
        switch object.entity.links[slot]?.deleteRule {
        case .nullify:
          object.leaveRelationship(at: slot)
        case .cascade:
          stack += related(object, slot).reversed()
          object.leaveRelationship(at: slot)
        case .deny, .noAction, nil:
          break
        }
      }
      leaveOneWayRelationships(to: object)
      markDeleted(object)
    }
  }

  /// Makes the owners of relationships without an inverse forget an object, as the file does when its row is
  /// deleted.
  private func leaveOneWayRelationships(to object: ManagedObject) {
    for link in schema.oneWayLinks(to: object.entity) {
      for owner in owners(of: object, link) where owner !== object {
        if link.kind == .toOne {
          owner.write(.null, at: link.slot)
        } else {
          owner.lose(object.key, link.slot)
        }
        owner.notify(link.slot)
      }
    }
  }

  /// The objects that a relationship without an inverse leads from to an object. One question to the store;
  /// none for an object that was never saved, which only staged objects lead to.
  private func owners(of object: ManagedObject, _ link: RelationshipLink) -> [ManagedObject] {
    let entity = schema.entities[link.entity]
    if object.state == .inserted {
      return tracked.filter { owner in
        guard owner.entity.isKind(of: entity), !owner.isKnownDeleted else { return false }
        return link.kind == .toOne
          ? owner.value(at: link.slot) == .key(object.key)
          : owner.relatedKeys(at: link.slot).contains(object.key)
      }
    }
    let leadsThere = Predicate.Comparison(
      .keyPath([link.description.name]), .in, .list([.value(.key(object.key))]),
      quantifier: link.kind.isToMany ? .any : .direct)
    do {
      return try fetch(FetchRequest(entity: entity.name, predicate: .comparison(leadsThere)))
    } catch {
      faultFailed(error)
      return []
    }
  }

  func related(_ object: ManagedObject, _ slot: Slot) -> [ManagedObject] {
    guard let link = object.entity.links[slot] else { return [] }
    return link.kind == .toOne
      ? object.related(at: slot).map { [$0] } ?? [] : object.relatedObjects(at: slot)
  }

  func markDeleted(_ object: ManagedObject) {
    journal?.record(.deleted(object, object.state))
    if object.state == .inserted {
      vanish(object)
    } else {
      object.state = .deleted
      track(object)
    }
    note(object)
    object.notify(SlotSet(object.entity.slots))
  }

  /// Discards everything that is staged. Observers of properties that change are notified.
  package func revert() {
    journal?.removeAll()
    let objects = tracked
    tracked.removeAll()
    stagedIndex = nil
    referred = [:]
    for object in objects {
      object.isTracked = false
      revertOne(object)
    }
  }

  /// Discards what is staged for one object's attributes and to-one relationships, with their
  /// inverses. New objects go, deleted ones return.
  private func revertOne(_ object: ManagedObject) {
    var changed = SlotSet()
    if let extras = object.extras {
      changed.formUnion(extras.changedSlots)
      for (slot, state) in extras.toMany.placed where state?.isChanged ?? false {
        changed.insert(slot)
        extras.toMany[slot] = ToManyState(stored: state?.stored)
      }
      extras.changedSlots = SlotSet()
      extras.values = []
      extras.conflictBases = [:]
    }
    // A row that is gone does not return: its edit was followed by the object's deletion.
    if object.state == .deleted, object.stagedRow != .gone { noteReturn(of: object) }
    switch object.state {
    case .inserted: vanish(object)
    case .updated, .deleted: becomeClean(object)
    case .fault, .clean: if object.stagedRow != .asRead { becomeClean(object) }
    case .gone: break
    }
    note(object)
    for slot in changed { note(object, changed: slot) }
    object.notify(changed)
  }

  /// Keeps the object among the changed ones, strongly, until the next save or revert.
  func track(_ object: ManagedObject) {
    guard !object.isTracked else { return }
    if isReadOnly { readOnlyDenied(object) }
    if tracked.isEmpty { stagedPlacement = placement }
    object.isTracked = true
    tracked.append(object)
    stagedIndex?.add(object)
  }

  private func readOnlyDenied(_ object: ManagedObject) -> Never {
    trap(
      "\(object.entity.name) \(object.key) was changed in the view context, which is read-only in this datastore "
        + "(`Options.isViewContextReadOnly`); change it in `write`, by its `objectID`.")
  }

  /// Notes for the listeners that something about the object changed in this turn.
  func note(_ object: ManagedObject) {
    guard isListenedTo, !object.isPending else { return }
    object.isPending = true
    if pending.isEmpty { changesArePending?() }
    pending.objects.append(object)
  }

  /// Notes that the deletion of an object is not staged any more.
  func noteReturn(of object: ManagedObject) {
    guard isListenedTo else { return }
    note(object)
    pending.returned.insert(ObjectIdentifier(object))
  }

  func note(_ object: ManagedObject, changed slot: Slot) {
    guard isListenedTo else { return }
    note(object)
    pending.slots[ObjectIdentifier(object), default: SlotSet()].insert(slot)
  }

  /// What has happened since the last call, for controllers and the like.
  package func takePendingChanges() -> GraphChanges {
    releaseDeparting()
    let taken = pending
    pending = GraphChanges()
    for object in taken.objects { object.isPending = false }
    return taken
  }
}
