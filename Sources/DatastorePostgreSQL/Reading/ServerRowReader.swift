#if PostgreSQL
import DatastoreCore
import DatastoreSQL

/// Reads rows of an entity into pages: one pass, no allocation for a row whose key is an integer.
struct ServerRowReader {
  private let columnCount: Int
  private let columns: [Column]
  private let key: ServerKey
  private let family: FamilyMapping?
  private let keepsDigits: Bool
  /// How the columns of the answer are read; chosen at its first rows.
  private var cells: [ServerCell] = []

  /// A column behind the key: its slot, and the entity whose key it holds, if any.
  private struct Column {
    let slot: Slot
    let key: ServerKey?
  }

  init(_ mapping: SchemaMapping, entity: EntityIndex) {
    let mapped = mapping.entities[entity]
    columnCount = mapping.schema.entities[entity].pageColumnCount
    key = ServerKey(mapping, entity)
    keepsDigits = !mapping.isNative
    family = mapped.family.flatMap { $0.members.count > 1 ? $0 : nil }
    columns = mapped.slots.placed.compactMap { slot, mapped in
      switch mapped {
      case .attribute: Column(slot: slot, key: nil)
      case .toOne(let foreign):
        Column(slot: slot, key: ServerKey(mapping, foreign.destination))
      case .toManyForeignKey, .toManyJoin: nil
      }
    }
  }

  typealias Pages = FilledPages

  func makePages(expecting rows: Int) -> Pages {
    Pages(columnCount: columnCount, expecting: rows, counter: key.counter)
  }

  /// Appends all rows of an answer, whose first column is the key.
  ///
  /// - Throws: `StoreError.unknownMember` for a row of an entity that does not exist; `CancellationError`.
  mutating func read(_ result: PostgreSQLResult, into pages: inout Pages) throws {
    for row in 0..<result.rowCount { _ = try read(result, row: row, into: &pages) }
  }

  /// Appends one row, and returns its key.
  mutating func read(
    _ result: PostgreSQLResult, row: Int, into pages: inout Pages
  ) throws -> RowKey {
    if cells.isEmpty {
      cells = (0..<result.columnCount).map {
        ServerCell(result.type(ofColumn: $0), keepsDigits: keepsDigits)
      }
    }
    return try read(ResultRow(result: result, number: row), into: &pages)
  }

  private func read(_ row: some ServerRow, into pages: inout Pages) throws -> RowKey {
    let page = try pages.next()
    guard let number = try key.number(row.field(0), cells[0]) else {
      throw StoreError.unreadable(entity: "the table", detail: "the key of a row is NULL")
    }
    let key = try pages.numbered(number)
    if let family {
      try read(row, of: family, key: key, into: page)
    } else {
      let place = page.appendRow(key: key)
      for (index, column) in columns.enumerated() {
        try set(row.field(index + 1), index + 1, column.key, page, place, column.slot)
      }
    }
    return key
  }

  private func read(
    _ row: some ServerRow, of family: FamilyMapping, key: RowKey, into page: RowPage
  ) throws {
    guard let name = row.field(family.columns.count + 1) else {
      throw StoreError.unreadable(entity: "the table", detail: "a row is of no entity")
    }
    let member = try family.member(named: name, key: key)
    let place = page.appendRow(key: key)
    for (slot, column, isKey) in member.slots {
      try set(row.field(column + 1), column + 1, isKey ? .integer : nil, page, place, slot)
    }
    page.setInteger(Int64(member.entity.rawValue), row: place, column: page.columnCount - 1)
  }

  @inline(__always)
  private func set(
    _ field: UnsafeRawBufferPointer?, _ column: Int, _ key: ServerKey?, _ page: RowPage,
    _ place: Int, _ slot: Slot
  ) throws {
    guard let field else { return }
    if let key {
      if let number = try key.number(field, cells[column]) {
        page.setKey(number, row: place, slot: slot)
      }
    } else {
      cells[column].set(field, page, row: place, column: slot.rawValue)
    }
  }
}

/// Rows that arrive by COPY, which does not say what types the columns have. Those of native tables are
/// known.
extension ServerRowReader {
  /// A reader of the rows that COPY sends of an entity; nil if the table may have other types than the model
  /// says.
  init?(copying mapping: SchemaMapping, entity: EntityIndex) {
    guard mapping.isNative else { return nil }
    self.init(mapping, entity: entity)
    let members = family?.members ?? []
    var types: [PostgreSQLType] = [.int8]
    if let family {
      types += Array(repeating: .unknown, count: family.columns.count) + [.text]
      for member in members {
        for (slot, column, _) in member.slots {
          types[column + 1] = Self.type(mapping.schema, member.entity, slot)
        }
      }
    } else {
      types += columns.map { Self.type(mapping.schema, entity, $0.slot) }
    }
    cells = types.map { ServerCell($0) }
  }

  private static func type(_ schema: Schema, _ entity: EntityIndex, _ slot: Slot) -> PostgreSQLType
  {
    schema.entities[entity].properties[slot].attribute.map { PostgreSQLType(storing: $0.type) }
      ?? .int8
  }

  /// A row that finds the fields of incoming bytes.
  var copiedRow: CopiedRow { CopiedRow(columnCount: cells.count) }

  /// Appends the row of an incoming piece, if it contains one.
  ///
  /// - Throws: the same errors as `read(_:into:)`.
  func read(
    _ bytes: UnsafeRawBufferPointer, as row: inout CopiedRow, into pages: inout Pages
  ) throws {
    if row.read(bytes) { _ = try read(row, into: &pages) }
  }
}
#endif
