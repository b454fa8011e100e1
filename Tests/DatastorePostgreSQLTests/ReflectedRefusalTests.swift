#if PostgreSQL
import DatastoreCore
import DatastorePostgreSQL
import DatastoreTestSupport
import Foundation
import Testing

@Suite("What tables of other programs refuse, keep and add")
struct ReflectedRefusalTests {
  let server: PostgreSQLServer
  let database: String

  init() throws {
    server = try PostgreSQLServer.shared()
    database = try server.makeDatabase()
  }

  private func store(_ statements: String, user: String = "postgres") throws -> PostgreSQLStore {
    try psql(statements)
    let address = server.address(of: database).replacing("user=postgres", with: "user=\(user)")
    return try PostgreSQLStore(showing: PostgreSQLAddress(address), isReadOnly: false)
  }

  @discardableResult
  private func psql(_ sql: String) throws -> String { try server.psql(database, sql) }

  @Test("What constraints refuse is told by entity and property")
  func constraints() throws {
    let store = try store(
      """
      CREATE SCHEMA hr;
      CREATE TABLE customer (id int PRIMARY KEY);
      CREATE TABLE hr.customer (id int PRIMARY KEY, mail text, name text NOT NULL, age int CONSTRAINT grown CHECK (age > 17),
        since date, chief int REFERENCES hr.customer, UNIQUE (mail, since));
      CREATE UNIQUE INDEX ON hr.customer (age);
      INSERT INTO hr.customer VALUES (1, 'a', 'A', 20, '2024-01-01', NULL);
      """)
    func failure(_ values: [String: Value]) throws -> StoreError? {
      var changes = Changes(store)
      try changes.insert(
        "hr.customer", key: 9, ["name": "N"].merging(values) { _, new in new })
      return #expect(throws: StoreError.self) { try changes.save() }
    }
    #expect(
      try failure(["mail": "a", "since": "2024-01-01"])
        == .notUnique(entity: "hr.customer", properties: ["mail", "since"], key: 9))
    #expect(
      try failure(["age": 20])
        == .notUnique(entity: "hr.customer", properties: ["age"], key: 9))
    #expect(
      try failure(["name": .null])
        == .missingValue(entity: "hr.customer", property: "name", key: 9))
    #expect(
      try failure(["age": 5])
        == .checkFailed(entity: "hr.customer", constraint: "grown", key: nil))
    let error = try failure(["chief": 99])
    guard case .brokenReference("hr.customer", "chief", _, _) = error else {
      Issue.record("\(error.debugDescription)")
      return
    }
  }

  // Promise: a trigger, a rule or row security keeps or leaves out a row; rows that nobody has seen would
  // go with a deleted one → a sentence, and nothing is saved.
  // Also: `ReflectedRefusalTests.permissions`
  @Test("What triggers, rules and references do beside is told or read again")
  func triggers() throws {
    let store = try store(
      """
      CREATE TABLE parent (id int PRIMARY KEY, name text, changed int DEFAULT 0);
      CREATE TABLE child (id int PRIMARY KEY, parent int REFERENCES parent ON DELETE CASCADE, name text);
      CREATE TABLE kept (id int PRIMARY KEY, name text);
      CREATE TABLE still (id int PRIMARY KEY, name text); INSERT INTO still VALUES (1, 'a');
      INSERT INTO parent VALUES (1, 'p'), (2, 'q'); INSERT INTO child VALUES (1, 1, 'c'), (2, 1, 'd');
      INSERT INTO kept VALUES (1, 'stay');
      CREATE FUNCTION count_up() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN NEW.changed := OLD.changed + 1;
        RETURN NEW; END $$;
      CREATE TRIGGER up BEFORE UPDATE ON parent FOR EACH ROW EXECUTE FUNCTION count_up();
      CREATE FUNCTION nothing() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN NULL; END $$;
      CREATE TRIGGER keep BEFORE DELETE ON kept FOR EACH ROW EXECUTE FUNCTION nothing();
      CREATE TRIGGER keep BEFORE UPDATE ON still FOR EACH ROW EXECUTE FUNCTION nothing();
      CREATE TRIGGER skip BEFORE INSERT ON kept FOR EACH ROW EXECUTE FUNCTION nothing();
      CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
        RAISE EXCEPTION 'no work on Sundays'; END $$;
      CREATE TRIGGER refuse BEFORE UPDATE ON kept FOR EACH ROW EXECUTE FUNCTION refuse();
      """)
    var changes = Changes(store)
    try changes.update("parent", 1, from: [:], to: ["name": "P"])
    let result = try changes.save()
    let parent = try #require(store.schema.entity(named: "parent")).index
    #expect(result.stale == [parent: [1]])
    #expect(result.sideChanges.isEverything)
    #expect(try store.row("parent", 1)?["changed"] == 1)
    func refused(_ body: (inout Changes) throws -> Void) throws -> StoreError? {
      var changes = Changes(store)
      try body(&changes)
      return #expect(throws: StoreError.self) { try changes.save() }
    }
    #expect(
      try refused { try $0.delete("kept", 1) }
        == .refused(
          entity: "kept", key: nil,
          detail: "a row was to be deleted, and a trigger or row security of the table kept it"))
    #expect(
      try refused { try $0.insert("kept", key: 2, ["name": "new"]) }
        == .refused(
          entity: "kept", key: nil, detail: "a trigger or rule of the table left out a new row"))
    #expect(
      try refused { try $0.update("kept", 1, from: [:], to: ["name": "x"]) }
        == .refused(entity: "kept", key: nil, detail: "no work on Sundays"))
    #expect(
      try refused { try $0.update("still", 1, from: ["name": "a"], to: ["name": "x"]) }
        == .refused(
          entity: "still", key: nil,
          detail: "a trigger or rule of the table kept a row as it was, or others write it all the "
            + "time"))
    // Rows that no one has seen would be deleted with it.
    #expect(
      try refused {
        try $0.delete("parent", 1)
        try $0.delete("child", 1)
      }
        == .unknownMembers(entity: "parent", key: 1, count: 1, of: "child", isDeleted: true))
    #expect(try psql("SELECT count(*) FROM child") == "2")
    var all = Changes(store)
    try all.delete("parent", 1)
    try all.delete("child", 1)
    try all.delete("child", 2)
    try all.save()
    #expect(try psql("SELECT count(*) FROM child") == "0")
  }

  @Test("Rows and columns that a user may not write are told, and nothing is saved")
  func permissions() throws {
    // Users are those of the whole server.
    let clerk = "clerk_\(database)"
    let store = try store(
      """
      CREATE ROLE \(clerk) LOGIN;
      CREATE TABLE account (id int PRIMARY KEY, owner text, balance int, secret text);
      CREATE TABLE paper (id int PRIMARY KEY, tenant text, body text);
      INSERT INTO account VALUES (1, 'A', 5, 's'); INSERT INTO paper VALUES (1, 'clerk', 'mine'), (2, 'other', 'theirs');
      GRANT SELECT (id, owner, balance), UPDATE (owner) ON account TO \(clerk);
      GRANT ALL ON paper TO \(clerk);
      ALTER TABLE paper ENABLE ROW LEVEL SECURITY;
      CREATE POLICY own ON paper FOR SELECT TO \(clerk) USING (tenant = 'clerk');
      CREATE POLICY put ON paper FOR INSERT TO \(clerk) WITH CHECK (true);
      CREATE POLICY change ON paper FOR UPDATE TO \(clerk) USING (tenant = 'clerk') WITH CHECK (true);
      """, user: clerk)
    let account = try #require(store.schema.entity(named: "account"))
    #expect(account.slot(named: "secret") == nil)
    #expect(!account.isReadOnly)
    var owner = Changes(store)
    try owner.update("account", 1, from: [:], to: ["owner": "B"])
    try owner.save()
    #expect(try psql("SELECT owner FROM account") == "B")
    func refusal(_ body: (inout Changes) throws -> Void) throws -> String {
      var changes = Changes(store)
      try body(&changes)
      return try #require(#expect(throws: StoreError.self) { try changes.save() }).description
    }
    let balance = try refusal { try $0.update("account", 1, from: [:], to: ["balance": 6]) }
    #expect(balance.contains("account is not written, since permission denied for table account"))
    let new = try refusal { try $0.insert("paper", key: 3, ["tenant": "other", "body": "x"]) }
    #expect(new.contains("row-level security"))
    let hidden = try refusal { try $0.update("paper", 1, from: [:], to: ["tenant": "other"]) }
    #expect(hidden.contains("row-level security"))
    let kept = try refusal { try $0.delete("paper", 1) }
    #expect(kept.contains("row security of the table kept it"))
    #expect(try psql("SELECT count(*), min(tenant) FROM paper") == "2|clerk")
    try psql("ALTER POLICY change ON paper USING (tenant = 'nobody')")
    let shown = try refusal { try $0.update("paper", 1, from: [:], to: ["body": "x"]) }
    #expect(shown.contains("does not let it be changed"))
  }

  // Promise: the answer to a save to third-party tables is lost → the server is asked what became of the
  // transaction (`pg_xact_status`); only then it is sent again.
  @Test("What became of a save whose answer was lost is asked of the server; it is written once")
  func lostConnection() throws {
    let store = try store(
      """
      CREATE TABLE note (id int PRIMARY KEY, body text); INSERT INTO note VALUES (1, 'a');
      CREATE SEQUENCE cuts;
      CREATE FUNCTION cut() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
        PERFORM pg_terminate_backend(pg_backend_pid()) WHERE nextval('cuts') = 1; RETURN NEW; END $$;
      CREATE TRIGGER cut BEFORE INSERT ON note FOR EACH ROW WHEN (NEW.body = 'Eve')
        EXECUTE FUNCTION cut();
      """)
    var changes = Changes(store)
    try changes.update("note", 1, from: [:], to: ["body": "b"])
    try changes.save()
    // No process was using it.
    try psql(
      "SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity WHERE datname = '\(database)' "
        + "AND pid <> pg_backend_pid()")
    var more = Changes(store)
    try more.insert("note", key: 2, ["body": "Bob"])
    try more.save()
    // In the middle of the save, once.
    var cut = Changes(store)
    try cut.insert("note", key: 3, ["body": "Eve"])
    try cut.save()
    #expect(try psql("SELECT id, body FROM note ORDER BY 1") == "1|b\n2|Bob\n3|Eve")
    #expect(try psql("SELECT last_value FROM cuts") == "2")
  }
}
#endif
