import DatastoreCore
import DatastoreTestSupport
import Foundation
import SwiftDatastore

@testable import DatastoreBrowser

/// Crashes, and the changes restored after them.
extension TwoProcessRound {
  /// The browser ends after the commit, before the recovery file is removed: nothing is staged again that was
  /// saved.
  mutating func crash(
    leaving recovery: Data, hasNewRows: Bool, _ random: inout SeededRandom
  ) async throws {
    other.record("we crash right after that")
    try await ours.crash()
    try ours.leave(recovery: recovery)
    let isTouched = random.below(2) == 0
    if isTouched { for _ in 0..<random.below(3) { other.act(&table, &random) } }
    try await ours.crash()
    let report = await ours.restore()
    other.record("restored: \(report.map { "\($0)" } ?? "nothing")")
    let staged = ours.runner.view.stagedObjects()
    let isTold = report.map { !$0.conflicts.isEmpty || !$0.losses.isEmpty } ?? false
    // A new row that someone else has changed since is made again: nothing distinguishes it from another one.
    if !staged.isEmpty, !isTold, !(hasNewRows && isTouched) {
      faults.append("what was saved was staged again: \(staged)")
    }
    _ = await ours.perform(.stage(.revertAll))
    ours.forget()
  }

  /// The browser ends without a word, and is begun again; the other process acts in between.
  mutating func crash(_ random: inout SeededRandom) async throws {
    other.record("we crash")
    try await ours.crash()
    for _ in 0..<random.below(3) { other.act(&table, &random) }
    try await ours.crash()
    guard let report = await ours.restore() else {
      if !ours.intents.isEmpty || !ours.insertions.isEmpty {
        // Nothing remains if all changes were deletions of rows that are gone.
        let isAllGone =
          ours.insertions.isEmpty
          && ours.intents.allSatisfy { name, _ in table.rows[name] == nil }
        if !isAllGone { faults.append("nothing was left to be restored") }
      }
      return
    }
    other.record("restored: \(report.conflicts.map { "\($0)" }) \(report.losses)")
    let staged = Dictionary(
      ours.runner.view.stagedObjects().map { ($0.key, $0) }, uniquingKeysWith: { a, _ in a })
    let stagedNames = Set(staged.values.map { name(of: $0) })
    var lost: [String] = []
    for name in ours.intents.keys.sorted() {
      if let found = staged.first(where: { self.name(of: $0.value) == name }) {
        ours.intents[name]?.key = found.key
        continue
      }
      ours.intents[name] = nil
      // A deletion of a row that is gone has no effect.
      if table.rows[name] != nil { lost.append(name) }
    }
    requireTrue(report.conflicts)
    if lost.count > report.losses.count {
      faults.append("of \(lost) something was not restored without a word: \(report.losses)")
    }
    for name in ours.insertions.keys where !stagedNames.contains(name) {
      faults.append("the new row \(name) was not restored")
    }
  }

  func name(of staged: StagedObject) -> String {
    guard let slot = ours.entity.slot(named: "name") else { return "" }
    if staged.kind == .inserted {
      return staged.changes.first { $0.slot == slot }.map { Self.text($0.new) } ?? ""
    }
    return staged.row.isEmpty ? "" : Self.text(staged.row[slot])
  }
}
