import Basics
package import DatastoreCore
package import DatastoreSQL
import GRDB
import GRDBSQLite

/// Changes of many rows directly in the store, without objects.
extension SQLiteStore {
  package func changing(
    _ entity: EntityIndex, _ predicate: Predicate?, unless isCancelled: (@Sendable () -> Bool)?,
    _ body: (any BatchDatabase) throws -> (MergedKeys, count: Int)
  ) throws -> (MergedKeys, count: Int) {
    try batchTransaction(unless: isCancelled) { database, hasTriggers in
      try requireWritable()
      try schema.requireWritable(entity)
      return try body(FileBatch(self, database, hasTriggers: hasTriggers))
    }
  }

  /// Runs a transaction of a batch operation, and adds the changes made by triggers.
  ///
  /// - Parameter body: receives whether there are triggers; returns the rows that it has changed itself, and
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

  /// Whether the file has triggers that may change rows: those for indexes of words do not.
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
