import Basics
import DatastoreCore
import DatastoreSQL
import GRDB
import GRDBSQLite

extension SchemaMapping {
  /// The tables in which rows of entities are written or looked up, by their names in lower case.
  func tables(of entities: Set<EntityIndex>) -> Set<String> {
    var names: Set<String> = []
    for entity in entities {
      names.insert(self.entities[entity].table.caselessKey)
      for slot in self.entities[entity].slots {
        switch slot {
        case .toOne(let foreign):
          names.insert(self.entities[foreign.destination].table.caselessKey)
        case .toManyJoin(let join): names.insert(join.table.caselessKey)
        case .attribute, .toManyForeignKey: continue
        }
      }
    }
    return names
  }

  /// The least and the greatest key of an entity's table; nil if it has no rowids or no rows.
  func keyRange(of entity: Entity, in database: Database) throws -> ClosedRange<RowKey>? {
    let mapped = entities[entity.index]
    guard case .rowid(let key) = mapped.key else { return nil }
    let statement = try RawStatement(
      """
      SELECT (SELECT min(\(name: key)) FROM \(name: mapped.table)), \
      (SELECT max(\(name: key)) FROM \(name: mapped.table))
      """, in: database, isCached: true)
    defer { statement.reset() }
    guard try statement.step(), case .integer(let least) = statement.value(at: 0),
      case .integer(let greatest) = statement.value(at: 1)
    else { return nil }
    return RowKey(least)...RowKey(greatest)
  }

  /// The existing rows among those of the keys, each found by itself.
  ///
  /// - Throws: `CancellationError`, checked once a page, if reading may be cancelled.
  func rowsOneByOne(
    _ entity: EntityIndex, _ keys: [RowKey], isCancellable: Bool, in database: Database
  ) throws -> [RowPage] {
    let statement = try RawStatement(
      QueryBuilder(self).row(entity), in: database, isCached: true)
    defer { statement.reset() }
    let reader = RowReader(self, entity: entity)
    var pages = FilledPages(
      columnCount: schema.entities[entity].pageColumnCount, expecting: keys.count)
    for key in keys {
      sqlite3_reset(statement.pointer)
      statement.bind(key, at: 1)
      guard try statement.step() else { continue }
      let page = try isCancellable ? pages.next() : pages.nextUnchecked()
      try reader.readAny(statement.pointer, key: key, into: page)
    }
    return pages.finish()
  }

  /// The tables of a native file with this mapping.
  func nativeTables() throws -> [FileTable] {
    let own = fileSchema === schema ? self : .native(fileSchema)
    let model = try DatabaseQueue()
    return try model.inDatabase { database in
      for statement in NativeTables(mapping: own).statements {
        try RawStatement(statement, in: database).run()
      }
      return try FileTable.all(in: database)
    }
  }
}
