import DatastoreCore

/// What turns one key list into another: places in the old list, and in the new one.
///
/// Replaying it gives the new list: take out the deleted keys and the old places of moved ones, then
/// the deleted sections; put in the new sections, then inserted keys and the new places of moved
/// ones, ascending.
struct ListDifference: Sendable, Equatable {
  struct Move: Sendable, Equatable {
    let key: RowKey
    let from: Int
    let to: Int
  }

  /// Indices of the old list, ascending.
  var deletedSections: [Int] = []
  /// Indices of the new list, ascending.
  var insertedSections: [Int] = []
  /// Places in the old list, ascending.
  var deleted: [Int] = []
  /// Places in the new list, ascending.
  var inserted: [Int] = []
  var moved: [Move] = []
  /// Keys that stayed where they are but have changed, as places in the old list, ascending.
  var updated: [Int] = []

  init() {}

  var isEmpty: Bool {
    deletedSections.isEmpty && insertedSections.isEmpty && deleted.isEmpty && inserted.isEmpty
      && moved.isEmpty && updated.isEmpty
  }

  /// Compares two lists.
  ///
  /// - Parameter changed: keys of objects whose values changed.
  ///
  /// O(n) for what the lists share at start and end, O(m log m) for the m places in between.
  init(from old: KeyList, to new: KeyList, changed: Set<RowKey>) {
    compareSections(old, new)
    let oldKeys = Array(old.keys)
    let newKeys = Array(new.keys)
    // Places before `start`, and the last `tail` ones, hold the same keys in both lists.
    let common = min(oldKeys.count, newKeys.count)
    var start = 0
    while start < common && oldKeys[start] == newKeys[start] { start += 1 }
    var tail = 0
    while tail < common - start
      && oldKeys[oldKeys.count - 1 - tail] == newKeys[newKeys.count - 1 - tail]
    {
      tail += 1
    }
    let oldWindow = start..<(oldKeys.count - tail)
    let newWindow = start..<(newKeys.count - tail)
    var newPlace = [RowKey: Int](minimumCapacity: newWindow.count)
    for place in newWindow { newPlace[newKeys[place]] = place }
    var shared: [(old: Int, new: Int)] = []
    for place in oldWindow {
      if let place2 = newPlace.removeValue(forKey: oldKeys[place]) {
        shared.append((place, place2))
      } else {
        deleted.append(place)
      }
    }
    inserted = newPlace.values.sorted()
    let sectionsMatch = SectionMatch(old, new)
    let stays = Self.longestIncreasing(shared.map(\.new))
    for (index, pair) in shared.enumerated() {
      let key = oldKeys[pair.old]
      if !stays[index] || !sectionsMatch.isSame(pair.old, pair.new) {
        moved.append(Move(key: key, from: pair.old, to: pair.new))
      } else if changed.contains(key) {
        updated.append(pair.old)
      }
    }
    compareEnds(
      old, new, oldKeys, start: start, tail: tail, sectionsMatch, changed)
  }

  /// The shared start and end: nothing there changed its order, but may have changed its section.
  private mutating func compareEnds(
    _ old: KeyList, _ new: KeyList, _ keys: [RowKey], start: Int, tail: Int,
    _ sections: SectionMatch, _ changed: Set<RowKey>
  ) {
    let shift = new.keys.count - keys.count
    let oldEnd = keys.count - tail
    guard !changed.isEmpty || !deletedSections.isEmpty || !insertedSections.isEmpty else { return }
    func visit(_ place: Int, _ newPlace: Int) {
      if !sections.isSame(place, newPlace) {
        moved.append(Move(key: keys[place], from: place, to: newPlace))
      } else if changed.contains(keys[place]) {
        updated.append(place)
      }
    }
    for place in 0..<start { visit(place, place) }
    for place in oldEnd..<keys.count { visit(place, place + shift) }
    moved.sort { $0.from < $1.from }
    updated.sort()
  }

  mutating func compareSections(_ old: KeyList, _ new: KeyList) {
    if old.hasSameSections(as: new) { return }
    var oldIndex = 0
    var newIndex = 0
    let values = Set(new.sections.map { SectionKey($0.value) })
    let oldValues = Set(old.sections.map { SectionKey($0.value) })
    while oldIndex < old.sections.count {
      if !values.contains(SectionKey(old.sections[oldIndex].value)) {
        deletedSections.append(oldIndex)
      }
      oldIndex += 1
    }
    while newIndex < new.sections.count {
      if !oldValues.contains(SectionKey(new.sections[newIndex].value)) {
        insertedSections.append(newIndex)
      }
      newIndex += 1
    }
  }

  /// Which elements of a sequence form a longest increasing subsequence. O(n log n).
  static func longestIncreasing(_ values: [Int]) -> [Bool] {
    var tails: [Int] = []
    var previous = [Int](repeating: -1, count: values.count)
    for (index, value) in values.enumerated() {
      let place = tails.partitioningIndex { values[$0] >= value }
      previous[index] = place > 0 ? tails[place - 1] : -1
      if place == tails.count { tails.append(index) } else { tails[place] = index }
    }
    var isPart = [Bool](repeating: false, count: values.count)
    var index = tails.last ?? -1
    while index >= 0 {
      isPart[index] = true
      index = previous[index]
    }
    return isPart
  }
}

/// The value of a section, hashed so that values which sort alike are equal.
private struct SectionKey: Hashable {
  let value: Value

  init(_ value: Value) {
    // A whole real makes the same section as the integer.
    if case .real(let real) = value, let integer = Int64(exactly: real) {
      self.value = .integer(integer)
    } else {
      self.value = value
    }
  }
}

extension KeyList {
  /// Whether the values of the sections are the same, in the same order.
  fileprivate func hasSameSections(as other: KeyList) -> Bool {
    sections.count == other.sections.count
      && zip(sections, other.sections).allSatisfy { $0.value.isSameSection(as: $1.value) }
  }
}

/// Whether two places lie in the same section of two lists.
struct SectionMatch {
  private let old: KeyList
  private let new: KeyList
  /// By section of the old list: the section of the new list with the same value, or -1.
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
    partner = old.sections.map { places[SectionKey($0.value)] ?? -1 }
  }

  func isSame(_ oldPlace: Int, _ newPlace: Int) -> Bool {
    partner[old.section(at: oldPlace)] == new.section(at: newPlace)
  }
}
