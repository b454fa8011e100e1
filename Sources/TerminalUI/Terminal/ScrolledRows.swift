/// Rows that the terminal itself moves up or down, so that only the rows that come in at the end have to be
/// written, and the cells that must not move.
///
/// Terminals move whole lines. When a table scrolls beside other panels, these move, too, and have to be
/// repaired; counting cells finds whether that is less than writing the table again.
struct ScrolledRows: Equatable {
  /// The range of rows that scroll.
  let rows: Range<Int>
  /// The number of rows that the contents move up; negative for down.
  let distance: Int

  /// The former row of the content of a row; nil for a row that has become empty.
  func source(of row: Int) -> Int? {
    guard rows.contains(row) else { return row }
    return rows.contains(row + distance) ? row + distance : nil
  }

  /// Scrolling by more rows is paging, after which little stays.
  private static let farthest = 8
  /// A gain of fewer cells is not worth the scroll sequences.
  private static let leastGain = 100

  /// The scrolling that leaves the fewest cells to write; nil if none is worth it.
  ///
  /// The last row never scrolls: a terminal may have left its last cell out. Linear in the cells.
  init?(from shown: ScreenBuffer, to buffer: ScreenBuffer) {
    guard shown.size == buffer.size, buffer.size.rows > 4 else { return nil }
    let last = buffer.size.rows - 1
    let changes = (0..<last).map { Self.differences(shown.row($0), buffer.row($0)) }
    let changed = changes.indices.filter { changes[$0] > 8 }
    guard changed.count > 3,
      let distance = Self.likelyDistance(from: shown, to: buffer, changed)
    else { return nil }
    let candidates = (first: max(0, -distance), end: min(last, last - distance))
    guard candidates.first < candidates.end else { return nil }
    // The contiguous rows with the greatest total gain: the maximum sum of neighbours.
    var best = (gain: 0, rows: 0..<0)
    var sum = (gain: 0, start: 0)
    for row in candidates.first..<candidates.end {
      if sum.gain <= 0 { sum = (0, row) }
      sum.gain += changes[row] - Self.differences(shown.row(row + distance), buffer.row(row))
      if sum.gain > best.gain { best = (sum.gain, sum.start..<row + 1) }
    }
    guard !best.rows.isEmpty else { return nil }
    let emptied =
      distance > 0
      ? best.rows.upperBound..<best.rows.upperBound + distance
      : best.rows.lowerBound + distance..<best.rows.lowerBound
    let cost = emptied.reduce(0) { sum, row in
      sum + buffer.row(row).count { !$0.isBlank } - changes[row]
    }
    guard best.gain - cost >= Self.leastGain else { return nil }
    self.distance = distance
    rows =
      min(best.rows.lowerBound, emptied.lowerBound)..<max(best.rows.upperBound, emptied.upperBound)
  }

  /// The most likely distance of the scrolling, by three of the changed rows.
  private static func likelyDistance(
    from shown: ScreenBuffer, to buffer: ScreenBuffer, _ changed: [Int]
  ) -> Int? {
    let samples = [1, 2, 3].map { changed[changed.count * $0 / 4] }
    var best: (distance: Int, same: Int)?
    var total = 0
    for distance in -farthest...farthest where distance != 0 {
      var same = 0
      total = 0
      for row in samples {
        let (old, new) = (shown.row(row), buffer.row(row))
        let isThere = (0..<shown.size.rows).contains(row + distance)
        let moved = isThere ? shown.row(row + distance) : []
        for column in 0..<shown.size.columns
        where old[old.startIndex + column] != new[new.startIndex + column] {
          total += 1
          if isThere, moved[moved.startIndex + column] == new[new.startIndex + column] { same += 1 }
        }
      }
      if same > best?.same ?? 0 { best = (distance, same) }
    }
    guard let best, best.same * 2 > total else { return nil }
    return best.distance
  }

  private static func differences(_ one: ArraySlice<Cell>, _ other: ArraySlice<Cell>) -> Int {
    var count = 0
    for (a, b) in zip(one, other) where a != b { count += 1 }
    return count
  }
}
