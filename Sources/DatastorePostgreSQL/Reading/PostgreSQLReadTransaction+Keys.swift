#if PostgreSQL
import Basics
import DatastoreCore
import DatastoreSQL

/// The keys of lists and their sections.
extension PostgreSQLReadTransaction {
  func answer(_ question: CountQuestion) throws -> Int {
    try asking(question.request) { builder, _ in
      Int(try run(builder.count(question.request)).integer(0, 0) ?? 0)
    }
  }

  func answer(_ question: KeysQuestion) throws -> [RowKey] {
    var keys: [RowKey] = []
    try forEachKey(question.request) { keys.append($0) }
    return keys
  }

  /// Integers travel as one value of eight bytes each, which is less than half of what rows take.
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
      store.capabilities.contains(.packedKeys)
    else {
      let result = try run(sql)
      return try ServerKey(mapping, entity.index).numbers(result, 0).forEach(body)
    }
    // The aggregate keeps the order of what it is given, and nothing is joined to that here. What
    // distributes tables over machines would have each machine aggregate its own rows, if the query had
    // neither LIMIT nor OFFSET.
    let fence: SQLFragment = request.limit == 0 && request.offset == 0 ? " OFFSET 0" : ""
    let packed: SQLFragment =
      "SELECT string_agg(int8send(key::int8), ''::bytea) FROM (\(sql)\(fence)) AS keys (key)"
    try run(packed).forEachPackedKey(body)
  }

  func answer(_ question: KeyListQuestion) throws -> KeyList {
    let request = question.request
    guard let path = question.path else {
      var keys = KeyChunks.Builder()
      var count = 0
      try forEachKey(request) {
        keys.append($0)
        count += 1
      }
      return KeyList(
        keys: keys.finish(), sections: count == 0 ? [] : [.init(value: .null, count: count)])
    }
    return try asking(request) { builder, entity in
      let key = ServerKey(mapping, entity.index)
      var counter = key.counter
      var keys = KeyChunks.Builder()
      var sections: [KeyList.Section] = []
      var cells: [ServerCell] = []
      try stream(PostgreSQLStatement(builder.grouped(request, by: path))) { result in
        if cells.isEmpty { cells = (0...1).map { ServerCell(result.type(ofColumn: $0)) } }
        for row in 0..<result.rowCount {
          guard let number = try key.number(result.field(row, 0), cells[0]) else { continue }
          keys.append(try counter?.key(number) ?? number)
          let value: Value =
            result.isNull(row, 1) ? .null : cells[1].value(result.bytes(row, 1))
          if let last = sections.last, Value.compare(last.value, value) == .same {
            sections[sections.count - 1].count += 1
          } else {
            sections.append(.init(value: value, count: 1))
          }
        }
      }
      return KeyList(keys: keys.finish(), sections: sections)
    }
  }

  func answer(_ question: SectionsQuestion) throws -> [KeyList.Section] {
    try asking(question.request) { builder, _ in
      let result = try run(builder.sections(question.request, by: question.path))
      return (0..<result.rowCount).map {
        .init(value: result.value($0, 0), count: Int(result.integer($0, 1) ?? 0))
      }
    }
  }

  func answer(_ question: KeysetQuestion) throws -> Bool {
    let builder = QueryBuilder(mapping)
    let entity = try builder.entity(named: question.request.entity)
    // What cannot be said in SQL is found by a look at all rows.
    guard case .rowid = mapping.entities[entity.index].key,
      let sql = try? builder.keys(question.request)
    else { return false }
    return try store.reading(entity) {
      do {
        let plan = try run("EXPLAIN \(sql)")
        return !(0..<plan.rowCount).contains {
          guard case .text(let step) = plan.value($0, 0) else { return false }
          return Self.sorts(step.drop { $0 == " " || $0 == "-" || $0 == ">" })
        }
      } catch {
        guard try isUnanswered(error) != nil else { throw error }
        return false
      }
    }
  }

  /// Whether a step of a plan sorts all rows, or large parts of them. What an index has in order but for rows of the
  /// same value is found as it is wanted.
  private static func sorts(_ step: Substring) -> Bool {
    if step.hasPrefix("Sort  (") { return true }
    guard step.hasPrefix("Incremental Sort  (cost=") else { return false }
    // What the first part costs, and all of them.
    let costs = step.drop { $0 != "=" }.dropFirst().prefix { $0 != " " }.parts(at: "..")
      .compactMap { Double($0) }
    return costs.count != 2 || costs[0] * 100 > costs[1]
  }

  func answer(_ question: RelatedCountsQuestion) throws -> [RowKey: Int] {
    guard let link = schema.entities[question.entity].links[question.slot], link.kind.isToMany
    else {
      trap("only to-many relationships lead to many objects")
    }
    let result = try run(
      PostgreSQLStatement(
        QueryBuilder(mapping).relatedCounts(link),
        KeyParameters(mapping, question.entity).list(question.keys), isKept: true))
    let owners = try ServerKey(mapping, question.entity).numbers(result, 0)
    return Dictionary(
      zip(owners, 0...).map { ($0, Int(result.integer($1, 1) ?? 0)) },
      uniquingKeysWith: { first, _ in first })
  }

  /// Rows never get other keys by themselves.
  func answer(_ question: MovedRowsQuestion) throws -> [Int: RowKey] { [:] }
}
#endif
