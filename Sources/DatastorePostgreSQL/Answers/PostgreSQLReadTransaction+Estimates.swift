#if PostgreSQL
import DatastoreCore
import DatastoreSQL

/// Estimated numbers of rows.
extension EstimatedCountsQuestion: ServerQuestion {
  /// The server's statistics; the planner's estimate for views, and for tables without statistics.
  func answer(in transaction: PostgreSQLReadTransaction) throws -> [EntityIndex: Int] {
    let mapping = transaction.mapping
    let names = try mapping.entities.map { mapped -> String in
      try mapped.qualifiedTable.rendered(for: PostgreSQLDialect()).text
    }
    let result = try transaction.run(
      PostgreSQLStatement(ServerCatalog.estimates, [.textArray(names)], isKept: true))
    var counts: [EntityIndex: Int] = [:]
    for row in 0..<result.rowCount {
      let place = Int(result.integer(row, 0) ?? 1) - 1
      guard mapping.entities.indices.contains(EntityIndex(place)) else { continue }
      let estimate = result.real(row, 1) ?? -1
      if estimate >= 0 { counts[EntityIndex(place)] = Int(estimate) }
    }
    let rest = mapping.entities.indices.filter { index in
      counts[index] == nil && mapping.entities[index].unreadableReason == nil
    }
    let plans = try transaction.run(
      rest.map { index in
        let sql: SQLFragment =
          "EXPLAIN (FORMAT JSON) SELECT 1 FROM \(mapping.entities[index].qualifiedTable)"
        return try PostgreSQLStatement(sql)
      })
    for (index, plan) in zip(rest, plans) {
      guard let text = plan.text(0, 0), let found = text.firstMatch(of: /"Plan Rows": ([0-9]+)/)
      else { continue }
      counts[index] = Int(found.1)
    }
    return counts
  }
}
#endif
