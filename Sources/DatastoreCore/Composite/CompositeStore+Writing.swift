/// Writing without objects, each time in one store, and what others write.
extension CompositeStore {
  package var isReadOnly: Bool { all.allSatisfy(\.store.isReadOnly) }

  package func update(
    entity: EntityIndex, where predicate: Predicate?,
    assigning assignments: [(slot: Slot, value: Value)],
    unless isCancelled: (@Sendable () -> Bool)?
  ) throws -> (MergedKeys, count: Int) {
    try part(entity).store.update(
      entity: entity, where: predicate, assigning: assignments, unless: isCancelled)
  }

  package func delete(
    entity: EntityIndex, where predicate: Predicate?, unless isCancelled: (@Sendable () -> Bool)?
  ) throws -> MergedKeys {
    try part(entity).store.delete(entity: entity, where: predicate, unless: isCancelled)
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

  /// Asks all of them: none is to report again what was told with the others. What has changed in one is told even when
  /// another one cannot be asked, which throws the next time.
  package func externalChanges() throws -> [ExternalChange] {
    var changes: [ExternalChange] = []
    var failure: (any Error)?
    for part in all {
      do {
        changes += try part.store.externalChanges()
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

  package func noteSharing() {
    for part in all { part.store.noteSharing() }
  }

  package func snapshot() throws -> (any StoreSnapshot)? {
    var states: [(state: any StoreSnapshot, entities: Set<EntityIndex>)] = []
    var isComplete = false
    defer { if !isComplete { for (state, _) in states { state.closeSnapshot() } } }
    for part in all {
      guard let state = try part.store.snapshot() else { return nil }
      states.append((state, part.entities))
    }
    isComplete = true
    return CompositeSnapshot(schema, states)
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
    holder(of: entity)?.store.keySlot(of: entity)
  }

  package func keyValues(entity: EntityIndex, key: RowKey) -> [Value]? {
    holder(of: entity)?.store.keyValues(entity: entity, key: key)
  }

  package func key(entity: EntityIndex, values: [Value]) -> RowKey? {
    holder(of: entity)?.store.key(entity: entity, values: values)
  }

  package func key(ofNew entity: EntityIndex, values: (_ slot: Slot) -> Value) -> RowKey? {
    holder(of: entity)?.store.key(ofNew: entity, values: values)
  }

  package func reserve(_ keys: [RowKey], entity: EntityIndex) throws {
    try part(entity).store.reserve(keys, entity: entity)
  }
}

/// Listens to several stores.
private final class CompositeListener: Sendable {
  let listeners: [any Sendable & AnyObject]

  init(listeners: [any Sendable & AnyObject]) { self.listeners = listeners }
}
