import DatastoreCore

/// The difference between an old key list and a new one, as places in each.
///
/// To turn the old list into the new one: remove the deleted keys and the old places of moved ones, then the
/// deleted sections; insert the new sections, then inserted keys and the new places of moved ones, ascending.
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
  /// Keys that kept their place but have changed, as places in the old list, ascending.
  var updated: [Int] = []

  init() {}

  var isEmpty: Bool {
    deletedSections.isEmpty && insertedSections.isEmpty && deleted.isEmpty && inserted.isEmpty
      && moved.isEmpty && updated.isEmpty
  }

  /// A section counts as deleted or inserted when the other list has none with its value, and also when its
  /// order among the others differs.
  mutating func compareSections(_ match: SectionMatch) {
    deletedSections = match.sectionsOnlyInOld
    insertedSections = match.sectionsOnlyInNew
  }

  /// The elements of a sequence that form a longest increasing subsequence. O(n log n).
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
