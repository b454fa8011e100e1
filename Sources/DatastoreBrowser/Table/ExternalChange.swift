import Basics
import DatastoreCore

/// The changes of the table's rows by another process.
struct ExternalChange: Hashable, Sendable {
  let fetch: Int
  var inserted = 0
  var deleted = 0
  /// Visible rows whose values have changed.
  var changed: Set<RowKey> = []

  /// The change as a sentence; nil while no row is known to have changed.
  var sentence: String? {
    let count = inserted + deleted + changed.count
    guard count > 0 else { return nil }
    let parts = [(inserted, "new"), (deleted, "gone"), (changed.count, "changed")]
      .filter { $0.0 > 0 }.map { "\(CountText.grouped($0.0)) \($0.1)" }
    return "Changed by another process: \(CountText.counted(count, "row")) "
      + "(\(parts.joined(separator: ", ")))."
  }
}
