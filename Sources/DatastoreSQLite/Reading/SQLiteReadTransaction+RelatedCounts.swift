import Basics
package import DatastoreCore
import DatastoreSQL
import GRDB
import GRDBSQLite

/// How many objects to-many relationships lead to, for lists that show numbers and not members: one statement
/// for many owners.
extension SQLiteReadTransaction {
  func answer(_ question: RelatedCountsQuestion) throws -> [RowKey: Int] {
    guard let link = schema.entities[question.entity].links[question.slot], link.kind.isToMany
    else {
      trap("only to-many relationships lead to many objects")
    }
    let statement = try RawStatement(
      QueryBuilder(mapping).relatedCounts(link), in: database, isCached: true)
    defer { statement.reset() }
    try statement.bind(.text(question.keys.jsonText), at: 1)
    var counts: [RowKey: Int] = [:]
    while try statement.step() {
      counts[statement.key(at: 0)] = Int(
        sqlite3_column_int64(statement.pointer, 1))
    }
    return counts
  }
}

extension SQLiteStore {
  package func countsQuickly(entity: EntityIndex, slot: Slot) -> Bool {
    schema.entities[entity].links[slot].map { mapping.countsQuickly($0) } ?? false
  }
}
