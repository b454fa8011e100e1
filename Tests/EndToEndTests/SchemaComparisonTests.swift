import DatastoreTestSupport
import Foundation
import Testing

/// `datastore schema --compare` of files of other programs, whose statements say more than a schema.
@Suite("datastore schema --compare")
struct SchemaComparisonTests {
  private let program: Program

  init() throws { program = try Program() }

  /// Compares two new files with these statements.
  private func compared(
    _ old: String, _ new: String, _ arguments: String...
  ) async throws -> Program.Outcome {
    for (name, sql) in [("old.sqlite", old), ("new.sqlite", new)] {
      let file = program.directory.file(name)
      try? FileManager.default.removeItem(at: file)
      try SQLiteFile.make(at: file, sql)
    }
    return try await program.start(
      ["schema", "old.sqlite", "--compare", "new.sqlite"] + arguments
    ).outcome()
  }

  @Test("A check that differs is told with both statements")
  func check() async throws {
    let (old, new) = ("CREATE TABLE t(a INT CHECK(a>0))", "CREATE TABLE t(a INT CHECK(a>1))")
    let outcome = try await compared(old, new)
    #expect(outcome.status == 1)
    #expect(
      outcome.output.contains("the definition of t differs\n  from \(old)\n  to   \(new)\n"),
      "\(outcome)")
    let json = try await compared(old, new, "--format", "json")
    #expect(json.status == 1)
    let changes = try JSONDecoder().decode([[String: String]].self, from: Data(json.output.utf8))
    #expect(
      changes.contains([
        "entity": "t", "kind": "definition", "change": "the definition of t differs",
        "from": old, "to": new,
      ]), "\(json)")
  }

  @Test(
    "What only a statement says is a difference",
    arguments: [
      ("CREATE TABLE t(a TEXT)", "CREATE TABLE t(a TEXT COLLATE NOCASE)"),
      (
        "CREATE TABLE t(i INTEGER PRIMARY KEY)",
        "CREATE TABLE t(i INTEGER PRIMARY KEY AUTOINCREMENT)"
      ),
      ("CREATE TABLE t(a TEXT)", "CREATE TABLE t(a TEXT) STRICT"),
      ("CREATE TABLE t(a, b AS (a + 1))", "CREATE TABLE t(a, b AS (a + 2))"),
      ("CREATE TABLE t(a UNIQUE)", "CREATE TABLE t(a UNIQUE ON CONFLICT IGNORE)"),
      (
        "CREATE TABLE p(i INTEGER PRIMARY KEY); CREATE TABLE t(p REFERENCES p)",
        "CREATE TABLE p(i INTEGER PRIMARY KEY); CREATE TABLE t(p REFERENCES p ON UPDATE CASCADE)"
      ),
    ])
  func declarations(_ old: String, _ new: String) async throws {
    let outcome = try await compared(old, new)
    #expect(outcome.status == 1, "\(old)")
    #expect(outcome.output.contains("the definition of t differs"), "\(outcome)")
  }

  @Test("Indexes, views and triggers are compared by their statements, or told as new or removed")
  func besidesTables() async throws {
    let outcome = try await compared(
      """
      CREATE TABLE t(a, b); CREATE INDEX i ON t(a) WHERE b > 0; CREATE INDEX j ON t(b);
      CREATE VIEW v AS SELECT a FROM t; CREATE INDEX k ON t(lower(a));
      CREATE TRIGGER g AFTER INSERT ON t BEGIN SELECT 1; END;
      """,
      """
      CREATE TABLE t(a, b); CREATE INDEX i ON t(a) WHERE b > 1; CREATE INDEX j ON t(b DESC);
      CREATE VIEW v AS SELECT a FROM t WHERE b; CREATE INDEX l ON t(upper(a));
      CREATE TRIGGER g AFTER INSERT ON t BEGIN SELECT 2; END;
      """)
    #expect(outcome.status == 1)
    for sentence in [
      "the definition of the index i differs", "the definition of the index j differs",
      "the definition of v differs", "the definition of the trigger g differs",
      "the index k is removed", "the index l is new",
    ] { #expect(outcome.output.contains(sentence + "\n"), "\(outcome)") }
  }

  @Test("Blanks, comments, quotes around names and the case of words are no difference")
  func form() async throws {
    let outcome = try await compared(
      "CREATE TABLE t(a INT CHECK(a > 0), b TEXT DEFAULT 'X')",
      "create table \"t\" (\n  [a] int check (a>0), -- the first\n  `b` TEXT default 'X')")
    #expect(outcome == Program.Outcome(status: 0, output: "", errors: ""))
    let text = try await compared(
      "CREATE TABLE t(a CHECK(a <> 'X'))", "CREATE TABLE t(a CHECK(a <> 'x'))")
    #expect(text.status == 1)
  }
}
