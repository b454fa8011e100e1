import DatastoreTestSupport
import Foundation
import Testing

/// Several processes write one store, others make checkpoints of it or open and close it, and each keeps a
/// ledger of its acknowledged saves. The store is in a memory file system, where SQLite's WAL-reset bug shows
/// without any pause.
@Suite(
  "Processes that write beside checkpoints", .serialized,
  .enabled(if: SQLiteCommand.isPresent, "\(SQLiteCommand.absence)"))
struct CheckpointRoundsTests {
  private static let child = BuiltProgram.debugFolder.appending(path: "LedgerWriter").path
  private static let memory = URL(fileURLWithPath: "/dev/shm")
  private static let loadedRows = 500

  /// The writers of a round: method, name, number of saves, and entries at a time.
  private static let writers: [[String]] = [
    ["write", "a", "400", "1"], ["write", "b", "400", "1"], ["write", "c", "400", "1"],
    ["write", "d", "150", "20"], ["reopen", "e", "10", "3"],
  ]
  /// Processes that make one checkpoint after another.
  private static let checkpointers = 2

  @Test func whatWasAcknowledgedIsThere() async throws {
    var entries = 0
    var damaged = 0
    for round in 0..<FaultRounds.count {
      do {
        entries += try await run(round)
      } catch {
        damaged += 1
        Issue.record("round \(round): \(error)")
      }
    }
    FaultRounds.report(
      "writing beside checkpoints: \(FaultRounds.count) rounds of \(Self.writers.count + Self.checkpointers + 1) processes, "
        + "\(entries) rows acknowledged, \(damaged) files damaged")
  }

  /// Returns how many rows were acknowledged.
  private func run(_ round: Int) async throws -> Int {
    let program = try Program()
    // Without such a file system, the disk has to do.
    let folder =
      access(Self.memory.path, W_OK) == 0
      ? Self.memory.appendingPathComponent("datastore-tests-\(UUID().uuidString)")
      : program.directory.url.appendingPathComponent("memory")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.appendingPathComponent("f.sqlite")
    // Made before the others come.
    let done = file.path + ".done"
    try Data().write(to: URL(fileURLWithPath: done))
    #expect(try await start(["checkpoint"], on: file, folder).process.ended() == 0)
    try FileManager.default.removeItem(atPath: done)
    try program.directory.write(
      "writer,number\n" + (0..<Self.loadedRows).map { "loaded,\($0)\n" }.joined(), to: "Entry.csv")

    let writing = try Self.writers.map { try start($0, on: file, folder) }
    let checkpointing = try (0..<Self.checkpointers).map { _ in
      try start(["checkpoint"], on: file, folder)
    }
    let load = try program.start(["load", "Entry.csv", "--into", file.path])
    try await requireEnd(of: writing, round)
    let loaded = try await load.outcome()
    #expect(loaded.status == 0, "round \(round): \(loaded.errors)")
    try Data().write(to: URL(fileURLWithPath: done))
    try await requireEnd(of: checkpointing, round)

    var ledger = ["loaded|\(Self.loadedRows)|\(Self.loadedRows)"]
    for (child, writer) in zip(writing, Self.writers) {
      let lines = try String(contentsOf: child.output, encoding: .utf8).split(separator: "\n")
      let entries = try #require(Int(writer[3]))
      ledger.append("\(writer[1])|\(lines.count * entries)|\(Set(lines).count)")
    }
    let stored = try SQLiteCommand.run(
      "SELECT writer, count(*), count(DISTINCT number) FROM Entry GROUP BY 1", on: file
    ).split(separator: "\n").map(String.init)
    #expect(stored == ledger.sorted(), "round \(round)")
    #expect(try SQLiteCommand.run("PRAGMA integrity_check", on: file) == "ok", "round \(round)")
    return try Int(SQLiteCommand.run("SELECT count(*) FROM Entry", on: file)) ?? 0
  }

  private func requireEnd(of children: [Child], _ round: Int) async throws {
    for child in children {
      let status = await child.process.ended()
      let errors = try String(contentsOf: child.errors, encoding: .utf8)
      #expect(status == 0, "round \(round): \(errors)")
    }
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
