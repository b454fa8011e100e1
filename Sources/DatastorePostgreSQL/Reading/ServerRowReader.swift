#if PostgreSQL
import DatastoreCore
import DatastoreSQL

/// Reads rows of an entity into pages: one pass, no allocation for a row whose key is an integer.
struct ServerRowReader {
  let entity: EntityIndex
  private let columnCount: Int
  private let columns: [Column]
  private let key: ServerKey
  private let family: FamilyMapping?
  /// How the columns of the answer are read; chosen at its first rows.
  private var cells: [ServerCell] = []

  /// A column behind the key: where it goes, and whose key it holds, if it does.
  private struct Column {
    let slot: Slot
    let key: ServerKey?
  }

  init(_ mapping: SchemaMapping, entity: EntityIndex) {
    self.entity = entity
    let mapped = mapping.entities[entity]
    columnCount = mapping.schema.entities[entity].pageColumnCount
    key = ServerKey(mapping, entity)
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

  /// The pages that rows fill.
  struct Pages {
    private var page: RowPage
    private var full: [RowPage] = []
    private var counter: OccurrenceCounter?

    init(columnCount: Int, expecting rows: Int, counter: OccurrenceCounter?) {
      page = RowPage(
        columnCount: columnCount, rowCapacity: min(max(rows, 16), RowPage.fullCount))
      self.counter = counter
    }

    /// The page that the next row belongs to.
    ///
    /// - Throws: `CancellationError`, asked for once a page.
    mutating func next() throws -> RowPage {
      if page.isFull {
        try Task.checkCancellation()
        full.append(page)
        page = RowPage(sealing: page)
      }
      return page
    }

    /// The key of a row, where equal ones are numbered.
    mutating func numbered(_ key: RowKey) throws -> RowKey { try counter?.key(key) ?? key }

    /// The pages that are full; they are not among those of `finish()`.
    mutating func takeFull() -> [RowPage] {
      defer { full = [] }
      return full
    }

    mutating func finish() -> [RowPage] {
      if page.rowCount > 0 {
        page.seal()
        full.append(page)
      }
      return full
    }
  }

  func makePages(expecting rows: Int) -> Pages {
    Pages(columnCount: columnCount, expecting: rows, counter: key.counter)
  }

  /// Appends all rows of an answer, whose first column is the key.
  ///
  /// - Throws: `StoreError.unknownMember` for a row of an entity that there is not; `CancellationError`.
  mutating func read(_ result: PostgreSQLResult, into pages: inout Pages) throws {
    for row in 0..<result.rowCount { _ = try read(result, row: row, into: &pages) }
  }

  /// Appends one row, and answers with its key.
  mutating func read(
    _ result: PostgreSQLResult, row: Int, into pages: inout Pages
  ) throws -> RowKey {
    if cells.isEmpty {
      cells = (0..<result.columnCount).map { ServerCell(result.type(ofColumn: $0)) }
    }
    let page = try pages.next()
    guard let number = try key.number(result, row, 0, cells[0]) else {
      throw StoreError.unreadable(entity: "the table", detail: "the key of a row is NULL")
    }
    let key = try pages.numbered(number)
    if let family {
      try read(result, row, of: family, key: key, into: page)
    } else {
      let place = page.appendRow(key: key)
      for (index, column) in columns.enumerated() {
        try set(result, row, index + 1, column.key, page, place, column.slot)
      }
    }
    return key
  }

  private func read(
    _ result: PostgreSQLResult, _ row: Int, of family: FamilyMapping, key: RowKey,
    into page: RowPage
  ) throws {
    let name = result.bytes(row, family.columns.count + 1)
    guard
      let member = family.members.first(where: {
        $0.name.count == name.count && $0.name.elementsEqual(name)
      })
    else {
      throw StoreError.unknownMember(
        name: String(decoding: name, as: UTF8.self), key: key, known: family.names)
    }
    let place = page.appendRow(key: key)
    for (slot, column, isKey) in member.slots {
      try set(result, row, column + 1, isKey ? .integer : nil, page, place, slot)
    }
    page.setInteger(Int64(member.entity.rawValue), row: place, column: page.columnCount - 1)
  }

  @inline(__always)
  private func set(
    _ result: PostgreSQLResult, _ row: Int, _ column: Int, _ key: ServerKey?, _ page: RowPage,
    _ place: Int, _ slot: Slot
  ) throws {
    if result.isNull(row, column) { return }
    if let key {
      if let number = try key.number(result, row, column, cells[column]) {
        page.setKey(number, row: place, slot: slot)
      }
    } else {
      cells[column].set(result.bytes(row, column), page, row: place, column: slot.rawValue)
    }
  }
}
#endif
