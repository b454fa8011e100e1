import DatastoreCore
import DatastoreSQL
import GRDB
import GRDBSQLite

/// Looks for rows that have other rowids now, each by everything that it held when it was read: nothing else
/// identifies it. Reads the table once for all of them.
struct RowSearch {
  private let mapping: SchemaMapping
  private let entity: EntityIndex
  private let identity: RowIdentity

  /// The greatest number of values listed in the statement; with more it reads every row.
  private static var mostListed: Int { 256 }
  /// The number of pages compared at once.
  private static var pagesAtOnce: Int { 4 }

  init(_ mapping: SchemaMapping, entity: EntityIndex) {
    self.mapping = mapping
    self.entity = entity
    identity = RowIdentity(mapping, entity: entity)
  }

  /// - Returns: by the index of a row in `rows`, the key of the one stored row that is equal to it. Leaves
  ///   out rows with no equal row, or more than one, and those in `rows` that are equal to each other.
  /// - Throws: `CancellationError`, checked once a page.
  func keys(of rows: [RowReference], in database: Database) throws -> [Int: RowKey] {
    guard let slot = distinguishingSlot(rows) else { return [:] }
    var matcher = RowMatcher(rows, identity, slot)
    let statement = try statement(matcher, in: database)
    let reader = RowReader(mapping, entity: entity)
    var pages = RowReader.Pages(
      columnCount: mapping.schema.entities[entity].pageColumnCount, expecting: 0)
    while try statement.step() {
      // Tables whose rows have only rowids have rows of one entity.
      reader.read(
        statement.pointer, key: statement.key(at: 0), into: try pages.next())
      if pages.fullCount == Self.pagesAtOnce { matcher.compare(pages.takeFull()) }
    }
    matcher.compare(pages.finish())
    return matcher.found
  }

  /// The attribute in which most of the rows differ; nil for tables without any.
  private func distinguishingSlot(_ rows: [RowReference]) -> Slot? {
    if rows.isEmpty { return nil }
    let attributes = identity.compared.filter { slot in
      if case .attribute = mapping.entities[entity].slots[slot] { true } else { false }
    }
    var best: (slot: Slot, count: Int)?
    for slot in attributes {
      let values = Set(rows.lazy.map { $0.page.value(row: $0.row, slot: slot) })
      // Many other rows are likely to hold NULL, too.
      let count = values.count - (values.contains(.null) ? 1 : 0)
      if count > best?.count ?? -1 { best = (slot, count) }
    }
    return best?.slot
  }

  /// A statement that reads every row that may be one of them.
  private func statement(_ matcher: RowMatcher, in database: Database) throws -> RawStatement {
    let builder = QueryBuilder(mapping)
    let scope = builder.makeScope(entity)
    var sql: SQLFragment = """
      SELECT \(builder.rowColumns(entity, scope.alias))\(builder.from(scope))
      """
    let values = matcher.rowsByValue.filter { !$0.key.isNull }.map { $0.value[0] }
    guard values.count <= Self.mostListed,
      case .attribute(let column) = mapping.entities[entity].slots[matcher.slot]
    else { return try RawStatement(sql, in: database) }
    let collation: SQLFragment = column.isBinary ? "" : " COLLATE BINARY"
    let value: SQLFragment = "\(builder.column(scope.alias, column.name))\(collation)"
    let list = values.indices.map { "?\(number: $0 + 1)" as SQLFragment }
    sql += " WHERE \(value) IN (\(list.joined(by: ", ")))"
    if values.count < matcher.rowsByValue.count { sql += " OR \(value) IS NULL" }
    let statement = try RawStatement(sql, in: database)
    for (index, row) in values.enumerated() {
      let row = matcher.rows[row]
      try statement.bind(row.page, row: row.row, slot: matcher.slot, at: Int32(index + 1))
    }
    return statement
  }
}

/// Compares rows, and collects the matches.
private struct RowMatcher {
  let rows: [RowReference]
  let identity: RowIdentity
  /// The slot by whose values they are grouped.
  let slot: Slot
  /// Indices of `rows`.
  let rowsByValue: [Value: [Int]]
  private var matches: [Int: [RowKey]] = [:]

  init(_ rows: [RowReference], _ identity: RowIdentity, _ slot: Slot) {
    self.rows = rows
    self.identity = identity
    self.slot = slot
    rowsByValue = Dictionary(grouping: rows.indices) { index in
      rows[index].page.value(row: rows[index].row, slot: slot)
    }
  }

  mutating func compare(_ pages: [RowPage]) {
    for page in pages {
      for row in 0..<page.rowCount {
        let stored = RowReference(page, row)
        for index in rowsByValue[page.value(row: row, slot: slot)] ?? []
        where matches[index]?.count ?? 0 < 2 && identity.isEqual(stored, to: rows[index]) {
          matches[index, default: []].append(page.key(ofRow: row))
        }
      }
    }
  }

  var found: [Int: RowKey] {
    var claims: [RowKey: Int] = [:]
    for keys in matches.values where keys.count == 1 { claims[keys[0], default: 0] += 1 }
    return matches.compactMapValues { keys in
      keys.count == 1 && claims[keys[0]] == 1 ? keys[0] : nil
    }
  }
}
