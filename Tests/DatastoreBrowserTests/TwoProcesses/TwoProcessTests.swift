import DatastoreCore
import DatastoreTestSupport
import Foundation
import SwiftDatastore
import Testing

@testable import DatastoreBrowser

// Promise: two processes write one table, with crashes and restores → each of our writes hits the row that
// was shown, or is told.
// Also: (100 rounds; 5,000 in `make fault-tests`)
/// The browser and SQLite's own program write one table. After each round the file must hold what a model
/// says, in which each of our writes has either hit the row that was shown, or was reported.
///
/// `DATASTORE_TWO_PROCESS_ROUNDS` says how many rounds; 100 without it. The seed is that of all property
/// tests.
@MainActor
@Suite(.serialized) struct TwoProcessTests {
  nonisolated private static let rounds =
    ProcessInfo.processInfo.environment["DATASTORE_TWO_PROCESS_ROUNDS"].flatMap { Int($0) } ?? 100
  /// Rounds with one file.
  nonisolated private static let perFile = 25

  @Test func everyWriteHitsTheRowThatWasShownOrIsTold() async throws {
    var tally = TwoProcessRound.Tally()
    var round = 0
    var file = 0
    while round < Self.rounds {
      var random = SeededRandom(seed: RandomCases.seed(file))
      let kind = SharedTable.kinds[file % SharedTable.kinds.count]
      let isWAL = file / SharedTable.kinds.count % 2 == 1
      // Every second file is at the other end of a line, where the other process is, too.
      let isFar = (file + file / SharedTable.kinds.count) % 2 == 1
      var play = try TwoProcessRound(kind, isWAL: isWAL, isFar: isFar, &random)
      for _ in 0..<min(Self.perFile, Self.rounds - round) {
        do {
          try await play.run(&random, &tally)
        } catch {
          let history = play.other.history.suffix(20).joined(separator: "\n")
          Issue.record("\(error), round \(round + 1), seed \(random.seed)\n\(history)")
          return
        }
        round += 1
        if !play.faults.isEmpty {
          let history = play.other.history.suffix(60).joined(separator: "\n")
          Issue.record(
            """
            \(play.faults.joined(separator: "\n")) in round \(round) of \(kind.declaration), \
            WAL \(isWAL), far \(isFar), seed \(random.seed)
            \(history)
            """)
          return
        }
      }
      try await play.end()
      file += 1
    }
    FileHandle.standardError.write(
      Data("Two processes, \(round) rounds, \(file) files: \(tally)\n".utf8))
    #expect(tally.saved > 0 && tally.conflicts > 0)
  }
}
