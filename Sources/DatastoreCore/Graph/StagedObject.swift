/// The staged changes of one object, as a value: for listing, recording and staging them again.
package struct StagedObject: Sendable, Hashable, Codable {
  package enum Kind: String, Sendable, Hashable, Codable {
    case inserted, updated, deleted
  }

  /// One attribute or to-one relationship.
  package struct Change: Sendable, Hashable, Codable {
    package let slot: Slot
    /// The value before the edit; NULL for new objects.
    package let old: Value
    package let new: Value
    /// The value in the store now, if someone else has changed it since; otherwise nil.
    package let theirs: Value?

    package init(slot: Slot, old: Value, new: Value, theirs: Value? = nil) {
      self.slot = slot
      self.old = old
      self.new = new
      self.theirs = theirs
    }
  }

  /// A change of a to-many relationship that no row of a member records: pairs of a join table, or an order.
  package struct MemberChange: Sendable, Hashable, Codable {
    package let slot: Slot
    package let added: [RowKey]
    package let removed: [RowKey]
    /// All members in their order, if that was changed.
    package let order: [RowKey]?

    package init(slot: Slot, added: [RowKey], removed: [RowKey], order: [RowKey]?) {
      self.slot = slot
      self.added = added
      self.removed = removed
      self.order = order
    }
  }

  package let entity: EntityIndex
  package let key: RowKey
  package let kind: Kind
  /// By ascending slot. For new objects every value that is not NULL; empty for deleted ones.
  package var changes: [Change]
  package var members: [MemberChange]
  /// The stored value of each slot when the object was read; empty for new objects.
  package var row: BySlot<Value>
  /// Whether someone else has deleted its row, or given its key to another one.
  package let isRowGone: Bool

  package init(
    entity: EntityIndex, key: RowKey, kind: Kind, changes: [Change], members: [MemberChange],
    row: BySlot<Value>,
    isRowGone: Bool = false
  ) {
    self.entity = entity
    self.key = key
    self.kind = kind
    self.changes = changes
    self.members = members
    self.row = row
    self.isRowGone = isRowGone
  }

  /// The slots that differ from the store.
  package var slots: SlotSet { SlotSet(changes.map(\.slot) + members.map(\.slot)) }

  /// The slots that someone else has changed as well.
  package var conflictingSlots: SlotSet {
    SlotSet(changes.compactMap { $0.theirs == nil ? nil : $0.slot })
  }
}

extension ObjectGraph {
  /// All staged changes, in the order of the first change of each object. Leaves out objects that are only
  /// the other side of a changed to-one relationship: nothing is written for them.
  ///
  /// O(changed objects); reads nothing from the store.
  package func stagedObjects() -> [StagedObject] {
    tracked.compactMap { object in
      switch object.state {
      case .inserted:
        return StagedObject(
          entity: object.entity.index, key: object.key, kind: .inserted,
          changes: object.stagedChanges(), members: stagedMembers(of: object), row: [])
      case .deleted:
        return StagedObject(
          entity: object.entity.index, key: object.key, kind: .deleted, changes: [], members: [],
          row: object.knownRow())
      case .updated, .clean, .fault:
        let changes = object.stagedChanges()
        let members = stagedMembers(of: object)
        if changes.isEmpty, members.isEmpty { return nil }
        return StagedObject(
          entity: object.entity.index, key: object.key, kind: .updated, changes: changes,
          members: members, row: object.knownRow(), isRowGone: object.stagedRow == .gone)
      case .gone: return nil
      }
    }
  }

  private func stagedMembers(of object: ManagedObject) -> [StagedObject.MemberChange] {
    guard let extras = object.extras, !extras.toMany.isEmpty else { return [] }
    return object.entity.relationshipSlots.compactMap { slot in
      guard let state = extras.toMany[slot], state.isChanged, let link = object.entity.links[slot]
      else { return nil }
      let order = state.isReordered ? state.members ?? state.order : nil
      if schema.entities.inverse(of: link)?.kind == .toOne {
        // The rows of members record their additions and removals; only the order remains.
        guard let order, state.added.isEmpty, state.removed.isEmpty else { return nil }
        return StagedObject.MemberChange(slot: slot, added: [], removed: [], order: order)
      }
      // Both sides of a join table know of a pair; one of them records it.
      guard link.isCanonical || order != nil else { return nil }
      return StagedObject.MemberChange(
        slot: slot, added: state.added.byKey, removed: state.removed.sorted(), order: order)
    }
  }
}

extension ObjectGraph {
  /// The object of a row as if the given values, by slot, had been read. An object with staged changes is
  /// unchanged.
  ///
  /// - Parameter isRowGone: whether the row with these values is known to be deleted, so that a row with its
  ///   key is another one.
  package func object(
    entity: EntityIndex, key: RowKey, beginningFrom values: BySlot<Value>, isRowGone: Bool = false
  ) -> ManagedObject {
    let object = object(entity: entity, key: key)
    guard object.state == .clean || object.state == .fault else { return object }
    if isRowGone { object.stagedRow = .gone }
    let row = RowReference(values, key: key, columnCount: object.entity.slotCount)
    object.page = row.page
    object.row = Int32(row.row)
    object.state = .clean
    return object
  }
}

extension ManagedObject {
  fileprivate final func stagedChanges() -> [StagedObject.Change] {
    guard let extras, !extras.values.isEmpty else { return [] }
    return extras.changedSlots.compactMap { slot in
      let new = extras.values[slot]
      if state == .inserted {
        return new.isNull ? nil : StagedObject.Change(slot: slot, old: .null, new: new)
      }
      let stored = page?.value(row: Int(row), slot: slot) ?? .null
      guard let old = extras.conflictBases[slot] else {
        return StagedObject.Change(slot: slot, old: stored, new: new)
      }
      return StagedObject.Change(slot: slot, old: old, new: new, theirs: stored)
    }
  }

  fileprivate final func knownRow() -> BySlot<Value> {
    guard let page else { return [] }
    return BySlot(entity.slots.map { page.value(row: Int(row), slot: $0) })
  }

  /// Whether the members of a to-many relationship were changed since the last save.
  package final func hasStagedMembers(at slot: Slot) -> Bool {
    toManyState(slot)?.isChanged ?? false
  }
}
