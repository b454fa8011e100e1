/// Several servers that look like one: a coordinator whose tables are divided by key over shards, which it
/// reads and writes by `postgres_fdw`.
///
/// It stands in for engines that spread rows over servers, and is harsher than they are: a table has no key
/// of its own, a commit may reach some shards only, and a deadlock between shards is never found.
package final class ShardedServers: Sendable {
  /// The server that programs connect to.
  package let coordinator: PostgreSQLServer
  package let shards: [PostgreSQLServer]

  /// Starts the shards; the coordinator is the server that tests share.
  package init(shardCount: Int) throws {
    coordinator = try PostgreSQLServer.shared()
    shards = try (0..<shardCount).map { _ in try PostgreSQLServer() }
  }

  /// Makes a database in every server, and those of the shards known to the coordinator's.
  ///
  /// - Returns: its name in the coordinator and in each shard.
  package func makeDatabase() throws -> (name: String, shardNames: [String]) {
    let name = try coordinator.makeDatabase()
    let shardNames = try shards.map { try $0.makeDatabase() }
    var statements = "CREATE EXTENSION postgres_fdw;"
    for (number, shard) in shards.enumerated() {
      statements += """
        CREATE SERVER shard\(number) FOREIGN DATA WRAPPER postgres_fdw OPTIONS (
          host '\(shard.directory)', dbname '\(shardNames[number])', fetch_size '10000', batch_size '1000');
        CREATE USER MAPPING FOR CURRENT_USER SERVER shard\(number) OPTIONS (user 'postgres');
        """
    }
    try coordinator.psql(name, statements)
    return (name, shardNames)
  }

  /// Divides an empty table of a schema over the shards by its column `_id`. What refers to it, and its keys,
  /// are gone from the coordinator; each shard keeps a key of its own.
  ///
  /// - Parameters:
  ///   - columns: the columns of the table, as psql declares them.
  package func distribute(
    _ table: String, of schema: String, in database: (name: String, shardNames: [String])
  ) throws {
    let columns = try coordinator.psql(
      database.name,
      """
      SELECT string_agg(quote_ident(attname) || ' ' || format_type(atttypid, atttypmod)
        || CASE WHEN attcollation = '"C"'::regcollation THEN ' COLLATE "C"' ELSE '' END
        || CASE WHEN attnotnull THEN ' NOT NULL' ELSE '' END, ', ' ORDER BY attnum)
      FROM pg_attribute
      WHERE attrelid = '"\(schema)"."\(table)"'::regclass AND attnum > 0 AND NOT attisdropped
      """)
    for (shard, name) in zip(shards, database.shardNames) {
      try shard.psql(
        name,
        """
        CREATE SCHEMA IF NOT EXISTS "\(schema)";
        CREATE TABLE "\(schema)"."\(table)" (\(columns), PRIMARY KEY ("_id"))
        """)
    }
    var statements = """
      SET search_path = "\(schema)";
      SET client_min_messages = warning;
      DROP TABLE "\(table)" CASCADE;
      CREATE TABLE "\(table)" (\(columns)) PARTITION BY HASH ("_id");
      """
    for number in shards.indices {
      statements += """
        CREATE FOREIGN TABLE "\(table)_\(number)" PARTITION OF "\(table)"
          FOR VALUES WITH (MODULUS \(shards.count), REMAINDER \(number))
          SERVER shard\(number) OPTIONS (schema_name '\(schema)', table_name '\(table)');
        """
    }
    try coordinator.psql(database.name, statements)
  }
}
