import DatastoreTestSupport
import Foundation
import Testing

@testable import DatastoreBrowser

private let isAsked = ProcessInfo.processInfo.environment["DATASTORE_MOST_MILLISECONDS"] != nil

/// One walk through everything that the browser can do: every command of its table, in every place where it applies, on
/// every kind of store. A new command is in it by being in the table; a new place needs a way to it in `WayIn`.
///
/// No command ends the program but those whose names say so; `esc` closes whatever a command opens. How long keys take is
/// printed. It is no part of `make test` yet, since on a busy machine keys are sent before a place is open: `make
/// bench-keys` runs it, on a machine that does nothing else, and holds keys to 100 ms.
@Suite(
  "Every command, in every place, on every store",
  .enabled(if: isAsked, "make bench-keys presses every command"))
struct EveryCommandTests {
  private static let mostMilliseconds =
    ProcessInfo.processInfo.environment["DATASTORE_MOST_MILLISECONDS"].flatMap { Double($0) }
  /// Only this place, to see it again.
  private static let onlyPlace = ProcessInfo.processInfo.environment["DATASTORE_PLACE"]

  // Promise: a command ends the program, or opens what `esc` does not close → neither, every command in
  // every place on five kinds of store; a new command is included by being in the table.
  // Also: (`make bench-keys`)
  // Promise: a summary of a long table is computed in the program that ships → it is shown, first of a
  // sample, then of all rows, with its progress.
  // Also: (foreign file of 50,000 rows; `make bench-keys`)
  @Test("It goes on, and esc closes what was opened", arguments: WalkedStore.allCases)
  func walk(_ kind: WalkedStore) async throws {
    let walk = CommandWalk(try await kind.make(in: TemporaryDirectory()))
    for scope in CommandTable.standard.scopes where scope != .everywhere {
      let isLacking = WayIn.lacking[scope]?.contains(kind) ?? false
      guard !isLacking, WayIn.elsewhere[scope] == nil,
        Self.onlyPlace == nil || Self.onlyPlace == scope.name
      else { continue }
      try await walk.walk(scope)
    }
    FaultRounds.report(walk.report())
    for fault in walk.faults { Issue.record("\(kind.rawValue): \(fault)") }
    if let most = Self.mostMilliseconds {
      for (milliseconds, what) in walk.slowest where milliseconds > most {
        Issue.record("\(kind.rawValue): \(what) took \(Int(milliseconds)) ms")
      }
    }
  }
}
