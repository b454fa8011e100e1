import Basics
package import DatastoreCore
package import DatastoreSQL
import GRDB

extension SQLiteStore {
  /// - Parameter isCancelled: called again and again while rows are written, on the writing thread; if it
  ///   returns true, everything is rolled back.
  /// - Throws: `ConflictError` and `StoreError`, and `CancellationError` if it was cancelled; nothing is
  ///   written then.
  package func save(
    _ changes: ChangeSet, unless isCancelled: (@Sendable () -> Bool)?
  ) throws -> SaveResult {
    if changes.isEmpty { return SaveResult() }
    return try save(changes, unless: isCancelled) { _ in }
  }

  /// - Parameter finish: the last step in the transaction.
  func save(
    _ changes: ChangeSet, unless isCancelled: (@Sendable () -> Bool)?,
    finish: (SaveTransaction) throws -> Void
  ) throws -> SaveResult {
    try requireWritable()
    return try write { database in
      let transaction = SaveTransaction(self, changes, database)
      try begin(database)
      do {
        if !self.mapping.isNative {
          // Constraints of other files may be immediate; they only have to hold at the end.
          try database.execute(sql: "PRAGMA defer_foreign_keys = ON")
        }
        let side = try transaction.hasTriggers() ? SideChanges(database, self.mapping) : nil
        transaction.sideChanges = side
        var result = try ProgressHandler.watch(database.sqliteConnection, isCancelled) {
          try transaction.runVerified()
        }
        try finish(transaction)
        // After the commit the save is done: it can no longer be cancelled.
        try transaction.commit()
        if let side {
          result.sideChanges = side.merged(
            own: OwnRows(changes, rekeyed: transaction.rekeyed, self.mapping))
        }
        // Rows without staged changes were moved as well, or refer to others now.
        if !result.moved.isEmpty || self.mapping.setsDefaults(in: changes) {
          result.sideChanges.isEverything = true
        }
        return result
      } catch {
        // The first error is the one to report; SQLite may already have rolled back itself.
        rollBack(database)
        throw error
      }
    }
  }

  package func isKeyPart(entity: EntityIndex, slot: Slot) -> Bool {
    complete.entities[entity].isKeyPart(slot: slot)
  }

  package func makeKey(entity: EntityIndex) throws -> RowKey {
    guard case .rowid = complete.entities[entity].key else {
      return complete.keyTables[entity].makeNumber()
    }
    return reserveKeys(1, of: try findNextKey(of: entity))
  }

  /// Reads the last key of a table, if it is not known yet and keys are counted up.
  ///
  /// - Returns: the entity whose keys are counted.
  @discardableResult
  func findNextKey(of entity: EntityIndex) throws -> EntityIndex {
    let root = schema.entities[entity].root
    guard case .rowid = complete.entities[entity].key,
      nextKeys.withLock({ $0[root] == nil })
    else { return root }
    let last = try read { try self.lastKey(of: root, in: $0) }
    nextKeys.withLock { $0.raise(root, above: last) }
    return root
  }

  /// Reserves consecutive keys, and returns the first. Traps unless the next one was found before.
  func reserveKeys(_ count: Int, of root: EntityIndex) -> RowKey {
    nextKeys.withLock { next in
      guard let first = next[root] else { trap("The next key is not known yet.") }
      next[root] = RowKey(first.rawValue &+ Int64(count))
      return first
    }
  }

  /// Returns the last keys made, from the given one on, for the next rows.
  func giveBackKeys(_ first: RowKey, _ count: Int64, of root: EntityIndex) {
    nextKeys.withLock { next in
      if next[root] == RowKey(first.rawValue &+ count) { next[root] = first }
    }
  }

  package func stored(_ value: Value, in column: DatastoreSQL.Column) -> Value {
    column.affinity.converted(value)
  }

  /// Prevents new objects from getting the given keys, for keys made by counting.
  package func reserve(_ keys: [RowKey], entity: EntityIndex) throws {
    guard case .rowid = mapping.entities[entity].key, let greatest = keys.max() else { return }
    let entity = schema.entities[entity].root
    let last = try read { try self.lastKey(of: entity, in: $0) }
    nextKeys.withLock { $0.raise(entity, above: max(last, greatest)) }
  }

  /// Prevents new objects from getting keys that someone else has assigned to rows meanwhile.
  func raiseNextKeys(in database: Database) throws {
    let next = nextKeys.withLock { $0 }
    for root in next.indices where next[root] != nil {
      let last = try lastKey(of: root, in: database)
      nextKeys.withLock { $0.raise(root, above: last) }
    }
  }

  /// A key that no row has, on the saving connection.
  func makeKey(entity: EntityIndex, in database: Database) throws -> RowKey {
    let root = schema.entities[entity].root
    let last = try lastKey(of: root, in: database)
    nextKeys.withLock { $0.raise(root, above: last) }
    return reserveKeys(1, of: root)
  }
}

extension ByEntity<RowKey?> {
  fileprivate mutating func raise(_ entity: EntityIndex, above last: RowKey) {
    // If the greatest possible key is in use, only the negative ones remain, which no one else counts up.
    let next = RowKey(last.rawValue == .max ? .min + 1 : last.rawValue + 1)
    self[entity] = Swift.max(self[entity] ?? next, next)
  }
}
