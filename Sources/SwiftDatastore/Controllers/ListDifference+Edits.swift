import DatastoreCore

/// What became of one key of a list whose other keys kept their order.
struct KeyEdit {
  let key: RowKey
  /// Its place in the list before all edits; nil when the list did not have it.
  var old: Int?
  /// Its place in the list after all edits; nil when the list no longer has it.
  var new: Int?
}

extension ListDifference {
  /// The difference that the editing of a few keys has made, without a look at the others.
  ///
  /// - Parameters:
  ///   - edits: the keys that were taken out or put in; no key twice.
  ///   - touched: places in the old list of changed keys that no edit is for, and whose order and
  ///     section no change could have touched.
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
    // A key has not moved if as many keys that were not edited come before it as did before, it is in
    // the same section, and it keeps its order among those of which that is true as well.
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
