import DatastoreCore
import DatastoreSQL

/// Answers about rows that are read from beginning to end for each question: values that a statement would
/// only pass on are taken directly from the pages.
extension SQLiteReadTransaction {
  func answerDirectly(
    _ query: ValueQuery, begin: ([AnswerColumn]) throws -> Void, row: (RowPage, Int) throws -> Void
  ) throws -> Bool {
    guard let source = store.rowSource else { return false }
    let entity = try QueryBuilder(mapping).entity(named: query.entity)
    func beginAnswer() throws {
      try begin(query.columns.map { AnswerColumn(name: $0.name, type: $0.type, dates: $0.dates) })
    }
    func hand(on page: RowPage) throws {
      for index in 0..<page.rowCount { try row(page, index) }
      try Task.checkCancellation()
    }
    if query.grouping != nil {
      guard let pages = try groups(of: query, source, entity) else { return false }
      try beginAnswer()
      for page in pages { try hand(on: page) }
      return true
    }
    guard let columns = query.storedSlots(of: entity) else { return false }
    try beginAnswer()
    let pages = try source.makePages(of: SlotSet(columns.compactMap(\.self)))
    defer { pages.close() }
    var answer = RowPage(columnCount: columns.count, rowCapacity: RowPage.fullCount)
    while let page = try pages.next() {
      for row in 0..<page.rowCount {
        answer.appendRow(key: 0)
        for (column, slot) in columns.enumerated() {
          if let slot {
            answer.copyCell(from: page, row: row, to: row, column: column, source: slot.rawValue)
          } else {
            answer.setInteger(page.key(ofRow: row).rawValue, row: row, column: column)
          }
        }
      }
      let full = answer
      answer = RowPage(sealing: full)
      try hand(on: full)
    }
    return true
  }

  /// There are more groups than are kept in memory.
  private struct TooManyGroups: Error {}

  /// - Returns: nil if SQLite has to sort the rows, or to report a fault in a condition.
  private func groups(
    of query: ValueQuery, _ source: any RowSource, _ entity: Entity
  ) throws -> [RowPage]? {
    guard var groups = HashedGroups(query) else { return nil }
    func add(_ page: RowPage, _ row: Int, _ cells: [Int]) throws {
      groups.add(page, row, cells)
      if row & 0xFF == 0, groups.isFull { throw TooManyGroups() }
    }
    do {
      let slots = groups.inputs.compactMap { entity.storedSlot(of: $0) }
      if query.predicate == nil, slots.count == groups.inputs.count {
        let cells = slots.map(\.rawValue)
        let pages = try source.makePages(of: SlotSet(slots))
        defer { pages.close() }
        while let page = try pages.next() {
          for row in 0..<page.rowCount { try add(page, row, cells) }
          try Task.checkCancellation()
        }
      } else {
        let statement = try reading(entity) {
          try asking(entity, query.predicate) { builder in
            try prepare(builder.inputs(groups.inputs, of: query))
          }
        }
        let cells = Array(groups.inputs.indices)
        try reading(entity) { try stream(statement) { try add($0, $1, cells) } }
      }
      return try groups.pages()
    } catch is TooManyGroups {
      return nil
    } catch is RegularExpression.Exhaustion {
      return nil
    }
  }
}
