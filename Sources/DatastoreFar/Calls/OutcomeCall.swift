import DatastoreCore

/// The outcome of a save whose answer was lost.
enum FarOutcome: String, Codable, Sendable {
  case saved, notSaved
  /// The rows do not show it, because others have written them since.
  case unknown
}

/// Asks over the next line for the outcome of a save whose answer was lost.
struct OutcomeCall: FarCall {
  /// The far end that was to save; nil if the system there does not identify processes.
  let former: FarProcess?
  let changes: FarChanges

  func answer(in work: FarWork) throws -> FarOutcome {
    // First, because a process that still runs could save afterwards.
    let hasEnded = former?.end() ?? false
    let store = try work.session.store
    let outcome = try changes.changes(of: store.schema).outcome(in: store)
    return outcome == .notSaved && !hasEnded ? .unknown : outcome
  }
}

extension ChangeSet {
  /// The outcome of saving these changes, judged by the present rows of a store.
  ///
  /// A save is all or nothing, so one change found in the store speaks for all of them, unless another one
  /// contradicts it. Rows with other values, which others have written, prove nothing.
  ///
  /// - Throws: errors of the store.
  func outcome(in store: any ReadableStore) throws -> FarOutcome {
    var traces = SaveTraces()
    for changes in entities {
      let entity = store.schema.entities[changes.entity]
      let keys = changes.writtenKeys + changes.deleted.map(\.key)
      var stored: [RowKey: RowReference] = [:]
      for page in try store.rows(entity: changes.entity, keys: keys) {
        for row in 0..<page.rowCount { stored[page.key(ofRow: row)] = RowReference(page, row) }
      }
      traces.look(for: changes, of: entity, in: stored)
    }
    for link in links {
      func isThere(_ pair: (source: RowKey, destination: RowKey)) throws -> Bool {
        try store.relatedKeys(entity: link.entity, slot: link.slot, key: pair.source)
          .contains(pair.destination)
      }
      for pair in link.added { traces.add(isDone: try isThere(pair)) }
      for pair in link.removed { traces.add(isDone: try !isThere(pair)) }
    }
    for order in orders {
      let members = try store.relatedKeys(entity: order.entity, slot: order.slot, key: order.key)
      // The order before the save is unknown.
      if members == order.members { traces.add(isDone: true) }
    }
    return traces.outcome
  }
}

extension EntityChanges {
  /// The keys of the rows that exist after the save.
  var writtenKeys: [RowKey] {
    inserted.flatMap { page in (0..<page.rowCount).map { page.key(ofRow: $0) } }
      + updated.map(\.key)
  }
}

/// The evidence for and against a save in the rows of a store.
private struct SaveTraces {
  private var isDoneSomewhere = false
  private var isMissingSomewhere = false

  mutating func add(isDone: Bool) {
    if isDone { isDoneSomewhere = true } else { isMissingSomewhere = true }
  }

  var outcome: FarOutcome {
    switch (isDoneSomewhere, isMissingSomewhere) {
    case (true, false): .saved
    case (false, true): .notSaved
    default: .unknown
    }
  }

  mutating func look(
    for changes: EntityChanges, of entity: Entity, in stored: [RowKey: RowReference]
  ) {
    func isSame(_ left: RowReference, _ right: RowReference, at slots: some Sequence<Slot>) -> Bool
    {
      slots.allSatisfy { left.isSame(as: right, slot: $0) }
    }
    for page in changes.inserted {
      for row in 0..<page.rowCount {
        guard let found = stored[page.key(ofRow: row)] else {
          add(isDone: false)
          continue
        }
        if isSame(found, RowReference(page, row), at: entity.slots) { add(isDone: true) }
      }
    }
    for update in changes.updated {
      guard let found = stored[update.key] else { continue }
      let new = RowReference(update.page, update.row)
      let original = RowReference(update.original, update.originalRow)
      if isSame(new, original, at: update.slots) { continue }
      if isSame(found, new, at: update.slots) { add(isDone: true) }
      if isSame(found, original, at: update.slots) { add(isDone: false) }
    }
    for deletion in changes.deleted {
      guard let found = stored[deletion.key] else {
        add(isDone: true)
        continue
      }
      let original = deletion.original.map { RowReference($0, deletion.originalRow) }
      if original.map({ isSame(found, $0, at: entity.slots) }) ?? true { add(isDone: false) }
    }
  }
}
