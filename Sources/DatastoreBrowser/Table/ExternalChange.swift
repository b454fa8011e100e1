import Basics
import DatastoreCore

/// What another process has done to the rows of the table.
struct ExternalChange: Hashable, Sendable {
  let fetch: Int
  var inserted = 0
  var deleted = 0
  /// Rows on the screen whose values are others now.
  var changed: Set<RowKey> = []

  /// nil while no row is known to have changed.
  var sentence: String? {
    let count = inserted + deleted + changed.count
    guard count > 0 else { return nil }
    let parts = [(inserted, "new"), (deleted, "gone"), (changed.count, "changed")]
      .filter { $0.0 > 0 }.map { "\(CountText.grouped($0.0)) \($0.1)" }
    return "Changed by another process: \(CountText.counted(count, "row")) "
      + "(\(parts.joined(separator: ", ")))."
  }
}
