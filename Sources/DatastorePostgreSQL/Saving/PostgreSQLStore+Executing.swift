#if PostgreSQL
package import DatastoreCore

extension PostgreSQLStore {
  /// Runs one statement that writes, on a connection of its own: the settings of its session end with it.
  ///
  /// - Parameter arguments: the values of `$1`, `$2` and so on.
  /// - Throws: `SQLTextError` for a fault in the text, `StoreError`; nothing is written then.
  package func execute(
    _ sql: String, _ arguments: [Value], unless isCancelled: (@Sendable () -> Bool)?
  ) throws -> SQLExecution {
    try requireWritable()
    if isCancelled?() ?? false { throw CancellationError() }
    let connection = try PostgreSQLConnection(address)
    if let isCancelled {
      connection.stopSignal = StopSignal()
      connection.isUnwanted = isCancelled
    }
    do {
      let statement = PostgreSQLStatement(sql, arguments.map { .argument($0) })
      let results = try connection.run([
        PostgreSQLStatement("BEGIN"), PostgreSQLStatement("SET LOCAL lock_timeout = '5s'"),
        Self.tables, statement, Self.tables,
      ])
      let done = results[3].commandTag
      guard connection.isInTransaction, !Self.transactionTags.contains(done) else {
        throw SQLTextError(
          sql: sql,
          message: "Each statement is a transaction of its own here; leave out BEGIN, COMMIT and "
            + "ROLLBACK.")
      }
      // Deferred constraints are checked while the statement can still be cancelled.
      var settling = capabilities.defersConstraints ? ["SET CONSTRAINTS ALL IMMEDIATE"] : []
      // The statement's settings end here; the settings of a borrowed session are those of its transaction.
      if !address.isPooled { settling += ["RESET ALL", "RESET ROLE"] }
      _ = try connection.run(settling.map { PostgreSQLStatement($0) })
      connection.stopSignal = nil
      connection.isUnwanted = nil
      let record = SaveRecord(self)
      let ends = try connection.run([record.statement(.everything)] + record.ending(.everything))
      record.apply(ends[0], ends[ends.count - 1])
      return SQLExecution(
        rows: done.hasPrefix("SELECT") ? 0 : results[3].affectedCount,
        changesSchema: results[2].integer(0, 0) != results[4].integer(0, 0))
    } catch let failure as PostgreSQLFailure {
      // Closing the connection rolls everything back.
      if let error = SQLTextError(failure, sql) { throw error }
      if failure.code == "25001" {
        throw SQLTextError(
          sql: sql,
          message:
            "PostgreSQL cannot run this inside a transaction, which every statement here is: "
            + "\(failure.message). Run it with psql.")
      }
      throw StoreError(failure, of: nil, in: self)
    }
  }

  /// Statements that begin or end a transaction, or a part of one.
  private static let transactionTags: Set = [
    "BEGIN", "START TRANSACTION", "COMMIT", "ROLLBACK", "SAVEPOINT", "RELEASE",
    "PREPARE TRANSACTION",
  ]

  /// A number that changes when tables, views or indexes do.
  private static let tables = PostgreSQLStatement(
    """
    SELECT (coalesce(sum(hashtextextended(c.oid::text || ' ' || c.xmin::text, 0)), 0) % 1000000007)::int8 \
    FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = c.relnamespace \
    WHERE n.nspname !~ '^pg_' AND n.nspname <> 'information_schema'
    """)
}
#endif
