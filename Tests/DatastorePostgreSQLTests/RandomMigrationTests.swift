#if PostgreSQL
import DatastoreCore
import DatastorePostgreSQL
import DatastoreTestSupport
import Foundation
import Testing

// Promise: a migration in a server is cancelled, its server's process is killed, or its connection cut
// behind any byte → the store is the old one, or the new one, complete.
// Also: `MigrationTests.cut` (seeds printed)
/// The random models of the file's migrations, in a server.
@Suite("Random migrations in a server")
struct RandomMigrationTests {
  let server: PostgreSQLServer
  let database: String
  let address: PostgreSQLAddress

  init() throws {
    server = try PostgreSQLServer.shared()
    database = try server.makeDatabase()
    address = try PostgreSQLAddress(server.address(of: database))
  }

  // Promise: a store in a server is migrated between random versions → it declares what a fresh one
  // declares, and its objects are those of a model in memory, from the same source as files.
  // Also: (seed printed)
  @Test(
    "A migrated store has the tables of a fresh one, and the objects that a model in memory says")
  func chains() async throws {
    let stores = MigratedStores.schemas(
      of: database, server, at: address, disturb: killTheServersProcess)
    try await EngineConformance.tryMigrations(RandomCases.rounds(of: 200), of: stores)
  }

  /// Kills the server's processes, now and then, at a random moment.
  ///
  /// - Returns: whether it was migrated: the end may have come before, or behind the commit.
  @Sendable private func killTheServersProcess(
    _ name: String, migratedTo schema: Schema, _ request: MigrationRequest,
    _ random: inout SeededRandom
  ) throws -> Bool {
    guard random.below(4) == 0 else { return false }
    let left = Lock(random.below(80))
    var request = request
    request.isCancelled = {
      let isNow = left.withLock { left in
        left -= 1
        return left == 0
      }
      if isNow {
        _ = try? server.psql(
          database,
          """
          SELECT pg_terminate_backend(pid) FROM pg_stat_activity
          WHERE datname = current_database() AND pid <> pg_backend_pid()
          """)
      }
      return false
    }
    do {
      try PostgreSQLStore(schema, at: address, named: name, migration: request).close()
      return true
    } catch StoreError.connectionLost {
      return try PostgreSQLStore.forecast(
        of: schema, at: address, named: name, MigratedStores.request(.lossless)
      ).kind == .none
    }
  }
}

extension MigratedStores {
  /// Schemas of a database.
  static func schemas(
    of database: String, _ server: PostgreSQLServer, at address: PostgreSQLAddress,
    disturb: @escaping Disturb = { _, _, _, _ in false }
  ) -> MigratedStores {
    MigratedStores(
      open: { try PostgreSQLStore($1, at: address, named: $0, migration: $2) },
      forecast: { try PostgreSQLStore.forecast(of: $1, at: address, named: $0, $2) },
      declarations: { try ServerDeclarations.of($0, in: database, server) },
      remove: { _ = try server.psql(database, "DROP SCHEMA \"\($0)\" CASCADE") }, disturb: disturb)
  }
}

/// What a schema declares, as the server says it.
enum ServerDeclarations {
  static func of(
    _ name: String, in database: String, _ server: PostgreSQLServer
  ) throws -> Set<String> {
    let text = try server.psql(
      database,
      """
      SET search_path = "\(name)";
      WITH t AS (SELECT c.oid, c.relname, c.relkind FROM pg_class c JOIN pg_namespace n
        ON n.oid = c.relnamespace WHERE n.nspname = '\(name)' AND c.relkind IN ('r', 'S', 'v'))
      SELECT 'relation ' || relkind::text || ' ' || relname FROM t UNION ALL
      SELECT 'column ' || relname || '.' || attname || ' ' || format_type(atttypid, atttypmod)
        || CASE WHEN attnotnull THEN ' not null' ELSE '' END
        || coalesce(' default ' || pg_get_expr(d.adbin, d.adrelid), '')
        FROM t JOIN pg_attribute a ON a.attrelid = t.oid AND attnum > 0 AND NOT attisdropped
        LEFT JOIN pg_attrdef d ON d.adrelid = t.oid AND d.adnum = a.attnum
        WHERE relkind = 'r' UNION ALL
      SELECT 'constraint ' || relname || ' ' || CASE WHEN contype IN ('u', 'x') THEN conname ELSE '' END
        || ' ' || pg_get_constraintdef(k.oid) FROM t JOIN pg_constraint k ON k.conrelid = t.oid UNION ALL
      SELECT replace(pg_get_indexdef(x.indexrelid), quote_ident('\(name)') || '.', '') FROM t JOIN pg_index x ON x.indrelid = t.oid
        WHERE NOT x.indisprimary
      """)
    return Set(text.split(separator: "\n").map(String.init))
  }
}
#endif
