import DatastoreCore
import DatastoreSQL
import GRDB

/// Finds rows by the values of a column that has an index, one after another by one statement: a list of values in a
/// condition would have to be written and parsed for each batch.
///
/// Only where `=` of SQLite is equality of values, and one table is looked at.
struct RowLookup {
  private let statement: RawStatement
  private let reader: RowReader

  /// nil where rows have to be looked for in another way.
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
      ORDER BY \(builder.key(entity.index, scope.alias)) LIMIT 1
      """, in: database)
    reader = RowReader(mapping, entity: entity.index)
  }

  /// Whether a column of that kind holds values of the type and of no other that could be equal.
  private static func isExact(_ type: AttributeType, _ affinity: Affinity) -> Bool {
    switch type {
    case .integer8, .integer16, .integer32, .integer64: affinity == .integer
    case .string: affinity == .text
    case .uuid, .data: affinity == .blob
    default: false
    }
  }

  /// The first rows that hold the values, as far as there are any.
  func rows(holding values: [Value], columnCount: Int) throws -> [RowPage] {
    var pages = RowReader.Pages(columnCount: columnCount, expecting: values.count)
    defer { statement.reset() }
    for value in values {
      statement.reset()
      try statement.bind(value, at: 1)
      guard try statement.step() else { continue }
      reader.read(statement.pointer, key: statement.key(at: 0), into: try pages.next())
    }
    return pages.finish()
  }
}
