import Basics
package import DatastoreCore
import DatastoreSQL
import GRDB
import GRDBSQLite

/// Changes of many rows straight in the store, without objects.
extension SQLiteStore {
  /// Gives the stored rows that meet a condition new values.
  ///
  /// - Parameters:
  ///   - assignments: slots of attributes and to-one relationships (as keys) with their values.
  ///   - isCancelled: asked again and again meanwhile; when it says yes, everything is taken back.
  /// - Returns: the rows of which values or members of relationships have changed, and how many rows
  ///   met the condition.
  /// - Throws: `StoreError`; nothing is written then.
  package func update(
    entity: EntityIndex, where predicate: Predicate?,
    assigning assignments: [(slot: Slot, value: Value)],
    unless isCancelled: (@Sendable () -> Bool)? = nil
  ) throws -> (MergedKeys, count: Int) {
    try batchTransaction(unless: isCancelled) { database, hasTriggers in
      try requireWritable()
      try schema.requireWritable(entity)
      return try FileBatch(self, database, hasTriggers: hasTriggers)
        .update(entity, where: predicate, assigning: assignments)
    }
  }

  /// Deletes the stored rows that meet a condition, and does what the delete rules of their
  /// relationships say.
  ///
  /// - Returns: the rows that are gone, and those of which members of relationships have changed.
  /// - Throws: `ValidationError` where a rule denies it, `StoreError`; nothing is written then.
  package func delete(
    entity: EntityIndex, where predicate: Predicate?,
    unless isCancelled: (@Sendable () -> Bool)? = nil
  ) throws -> MergedKeys {
    try batchTransaction(unless: isCancelled) { database, hasTriggers in
      try requireWritable()
      try schema.requireWritable(entity)
      let batch = FileBatch(self, database, hasTriggers: hasTriggers)
      return (try batch.delete(entity, where: predicate), 0)
    }.0
  }

  /// A transaction of a batch operation, with what triggers do in its course.
  ///
  /// - Parameter body: is told whether there are triggers; returns the rows that it has changed itself, and
  ///   a number to pass on.
  func batchTransaction(
    unless isCancelled: (@Sendable () -> Bool)? = nil,
    _ body: (Database, _ hasTriggers: Bool) throws -> (MergedKeys, Int)
  ) throws -> (MergedKeys, count: Int) {
    try writeTransaction { database in
      try requireKnownTables(in: database)
      let hasTriggers = try hasTriggersOfOthers(in: database)
      let side = hasTriggers ? SideChanges(database, self.mapping) : nil
      var (changed, count) = try ProgressHandler.watch(database.sqliteConnection, isCancelled) {
        try body(database, hasTriggers)
      }
      if let side { changed.formUnion(side.merged(own: OwnRows(changed))) }
      return (changed, count)
    }
  }

  /// Whether the file has triggers that may change rows: those that keep indexes of words do not.
  private func hasTriggersOfOthers(in database: Database) throws -> Bool {
    let list = try RawStatement(
      "SELECT name FROM sqlite_master WHERE type = 'trigger'", in: database)
    defer { list.reset() }
    while try list.step() {
      if !wordTriggers.contains(list.value(at: 0).plainText.caselessKey) { return true }
    }
    return false
  }
}
