#if PostgreSQL
import Dispatch
import Foundation
import Synchronization

/// Eight connections that save small changes at once, with the statements of a `PostgreSQLStore`, and without
/// the notification behind the commit: what that costs everybody.
struct WriterBenchmarks {
  let database: String
  let rows: Int

  private static let writers = 8
  private static let saves = 400
  /// The share of the saves a second that may be lost.
  static let goal = 0.1

  /// The part of the saves a second that is lost with notifications: the median of some runs by turns.
  func loss(runs: Int) throws -> Double {
    var losses: [Double] = []
    for run in 0..<runs {
      let turns = run % 2 == 0 ? [false, true] : [true, false]
      let times = try turns.map { try seconds(notifying: $0) }
      let (without, with) = turns[0] ? (times[1], times[0]) : (times[0], times[1])
      losses.append(1 - without / with)
    }
    return losses.sorted()[losses.count / 2]
  }

  private func seconds(notifying: Bool) throws -> Double {
    let connections = try (0..<Self.writers).map { _ in try ServerConnection(database) }
    let listener = try ServerConnection(database)
    try listener.run("LISTEN datastore")
    let failure = Mutex<(any Error)?>(nil)
    let group = DispatchGroup()
    let all = connections.enumerated().map {
      Writer(connection: $1, number: $0, rows: rows, notifies: notifying)
    }
    for writer in all { try writer.prepare() }
    let start = ContinuousClock.now
    for writer in all {
      group.enter()
      Thread.detachNewThread {
        do {
          for save in 0..<Self.saves { try writer.save(save) }
        } catch {
          failure.withLock { $0 = error }
        }
        group.leave()
      }
    }
    group.wait()
    var watch = Stopwatch()
    watch.add(start.duration(to: .now))
    if let failure = failure.withLock(\.self) { throw failure }
    return watch.seconds
  }

  /// Used by its thread only.
  private struct Writer: @unchecked Sendable {
    let connection: ServerConnection
    let number: Int
    let rows: Int
    let notifies: Bool

    private static let row = """
      INSERT INTO "_datastore_changes" ("save", "session", "changes") \
      VALUES ($1::text::uuid, $1::text::uuid, '\\x01') RETURNING "xid"::text
      """
    private static let update = #"""
      UPDATE "Employee" AS e SET "salary" = g.n FROM unnest($1, $2) AS g (k, n) WHERE e."_id" = g.k
      """#
    private static let notification = "SELECT pg_notify('datastore', $1)"

    /// Has the server keep the plans, as it does for the library.
    func prepare() throws {
      let id = ServerArray(scalar: "")
      for text in ["BEGIN", "SET LOCAL lock_timeout = '5s'", "COMMIT"] { try connection.keep(text) }
      try connection.keep(Self.row, [id])
      try connection.keep(Self.update, [ServerArray(bigints: [0]), ServerArray(doubles: [0])])
      try connection.keep(Self.notification, [id])
    }

    /// One message, as `SaveAttempt` sends it.
    func save(_ save: Int) throws {
      // No two writers change the same row.
      let key = Int64((save * WriterBenchmarks.writers + number) % rows) + 1
      let id = ServerArray(scalar: UUID().uuidString)
      var statements: [(text: String, parameters: [ServerArray])] = [
        ("BEGIN", []), ("SET LOCAL lock_timeout = '5s'", []), (Self.row, [id]),
        (Self.update, [ServerArray(bigints: [key]), ServerArray(doubles: [Double(save)])]),
        ("COMMIT", []),
      ]
      if notifies { statements.append((Self.notification, [id])) }
      try connection.pipeline(statements)
    }
  }
}
#endif
