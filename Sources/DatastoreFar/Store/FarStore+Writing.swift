package import DatastoreCore

/// What changes the store: each call is one transaction at the far end.
extension FarStore {
  package var isReadOnly: Bool { description.isReadOnly }

  private func write<Call: FarCall>(
    _ call: Call, unless isCancelled: (@Sendable () -> Bool)?
  ) throws -> Call.Answer {
    try line.call(call, FarLine.Manner(isCancelled: isCancelled, isWriting: true))
  }

  package func save(_ changes: ChangeSet) throws -> SaveResult { try save(changes, unless: nil) }

  package func save(
    _ changes: ChangeSet, unless isCancelled: (@Sendable () -> Bool)?
  ) throws -> SaveResult {
    let saved = try write(SaveCall(changes: FarChanges(changes)), unless: isCancelled)
    return try received { try saved.result(of: schema) }
  }

  package func update(
    entity: EntityIndex, where predicate: Predicate?,
    assigning assignments: [(slot: Slot, value: Value)],
    unless isCancelled: (@Sendable () -> Bool)?
  ) throws -> (MergedKeys, count: Int) {
    let changed = try write(
      UpdateCall(
        entity: entity, predicate: predicate,
        assignments: assignments.map { UpdateCall.Assignment(slot: $0.slot, value: $0.value) }),
      unless: isCancelled)
    return (try received { try changed.keys.keys(of: schema) }, changed.count)
  }

  package func delete(
    entity: EntityIndex, where predicate: Predicate?, unless isCancelled: (@Sendable () -> Bool)?
  ) throws -> MergedKeys {
    let keys = try write(
      DeleteCall(entity: entity, predicate: predicate), unless: isCancelled)
    return try received { try keys.keys(of: schema) }
  }

  package func execute(
    _ sql: String, _ arguments: [Value], unless isCancelled: (@Sendable () -> Bool)?
  ) throws -> SQLExecution {
    try write(ExecuteCall(sql: sql, arguments: arguments), unless: isCancelled)
  }

  package func writeRows(
    entity: EntityIndex, key slot: Slot?, _ body: (any RowTransaction) throws -> Void
  ) throws -> (MergedKeys, Int) {
    let rows = FarRowTransaction(self, entity, key: slot)
    do {
      try rows.begin()
      try body(rows)
      let written = try rows.commit()
      return (try received { try written.keys.keys(of: schema) }, written.count)
    } catch {
      rows.end()
      throw error
    }
  }

  /// - Throws: `StoreError.outcomeUnknown` where it was written, and what was said of it makes no sense.
  private func received<Result>(_ body: () throws -> Result) throws -> Result {
    do {
      return try body()
    } catch is FarLineFault {
      throw StoreError.outcomeUnknown(server: name)
    }
  }
}
