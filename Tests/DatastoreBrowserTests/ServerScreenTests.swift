#if PostgreSQL
import DatastoreCore
import DatastorePostgreSQL
import DatastoreTestSupport
import SwiftDatastore
import TerminalUI
import Testing

@testable import DatastoreBrowser

/// Features that only databases in servers have.
@MainActor
@Suite struct ServerScreenTests {
  @Test func openingATableWaitsAtMostFourTimes() async throws {
    let browser = try await BrowserDriver(TestEngine.server.company())
    await browser.press("shift-tab", "down")
    let before = browser.datastore.waitCount
    await browser.press("enter")
    #expect(browser.table[1].contains("Ann"))
    #expect(browser.table[1].contains("Acme"))
    let waits = browser.datastore.waitCount - before
    #expect(waits <= 4, "\(waits) waits")
  }

  @Test func estimatesStandUntilTheRowsAreCounted() async throws {
    let database = try ServerDatabase(
      """
      CREATE TABLE counted (id int PRIMARY KEY);
      INSERT INTO counted SELECT generate_series(1, 12345);
      ANALYZE counted;
      CREATE TABLE fresh (id int PRIMARY KEY);
      CREATE TABLE parts (id int PRIMARY KEY) PARTITION BY RANGE (id);
      CREATE TABLE parts_1 PARTITION OF parts FOR VALUES FROM (0) TO (1000);
      INSERT INTO parts SELECT generate_series(1, 500);
      ANALYZE parts_1;
      CREATE VIEW few AS SELECT id FROM counted WHERE id <= 100;
      """)
    let datastore = try database.open(SwiftDatastore.Options())
    let counts = try await datastore.sharedViewContext.answer(EstimatedCountsQuestion())
    func estimate(_ name: String) throws -> Int? {
      counts[try #require(datastore.schema.entity(named: name)).index]
    }
    #expect(try estimate("counted") == 12_345)
    #expect(try estimate("parts") == 500)
    #expect(try estimate("fresh") != nil)
    #expect(try estimate("few") != nil)
    var list = EntityListState(datastore.schema)
    let entity = try #require(datastore.schema.entity(named: "counted")).index
    list.apply(estimates: counts)
    #expect(list.counts[entity] == .estimated(12_345))
    _ = list.apply(.success(12_346), of: entity)
    list.apply(estimates: counts)
    #expect(list.counts[entity] == .known(12_346))
    try datastore.close()
  }

  @Test func whatIsNoPlainTableSaysWhatItIs() async throws {
    let database = try ServerDatabase(
      """
      CREATE TABLE t (id int PRIMARY KEY);
      CREATE MATERIALIZED VIEW m AS SELECT id FROM t;
      CREATE TABLE p (id int PRIMARY KEY) PARTITION BY RANGE (id);
      CREATE TABLE p_1 PARTITION OF p FOR VALUES FROM (0) TO (1000);
      CREATE EXTENSION postgres_fdw;
      CREATE SERVER loop FOREIGN DATA WRAPPER postgres_fdw
        OPTIONS (host '\(PostgreSQLServer.shared().directory)', dbname 'postgres');
      CREATE USER MAPPING FOR postgres SERVER loop OPTIONS (user 'postgres');
      CREATE FOREIGN TABLE f (id int) SERVER loop OPTIONS (schema_name 'pg_catalog', table_name 'pg_class');
      """)
    let terminal = MemoryTerminal(size: Size(columns: 120, rows: 24), glyphs: .unicode)
    let browser = Browser(
      try database.open(SwiftDatastore.Options()), terminal: terminal,
      options: BrowserOptions(entity: "p"))
    try browser.start()
    await browser.idle()
    let lines = terminal.picture
    #expect(lines.contains { $0.contains("m materialized") }, "\(lines)")
    #expect(lines.contains { $0.contains("p partitioned") }, "\(lines)")
    #expect(lines.contains { $0.contains("f foreign") }, "\(lines)")
    #expect(lines.contains { $0.contains("partitioned table") }, "\(lines)")
    terminal.press("q")
  }

  @Test func aDatabaseIsOnlyLookedAtUnlessOneMayWrite() async throws {
    let database = try ServerDatabase(
      "CREATE TABLE t (id int PRIMARY KEY, n text); INSERT INTO t VALUES (1, 'a')")
    let looking = try database.open(SwiftDatastore.Options(), readOnly: true)
    let terminal = MemoryTerminal(size: Size(columns: 80, rows: 24), glyphs: .unicode)
    let browser = Browser(looking, terminal: terminal, options: BrowserOptions())
    try browser.start()
    await browser.idle()
    terminal.press("e")
    await browser.idle()
    #expect(
      browser.state.message?.text
        == "This database is read-only; open it with --write to change it.")
  }

  // Promise: a statement of the browser's takes the server too long → esc ends it there, and so does
  // leaving.
  @Test func escEndsAStatementInTheServer() async throws {
    let database = try ServerDatabase(
      """
      CREATE TABLE quick (id int PRIMARY KEY);
      CREATE VIEW slow AS SELECT i AS id, pg_sleep(600)::text AS n FROM generate_series(1, 10) AS i;
      """)
    let terminal = MemoryTerminal(size: Size(columns: 80, rows: 24), glyphs: .unicode)
    let browser = Browser(
      try database.open(SwiftDatastore.Options()), terminal: terminal,
      options: BrowserOptions(entity: "slow"))
    func running(_ pattern: String) throws -> Int {
      try Int(
        database.values(
          """
          SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()
          AND pid <> pg_backend_pid() AND state = 'active' AND query LIKE '\(pattern)'
          """)[0]) ?? -1
    }
    /// Asks the server repeatedly for its running statements, and lets the browser continue in between.
    func expect(_ count: Int, running pattern: String, and shown: String = "") async throws {
      for _ in 0..<2_000 {
        await browser.runner.drainMainQueue()
        let picture = terminal.picture.joined()
        if try running(pattern) == count, shown.isEmpty || picture.contains(shown) { return }
      }
      Issue.record("“\(pattern)” is not run \(count) times, or “\(shown)” is not shown.")
    }
    try browser.start()
    try await expect(1, running: "%slow%LIMIT%")
    terminal.press("esc")
    try await expect(0, running: "%slow%LIMIT%", and: "reading was stopped")
    // Leaving waits for no count, either.
    terminal.press("q")
    try await expect(0, running: "%slow%")
  }
}
#endif
