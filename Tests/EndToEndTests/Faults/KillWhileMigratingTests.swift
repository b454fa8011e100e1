import DatastoreCore
import DatastoreSQLite
import DatastoreTestSupport
import Foundation
import Testing

// Promise: `kill -9` in `datastore migrate` → the old store or the new one, complete.
/// kill -9 in the middle of `datastore migrate`: the store is the old one or the new one, complete.
@Suite("kill -9 while migrating", .serialized)
struct KillWhileMigratingTests {
  @Test func aMigrationIsAllOrNothing() async throws {
    let file = try MigratingFile(rows: 12_000)
    let all = try await file.migrate(killedAt: .max).seen
    let new = try file.contents()
    #expect(new != file.old)
    var (whole, absent, underWay) = (0, 0, 0)
    for round in 0..<FaultRounds.migrationCount {
      var random = SeededRandom(seed: RandomCases.seed(round))
      try file.reset()
      let killed = try await file.migrate(killedAt: random.below(all))
      if killed.isUnderWay { underWay += 1 }
      // The program is the first to open the remains of the crash; others would repair them.
      let first = try await file.program.run("schema", "s.sqlite")
      #expect(first.status == 0, "round \(round): \(first.errors)")
      #expect(try SQLiteFile.values("PRAGMA integrity_check", in: file.url) == ["ok"])
      let found = try file.contents()
      #expect(found == file.old || found == new, "round \(round)")
      if found == new {
        whole += 1
        continue
      }
      absent += 1
      let again = try await file.program.run("migrate", "s.sqlite", "--to", "new.sqlite", "-q")
      #expect(again.status == 0, "round \(round): \(again.errors)")
      #expect(try file.contents() == new, "round \(round)")
    }
    // A notice that a crash has left is adopted by the next migration, and goes with it.
    #expect(!(try file.program.directory.names().contains(".s.sqlite.migrating")) || whole > 0)
    FaultRounds.report(
      """
      kill -9 while migrating: \(FaultRounds.migrationCount) rounds; the migration was whole \(whole) times \
      and absent \(absent) times; \(underWay) were being written
      """)
    #expect(underWay > 0)
  }
}

// Promise: the disk is full → the old store, and a sentence.
/// A disk on which there is room for the store, and for more or less of its migration.
@Suite(
  "A full disk while migrating", .serialized,
  .enabled(if: SmallDisk.isPossible, "there is no small disk without a mount namespace"))
struct FullDiskMigrationTests {
  @Test func theStoreIsTheOldOneUntilThereIsRoom() async throws {
    let file = try MigratingFile(rows: 3_000)
    let program = file.program
    try FileManager.default.copyItem(at: file.url, to: program.directory.file("f.sqlite"))
    let before = try SQLiteCommand.run(".dump", on: file.url)
    let size = try FileManager.default.attributesOfItem(atPath: file.url.path)[.size] as? Int ?? 0
    var refused = 0
    var (kilobytes, step) = (size / 1024 + 60, max(40, size / 1024 / 4))
    while true {
      let disk = try SmallDisk(program, kilobytes: kilobytes)
      let script = """
        "$@" migrate disk/f.sqlite --to new.sqlite --quiet --no-backup
        echo status $?
        rm -rf out; mkdir out; cp disk/f.sqlite* out
        """
      let outcome = try await program.shell(
        disk.command(running: ["sh", "-c", script, "sh", Program.executable.path]))
      let copy = program.directory.file("out/f.sqlite")
      #expect(try SQLiteFile.values("PRAGMA integrity_check", in: copy) == ["ok"])
      if outcome.output.contains("status 0") {
        #expect(try SQLiteCommand.run(".dump", on: copy) != before)
        break
      }
      refused += 1
      #expect(outcome.errors.contains("There is no space left"), "\(outcome.errors)")
      #expect(outcome.output.contains("status 74"), "\(outcome.output)")
      #expect(try SQLiteCommand.run(".dump", on: copy) == before, "\(kilobytes) kB")
      guard refused < 60 else {
        Issue.record("there never was room enough")
        return
      }
      kilobytes += step
      // Smaller steps when there was nearly enough room.
      if refused % 8 == 0 { step *= 2 }
    }
    FaultRounds.report("a full disk while migrating: refused \(refused) times, then done")
    #expect(refused >= 3)
  }
}

// Promise: Ctrl-C, a locked store, a second migration → sentences; the second waits and finds everything
// done.
/// Other obstacles for `datastore migrate`.
@Suite("Interrupted and locked out while migrating", .serialized)
struct MigrationInterruptionTests {
  @Test("Ctrl-C or a request to end takes it back, and says so", arguments: [SIGINT, SIGTERM])
  func interrupted(by signal: Int32) async throws {
    let file = try MigratingFile(rows: 200_000)
    let terminal = try PseudoTerminal(
      file.program, ["migrate", "s.sqlite", "--to", "new.sqlite"])
    let written = WrittenBytes(terminal, file.program)
    try written.stop(after: 1_000_000)
    kill(terminal.process, signal)
    kill(terminal.process, SIGCONT)
    try await terminal.wait(for: "The migration was interrupted. Nothing was changed.")
    #expect(try await terminal.end() == .status(128 + signal))
    #expect(try file.contents() == file.old)
    #expect(try file.program.directory.names().filter { $0.contains("migrating") } == [])
  }

  @Test("A store that someone else writes is not migrated, which is said in a sentence")
  func locked() async throws {
    let file = try MigratingFile(rows: 10)
    let other = try SQLiteProgram(file.url)
    #expect(other.run("BEGIN IMMEDIATE; DELETE FROM Person WHERE _id = 1;") == [])
    let outcome = try await file.program.run("migrate", "s.sqlite", "--to", "new.sqlite")
    #expect(outcome.status == 75)
    #expect(
      outcome.errors.contains("is in use by another process, which has locked it"),
      "\(outcome.errors)")
    #expect(other.run("ROLLBACK;") == [])
    #expect(try file.contents() == file.old)
  }

  @Test("A second process waits for the first, says so, and finds everything done")
  func waiting() async throws {
    let file = try MigratingFile(rows: 60_000)
    let first = try PseudoTerminal(file.program, ["migrate", "s.sqlite", "--to", "new.sqlite"])
    // In the middle, with the lock in its hands.
    try WrittenBytes(first, file.program).stop(after: 500_000)
    let second = try PseudoTerminal(file.program, ["migrate", "s.sqlite", "--to", "new.sqlite"])
    try await second.wait(for: "Waiting for another process, which migrates the store")
    // A reader is not kept out.
    let looking = try await file.program.run(
      "query", "s.sqlite", "--sql", "SELECT count(*) FROM Person", "--format", "csv", "--no-header")
    #expect(looking.output == "60000\n")
    // A writer's error names the process for which it would wait.
    let writing = try await file.program.run("load", "people.csv", "--into", "s.sqlite", "-q")
    #expect(writing.status == 75)
    #expect(
      writing.errors.contains("is being migrated by the process \(first.process)"),
      "\(writing.errors)")
    kill(first.process, SIGCONT)
    #expect(try await first.end() == .status(0))
    #expect(try await second.end() == .status(0))
    #expect(
      try SQLiteFile.values(
        "SELECT count(*) FROM _datastore WHERE key LIKE 'history:%'", in: file.url) == ["1"])
    #expect(
      try SQLiteFile.values("SELECT sum(typeof(age) = 'text') FROM Person", in: file.url)
        == ["60000"])
  }
}

/// A store of two entities, and one of the version that it is migrated to, which has every row written.
private struct MigratingFile {
  let program: Program
  let url: URL
  /// The result of `contents()` for the old version.
  let old: [String]

  private static func person(
    age: AttributeType, _ more: PropertyDescription...
  ) -> EntityDescription {
    EntityDescription(
      name: "Person",
      properties: [
        .attribute(AttributeDescription(name: "name", type: .string, isIndexed: true)),
        .attribute(AttributeDescription(name: "age", type: age)),
      ] + more)
  }

  init(rows: Int) throws {
    program = try Program()
    url = program.directory.file("s.sqlite")
    try SQLiteStore(try Schema([Self.person(age: .integer64)]), at: url).close()
    let required = AttributeDescription(
      name: "state", type: .string, isOptional: false, defaultValue: "new")
    try SQLiteStore(
      try Schema([Self.person(age: .string, .attribute(required))]),
      at: program.directory.file("new.sqlite")
    ).close()
    try SQLiteFile.make(
      at: url,
      """
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(rows)) \
      INSERT INTO Person (_id, name, age) SELECT i, 'a name of person ' || i, i % 90 FROM n;
      PRAGMA wal_checkpoint(TRUNCATE);
      """)
    try program.directory.write("name,age\nZoe,1\n", to: "people.csv")
    old = try Self.contents(of: url)
    try FileManager.default.copyItem(at: url, to: program.directory.file("kept.sqlite"))
  }

  /// Makes it the old store again.
  func reset() throws {
    for name in try program.directory.names() where name.hasPrefix("s.sqlite") {
      try FileManager.default.removeItem(at: program.directory.file(name))
    }
    try FileManager.default.copyItem(at: program.directory.file("kept.sqlite"), to: url)
  }

  /// Tables, rows and the file's description of itself, except the time of its migration.
  func contents() throws -> [String] { try Self.contents(of: url) }

  private static func contents(of url: URL) throws -> [String] {
    try SQLiteFile.values(
      "SELECT sql FROM sqlite_master WHERE sql IS NOT NULL ORDER BY name", in: url)
      + SQLiteFile.values(
        "SELECT key || value FROM _datastore WHERE key NOT LIKE 'history:%' ORDER BY key", in: url)
      + [SQLiteCommand.run("SELECT * FROM Person ORDER BY _id", on: url)]
      + SQLiteFile.values("PRAGMA user_version", in: url)
  }

  /// Migrates on a terminal, on which the program shows its progress, and kills it after it has written so
  /// many bytes, or at its end.
  func migrate(killedAt moment: Int) async throws -> (seen: Int, isUnderWay: Bool) {
    let terminal = try PseudoTerminal(program, ["migrate", "s.sqlite", "--to", "new.sqlite"])
    let written = WrittenBytes(terminal, program)
    let seen = try await written.wait(for: moment) { _ in false }
    let isUnderWay = !terminal.isClosed && written.hasStored
    try await terminal.killNow()
    return (seen, isUnderWay)
  }
}
