import DatastoreCore

/// The sections that two lists have in common, in the same order, and whether two places are in the same one.
struct SectionMatch {
  private let old: KeyList
  private let new: KeyList
  /// By section of the old list: the section of the new list with the same value, or -1 when there is none,
  /// or its order among the others differs.
  private let partner: [Int]

  init(_ old: KeyList, _ new: KeyList) {
    self.old = old
    self.new = new
    if old.hasSameSections(as: new) {
      partner = Array(old.sections.indices)
      return
    }
    let places = Dictionary(
      new.sections.enumerated().map { (SectionKey($1.value), $0) },
      uniquingKeysWith: { first, _ in first })
    let found = old.sections.map { places[SectionKey($0.value)] ?? -1 }
    let common = found.filter { $0 >= 0 }
    let keeps = Set(zip(common, ListDifference.longestIncreasing(common)).filter(\.1).map(\.0))
    partner = found.map { keeps.contains($0) ? $0 : -1 }
  }

  /// Indices of the old list, ascending.
  var sectionsOnlyInOld: [Int] { partner.indices.filter { partner[$0] < 0 } }

  /// Indices of the new list, ascending.
  var sectionsOnlyInNew: [Int] {
    let matched = Set(partner)
    return new.sections.indices.filter { !matched.contains($0) }
  }

  func isSame(_ oldPlace: Int, _ newPlace: Int) -> Bool {
    partner[old.section(at: oldPlace)] == new.section(at: newPlace)
  }

  /// The number of keys, from those places on, that stay in the same section in both lists. O(log sections).
  func lengthOfSections(from oldPlace: Int, _ newPlace: Int) -> Int {
    min(old.endOfSection(at: oldPlace) - oldPlace, new.endOfSection(at: newPlace) - newPlace)
  }
}

/// The value of a section, hashed so that values which sort as equal are equal.
struct SectionKey: Hashable {
  let value: Value

  init(_ value: Value) {
    // A whole real is in the same section as the integer.
    if case .real(let real) = value, let integer = Int64(exactly: real) {
      self.value = .integer(integer)
    } else {
      self.value = value
    }
  }
}

extension KeyList {
  fileprivate func endOfSection(at place: Int) -> Int {
    let section = section(at: place)
    return starts[section] + sections[section].count
  }

  /// Whether the values of the sections are the same, in the same order.
  fileprivate func hasSameSections(as other: KeyList) -> Bool {
    sections.count == other.sections.count
      && zip(sections, other.sections).allSatisfy { $0.value.isSameSection(as: $1.value) }
  }
}
