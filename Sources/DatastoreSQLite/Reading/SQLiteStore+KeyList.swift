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
      let keys = try keys(request, in: database)
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
        let key = sqlite3_column_int64(statement.pointer, 0)
        keys.append(try counter?.key(key) ?? key)
      }
      if let current { sections.append(.init(value: current, count: keys.count - start)) }
      return KeyList(keys: keys.finish(), sections: sections)
    }
  }

  private func keys(
    _ request: DatastoreCore.FetchRequest, in database: Database
  ) throws -> KeyChunks {
    let builder = QueryBuilder(mapping)
    let entity = try builder.entity(named: request.entity)
    if let range = try unbrokenKeys(request, of: entity, in: database) { return range }
    return try reading(entity) {
      let statement = try RawStatement(builder.keys(request), in: database)
      var counter =
        mapping.entities[entity.index].key == .wholeRow
        ? OccurrenceCounter(mapping.keyTables[entity.index]) : nil
      var keys = KeyChunks.Builder()
      while try statement.step() {
        let key = sqlite3_column_int64(statement.pointer, 0)
        keys.append(try counter?.key(key) ?? key)
      }
      return keys.finish()
    }
  }

  /// The keys of a whole table in their own order, when there are as many rows as numbers from the first
  /// key to the last, as mostly: then none has to be read. SQLite counts the rows of a table by its
  /// smallest index, without looking at them.
  private func unbrokenKeys(
    _ request: DatastoreCore.FetchRequest, of entity: Entity, in database: Database
  ) throws -> KeyChunks? {
    let mapped = mapping.entities[entity.index]
    guard request.isInKeyOrder, request.predicate == nil || request.predicate == .constant(true),
      mapped.kind == .table, case .rowid(let key) = mapped.key
    else { return nil }
    let ends = try RawStatement(
      """
      SELECT (SELECT min(\(name: key)) FROM \(name: mapped.table)), \
      (SELECT max(\(name: key)) FROM \(name: mapped.table))
      """, in: database)
    guard try ends.step(), case .integer(let least) = ends.value(at: 0),
      case .integer(let greatest) = ends.value(at: 1)
    else { return nil }
    let (distance, isHuge) = greatest.subtractingReportingOverflow(least)
    // A table of so many rows would have been noticed.
    guard !isHuge, distance < 1 << 40 else { return nil }
    let count = try count(request, in: database)
    return Int64(count) == distance + 1 ? KeyChunks(least...greatest) : nil
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
    if let isInteger = try holdsIntegers(column, of: entity, in: database) {
      return isInteger ? foreign : nil
    }
    let others: SQLFragment = """
      SELECT EXISTS (SELECT 1 FROM \(name: mapping.entities[entity.index].table) \
      WHERE typeof(\(name: column)) NOT IN ('integer', 'null'))
      """
    return try RawStatement(others, in: database).firstInteger() == 0 ? foreign : nil
  }

  /// Whether an indexed column with the affinity of integers holds integers and NULL only, as its
  /// different values show, each of which is found by the index; nil when there are too many of them.
  ///
  /// With that affinity no number with a point equals an integer, so none hides behind one.
  private func holdsIntegers(
    _ column: String, of entity: Entity, in database: Database
  ) throws -> Bool? {
    let table = mapping.entities[entity.index].table
    let most = 2048
    let values: SQLFragment = """
      WITH RECURSIVE found(value, number) AS (\
      SELECT min(\(name: column)), 1 FROM \(name: table) UNION ALL \
      SELECT (SELECT min(\(name: column)) FROM \(name: table) \
      WHERE \(name: column) > found.value), number + 1 \
      FROM found WHERE value IS NOT NULL AND number <= \(number: most)) \
      SELECT max(typeof(value) NOT IN ('integer', 'null')), max(number) FROM found
      """
    let statement = try RawStatement(values, in: database)
    guard try statement.step() else { return nil }
    if statement.value(at: 0) == .integer(1) { return false }
    return statement.value(at: 1).wholeNumber > most ? nil : true
  }

  func sections(
    _ request: DatastoreCore.FetchRequest, groupBy path: [String], in database: Database
  ) throws -> [KeyList.Section] {
    let builder = QueryBuilder(mapping)
    let entity = try builder.entity(named: request.entity)
    return try reading(entity) {
      builder.integerReference = try integerReference(path, of: entity, in: database)
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
