import Basics
package import DatastoreCore
import DatastoreSQL
import GRDB
import GRDBSQLite

extension SQLiteStore {
  /// The members of a to-many relationship of many owners, as rows, with one statement.
  package func relatedRows(entity: EntityIndex, slot: Slot, keys: [RowKey]) throws
    -> RelatedRowPages
  {
    try read { database in
      let builder = QueryBuilder(self.mapping)
      guard let link = self.schema.entities[entity].links[slot], link.kind.isToMany else {
        trap("only to-many relationships lead to many rows")
      }
      let statement = try RawStatement(builder.relatedRows(link), in: database, isCached: true)
      defer { statement.reset() }
      try statement.bind(.text(keys.jsonText), at: 1)
      let reader = RowReader(self.mapping, entity: link.destination)
      var pages = RowReader.Pages(
        columnCount: self.schema.entities[link.destination].pageColumnCount, expecting: keys.count)
      var members: [RowKey: [RowKey]] = [:]
      let owner = sqlite3_column_count(statement.pointer) - 1
      while try statement.step() {
        let key = statement.key(at: 0)
        try reader.readAny(statement.pointer, key: key, into: try pages.next())
        members[statement.key(at: owner), default: []].append(key)
      }
      return RelatedRowPages(pages: pages.finish(), members: members)
    }
  }
}
