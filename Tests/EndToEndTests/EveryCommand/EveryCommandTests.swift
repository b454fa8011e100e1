import DatastoreTestSupport
import Foundation
import Testing

@testable import DatastoreBrowser

/// One walk through all features of the browser: every command of its table, in every place where it applies,
/// on every kind of store. A new command is in the walk because it is in the table; a new place needs a way
/// to it in `WayIn`.
///
/// No command ends the program but those whose names say so; `esc` closes everything that a command opens.
/// The test prints how long keys take. `make bench-keys` runs it alone, on an idle machine, and limits keys
/// to 100 ms.
@Suite("Every command, in every place, on every store")
struct EveryCommandTests {
  private static let mostMilliseconds =
    ProcessInfo.processInfo.environment["DATASTORE_MOST_MILLISECONDS"].flatMap { Double($0) }
  /// Only this place, to see it again.
  private static let onlyPlace = ProcessInfo.processInfo.environment["DATASTORE_PLACE"]

  // Promise: a command ends the program, or opens what `esc` does not close → neither, every command in
  // every place on five kinds of store; a new command is included by being in the table.
  // Promise: a summary of a long table is computed in the program that ships → it is shown, first of a
  // sample, then of all rows, with its progress.
  // Also: (third-party file of 50,000 rows)
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
