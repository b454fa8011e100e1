import DatastoreCore

/// The folded sections by their values: either some sections, or all but some, so that folding all of a
/// million costs as little as folding one.
struct SectionFolds: Hashable, Sendable, Codable {
  private var areAllFolded = false
  /// The sections whose state differs from that of all others.
  private var others: Set<Value> = []

  /// Creates folds with no section folded.
  init() {}

  /// Creates folds with all sections folded, or none.
  init(areAllFolded: Bool) {
    self.areAllFolded = areAllFolded
  }

  /// Whether a section is folded. O(1), without hashing the value if all sections are alike.
  func contains(_ section: Value) -> Bool {
    others.isEmpty ? areAllFolded : others.contains(section) != areAllFolded
  }

  /// Folds a section, or unfolds it.
  mutating func toggle(_ section: Value) {
    if others.remove(section) == nil { others.insert(section) }
  }
}
