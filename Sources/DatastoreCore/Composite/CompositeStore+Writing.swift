/// Writing without objects, each time in one store, and writes by others.
extension CompositeStore {
  package var isReadOnly: Bool { all.allSatisfy(\.store.isReadOnly) }

  package func update(
    entity: EntityIndex, where predicate: Predicate?,
    assigning assignments: [(slot: Slot, value: Value)],
    unless isCancelled: (@Sendable () -> Bool)?
  ) throws -> (MergedKeys, count: Int) {
    var count = 0
    let changed = try eachStore(of: entity, where: predicate) { part, predicate in
      let own = try assignments.map { slot, value in
        (slot: slot, value: try self.own(value, at: slot, of: entity, in: part))
      }
      let (changed, updated) = try part.store.update(
        entity: entity, where: predicate, assigning: own, unless: isCancelled)
      count += updated
      return changed
    }
    return (changed, count)
  }

  package func delete(
    entity: EntityIndex, where predicate: Predicate?, unless isCancelled: (@Sendable () -> Bool)?
  ) throws -> MergedKeys {
    try eachStore(of: entity, where: predicate) { part, predicate in
      try part.store.delete(entity: entity, where: predicate, unless: isCancelled)
    }
  }

  /// Writes in the stores that hold rows of an entity which meet a condition, one after the other.
  ///
  /// - Throws: the errors of `write` if nothing is written then; `StoreError.savedInPart` otherwise.
  private func eachStore(
    of entity: EntityIndex, where predicate: Predicate?,
    _ write: (Part, Predicate?) throws -> MergedKeys
  ) throws -> MergedKeys {
    let holders = holders(of: entity)
    if holders.isEmpty { throw schema.noStore(of: entity) }
    var changed = MergedKeys()
    var written: [Part] = []
    let asked = holders.compactMap { part -> (part: Part, predicate: Predicate?)? in
      let own = predicate.map { part.shift.own($0, of: schema.entities[entity]) }
      return own == .constant(false) ? nil : (part, own == .constant(true) ? nil : own)
    }
    for (part, predicate) in asked {
      do {
        let own = try part.shift.telling { try write(part, predicate) }
        changed.formUnion(part.shift.shared(own))
        written.append(part)
      } catch {
        guard !written.isEmpty else { throw error }
        let unsaved = asked.map(\.part.name).dropFirst(written.count)
        throw StoreError.savedInPart(
          saved: written.map(\.name), unsaved: Array(unsaved), reason: "\(error)")
      }
    }
    return changed
  }

  /// A value for rows of a store, with the store's own keys.
  ///
  /// - Throws: `StoreError.acrossStores` for a relationship to a row of another one.
  private func own(
    _ value: Value, at slot: Slot, of entity: EntityIndex, in part: Part
  ) throws -> Value {
    guard let link = schema.entities[entity].links[slot], let key = value.key else { return value }
    guard holder(of: link.destination, key: key)?.store === part.store else {
      throw StoreError.acrossStores(
        entity: schema.entities[entity].name, property: link.description.name)
    }
    return part.shift.own(value, of: link.destination)
  }

  package func writeRows(
    entity: EntityIndex, key slot: Slot?, _ body: (any RowTransaction) throws -> Void
  ) throws -> (MergedKeys, Int) {
    try part(entity).store.writeRows(entity: entity, key: slot, body)
  }

  package func execute(
    _ sql: String, _ arguments: [Value], unless isCancelled: (@Sendable () -> Bool)?
  ) throws -> SQLExecution {
    try only("A statement in SQL").execute(sql, arguments, unless: isCancelled)
  }

  /// Checks all stores, so that each reports its changes only once. Changes in one are reported even when
  /// another cannot be read, which throws the next time.
  package func externalChanges() throws -> [ExternalChange] {
    var changes: [ExternalChange] = []
    var failure: (any Error)?
    for part in all {
      do {
        changes += try part.store.externalChanges().map { change in
          ExternalChange(keys: part.shift.shared(change.keys), author: change.author)
        }
      } catch {
        failure = failure ?? error
      }
    }
    if let failure, changes.isEmpty { throw failure }
    return changes
  }

  package func listen(_ told: @escaping @Sendable () -> Void) -> (any Sendable & AnyObject)? {
    let listeners = all.compactMap { $0.store.listen(told) }
    return listeners.isEmpty ? nil : CompositeListener(listeners: listeners)
  }

  package func haveTablesChanged() throws -> Bool {
    try all.contains { try $0.store.haveTablesChanged() }
  }

  package func markShared() {
    for part in all { part.store.markShared() }
  }

  package func snapshot() throws -> (any StoreSnapshot)? {
    var states: [(state: any StoreSnapshot, part: Part)] = []
    var isComplete = false
    defer { if !isComplete { for (state, _) in states { state.closeSnapshot() } } }
    for part in all {
      guard let state = try part.store.snapshot() else { return nil }
      states.append((state, part))
    }
    isComplete = true
    return CompositeSnapshot(self, states)
  }

  package var snapshotRefusal: String {
    let refusing = all.first { part in
      guard let state = try? part.store.snapshot() else { return true }
      state.closeSnapshot()
      return false
    }
    return refusing?.store.snapshotRefusal ?? "A state of the stores can be kept now."
  }

  package func keySlot(of entity: EntityIndex) -> Slot? {
    // If several stores hold the entity, none of them shows its keys as contexts know them.
    let holders = holders(of: entity)
    return holders.count == 1 ? holders[0].store.keySlot(of: entity) : nil
  }

  package func keyValues(entity: EntityIndex, key: RowKey) -> [Value]? {
    guard let part = holder(of: entity, key: key) else { return nil }
    return part.store.keyValues(entity: entity, key: part.shift.own(key, of: entity))
  }

  package func key(entity: EntityIndex, values: [Value]) -> RowKey? {
    guard let part = try? part(entity) else { return nil }
    return part.store.key(entity: entity, values: values)
  }

  package func key(ofNew entity: EntityIndex, values: (_ slot: Slot) -> Value) -> RowKey? {
    guard let part = try? part(entity) else { return nil }
    return part.store.key(ofNew: entity, values: values)
  }

  package func reserve(_ keys: [RowKey], entity: EntityIndex) throws {
    let holders = holders(of: entity)
    for (rank, part) in holders.enumerated() {
      let own = keys.filter { holders.count == 1 || KeyShift.rank(of: $0) == rank }
      if !own.isEmpty {
        try part.store.reserve(part.shift.own(own, of: entity), entity: entity)
      }
    }
  }
}

/// The stores of new and existing rows.
extension CompositeStore {
  package func makeKey(entity: EntityIndex) throws -> RowKey {
    let part = try part(entity)
    return part.shift.shared(try part.store.makeKey(entity: entity), of: entity)
  }

  package func makeKey(entity: EntityIndex, in stores: StoreSelection) throws -> RowKey {
    let meant = try holders(of: entity, in: stores)
    guard meant.count == 1 else {
      throw StoreError.severalStores(
        entity: schema.entities[entity].name, stores: meant.map(\.description.description))
    }
    return meant[0].shift.shared(try meant[0].store.makeKey(entity: entity), of: entity)
  }

  package func makeKey(entity: EntityIndex, besides key: RowKey) throws -> RowKey {
    guard let part = holder(of: entity, key: key) else { throw schema.noStore(of: entity) }
    return part.shift.shared(try part.store.makeKey(entity: entity), of: entity)
  }

  package func keys(
    of entity: EntityIndex, in stores: StoreSelection
  ) throws -> [ClosedRange<RowKey>]? {
    let meant = try holders(of: entity, in: stores)
    if meant.count == holders(of: entity).count { return nil }
    return meant.map { KeyShift.keys(ofRank: $0.shift.ranks[entity]) }
  }

  private func holders(of entity: EntityIndex, in stores: StoreSelection) throws -> [Part] {
    let holders = holders(of: entity)
    if holders.isEmpty { throw schema.noStore(of: entity) }
    let meant = holders.filter { stores.contains($0.description) }
    guard !meant.isEmpty else {
      throw StoreError.notInStore(
        entity: schema.entities[entity].name, wanted: stores.names,
        stores: holders.map(\.description.description))
    }
    return meant
  }

  /// The store of a row.
  package func description(of entity: EntityIndex, key: RowKey) -> StoreDescription? {
    holder(of: entity, key: key)?.description
  }

  package var hasSharedEntities: Bool {
    schema.entities.contains { holders(of: $0.index).count > 1 }
  }

  package func areTogether(
    _ entity: EntityIndex, _ key: RowKey, _ other: EntityIndex, _ otherKey: RowKey
  ) -> Bool {
    // For a key that no store has assigned, the save reports more.
    guard let one = holder(of: entity, key: key), let two = holder(of: other, key: otherKey)
    else { return true }
    return one.store === two.store
  }
}

/// Listens to several stores.
private final class CompositeListener: Sendable {
  let listeners: [any Sendable & AnyObject]

  init(listeners: [any Sendable & AnyObject]) { self.listeners = listeners }
}
