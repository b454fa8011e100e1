import Basics

/// Attribute values and to-one keys, by slot.
extension ManagedObject {
  /// The current value of an attribute, or the key of a to-one destination. Reads the row first if
  /// the object is a fault. O(length) for text and blobs.
  package final func value(at slot: Slot) -> Value {
    if let extras, extras.changedSlots.contains(slot) { return extras.values[slot] }
    return committedValue(at: slot)
  }

  /// The staged value of a slot; nil when the row's value applies.
  ///
  /// This and `readableRow` are in the module of the properties they read, because only there the compiler
  /// knows that these are exempt from exclusivity checks.
  @inlinable
  package final func stagedValue(at slot: Slot) -> Value? {
    if let extras, extras.changedSlots.contains(slot) { return extras.values[slot] }
    return nil
  }

  /// All slots with a staged value, and the values by slot, without copying them.
  package final var stagedValues: (slots: SlotSet, values: BySlot<Value>) {
    extras.map { ($0.changedSlots, $0.values) } ?? (SlotSet(), [])
  }

  /// The packed row, valid until this object is changed, and its number in its page; read from the store if
  /// necessary; nil for objects that have none.
  @inlinable
  package final var readableRow: (page: Unmanaged<RowPage>, row: Int)? {
    if page == nil, loadedPage() == nil { return nil }
    guard let page else { return nil }
    return (Unmanaged.passUnretained(page), Int(row))
  }

  /// Whether the object is no longer in the store, or never was.
  @inlinable
  package final var isGone: Bool { state == .gone }

  /// The value in the store (or parent), as far as this graph knows.
  package final func committedValue(at slot: Slot) -> Value {
    guard let page = loadedPage() else { return .null }
    return page.value(row: Int(row), slot: slot)
  }

  /// The packed row, read from the store if necessary; nil for objects that have none.
  @usableFromInline
  package final func loadedPage() -> RowPage? {
    if let page { return page }
    guard state != .inserted, state != .gone else { return nil }
    graph.fulfil(self)
    return page
  }

  /// Stages a new value: tracks the change, notifies observers.
  ///
  /// To-one relationships use `setRelated(_:at:)`, which also updates the inverse.
  @usableFromInline
  package final func setValue(_ value: Value, at slot: Slot) {
    requireWritable(slot)
    write(value, at: slot)
    notify(slot)
  }

  /// Stages a value without updating inverses or notifying observers.
  final func write(_ value: Value, at slot: Slot) {
    if let journal = graph.journal,
      !journal.coversAttributes(of: self) || entity.links[slot] != nil
    {
      journal.record(.changed(self, slot, former(at: slot)))
    }
    if state == .inserted {
      // `insert` has made room for every slot and marked each as changed.
      lazyExtras.values[slot] = value
      graph.stagedIndex?.touch(self)
      graph.record(self, changed: slot)
      return
    }
    // An edit from before someone else's change remains one, even if it arrives at the same value: continuing
    // to count from there would miss the other's count.
    guard committedValue(at: slot) == value, extras?.conflictBases[slot] == nil else {
      return stage(value, at: slot)
    }
    guard let extras, extras.changedSlots.contains(slot) else { return }
    extras.changedSlots.remove(slot)
    extras.values[slot] = .null
    graph.stagedIndex?.touch(self)
    if state == .updated, !hasRowChanges {
      state = .clean
      // It may be edited again right away, so it is released later.
      if extras.stagedRow != .asRead { graph.departing.append(self) }
    }
    graph.track(self)
    graph.record(self, changed: slot)
  }

  /// Stages a value of a saved object, whatever value is stored.
  final func stage(_ value: Value, at slot: Slot) {
    let extras = lazyExtras
    if extras.values.isEmpty {
      extras.values = BySlot(repeating: .null, count: entity.slotCount)
    }
    extras.changedSlots.insert(slot)
    extras.values[slot] = value
    if isLost { graph.readopt(self) }
    if state == .clean || state == .fault { state = .updated }
    graph.track(self)
    graph.stagedIndex?.touch(self)
    graph.record(self, changed: slot)
  }

  /// The staged state of a slot, for the journal.
  final func former(at slot: Slot) -> UndoJournal.Former {
    let isStaged = state != .inserted && extras?.changedSlots.contains(slot) ?? false
    return UndoJournal.Former(
      value: value(at: slot),
      base: isStaged ? extras?.conflictBases[slot] ?? committedValue(at: slot) : nil,
      saveCount: graph.saveCount)
  }

  /// Whether any value differs from the stored row.
  final var hasRowChanges: Bool {
    guard let extras else { return false }
    return !extras.changedSlots.isEmpty
  }

  private func requireWritable(_ slot: Slot) {
    require(
      state != .gone || isLost,
      "\(entity.name).\(entity.properties[slot].name) was assigned on an object that this context has deleted and "
        + "saved, or has discarded before it was saved")
    require(
      !entity.readOnlySlots.contains(slot),
      "\(entity.name).\(entity.properties[slot].name) is read-only and cannot be assigned")
  }

  /// Whether a value may be staged for a slot. Parts of the row's key may be set on new objects only; saving
  /// a change to them is refused.
  package final func isWritable(at slot: Slot) -> Bool {
    let property = entity.properties[slot]
    if state != .inserted, graph.store.isKeyPart(entity: entity.index, slot: slot) { return false }
    return state != .gone && state != .deleted && !entity.isReadOnly
      && !(property.attribute?.isReadOnly ?? property.relationship?.isReadOnly ?? false)
  }

  /// The values that differ from the stored row, by property name; every value for a new object.
  public final func changedValues() -> [String: Value] {
    guard let extras else { return [:] }
    var changed: [String: Value] = [:]
    for slot in extras.changedSlots { changed[entity.properties[slot].name] = extras.values[slot] }
    return changed
  }

  /// The stored values of properties by name, or of all attributes and to-one relationships if `names` is
  /// nil; empty for new objects. Reads the row first if the object is a fault.
  public final func committedValues(for names: [String]? = nil) -> [String: Value] {
    guard loadedPage() != nil else { return [:] }
    var committed: [String: Value] = [:]
    for slot in entity.rowSlots {
      let name = entity.properties[slot].name
      if let names, !names.contains(name) { continue }
      committed[name] = committedValue(at: slot)
    }
    return committed
  }
}

extension ManagedObject {
  /// New in its context, and not saved.
  public final var isInserted: Bool { state == .inserted }
  /// Saved, with staged changes.
  public final var isUpdated: Bool { state == .updated }
  /// To be deleted by the next save, or deleted already, here or elsewhere.
  ///
  /// An object that was not read yet is read first: one that is not deleted remains readable, even if another
  /// context deletes its row, before and after that is merged.
  public final var isDeleted: Bool {
    if state == .fault {
      requireAccess()
      graph.fulfil(self)
    }
    return isKnownDeleted || state == .clean && stagedRow == .gone
  }
  /// Whether it is deleted, as far as the graph knows. Never reads.
  package final var isKnownDeleted: Bool { state == .deleted || state == .gone }
  /// Whether someone else is known to have deleted its row, even if an edit of it is staged.
  final var isRowGone: Bool { isLost || stagedRow == .gone }
  /// Whether this context has deleted it, staged or saved.
  package final var isDeletedHere: Bool { isKnownDeleted && !isLost }
  /// To be deleted by the next save, and not saved yet.
  public final var willBeDeleted: Bool { state == .deleted }
  /// Values have not been read from the store yet.
  public final var isFault: Bool { state == .fault }
  /// Staged changes of any kind, relationships included.
  public final var hasChanges: Bool {
    switch state {
    case .inserted, .updated, .deleted: true
    case .fault, .clean: extras?.toMany.contains { $0?.isChanged ?? false } ?? false
    case .gone: false
    }
  }
}
