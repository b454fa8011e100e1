#if PostgreSQL
import Basics
import DatastoreCore
import DatastoreSQL

/// The keys of lists and their sections.
extension PostgreSQLReadTransaction {
  func keys(_ request: FetchRequest) throws -> [RowKey] {
    var keys: [RowKey] = []
    try forEachKey(request) { keys.append($0) }
    return keys
  }

  func keyList(_ request: FetchRequest) throws -> KeyChunks {
    var keys = KeyChunks.Builder()
    try forEachKey(request) { keys.append($0) }
    return keys.finish()
  }

  /// Integers travel as one value of eight bytes each, which is less than half the size of rows.
  private func forEachKey(_ request: FetchRequest, _ body: (RowKey) -> Void) throws {
    let entity = try QueryBuilder(mapping).entity(named: request.entity)
    try store.reading(entity) {
      do {
        try asking(entity, request.predicate) { try forEachKey(request, $0, body) }
      } catch {
        try sortedKeys(request, after: error).forEach(body)
      }
    }
  }

  /// The keys of a request that the server can answer.
  func keys(_ request: FetchRequest, _ builder: QueryBuilder) throws -> [RowKey] {
    var keys: [RowKey] = []
    try forEachKey(request, builder) { keys.append($0) }
    return keys
  }

  /// The keys of a request that the server has not answered.
  func keys(_ request: FetchRequest, after error: any Error) throws -> [RowKey] {
    let entity = try QueryBuilder(mapping).entity(named: request.entity)
    do {
      return try asking(entity, request.predicate, after: error) { try keys(request, $0) }
    } catch {
      return try sortedKeys(request, after: error)
    }
  }

  private func forEachKey(
    _ request: FetchRequest, _ builder: QueryBuilder, _ body: (RowKey) -> Void
  ) throws {
    let entity = try builder.entity(named: request.entity)
    let sql = try builder.keys(request)
    guard case .rowid = mapping.entities[entity.index].key,
      store.capabilities.contains(.packedKeys), !(store.isSpread && sql.readsSeveralTables)
    else {
      let result = try run(sql)
      return try ServerKey(mapping, entity.index).numbers(result, 0).forEach(body)
    }
    // The aggregate keeps the order of its input, and nothing is joined to it here. A server that distributes
    // tables over machines would have each machine aggregate its own rows if the query had neither LIMIT nor
    // OFFSET.
    let fence: SQLFragment = request.limit == 0 && request.offset == 0 ? " OFFSET 0" : ""
    let packed: SQLFragment =
      "SELECT string_agg(int8send(key::int8), ''::bytea) FROM (\(sql)\(fence)) AS keys (key)"
    try run(packed).forEachPackedKey(body)
  }

  func sections(_ query: SQLFragment, of entity: Entity) throws -> KeyList {
    let key = ServerKey(mapping, entity.index)
    var counter = key.counter
    var keys = KeyChunks.Builder()
    var sections: [KeyList.Section] = []
    var cells: [ServerCell] = []
    try receive(prepare(query)) { result in
      if cells.isEmpty {
        cells = (0...1).map { ServerCell(result.type(ofColumn: $0), keepsDigits: $0 == 0) }
      }
      for row in 0..<result.rowCount {
        guard let number = try key.number(result.field(row, 0), cells[0]) else { continue }
        keys.append(try counter?.key(number) ?? number)
        sections.add(
          of: result.isNull(row, 1) ? .null : cells[1].value(result.bytes(row, 1)))
      }
    }
    return KeyList(keys: keys.finish(), sections: sections)
  }

  func findsInOrder(_ query: SQLFragment) throws -> Bool {
    do {
      let plan = try run("EXPLAIN \(query)")
      return !(0..<plan.rowCount).contains {
        guard case .text(let step) = plan.value($0, 0) else { return false }
        return Self.sorts(step.drop { $0 == " " || $0 == "-" || $0 == ">" })
      }
    } catch {
      guard try isUnanswered(error) != nil else { throw error }
      return false
    }
  }

  /// Whether a step of a plan sorts all rows, or large parts of them. An index that has all in order except
  /// for rows of the same value delivers rows as they are needed.
  private static func sorts(_ step: Substring) -> Bool {
    if step.hasPrefix("Sort  (") { return true }
    guard step.hasPrefix("Incremental Sort  (cost=") else { return false }
    // The cost of the first part, and of all parts.
    let costs = step.drop { $0 != "=" }.dropFirst().prefix { $0 != " " }.parts(at: "..")
      .compactMap { Double($0) }
    return costs.count != 2 || costs[0] * 100 > costs[1]
  }
}
#endif
