package import DatastoreCore
import GRDB
import GRDBSQLite

extension SQLiteStore {
  /// The keys of a request, and its sections where `groupBy` is a path, found in one pass.
  ///
  /// The values of the path come before the request's order. Values that compare as equal are one
  /// section. O(rows), besides SQLite's sorting.
  package func keyList(
    _ request: DatastoreCore.FetchRequest, groupBy path: [String]? = nil
  ) throws -> KeyList {
    try read { try self.keyList(request, groupBy: path, in: $0) }
  }

  /// The sections of a request in order, without its keys.
  package func sections(
    _ request: DatastoreCore.FetchRequest, groupBy path: [String]
  ) throws -> [KeyList.Section] {
    try read { try self.sections(request, groupBy: path, in: $0) }
  }

  func keyList(
    _ request: DatastoreCore.FetchRequest, groupBy path: [String]?, in database: Database
  ) throws -> KeyList {
    guard let path else {
      let keys = try fetchKeys(request, in: database)
      return KeyList(
        keys: keys, sections: keys.isEmpty ? [] : [.init(value: .null, count: keys.count)])
    }
    let builder = QueryBuilder(mapping)
    let entity = try builder.entity(named: request.entity)
    return try reading(entity) {
      builder.integerReference = try integerReference(path, of: entity, in: database)
      let statement = try RawStatement(builder.grouped(request, by: path), in: database)
      var counter =
        mapping.entities[entity.index].key == .wholeRow
        ? OccurrenceCounter(mapping.keyTables[entity.index]) : nil
      var keys: [Int64] = []
      var sections: [KeyList.Section] = []
      var current: Value?
      var start = 0
      while try statement.step() {
        if current.map({ !statement.isSame($0, at: 1) }) ?? true {
          if let current { sections.append(.init(value: current, count: keys.count - start)) }
          current = statement.value(at: 1)
          start = keys.count
        }
        let key = sqlite3_column_int64(statement.pointer, 0)
        keys.append(counter?.key(key) ?? key)
        if keys.count & 0xFFFF == 0 { try Task.checkCancellation() }
      }
      if let current { sections.append(.init(value: current, count: keys.count - start)) }
      return KeyList(keys: keys, sections: sections)
    }
  }

  /// The foreign key of a path that is one relationship, if its column holds integers only: an index
  /// over it then gives the order, where otherwise every value must be looked at. Asking costs a walk
  /// through that index, which is a fraction of what sorting costs.
  func integerReference(
    _ path: [String], of entity: Entity, in database: Database
  ) throws -> ForeignKey? {
    guard path.count == 1, let slot = entity.slot(named: path[0]),
      case .toOne(let foreign) = mapping.entities[entity.index].slots[slot],
      foreign.reference == .rowid, foreign.isIndexed, !mapping.isNative,
      !foreign.columns[0].isStrict
    else { return nil }
    let column = foreign.columns[0].name
    let others: SQLFragment = """
      SELECT EXISTS (SELECT 1 FROM \(name: mapping.entities[entity.index].table) \
      WHERE typeof(\(name: column)) NOT IN ('integer', 'null'))
      """
    return try RawStatement(others, in: database).firstInteger() == 0 ? foreign : nil
  }

  func sections(
    _ request: DatastoreCore.FetchRequest, groupBy path: [String], in database: Database
  ) throws -> [KeyList.Section] {
    let builder = QueryBuilder(mapping)
    let entity = try builder.entity(named: request.entity)
    return try reading(entity) {
      let statement = try RawStatement(builder.sections(request, by: path), in: database)
      var sections: [KeyList.Section] = []
      while try statement.step() {
        sections.append(
          .init(value: statement.value(at: 0), count: statement.value(at: 1).wholeNumber))
      }
      return sections
    }
  }
}

extension RawStatement {
  /// Whether a column of the current row compares as equal to a value; copies nothing in the usual
  /// cases.
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
