import DatastoreCore

/// Comparing two lists, one of which may have been made from the other.
extension ListDifference {
  /// With more changed keys than this, one pass over the list is faster.
  private static var searchLimit: Int { 32 }

  /// Compares two lists.
  ///
  /// O(chunks + sections) for the parts that the lists share in memory. If one was made from the other by
  /// editing m keys, they share all but m chunks. O(n) for the equal parts at the start and the end of a gap
  /// between shared chunks, O(m log m) for the m places in between.
  ///
  /// - Parameter changed: keys of objects whose values changed. Each is searched for: O(n), several at a
  ///   time.
  init(from old: KeyList, to new: KeyList, changed: Set<RowKey>) {
    self.init()
    let sections = SectionMatch(old, new)
    compareSections(sections)
    var stretches: [KeyChunks.SharedRange] = []
    var gaps: [Gap] = []
    Self.align(old.keys, new.keys, &stretches, &gaps)
    compare(gaps, sections)
    for stretch in stretches { compare(stretch, old, sections) }
    moved.sort { $0.from < $1.from }
    // Many new rows, as in an import, are no reason to search the existing ones.
    let present = changed.isEmpty ? [] : changed.subtracting(inserted.map { new.keys[$0] })
    if !present.isEmpty { findUpdated(present, in: old) }
  }

  /// Keys of both lists between the same two stretches.
  private struct Gap {
    let oldStart: Int
    let newStart: Int
    let old: ArraySlice<RowKey>
    let new: ArraySlice<RowKey>
  }

  /// Divides both lists into stretches, which kept their order, and gaps between them; both ascending in both
  /// lists.
  private static func align(
    _ old: KeyChunks, _ new: KeyChunks, _ stretches: inout [KeyChunks.SharedRange],
    _ gaps: inout [Gap]
  ) {
    let candidates = old.rangesShared(with: new)
    let keep = longestIncreasing(candidates.map(\.new))
    var oldEnd = 0
    var newEnd = 0
    func closeGap(_ oldNext: Int, _ newNext: Int) {
      defer { (oldEnd, newEnd) = (oldNext, newNext) }
      guard oldEnd < oldNext || newEnd < newNext else { return }
      var oldKeys = Array(old.unpacked(oldEnd..<oldNext))[...]
      var newKeys = Array(new.unpacked(newEnd..<newNext))[...]
      let start = zip(oldKeys, newKeys).prefix { $0 == $1 }.count
      oldKeys = oldKeys.dropFirst(start)
      newKeys = newKeys.dropFirst(start)
      let tail = zip(oldKeys.reversed(), newKeys.reversed()).prefix { $0 == $1 }.count
      if start > 0 { stretches.append(.init(old: oldEnd, new: newEnd, count: start)) }
      if oldKeys.count > tail || newKeys.count > tail {
        gaps.append(
          Gap(
            oldStart: oldEnd + start, newStart: newEnd + start, old: oldKeys.dropLast(tail),
            new: newKeys.dropLast(tail)))
      }
      if tail > 0 {
        stretches.append(.init(old: oldNext - tail, new: newNext - tail, count: tail))
      }
    }
    for (range, isKept) in zip(candidates, keep) where isKept {
      closeGap(range.old, range.new)
      stretches.append(range)
      (oldEnd, newEnd) = (range.old + range.count, range.new + range.count)
    }
    closeGap(old.count, new.count)
  }

  /// Finds the keys that were added, removed or moved in the gaps. A key that stays in its gap, in order with
  /// the others that stay there, has not moved.
  private mutating func compare(_ gaps: [Gap], _ sections: SectionMatch) {
    var newPlaces = [RowKey: (place: Int, gap: Int)](
      minimumCapacity: gaps.reduce(0) { $0 + $1.new.count })
    for (number, gap) in gaps.enumerated() {
      for (offset, key) in gap.new.enumerated() {
        newPlaces[key] = (gap.newStart + offset, number)
      }
    }
    var staying: [(key: RowKey, old: Int, new: Int)] = []
    for (number, gap) in gaps.enumerated() {
      for (offset, key) in gap.old.enumerated() {
        let place = gap.oldStart + offset
        guard let found = newPlaces.removeValue(forKey: key) else {
          deleted.append(place)
          continue
        }
        if found.gap == number, sections.isSame(place, found.place) {
          staying.append((key, place, found.place))
        } else {
          moved.append(Move(key: key, from: place, to: found.place))
        }
      }
    }
    inserted = newPlaces.values.map(\.place).sorted()
    for (stay, isInOrder) in zip(staying, Self.longestIncreasing(staying.map(\.new)))
    where !isInOrder {
      moved.append(Move(key: stay.key, from: stay.old, to: stay.new))
    }
  }

  /// Keys that kept their order may still be in another section. O(sections that the stretch touches).
  private mutating func compare(
    _ stretch: KeyChunks.SharedRange, _ old: KeyList, _ sections: SectionMatch
  ) {
    var offset = 0
    while offset < stretch.count {
      let (oldPlace, newPlace) = (stretch.old + offset, stretch.new + offset)
      let length = min(
        stretch.count - offset, sections.lengthOfSections(from: oldPlace, newPlace))
      if !sections.isSame(oldPlace, newPlace) {
        for step in 0..<length {
          moved.append(
            Move(key: old.keys[oldPlace + step], from: oldPlace + step, to: newPlace + step))
        }
      }
      offset += length
    }
  }

  private mutating func findUpdated(_ changed: Set<RowKey>, in old: KeyList) {
    let places =
      changed.count <= Self.searchLimit
      ? changed.compactMap { old.keys.firstIndex(of: $0) }
      : old.keys.enumerated().lazy.filter { changed.contains($0.element) }.map(\.offset)
    let elsewhere = Set(moved.map(\.from)).union(deleted)
    updated = places.filter { !elsewhere.contains($0) }.sorted()
  }
}
