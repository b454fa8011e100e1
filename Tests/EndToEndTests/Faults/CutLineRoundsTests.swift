import DatastoreCore
import DatastoreFar
import DatastoreTestSupport
import Foundation
import Testing

/// A line that is cut somewhere in a save, with the program that ships at its far end. The next line says
/// whether the save was committed.
@Suite("A line that is cut in a save", .serialized) struct CutLineRoundsTests {
  /// A far end that is another process, and what lies between.
  private final class Far {
    let relay: Relay
    let line: FarLine
    private let process: pid_t

    init(_ file: URL) throws {
      let relay = try Relay()
      process = try ChildProcess.start(
        [BuiltProgram.datastore.path, "serve", "--stdio", file.path],
        environment: ProcessInfo.processInfo.environment, directory: nil
      ) { actions in
        posix_spawn_file_actions_adddup2(&actions, relay.there, STDIN_FILENO)
        posix_spawn_file_actions_adddup2(&actions, relay.there, STDOUT_FILENO)
      }
      close(relay.there)
      self.relay = relay
      line = FarLine(reading: relay.here, writing: dup(relay.here), named: "there")
    }

    deinit {
      relay.end()
      var status: Int32 = 0
      while waitpid(process, &status, 0) < 0, errno == EINTR {}
    }
  }

  // Promise: a line is cut at any byte of a save → when another one can be begun, the save is told as it was:
  // saved or not, and never not known
  @Test("What is told of a save is what the file says", arguments: Relay.Side.allCases)
  func rounds(_ side: Relay.Side) throws {
    try BuiltProgram.require(BuiltProgram.datastore)
    let directory = try TemporaryDirectory()
    let file = directory.url.appending(path: "f.sqlite")
    try SQLiteFile.make(
      at: file,
      """
      CREATE TABLE employee (id INTEGER PRIMARY KEY, name TEXT NOT NULL);
      WITH n (i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < 8)
      INSERT INTO employee SELECT i, 'old' || i FROM n;
      """)
    let count = max(10, FaultRounds.count / 2)
    var told: [String: Int] = [:]
    for round in 0..<count {
      var random = SeededRandom(seed: RandomCases.seed(round))
      // The far ends of a round, which are waited for at its end.
      let fars = Lock<[Far]>([])
      let connect: @Sendable () throws -> FarLine = {
        let far = try Far(file)
        fars.withLock { $0.append(far) }
        return far.line
      }
      var options = FarOptions()
      options.isReadOnly = false
      options.isCompressed = false
      let store = try FarStore(connect(), options, connecting: connect)
      var changes = Changes(store)
      let name = "round \(round)"
      try changes.update("employee", RowKey(1), from: [:], to: ["name": .text(name)])
      try changes.insert("employee", ["name": .text("new \(round)")])
      // About as many bytes as a save takes: some of the cuts come too late.
      fars.withLock { $0[0].relay }.cut(side, after: random.below(side == .here ? 1200 : 300))
      var isSaved = true
      do {
        _ = try store.save(changes.set)
      } catch StoreError.connectionLost {
        isSaved = false
      }
      told[isSaved ? "saved" : "not saved", default: 0] += 1
      try store.close()
      fars.withLock { $0 = [] }
      let names = try SQLiteFile.values(
        "SELECT name FROM employee WHERE name IN ('\(name)', 'new \(round)')", in: file)
      #expect(names.count == (isSaved ? 2 : 0), "round \(round): \(names)")
    }
    FaultRounds.report("a line is cut in a save, \(side): \(count) rounds, \(told)")
  }
}
