import Basics

/// Staging: new objects, deletions, and reverting everything.
extension ObjectGraph {
  /// Creates an object with the default values of its entity; saved by the next save.
  ///
  /// - Parameter stores: the store, of several, for the object; nil if only one holds the entity.
  /// - Throws: when the store cannot give it a key.
  package func insert(_ entity: Entity, in stores: StoreSelection? = nil) throws -> ManagedObject {
    require(!entity.isReadOnly, "\(entity.name) is read-only; objects cannot be created in it")
    require(!entity.isAbstract, AbstractEntityError(entity, in: schema).description)
    func makeKey() throws -> RowKey {
      try stores.map { try store.makeKey(entity: entity.index, in: $0) }
        ?? store.makeKey(entity: entity.index)
    }
    var key = try makeKey()
    // Another process may have used the key since it was made, and its row may already be known here.
    while maps[entity.index][key] != nil { key = try makeKey() }
    return makeInserted(entity, key: key)
  }

  /// Creates an object under a key that was made for it.
  package func makeInserted(_ entity: Entity, key: RowKey) -> ManagedObject {
    let object: ManagedObject
    if let fault = maps[entity.index][key] {
      // A fault was made for the key before there was a row.
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
    record(object)
    if isListenedTo { pending.inserted.insert(ObjectIdentifier(object)) }
    journal?.recordCreation(of: object)
    return object
  }

  /// Stages the deletion of an object and applies the delete rules of its relationships.
  ///
  /// Nullified and cascaded objects are staged at once, including the owners of one-way relationships to it.
  /// A `deny` rule is checked when saving; it does not protect objects that were never saved.
  package func delete(_ object: ManagedObject) {
    require(
      !object.entity.isReadOnly, "\(object.entity.name) is read-only; its objects cannot be deleted"
    )
    guard !object.isKnownDeleted else { return }
    require(object.graph === self, "an object of another context was deleted")
    let rules = schema.deleteRules(of: object.entity.index)
    if rules.leaving.isEmpty, rules.keeping.isEmpty, rules.denying.isEmpty, rules.oneWay.isEmpty {
      return markDeleted(object)
    }
    var deletion = ObjectDeletion([object], in: schema)
    while let links = deletion.nextGeneration() {
      for link in links {
        let owners = deletion.objects(of: link.entity, newest: true)
        deletion.add(reading { try reach(link, from: owners) })
      }
    }
    deletion.forEachLeaving { $0.leaveRelationship(at: $1.slot) }
    for link in deletion.plan.rules.flatMap(\.oneWay) {
      let members = deletion.objects(of: link.destination)
      let keys = Set(members.map(\.key))
      for owner in reading({ try owners(of: members, link) }) {
        for key in owner.keys(link) where keys.contains(key) { owner.forget(key, at: link.slot) }
      }
    }
    for object in deletion.objects { markDeleted(object) }
  }

  /// The owners of a one-way relationship to some objects. One question to the store; none for objects that
  /// were never saved, which only staged objects refer to.
  package func owners(
    of objects: [ManagedObject], _ link: RelationshipLink
  ) throws -> [ManagedObject] {
    let entity = schema.entities[link.entity]
    let saved = objects.filter { $0.state != .inserted }
    let new = Set(objects.filter { $0.state == .inserted }.map(\.key))
    let staged = new.isEmpty ? [] : tracked
    let owners = staged.filter { owner in
      owner.entity.isKind(of: entity) && owner.state != .gone
        && owner.keys(link).contains(where: new.contains)
    }
    if saved.isEmpty { return Array(owners) }
    let leadsThere = Predicate.Comparison(
      .keyPath([link.description.name]), .in, .list(saved.map { .value(.key($0.key)) }),
      quantifier: link.kind.isToMany ? .any : .direct)
    return try Array(owners)
      + fetch(FetchRequest(entity: entity.name, predicate: .comparison(leadsThere)))
  }

  func markDeleted(_ object: ManagedObject) {
    journal?.record(.deleted(object, object.state))
    if object.state == .inserted {
      vanish(object)
    } else {
      object.state = .deleted
      track(object)
    }
    record(object)
    object.notify(SlotSet(object.entity.slots))
  }

  /// Discards all staged changes. Notifies observers of properties that change.
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

  /// Discards the staged changes of one object's attributes and to-one relationships, with their inverses.
  /// New objects disappear, deleted ones return.
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
    // A deleted row does not return: its object's edit was followed by the object's deletion.
    if object.state == .deleted, object.stagedRow != .gone { recordReturn(of: object) }
    switch object.state {
    case .inserted: vanish(object)
    case .updated, .deleted: becomeClean(object)
    case .fault, .clean: if object.stagedRow != .asRead { becomeClean(object) }
    case .gone: break
    }
    record(object)
    for slot in changed { record(object, changed: slot) }
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

  /// Records, for the listeners, that the object changed in this turn.
  func record(_ object: ManagedObject) {
    guard isListenedTo, !object.isPending else { return }
    object.isPending = true
    if pending.isEmpty { changesArePending?() }
    pending.objects.append(object)
  }

  /// Records that the deletion of an object is no longer staged.
  func recordReturn(of object: ManagedObject) {
    guard isListenedTo else { return }
    record(object)
    pending.returned.insert(ObjectIdentifier(object))
  }

  func record(_ object: ManagedObject, changed slot: Slot) {
    guard isListenedTo else { return }
    record(object)
    pending.slots[ObjectIdentifier(object), default: SlotSet()].insert(slot)
  }

  /// The changes since the last call, for listeners such as controllers.
  package func takePendingChanges() -> GraphChanges {
    releaseDeparting()
    let taken = pending
    pending = GraphChanges()
    for object in taken.objects { object.isPending = false }
    return taken
  }
}
