import DatastoreCore

/// Which sections are folded, by the values that make them: some of them, or all but some, so that folding
/// all of a million costs as little as folding one.
struct SectionFolds: Hashable, Sendable, Codable {
  private var areAllFolded = false
  /// Sections that are not as all are.
  private var others: Set<Value> = []

  /// None is folded.
  init() {}

  /// All are folded, or none.
  init(areAllFolded: Bool) {
    self.areAllFolded = areAllFolded
  }

  /// Whether a section is folded. O(1), without looking at the value where all are alike.
  func contains(_ section: Value) -> Bool {
    others.isEmpty ? areAllFolded : others.contains(section) != areAllFolded
  }

  /// Folds a section, or unfolds it.
  mutating func toggle(_ section: Value) {
    if others.remove(section) == nil { others.insert(section) }
  }
}
