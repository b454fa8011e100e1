import DatastoreCore

/// The edit of one key in a list whose other keys kept their order.
struct KeyEdit {
  let key: RowKey
  /// Its place in the list before all edits; nil when the list did not have it.
  var old: Int?
  /// Its place in the list after all edits; nil when the list no longer has it.
  var new: Int?
}

extension ListDifference {
  /// The difference after editing a few keys, found without looking at the others.
  ///
  /// - Parameters:
  ///   - edits: the removed and inserted keys; no key twice.
  ///   - touched: places in the old list of changed keys that were not edited, and whose order and section
  ///     cannot have changed.
  ///
  /// O(edits² + sections).
  init(from old: KeyList, to new: KeyList, edits: [KeyEdit], touched: [Int]) {
    self.init()
    let sections = SectionMatch(old, new)
    compareSections(sections)
    let oldPlaces = edits.compactMap(\.old)
    let newPlaces = edits.compactMap(\.new)
    deleted = edits.compactMap { $0.new == nil ? $0.old : nil }.sorted()
    inserted = edits.compactMap { $0.old == nil ? $0.new : nil }.sorted()
    var shared: [(key: RowKey, old: Int, new: Int)] = edits.compactMap { edit in
      guard let old = edit.old, let new = edit.new else { return nil }
      return (edit.key, old, new)
    }
    shared.sort { $0.old < $1.old }
    // A key has not moved if the number of unedited keys before it is the same, it is in the same section,
    // and it keeps its order among the other keys that have not moved.
    var staying = shared.filter { edit in
      let rank = edit.old - oldPlaces.count { $0 < edit.old }
      let newRank = edit.new - newPlaces.count { $0 < edit.new }
      return rank == newRank && sections.isSame(edit.old, edit.new)
    }
    let isInOrder = Self.longestIncreasing(staying.map(\.new))
    staying = zip(staying, isInOrder).compactMap { $1 ? $0 : nil }
    let stays = Set(staying.map(\.key))
    moved = shared.filter { !stays.contains($0.key) }
      .map { Move(key: $0.key, from: $0.old, to: $0.new) }
    updated = (staying.map(\.old) + touched).sorted()
  }
}
