import DatastoreCore
import DatastoreSQL
import GRDB
import GRDBSQLite

/// Finds rows by the values of an indexed column, one by one with a single statement: a list of values in a
/// condition would have to be written and parsed for each batch.
///
/// Only if SQLite's `=` is equality of values, and a single table is searched.
struct RowLookup {
  private let statement: RawStatement
  private let reader: RowReader
  private let isUnique: Bool

  /// nil if rows have to be found in another way.
  init?(
    _ mapping: SchemaMapping, _ entity: Entity, _ slot: Slot, in database: Database
  ) throws {
    let mapped = mapping.entities[entity.index]
    guard case .rowid = mapped.key, mapped.family == nil, mapped.cellRules.isEmpty,
      case .attribute(let column) = mapped.slots[slot], column.isBinary,
      let attribute = entity.properties[slot].attribute,
      attribute.isUnique || attribute.isIndexed, Self.isExact(attribute.type, column.affinity)
    else { return nil }
    let builder = QueryBuilder(mapping)
    let scope = builder.makeScope(entity.index)
    statement = try RawStatement(
      """
      SELECT \(builder.rowColumns(entity.index, scope.alias))\(builder.from(scope)) \
      WHERE \(builder.column(scope.alias, column.name)) = ?1 \
      ORDER BY \(builder.key(entity.index, scope.alias))
      """, in: database)
    reader = RowReader(mapping, entity: entity.index)
    isUnique = attribute.isUnique
  }

  /// Whether a column of an affinity holds values of the type and no others that could be equal.
  private static func isExact(_ type: AttributeType, _ affinity: Affinity) -> Bool {
    switch type {
    case .integer8, .integer16, .integer32, .integer64: affinity == .integer
    case .string: affinity == .text
    case .uuid, .data: affinity == .blob
    default: false
    }
  }

  /// The first row whose value equals the one that `bind` sets, its number in the page, and how many rows
  /// have the value; nil if there is none. The page can be read once it is sealed.
  func row(
    into pages: inout RowReader.Pages, _ bind: (RawStatement) throws -> Void
  ) throws -> (page: RowPage, row: Int, count: Int)? {
    sqlite3_reset(statement.pointer)
    try bind(statement)
    guard try statement.step() else { return nil }
    let page = try pages.next()
    reader.read(statement.pointer, key: statement.key(at: 0), into: page)
    var count = 1
    while !isUnique, try statement.step() { count += 1 }
    return (page, page.rowCount - 1, count)
  }

  /// Releases the bound values.
  func end() { statement.reset() }
}
