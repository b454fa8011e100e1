import DatastoreTestSupport
import Foundation
import Testing

/// Several processes write one store, others make checkpoints of it or open and close it, and each keeps a ledger
/// of what was acknowledged to it. In a memory file system, where SQLite's WAL-reset bug shows without any pause.
@Suite(
  "Processes that write beside checkpoints", .serialized,
  .enabled(if: SQLiteCommand.isPresent, "\(SQLiteCommand.absence)"))
struct CheckpointRoundsTests {
  private static let child = Program.executable.deletingLastPathComponent()
    .appendingPathComponent("LedgerWriter").path
  private static let memory = URL(fileURLWithPath: "/dev/shm")
  private static let loadedRows = 500

  /// What runs in a round, and what its lines in the ledger begin with.
  private static let roles: [[String]] = [
    ["write", "a", "150"], ["write", "b", "150"], ["write", "c", "150"], ["reopen", "d", "15"],
    ["checkpoint", "60"], ["checkpoint", "60"],
  ]

  @Test func whatWasAcknowledgedIsThere() async throws {
    var entries = 0
    for round in 0..<FaultRounds.count { entries += try await run(round) }
    FaultRounds.report(
      "writing beside checkpoints: \(FaultRounds.count) rounds of \(Self.roles.count + 1) processes, "
        + "\(entries) rows acknowledged, all of them there")
  }

  /// Returns how many rows were acknowledged.
  private func run(_ round: Int) async throws -> Int {
    let program = try Program()
    // Where there is none, the disk has to do.
    let folder =
      access(Self.memory.path, W_OK) == 0
      ? Self.memory.appendingPathComponent("datastore-tests-\(UUID().uuidString)")
      : program.directory.url.appendingPathComponent("memory")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.appendingPathComponent("f.sqlite")
    // Made before the others come.
    #expect(try await start(["checkpoint", "1"], on: file, folder).process.ended() == 0)
    try program.directory.write(
      "writer,number\n" + (0..<Self.loadedRows).map { "loaded,\($0)\n" }.joined(), to: "Entry.csv")

    let running = try Self.roles.map { try start($0, on: file, folder) }
    let load = try program.start(["load", "Entry.csv", "--into", file.path])
    for (child, role) in zip(running, Self.roles) {
      let status = await child.process.ended()
      let errors = try String(contentsOf: child.errors, encoding: .utf8)
      #expect(status == 0, "round \(round), \(role): \(errors)")
    }
    let loaded = try await load.outcome()
    #expect(loaded.status == 0, "round \(round): \(loaded.errors)")

    var ledger = ["loaded|\(Self.loadedRows)|\(Self.loadedRows)"]
    for (child, role) in zip(running, Self.roles) where role.count == 3 {
      let lines = try String(contentsOf: child.output, encoding: .utf8).split(separator: "\n")
      ledger.append("\(role[1])|\(lines.count * 10)|\(Set(lines).count)")
    }
    let stored = try SQLiteCommand.run(
      "SELECT writer, count(*), count(DISTINCT number) FROM Entry GROUP BY 1", on: file
    ).split(separator: "\n").map(String.init)
    #expect(stored == ledger.sorted(), "round \(round)")
    #expect(try SQLiteCommand.run("PRAGMA integrity_check", on: file) == "ok", "round \(round)")
    return try Int(SQLiteCommand.run("SELECT count(*) FROM Entry", on: file)) ?? 0
  }

  private struct Child {
    let process: ChildProcess
    let output: URL
    let errors: URL
  }

  private func start(_ arguments: [String], on file: URL, _ folder: URL) throws -> Child {
    let id = UUID().uuidString
    let output = folder.appendingPathComponent("\(id).out")
    let errors = folder.appendingPathComponent("\(id).err")
    let process = try ChildProcess(
      Self.child, [file.path] + arguments, output: output, errors: errors)
    return Child(process: process, output: output, errors: errors)
  }
}
