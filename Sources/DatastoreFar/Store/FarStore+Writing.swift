package import DatastoreCore

/// A save whose outcome is unknown.
struct FarDoubt: Sendable {
  /// The process that was to save; nil if unknown.
  let process: FarProcess?
}

/// Changes of the store: each call is a transaction at the far end.
extension FarStore {
  package var isReadOnly: Bool { description.isReadOnly }

  private func write<Call: FarCall>(
    _ call: Call, unless isCancelled: (@Sendable () -> Bool)?
  ) throws -> Call.Answer {
    try line.call(call, FarLine.Manner(isCancelled: isCancelled, isWriting: true))
  }

  package func save(
    _ changes: ChangeSet, unless isCancelled: (@Sendable () -> Bool)?
  ) throws -> SaveResult {
    let sent = FarChanges(changes)
    if let doubt = doubt.withLock({ $0 }) {
      // The outcome of an earlier save is still unknown, and these may be the same changes.
      guard let outcome = try? outcome(of: sent, doubt) else {
        throw StoreError.outcomeUnknown(server: name)
      }
      if outcome == .saved { return SaveResult(saved: changes) }
    }
    let (line, process) = connection.lineToSaveOn
    do {
      let manner = FarLine.Manner(isCancelled: isCancelled, isWriting: true)
      let saved = try line.call(SaveCall(changes: sent), manner)
      return try received { try saved.result(of: schema) }
    } catch StoreError.outcomeUnknown {
      let doubt = FarDoubt(process: process)
      self.doubt.withLock { $0 = doubt }
      switch (try? outcome(of: sent, doubt)) ?? .unknown {
      case .saved: return SaveResult(saved: changes)
      case .notSaved:
        throw StoreError.connectionLost(server: name, detail: "it ended before the save was done")
      case .unknown: throw StoreError.outcomeUnknown(server: name)
      }
    }
  }

  /// Asks over the next line for the outcome of a save. An answer, whatever it is, settles the doubt.
  ///
  /// - Returns: nil if the far end cannot be asked yet.
  private func outcome(of changes: FarChanges, _ doubt: FarDoubt) throws -> FarOutcome? {
    let line = connection.lineToSaveOn.line
    if line.hasEnded { return nil }
    let outcome = try line.call(OutcomeCall(former: doubt.process, changes: changes))
    self.doubt.withLock { $0 = nil }
    return outcome
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

  /// - Throws: `StoreError.outcomeUnknown` if the far end has written, but its answer is invalid.
  private func received<Result>(_ body: () throws -> Result) throws -> Result {
    do {
      return try body()
    } catch is FarLineFault {
      throw StoreError.outcomeUnknown(server: name)
    }
  }
}

extension SaveResult {
  /// Creates the result of a save that has succeeded but has no known details: its rows are read again.
  fileprivate init(saved changes: ChangeSet) {
    self.init()
    for entity in changes.entities { stale[entity.entity] = entity.writtenKeys }
  }
}
