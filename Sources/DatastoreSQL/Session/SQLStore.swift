package import DatastoreCore

/// A store whose entities are tables: implements what follows from its mapping, for every engine.
package protocol SQLStore: StoreEngine {
  /// The mapping between entities and tables.
  var mapping: SchemaMapping { get }

  /// The value that a column will hold for a value stored in it.
  func stored(_ value: Value, in column: Column) -> Value

  /// Runs `body` in a transaction that changes many rows, which is rolled back when it throws.
  ///
  /// - Parameters:
  ///   - predicate: the condition of the rows that `body` looks for.
  ///   - body: returns its changes, and a number to pass on. May be run again if others write meanwhile.
  func changing(
    _ entity: EntityIndex, _ predicate: Predicate?, unless isCancelled: (@Sendable () -> Bool)?,
    _ body: (any BatchDatabase) throws -> (MergedKeys, count: Int)
  ) throws -> (MergedKeys, count: Int)
}

// What entities are in tables.
extension SQLStore {
  package var isNative: Bool { mapping.isNative }

  package func information(about entity: Entity) -> EntityInformation {
    mapping.information(about: entity, isReadOnly: isReadOnly)
  }

  package func storedColumns(of slot: Slot, in entity: Entity) -> [AnswerColumn] {
    mapping.storedColumns(of: slot, in: entity)
  }

  package func pairTable(of slot: Slot, in entity: Entity) -> PairTable? {
    mapping.pairTable(of: slot, in: entity)
  }

  package func keyColumn(of entity: Entity) -> AnswerColumn? { mapping.keyColumn(of: entity) }

  package func referenceValues(
    of slot: Slot, in entity: Entity, keys: [RowKey]
  ) throws -> [RowKey: [Value]]? {
    var dangling: [RowKey: [Value]] = [:]
    for key in keys where DanglingKey.isOne(key) {
      dangling[key] = mapping.keyTables.dangling.values(of: key)
    }
    let keys = keys.filter { !DanglingKey.isOne($0) }
    let values = try mapping.referenceValues(of: slot, in: entity, keys: keys, from: self)
    if dangling.isEmpty { return values }
    // If there are references that lead nowhere, ordinary keys are included, too.
    let stored = values ?? Dictionary(uniqueKeysWithValues: Set(keys).map { ($0, [.key($0)]) })
    return stored.merging(dangling) { stored, _ in stored }
  }

  package func countsQuickly(entity: EntityIndex, slot: Slot) -> Bool {
    schema.entities[entity].links[slot].map { mapping.countsQuickly($0) } ?? false
  }
}

// The values behind keys.
extension SQLStore {
  package func stored(_ value: Value, in column: Column) -> Value { value }

  package func keySlot(of entity: EntityIndex) -> Slot? { mapping.entities[entity].keySlot }

  package func isKeyPart(entity: EntityIndex, slot: Slot) -> Bool {
    mapping.entities[entity].isKeyPart(slot: slot)
  }

  package func keyValues(entity: EntityIndex, key: RowKey) -> [Value]? {
    mapping.keyValues(entity: entity, key: key)
  }

  package func key(entity: EntityIndex, values: [Value]) -> RowKey? {
    mapping.key(entity: entity, values: values)
  }

  package func key(ofNew entity: EntityIndex, values: (_ slot: Slot) -> Value) -> RowKey? {
    mapping.key(ofNew: entity, values: values) { stored($0, in: $1) }
  }
}

// Changes of many rows, which are the same for all engines.
extension SQLStore {
  package func update(
    entity: EntityIndex, where predicate: Predicate?,
    assigning assignments: [(slot: Slot, value: Value)],
    unless isCancelled: (@Sendable () -> Bool)? = nil
  ) throws -> (MergedKeys, count: Int) {
    try changing(entity, predicate, unless: isCancelled) { batch in
      try batch.update(entity, where: predicate, assigning: assignments)
    }
  }

  package func delete(
    entity: EntityIndex, where predicate: Predicate?,
    unless isCancelled: (@Sendable () -> Bool)? = nil
  ) throws -> MergedKeys {
    try changing(entity, predicate, unless: isCancelled) { batch in
      (try batch.delete(entity, where: predicate), 0)
    }.0
  }
}
