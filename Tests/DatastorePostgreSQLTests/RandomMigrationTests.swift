#if PostgreSQL
import DatastoreCore
import DatastorePostgreSQL
import DatastoreTestSupport
import Foundation
import SwiftDatastore
import SwiftDatastorePostgreSQL
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

  /// A random version may be one that the store was of before.
  private func request(_ policy: MigrationPolicy) -> MigrationRequest {
    var request = MigrationRequest(policy: policy)
    request.mayGoBack = true
    return request
  }

  private func open(_ schema: Schema, _ name: String) throws -> SwiftDatastore {
    SwiftDatastore(
      try PostgreSQLStore(schema, at: address, named: name), dataModel: nil, storeName: name,
      options: .init())
  }

  private func lines(_ schema: Schema, _ name: String) async throws -> Set<String> {
    let datastore = try open(schema, name)
    let contents = try await StoreContents(of: datastore)
    try datastore.close()
    return EvolvingStore.lines(of: contents, schema)
  }

  private func declarations(_ name: String) throws -> Set<String> {
    try ServerDeclarations.of(name, in: database, server)
  }

  // Promise: a store in a server is migrated between random versions → it declares what a fresh one
  // declares, and its objects are those of a model in memory, from the same source as files.
  // Also: (seed printed)
  @Test(
    "A migrated store has the tables of a fresh one, and the objects that a model in memory says")
  func chains() async throws {
    for round in RandomCases.rounds(of: 200) {
      let seed = RandomCases.seed(round)
      var store = EvolvingStore(seed: seed)
      let name = "store \(round)"
      var schema = try Schema(store.descriptions)
      let made = try open(schema, name)
      try await store.fill(made)
      try made.close()
      #expect(try await lines(schema, name) == store.lines, "seed \(seed)")
      for version in 1...(1 + store.random.below(4)) {
        let note: Comment = "round \(round), version \(version), seed \(seed)"
        let former = schema
        store.evolve()
        schema = try Schema(store.descriptions)
        try await migrate(name, from: former, to: schema, note, &store)
        let found = try await lines(schema, name)
        let expected = store.lines
        #expect(
          found == expected,
          "\(note): \(found.subtracting(expected).sorted()) instead of \(expected.subtracting(found).sorted())"
        )
        try PostgreSQLStore(schema, at: address, named: "fresh").close()
        let (migrated, fresh) = (try declarations(name), try declarations("fresh"))
        #expect(
          migrated == fresh,
          "\(note): \(migrated.subtracting(fresh).sorted()) instead of \(fresh.subtracting(migrated).sorted())"
        )
        try server.psql(database, "DROP SCHEMA fresh CASCADE")
        #expect(
          try PostgreSQLStore.forecast(
            of: schema, at: address, named: name, request(.lossless)
          ).kind == .none, note)
        if found != expected || migrated != fresh { return }
      }
      try server.psql(database, "DROP SCHEMA \"\(name)\" CASCADE")
    }
  }

  /// Cancels, or kills the server's process, now and then at a random moment, which changes nothing; then
  /// migrates, and needs leave where the forecast has seen a loss.
  private func migrate(
    _ name: String, from former: Schema, to schema: Schema, _ note: Comment,
    _ store: inout EvolvingStore
  ) async throws {
    let forecast = try PostgreSQLStore.forecast(
      of: schema, at: address, named: name, request(.lossless))
    #expect(forecast.obstacles.isEmpty, "\(note): \(forecast.obstacles)")
    let before = try declarations(name)
    let contents = try await lines(former, name)
    func unchanged() async throws {
      #expect(try declarations(name) == before, note)
      #expect(try await lines(former, name) == contents, note)
    }
    if store.random.below(2) == 0 {
      let left = Lock(store.random.below(80))
      let isKilling = store.random.below(2) == 0
      var request = request(.declared(.all))
      let (server, database) = (server, database)
      request.isCancelled = {
        let isNow = left.withLock { left in
          left -= 1
          return left == 0
        }
        if isNow, isKilling {
          _ = try? server.psql(
            database,
            """
            SELECT pg_terminate_backend(pid) FROM pg_stat_activity
            WHERE datname = current_database() AND pid <> pg_backend_pid()
            """)
        }
        return isNow && !isKilling
      }
      do {
        try PostgreSQLStore(schema, at: address, named: name, migration: request).close()
        return
      } catch is CancellationError {
        #expect(!isKilling, note)
        try await unchanged()
      } catch StoreError.connectionLost {
        #expect(isKilling, note)
        // The end may have come behind the commit: then all of it is there.
        let rest = try PostgreSQLStore.forecast(
          of: schema, at: address, named: name, self.request(.lossless))
        if rest.kind == .none { return }
        try await unchanged()
      }
    }
    do {
      try PostgreSQLStore(schema, at: address, named: name, migration: request(.lossless)).close()
      #expect(forecast.losses.isEmpty, note)
    } catch let error as MigrationError {
      #expect(!forecast.losses.isEmpty, "\(note): \(error)")
      try await unchanged()
      try PostgreSQLStore(schema, at: address, named: name, migration: request(.declared(.all)))
        .close()
    }
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
