import DatastoreCore

// Calls that change the store, each in its own transaction.

struct SaveCall: FarCall {
  let changes: FarChanges

  func answer(in work: FarWork) throws -> FarSaveResult {
    let store = try work.session.store
    return FarSaveResult(
      try store.save(changes.changes(of: store.schema), unless: work.isCancelled))
  }
}

struct UpdateCall: FarCall {
  struct Assignment: Codable, Sendable {
    let slot: Slot
    let value: Value
  }

  let entity: EntityIndex
  let predicate: Predicate?
  let assignments: [Assignment]

  func answer(in work: FarWork) throws -> WrittenRowsAnswer {
    let store = try work.session.store
    for assignment in assignments {
      _ = try store.schema.property(at: assignment.slot, of: entity)
    }
    let (keys, count) = try store.update(
      entity: entity, where: predicate, assigning: assignments.map { ($0.slot, $0.value) },
      unless: work.isCancelled)
    return WrittenRowsAnswer(keys: FarMergedKeys(keys), count: count)
  }
}

struct DeleteCall: FarCall {
  let entity: EntityIndex
  let predicate: Predicate?

  func answer(in work: FarWork) throws -> FarMergedKeys {
    let store = try work.session.store
    _ = try store.schema.entity(at: entity)
    return FarMergedKeys(
      try store.delete(entity: entity, where: predicate, unless: work.isCancelled))
  }
}

struct ExecuteCall: FarCall {
  let sql: String
  let arguments: [Value]

  func answer(in work: FarWork) throws -> SQLExecution {
    try work.session.store.execute(sql, arguments, unless: work.isCancelled)
  }
}

// Keys.

/// Makes new keys, consecutive if the store makes them so.
struct MakeKeysCall: FarCall {
  let entity: EntityIndex
  let count: Int

  func answer(in work: FarWork) throws -> FarKeys {
    let store = try work.session.store
    _ = try store.schema.entity(at: entity)
    return FarKeys(
      try (0..<min(max(count, 0), 4096)).map { _ in try store.makeKey(entity: entity) })
  }
}

struct MakeKeyBesidesCall: FarCall {
  let entity: EntityIndex
  let key: RowKey

  func answer(in work: FarWork) throws -> RowKey {
    let store = try work.session.store
    _ = try store.schema.entity(at: entity)
    return try store.makeKey(entity: entity, besides: key)
  }
}

struct ReserveCall: FarCall {
  let entity: EntityIndex
  let keys: FarKeys

  func answer(in work: FarWork) throws -> FarNothing {
    let store = try work.session.store
    _ = try store.schema.entity(at: entity)
    try store.reserve(keys.keys, entity: entity)
    return FarNothing()
  }
}

struct KeyValuesCall: FarCall {
  let entity: EntityIndex
  let keys: [RowKey]

  func answer(in work: FarWork) throws -> [[Value]?] {
    let store = try work.session.store
    _ = try store.schema.entity(at: entity)
    return keys.map { store.keyValues(entity: entity, key: $0) }
  }
}

struct KeyCall: FarCall {
  let entity: EntityIndex
  let values: [Value]
  /// Whether the values are those of a new row by its slots, not those of the key.
  let isNew: Bool

  func answer(in work: FarWork) throws -> RowKey? {
    let store = try work.session.store
    let entity = try store.schema.entity(at: entity)
    guard isNew else { return store.key(entity: entity.index, values: values) }
    guard values.count == entity.slots.count else {
      throw FarLineFault("a row has fewer columns than its table")
    }
    return store.key(ofNew: entity.index) { values[$0.rawValue] }
  }
}
