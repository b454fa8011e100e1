#if PostgreSQL
import Basics
import DatastoreCore
import DatastoreSQL

/// Finds out what a server can do by trying it in a transaction that is rolled back.
extension ServerCapabilities {
  /// Statements to try, and the capability that their success proves.
  private struct Probe {
    let capability: ServerCapabilities
    let statement: String
  }

  private static let ofSessions = [
    Probe(
      capability: .packedKeys,
      statement: """
        SELECT string_agg(int8send(key), ''::bytea) FROM unnest('{1,2}'::int8[]) AS k (key)
        """),
    Probe(
      capability: .snapshots,
      statement: """
        SELECT pg_visible_in_snapshot('1'::xid8, pg_current_snapshot()), \
        pg_current_xact_id_if_assigned()::text
        """),
    Probe(capability: .notifications, statement: "LISTEN datastore_probe"),
    Probe(
      capability: .advisoryLocks,
      statement: "SELECT pg_try_advisory_xact_lock_shared(hashtextextended('SwiftDatastore', 0))"
    ),
  ]

  /// The capabilities found on servers, kept while the program runs.
  private static let known = Lock<[Place: ServerCapabilities]>([:])

  private struct Place: Hashable {
    let server: ServerName
    let isPooled: Bool
  }

  /// The capabilities of a session, found once for each server: one wait if nothing is missing, and one more
  /// for each missing capability.
  ///
  /// - Returns: a set without `ownSession` if settings that were sent with the first message are missing.
  static func found(on connection: PostgreSQLConnection) throws -> ServerCapabilities {
    let place = Place(server: connection.server, isPooled: connection.isPooled)
    if let found = known.withLock({ $0[place] }) { return found }
    var (found, results) = try trying(
      ofSessions, on: connection,
      before: PostgreSQLStatement("SELECT current_setting('extra_float_digits')")
    ) { _ in true }
    if connection.isPooled {
      // The pooler accepts LISTEN but delivers nothing.
      found.remove(.notifications)
    } else if results.first?.text(0, 0) == PostgreSQLAddress.digits {
      found.insert(.ownSession)
    }
    known.withLock { $0[place] = found }
    return found
  }

  /// The capabilities that tables of a store can be declared with, tried in its schema.
  ///
  /// - Parameters:
  ///   - schema: need not exist.
  ///   - distributes: whether tables are to be distributed over machines.
  /// - Throws: `PostgreSQLFailure` if nothing may be created at all.
  static func foundOfTables(
    in schema: String, distributes: Bool = false, on connection: PostgreSQLConnection
  ) throws -> ServerCapabilities {
    func statement(_ fragment: SQLFragment) throws -> String {
      try fragment.rendered(for: PostgreSQLDialect()).text
    }
    let make = try statement("CREATE SCHEMA IF NOT EXISTS \(name: schema)")
    var probes = [
      Probe(
        capability: .deferrableUnique,
        statement: try statement(
          """
          CREATE TABLE \(name: schema).\(name: "_probe_1") (a int8, b int8, \
          UNIQUE (a) DEFERRABLE INITIALLY DEFERRED, \
          EXCLUDE USING btree (b WITH =) WHERE (a > 0) DEFERRABLE INITIALLY DEFERRED)
          """)),
      Probe(
        capability: .deferrableReferences,
        statement: try statement(
          """
          CREATE TABLE \(name: schema).\(name: "_probe_2") (a int8 PRIMARY KEY, \
          b int8 REFERENCES \(name: schema).\(name: "_probe_2") DEFERRABLE INITIALLY DEFERRED)
          """)),
      Probe(
        capability: .triggers,
        statement: try statement(
          """
          DO $do$ BEGIN CREATE TABLE \(name: schema).\(name: "_probe_3") (a int8); \
          CREATE FUNCTION \(name: schema).\(name: "_probe")() RETURNS trigger LANGUAGE plpgsql \
          SECURITY DEFINER AS $$ BEGIN RETURN NULL; END $$; \
          CREATE TRIGGER \(name: "_probe") AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE \
          ON \(name: schema).\(name: "_probe_3") FOR EACH STATEMENT \
          WHEN (coalesce(current_setting('datastore.session', true), '') = '') \
          EXECUTE FUNCTION \(name: schema).\(name: "_probe")(''); END $do$
          """)),
    ]
    if distributes {
      let table = try statement("\(name: schema).\(name: "_probe_4")")
      probes.append(
        Probe(
          capability: .distributedTables,
          statement: """
            DO $do$ BEGIN CREATE TABLE \(table) (a int8, b int8, PRIMARY KEY (a, b)); \
            PERFORM create_distributed_table(\(Quoting.sqlText(table))::regclass, 'a'); \
            END $do$
            """))
    }
    // A missing capability is not understood, or not supported. Any other failure proves nothing.
    return try trying(probes, on: connection, before: PostgreSQLStatement(make)) {
      $0.code.hasPrefix("42") && $0.code != "42501" || $0.code.hasPrefix("0A")
    }.0
  }

  /// Tries all in one message, and again without the one that fails.
  ///
  /// - Parameter isLack: whether a failure says that the server lacks the tried capability.
  private static func trying(
    _ probes: [Probe], on connection: PostgreSQLConnection, before first: PostgreSQLStatement,
    isLack: (PostgreSQLFailure) -> Bool
  ) throws -> (ServerCapabilities, [PostgreSQLResult]) {
    var rest = probes
    while true {
      let statements = rest.map { PostgreSQLStatement($0.statement) }
      do {
        let results = try connection.run(
          [PostgreSQLStatement("BEGIN"), first] + statements + [PostgreSQLStatement("ROLLBACK")])
        return (rest.reduce(into: []) { $0.formUnion($1.capability) }, Array(results.dropFirst()))
      } catch let failure as PostgreSQLFailure where !failure.isOfConnection {
        try connection.run(PostgreSQLStatement("ROLLBACK"))
        // `BEGIN` and `first` precede the probes, each of which is one statement.
        guard let number = failure.statement, number >= 2, number - 2 < rest.count,
          isLack(failure)
        else { throw failure }
        rest.remove(at: number - 2)
      }
    }
  }
}
#endif
