#if PostgreSQL
import DatastoreCore
import DatastorePostgreSQL
import DatastoreSQL
import DatastoreTestSupport
import Testing

/// Stores that are made for something and removed again when that fails.
struct NewStoreTests {
  private let server: PostgreSQLServer
  private let database: String
  private let made: NewStore

  init() throws {
    server = try PostgreSQLServer.shared()
    database = try server.makeDatabase()
    made = try PostgreSQLStore.make(
      CompanySchema.schema, at: PostgreSQLAddress(server.address(of: database)), named: "company")
  }

  private var isRemoved: Bool {
    get throws {
      try server.psql(database, "SELECT count(*) FROM pg_namespace WHERE nspname = 'company'")
        == "0"
    }
  }

  @Test("A session that still prunes the log of changes is waited for")
  func pruning() async throws {
    let other = try PostgreSQLConnection(PostgreSQLAddress(server.address(of: database)))
    _ = try other.run([
      PostgreSQLStatement("BEGIN"),
      PostgreSQLStatement("LOCK TABLE company._datastore_changes IN ROW EXCLUSIVE MODE"),
    ])
    let isOver = Lock(false)
    let removal = Task {
      defer { isOver.withLock { $0 = true } }
      try await BlockingWork.run { try made.remove(withRows: false) }
    }
    try await server.waitForLocks(in: database) { isOver.withLock(\.self) }
    // A transaction that waits for the table does not lock the one to which pruning writes next.
    _ = try other.run([
      PostgreSQLStatement("LOCK TABLE company._datastore IN ROW EXCLUSIVE MODE NOWAIT"),
      PostgreSQLStatement("COMMIT"),
    ])
    try await removal.value
    #expect(try isRemoved)
  }

  @Test("A deadlock with somebody else is not the end of it")
  func deadlock() throws {
    try server.psql(
      database,
      """
      CREATE SEQUENCE public.tries;
      CREATE FUNCTION public.fail_once() RETURNS event_trigger LANGUAGE plpgsql AS $$ BEGIN
        IF nextval('public.tries') = 1 THEN
          RAISE EXCEPTION 'deadlock detected' USING ERRCODE = '40P01';
        END IF; END $$;
      CREATE EVENT TRIGGER fail_once ON sql_drop EXECUTE FUNCTION public.fail_once()
      """)
    try made.remove(withRows: false)
    #expect(try isRemoved)
  }

  @Test("Rows that somebody has written meanwhile stay, unless they are to go")
  func rows() throws {
    try server.psql(database, #"INSERT INTO company."Tag" ("_id", "label") VALUES (1, 'x')"#)
    try made.remove(withRows: false)
    #expect(try server.psql(database, #"SELECT label FROM company."Tag""#) == "x")
    try made.remove(withRows: true)
    #expect(throws: (any Error).self) { try server.psql(database, #"TABLE company."Tag""#) }
  }
}
#endif
