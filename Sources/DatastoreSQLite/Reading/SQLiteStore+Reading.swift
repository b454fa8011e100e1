package import DatastoreCore
import DatastoreSQL
import GRDB
import GRDBSQLite

extension SQLiteStore {
  package func fetch(
    _ request: DatastoreCore.FetchRequest, _ receive: ([RowPage]) -> Void
  ) throws {
    if let page = try uniqueRow(request) { return receive(page) }
    if let rangeReader, mapping.isNative, request.isInKeyOrder {
      // Most requests end here, after few rows.
      if let pages = try read({ try self.fetchUnlessMany(request, in: $0) }) {
        return receive(pages)
      }
      let entity = try QueryBuilder(mapping).entity(named: request.entity)
      var isBegun = false
      do {
        let isRead = try rangeReader.read(request, of: entity) { pages in
          isBegun = true
          receive(pages)
        }
        if isRead { return }
      } catch let error as DatabaseError {
        // Passes on nothing twice. Otherwise the single connection below reports the error, if it meets it as
        // well.
        if isBegun { throw storeError(error) }
      }
    }
    receive(try read { try self.fetch(request, in: $0) })
  }

  package func rows(entity: EntityIndex, keys: [RowKey]) throws -> [RowPage] {
    if keys.isEmpty { return [] }
    if mapping.entities[entity].key == .wholeRow { return interned(entity, keys) }
    if keys.count == 1, let row = try pointRow({ try $0.row(entity: entity, key: keys[0]) }) {
      return row
    }
    if keys.count > Self.oneByOneLimit, case .rowid = mapping.entities[entity].key {
      return try manyRows(entity, keys)
    }
    return try read { database in
      try self.mapping.rowsOneByOne(entity, keys, isCancellable: true, in: database)
    }
  }

  /// The row of a request for one value of a unique attribute; nil for any other, and when it has to be read
  /// in the ordinary way.
  private func uniqueRow(_ request: DatastoreCore.FetchRequest) throws -> [RowPage]? {
    guard mapping.isNative, request.predicate != nil,
      let entity = mapping.schema.entity(named: request.entity),
      let (slot, value) = request.uniqueLookup(in: entity)
    else { return nil }
    return try pointRow { try $0.row(entity: entity.index, slot: slot, value: value) }
  }

  private func pointRow(_ read: (PointReader) throws -> [RowPage]?) throws -> [RowPage]? {
    guard let pointReader else { return nil }
    do {
      return try repairing { try read(pointReader) }
    } catch let error as DatabaseError {
      throw storeError(error)
    }
  }

  /// More keys than this are looked up by one statement.
  private static var oneByOneLimit: Int { 16 }

  private func manyRows(_ entity: EntityIndex, _ keys: [RowKey]) throws -> [RowPage] {
    try read { database in
      let builder = QueryBuilder(self.mapping)
      let scope = builder.makeScope(entity)
      let statement = try RawStatement(
        """
        SELECT \(builder.rowColumns(entity, scope.alias))\(builder.from(scope)) \
        WHERE \(builder.key(entity, scope.alias)) IN (SELECT value FROM json_each(?1))\
        \(builder.andIsMember(scope))
        """, in: database, isCached: true)
      defer { statement.reset() }
      try statement.bind(.text(keys.jsonText), at: 1)
      return try RowReader(self.mapping, entity: entity).pages(statement, expecting: keys.count)
    }
  }

  package func relatedKeys(entity: EntityIndex, slot: Slot, key: RowKey) throws -> [RowKey] {
    try read { database in
      let statement = try RawStatement(
        QueryBuilder(self.mapping).relatedKeys(entity, slot), in: database, isCached: true)
      defer { statement.reset() }
      statement.bind(key, at: 1)
      return try statement.keys()
    }
  }

  func fetch(_ request: DatastoreCore.FetchRequest, in database: Database) throws -> [RowPage] {
    let builder = QueryBuilder(mapping)
    let entity = try builder.entity(named: request.entity)
    return try reading(entity) {
      if request.limit > 0, let first = request.sortDescriptors.first, first.options.isEmpty,
        let path = first.keyPath
      {
        builder.integerReference = try integerReference(path, of: entity, in: database)
      }
      let statement = try RawStatement(builder.rows(request), in: database)
      return try RowReader(mapping, entity: entity.index)
        .pages(statement, expecting: request.limit)
    }
  }

  /// The number of steps before deciding whether to continue reading with several connections.
  private static var decidingSteps: Int32 { 2048 }

  /// The rows of a request, or nil when they require a scan of all rows of the table, most of which are still
  /// to come.
  private func fetchUnlessMany(
    _ request: DatastoreCore.FetchRequest, in database: Database
  ) throws -> [RowPage]? {
    let builder = QueryBuilder(mapping)
    let entity = try builder.entity(named: request.entity)
    let statement = try RawStatement(builder.rows(request), in: database)
    var isDecided = false
    return try RowReader(mapping, entity: entity.index).pages(statement, expecting: 0) { key in
      let steps = sqlite3_stmt_status(statement.pointer, SQLITE_STMTSTATUS_FULLSCAN_STEP, 0)
      guard !isDecided, steps >= Self.decidingSteps else { return false }
      isDecided = true
      let (rest, isHuge) = try lastKey(of: entity.index, in: database).rawValue
        .subtractingReportingOverflow(key.rawValue)
      return isHuge || rest > 16 * Int64(steps)
    }
  }

  /// Adds the view or virtual table that SQLite could not read to the error.
  func reading<T>(_ entity: Entity, _ body: () throws -> T) throws -> T {
    do {
      return try body()
    } catch let error as DatabaseError
      where error.resultCode == .SQLITE_ERROR && mapping.entities[entity.index].kind != .table
    {
      throw StoreError.unreadable(entity: entity.name, detail: error.message ?? "no details")
    } catch let error as DatabaseError where error.isAboutSize {
      throw StoreError.unreadable(entity: entity.name, detail: error.sizeDescription)
    } catch let error as TooManyRows {
      throw StoreError.unreadable(entity: entity.name, detail: error.description)
    }
  }

  /// Rows that are their own key, from their numbers.
  private func interned(_ entity: EntityIndex, _ keys: [RowKey]) -> [RowPage] {
    let mapped = mapping.entities[entity]
    let columns = Dictionary(
      mapped.allColumns.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
    let places = BySlot(
      mapped.slots.map { $0.attributeColumn.flatMap { columns[$0.name] } })
    var pages = RowReader.Pages(columnCount: mapped.slots.count, expecting: keys.count)
    for key in keys {
      guard let values = mapping.keyTables[entity].values(of: key) else { continue }
      let page = pages.nextUnchecked()
      let row = page.appendRow(key: key)
      for (slot, place) in places.placed {
        if let place { page.setValue(values[place], row: row, slot: slot) }
      }
    }
    return pages.finish()
  }
}

extension DatastoreCore.FetchRequest {
  /// Whether it asks for all rows that meet its condition, by ascending key.
  var isInKeyOrder: Bool {
    offset == 0 && limit == 0
      && sortDescriptors.allSatisfy { $0.keyPath == [] && $0.ascending }
  }
}

/// Keys of rows.
extension SQLiteStore {
  /// The greatest key in use or, with `AUTOINCREMENT`, ever used.
  func lastKey(of entity: EntityIndex, in database: Database) throws -> RowKey {
    let mapped = mapping.entities[entity]
    guard case .rowid(let key) = mapped.key else { return 0 }
    let greatest =
      try RawStatement("SELECT max(\(name: key)) FROM \(name: mapped.table)", in: database)
      .firstInteger() ?? 0
    guard mapped.isAutoincrement else { return RowKey(max(greatest, 0)) }
    let used =
      try RawStatement(
        "SELECT max(seq) FROM sqlite_sequence WHERE name = \(.text(mapped.table))", in: database
      ).firstInteger() ?? 0
    return RowKey(max(greatest, used, 0))
  }
}
