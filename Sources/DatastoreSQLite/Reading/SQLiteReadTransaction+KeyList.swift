import DatastoreCore
import DatastoreSQL
import GRDB
import GRDBSQLite

/// The keys of lists and their sections.
extension SQLiteReadTransaction {
  func keys(_ request: DatastoreCore.FetchRequest) throws -> [RowKey] {
    try asking(request) { try keys($0.keys(request), of: $1.index) }
  }

  func sections(_ query: SQLFragment, of entity: Entity) throws -> KeyList {
    let statement = try prepare(query)
    var counter = occurrences(of: entity.index)
    var keys = KeyChunks.Builder()
    var sections: [KeyList.Section] = []
    var current: Value?
    var start = 0
    while try statement.step() {
      if current.map({ !statement.isSame($0, at: 1) }) ?? true {
        if let current { sections.append(.init(value: current, count: keys.count - start)) }
        current = statement.value(at: 1)
        start = keys.count
      }
      let key = statement.key(at: 0)
      keys.append(try counter?.key(key) ?? key)
    }
    if let current { sections.append(.init(value: current, count: keys.count - start)) }
    return KeyList(keys: keys.finish(), sections: sections)
  }

  func findsInOrder(_ query: SQLFragment) throws -> Bool {
    let plan = try prepare("EXPLAIN QUERY PLAN \(query)")
    while try plan.step() {
      guard case .text(let step) = plan.value(at: 3) else { continue }
      if step.contains("TEMP B-TREE FOR ORDER BY") || step.contains("USING AUTOMATIC") {
        return false
      }
    }
    return true
  }

  func keyList(_ request: DatastoreCore.FetchRequest) throws -> KeyChunks {
    let entity = try QueryBuilder(mapping).entity(named: request.entity)
    if let range = try unbrokenKeys(request, of: entity) { return range }
    return try asking(request) { builder, _ in
      let statement = try prepare(builder.keys(request))
      var counter = occurrences(of: entity.index)
      var keys = KeyChunks.Builder()
      while try statement.step() {
        let key = statement.key(at: 0)
        keys.append(try counter?.key(key) ?? key)
      }
      return keys.finish()
    }
  }

  /// The keys of a whole table in their own order, if there are as many rows as numbers from the first key to
  /// the last, which is usual: then none has to be read. SQLite counts the rows of a table by its smallest
  /// index, without reading them.
  private func unbrokenKeys(
    _ request: DatastoreCore.FetchRequest, of entity: Entity
  ) throws -> KeyChunks? {
    var whole = request
    // Counting all rows costs less than reading so many.
    if request.limit > 100_000 { whole.limit = 0 }
    guard whole.isInKeyOrder, request.predicate == nil || request.predicate == .constant(true),
      mapping.entities[entity.index].kind == .table,
      let keys = try mapping.keyRange(of: entity, in: database)
    else { return nil }
    let least = keys.lowerBound.rawValue
    let (distance, isHuge) = keys.upperBound.rawValue.subtractingReportingOverflow(least)
    // No table has so many rows.
    guard !isHuge, distance < 1 << 40 else { return nil }
    let count = try answer(CountQuestion(whole))
    guard Int64(count) == distance + 1 else { return nil }
    let read = request.limit > 0 ? min(count, request.limit) : count
    return KeyChunks(RowKey(least)...RowKey(least + Int64(read - 1)))
  }
}

extension RawStatement {
  /// Whether a column of the current row compares as equal to a value; copies nothing in the usual cases.
  fileprivate func isSame(_ value: Value, at column: Int32) -> Bool {
    switch (value, sqlite3_column_type(pointer, column)) {
    case (.null, SQLITE_NULL): return true
    case (.integer(let integer), SQLITE_INTEGER):
      return integer == sqlite3_column_int64(pointer, column)
    case (.text(let text), SQLITE_TEXT):
      let bytes = UnsafeBufferPointer(
        start: sqlite3_column_text(pointer, column),
        count: Int(sqlite3_column_bytes(pointer, column)))
      return text.utf8.elementsEqual(bytes)
    default: return Value.compare(value, self.value(at: column)) == .same
    }
  }
}
