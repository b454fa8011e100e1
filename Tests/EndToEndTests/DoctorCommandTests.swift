import DatastoreTestSupport
import Foundation
import Testing

/// `datastore doctor` on typical files; the tests of `FileExamination` cover its findings.
@Suite(
  "The doctor", .enabled(if: SQLiteCommand.isPresent, "\(SQLiteCommand.absence)"))
struct DoctorCommandTests {
  private let program: Program
  private var file: URL { program.directory.url.appending(path: "f.sqlite") }

  init() throws {
    program = try Program()
  }

  @Test func aSoundStore() async throws {
    try program.directory.write("name,age\nAda,36\nGrace,45\n", to: "employee.csv")
    #expect(try await program.run("load", "employee.csv", "--into", "f.sqlite").status == 0)
    let before = try Data(contentsOf: file)
    let outcome = try await program.run("doctor", "f.sqlite")
    #expect(outcome.status == 0 && outcome.errors.isEmpty, "\(outcome)")
    #expect(outcome.output.hasSuffix("\nAll is well.\n"))
    #expect(outcome.output.contains("  made by          SwiftDatastore, format 2"))
    #expect(outcome.output.contains("  integrity_check  ok"))
    #expect(try Data(contentsOf: file) == before)
    #expect(try program.directory.names().filter { $0.hasPrefix("f.sqlite") } == ["f.sqlite"])
  }

  @Test func somethingNeedsAttention() async throws {
    try SQLiteCommand.run(
      "CREATE TABLE p (id INTEGER PRIMARY KEY); CREATE TABLE c (p REFERENCES p); INSERT INTO c VALUES (4)",
      on: file)
    let outcome = try await program.run("doctor", "f.sqlite")
    #expect(outcome.status == 1)
    #expect(outcome.output.contains("! foreign keys     a row of c (row 1) refers by p to p"))
    #expect(
      outcome.output.contains(
        "\nEvery row can be read, but something needs attention:\n- Some rows refer"))
  }

  @Test func aViewCannotBeRead() async throws {
    try SQLiteCommand.run(
      "CREATE TABLE t (a); CREATE VIEW v AS SELECT gone FROM t; CREATE VIEW w AS SELECT a FROM t",
      on: file)
    let outcome = try await program.run("doctor", "f.sqlite")
    #expect(outcome.status == 1, "\(outcome)")
    #expect(outcome.output.contains("v: no such column: gone"), "\(outcome)")
    #expect(!outcome.output.contains("  w: "), "\(outcome)")
    #expect(!outcome.output.contains("All is well"))
  }

  @Test func damageAndWhatIsNoDatabase() async throws {
    try SQLiteCommand.run(
      """
      CREATE TABLE t (x); WITH n (i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < 900)
      INSERT INTO t SELECT randomblob(50) FROM n
      """, on: file)
    var bytes = try Data(contentsOf: file)
    for place in 8_192..<8_400 { bytes[place] = 0xEE }
    try bytes.write(to: file)
    let damaged = try await program.run("doctor", "f.sqlite")
    #expect(damaged.status == 65)
    #expect(damaged.output.contains("\nThe file is damaged:\n- Make a copy"))
    try program.directory.write("name\nAda\n", to: "a.csv")
    #expect(try await program.run("doctor", "a.csv").status == 65)
    #expect(try await program.run("doctor", "missing.sqlite").status == 66)
    #expect(try await program.run("doctor", "postgresql://localhost/x").status == 64)
  }

  @Test func aNameSpeaksToNoTerminal() async throws {
    try SQLiteCommand.run(
      "CREATE TABLE p (id INTEGER PRIMARY KEY); CREATE TABLE \"c\u{1B}]0;x\u{7}\" (p REFERENCES p); "
        + "INSERT INTO \"c\u{1B}]0;x\u{7}\" VALUES (4)", on: file)
    let outcome = try await program.run("doctor", "f.sqlite")
    #expect(outcome.status == 1 && !outcome.output.utf8.contains(0x1B))
  }
}
