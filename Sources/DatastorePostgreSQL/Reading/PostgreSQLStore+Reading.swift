#if PostgreSQL
import Basics
package import DatastoreCore
import DatastoreSQL

/// Rows. Each question is one statement, which sees one state without a transaction.
extension PostgreSQLStore {
  package func fetch(_ request: FetchRequest, _ receive: ([RowPage]) -> Void) throws {
    try read { try self.fetch(request, on: $0, receive) }
  }

  package func fetch(_ request: FetchRequest) async throws -> [RowPage] {
    let signal = StopSignal()
    return try await withTaskCancellationHandler {
      try await BlockingWork.run {
        try self.read(stoppedBy: signal) { connection in
          var pages: [RowPage] = []
          try self.fetch(request, on: connection) { pages += $0 }
          return pages
        }
      }
    } onCancel: {
      signal.stop()
    }
  }

  /// Answers of at most this many rows arrive at once, larger ones as the server finds the rows.
  private static var wholeLimit: Int { 1_000 }

  private func fetch(
    _ request: FetchRequest, on connection: PostgreSQLConnection, _ receive: ([RowPage]) -> Void
  ) throws {
    let entity = try QueryBuilder(mapping).entity(named: request.entity)
    try reading(entity) {
      var isBegun = false
      do {
        try self.fetch(request, entity, QueryBuilder(mapping), on: connection) {
          isBegun = true
          receive($0)
        }
      } catch  where !isBegun {
        try self.fetch(request, entity, after: error, on: connection, receive)
      }
    }
  }

  private func fetch(
    _ request: FetchRequest, _ entity: Entity, _ builder: QueryBuilder,
    on connection: PostgreSQLConnection, _ receive: ([RowPage]) -> Void
  ) throws {
    let sql = try builder.rows(request)
    let statement = try PostgreSQLStatement(sql)
    var reader = ServerRowReader(mapping, entity: entity.index)
    var pages = reader.makePages(expecting: request.limit)
    if request.limit > 0, request.limit <= Self.wholeLimit {
      try reader.read(fencing(statement) { try connection.run($0) }, into: &pages)
    } else if try fences.withLock({ $0.contains(statement) })
      || !copy(sql, of: entity.index, on: connection, into: &pages, receive)
    {
      try fencing(statement) {
        try connection.stream([$0]) { result in
          try reader.read(result, into: &pages)
          if pages.fullCount > 0 { receive(pages.takeFull()) }
        }
      }
    }
    let rest = pages.finish()
    if !rest.isEmpty { receive(rest) }
  }

  /// Reads the rows of a statement by COPY, which is the least work for both sides.
  ///
  /// - Returns: false if COPY cannot be used, before anything was read.
  private func copy(
    _ sql: SQLFragment, of entity: EntityIndex, on connection: PostgreSQLConnection,
    into pages: inout ServerRowReader.Pages, _ receive: ([RowPage]) -> Void
  ) throws -> Bool {
    guard let reader = ServerRowReader(copying: mapping, entity: entity),
      connection.isReadyToCopy
    else { return false }
    var row = reader.copiedRow
    do {
      try connection.copyOut("COPY (\(sql.textWithValues())) TO STDOUT (FORMAT BINARY)") {
        try reader.read($0, as: &row, into: &pages)
        if pages.fullCount > 0 { receive(pages.takeFull()) }
      }
    } catch let failure as PostgreSQLFailure where failure.code == "0A000" {
      // Some engines that speak PostgreSQL's language cannot copy in binary form.
      return false
    }
    return true
  }

  /// The existing rows among those of the keys, by COPY, whose statement contains the keys in its text; nil
  /// if COPY cannot be used.
  private func copy(
    _ entity: EntityIndex, _ keys: [RowKey], on connection: PostgreSQLConnection
  ) throws -> [RowPage]? {
    guard mapping.isNative else { return nil }
    let builder = QueryBuilder(mapping)
    let scope = builder.makeScope(entity)
    let list = KeyParameters(mapping, entity).arrays(keys)[0]
    let isMember = mapping.dialect.isMember(
      builder.key(entity, scope.alias), of: "\(literal: list)")
    let sql: SQLFragment = """
      SELECT \(builder.rowColumns(entity, scope.alias))\(builder.from(scope)) \
      WHERE \(isMember)\(builder.andIsMember(scope))
      """
    var pages = ServerRowReader(mapping, entity: entity).makePages(expecting: keys.count)
    var full: [RowPage] = []
    guard try copy(sql, of: entity, on: connection, into: &pages, { full += $0 }) else {
      return nil
    }
    return full + pages.finish()
  }

  package func rows(entity: EntityIndex, keys: [RowKey]) throws -> [RowPage] {
    if keys.isEmpty { return [] }
    let described = schema.entities[entity]
    return try read { connection in
      try self.reading(described) {
        if keys.count > Self.wholeLimit, let pages = try copy(entity, keys, on: connection) {
          return pages
        }
        return try self.rows(entity, keys, on: connection)
      }
    }
  }

  /// The existing rows among those of the keys, by one statement however many keys there are.
  func rows(
    _ entity: EntityIndex, _ keys: [RowKey], on connection: PostgreSQLConnection,
    locking: Bool = false
  ) throws -> [RowPage] {
    let builder = QueryBuilder(mapping)
    let scope = builder.makeScope(entity)
    let isMember = mapping.dialect.isMember(
      builder.key(entity, scope.alias), of: "\(parameter: 1)")
    let columns = builder.rowColumns(entity, scope.alias)
    let condition: SQLFragment = "\(isMember)\(builder.andIsMember(scope))"
    var sql: SQLFragment = "SELECT \(columns)\(builder.from(scope)) WHERE \(condition)"
    if locking, let column = mapping.lockingColumn(entity, tables) {
      sql = """
        UPDATE \(builder.table(entity, scope.alias)) \
        SET \(name: column) = \(builder.column(scope.alias, column)) WHERE \(condition) \
        RETURNING \(columns)
        """
    } else if locking {
      // In the order of their keys, so that two programs that lock rows do not deadlock.
      sql += " ORDER BY \(builder.key(entity, scope.alias)) FOR UPDATE OF \(name: scope.alias)"
    }
    let statement = try PostgreSQLStatement(
      sql, KeyParameters(mapping, entity).list(keys), isKept: true)
    var reader = ServerRowReader(mapping, entity: entity)
    var pages = reader.makePages(expecting: keys.count)
    try reader.read(connection.run(statement), into: &pages)
    return pages.finish()
  }

  package func relatedKeys(entity: EntityIndex, slot: Slot, key: RowKey) throws -> [RowKey] {
    try read { try self.relatedKeys(entity, slot, key, on: $0) }
  }

  func relatedKeys(
    _ entity: EntityIndex, _ slot: Slot, _ key: RowKey, on connection: PostgreSQLConnection
  ) throws -> [RowKey] {
    guard let link = schema.entities[entity].links[slot] else {
      trap("only to-many relationships lead to a list of keys")
    }
    guard let owner = KeyParameters(mapping, entity).one(key) else { return [] }
    let result = try connection.run(
      PostgreSQLStatement(QueryBuilder(mapping).relatedKeys(entity, slot), owner, isKept: true))
    return try ServerKey(mapping, link.destination).numbers(result, 0)
  }

  package func relatedRows(
    entity: EntityIndex, slot: Slot, keys: [RowKey]
  ) throws -> RelatedRowPages {
    try read { try self.relatedRows(entity, slot, keys, on: $0) }
  }

  func relatedRows(
    _ entity: EntityIndex, _ slot: Slot, _ keys: [RowKey], on connection: PostgreSQLConnection
  ) throws -> RelatedRowPages {
    guard let link = schema.entities[entity].links[slot], link.kind.isToMany else {
      trap("only to-many relationships lead to many rows")
    }
    let result = try connection.run(
      PostgreSQLStatement(
        QueryBuilder(mapping).relatedRows(link), KeyParameters(mapping, entity).list(keys),
        isKept: true))
    let owners = try ServerKey(mapping, entity).numbers(result, result.columnCount - 1)
    var reader = ServerRowReader(mapping, entity: link.destination)
    var pages = reader.makePages(expecting: result.rowCount)
    var members: [RowKey: [RowKey]] = [:]
    for row in 0..<result.rowCount {
      let key = try reader.read(result, row: row, into: &pages)
      members[owners[row], default: []].append(key)
    }
    return RelatedRowPages(pages: pages.finish(), members: members)
  }
}
#endif
