/// The arithmetic of table columns: their widths, and which of them are on the screen.
package enum ColumnLayout {
  /// The widths that one column asks for, in cells.
  package struct Demand: Hashable, Sendable {
    /// The width that its widest known content needs.
    package var content: Int
    /// The width below which the column is useless.
    package var minimum: Int
    /// The width above which the column wastes room, whatever its content.
    package var maximum: Int

    /// Creates a demand; a maximum below the minimum counts as the minimum.
    package init(content: Int, minimum: Int = 3, maximum: Int = .max) {
      self.content = content
      self.minimum = max(0, minimum)
      self.maximum = max(self.minimum, maximum)
    }

    /// The width of the column with unlimited room.
    package var preferred: Int { min(max(content, minimum), maximum) }
  }

  /// One column's place on the screen.
  package struct Placement: Hashable, Sendable {
    /// Index of the column among all columns.
    package var index: Int
    /// Cells from the left edge of the table.
    package var offset: Int
    /// The cells on the screen; for the last column perhaps fewer than its full width.
    package var width: Int

    package init(index: Int, offset: Int, width: Int) {
      self.index = index
      self.offset = offset
      self.width = width
    }
  }

  /// Returns widths for all columns. If everything fits, each column gets its preferred width; otherwise the
  /// widest give way first, down to their minima, so that narrow columns stay whole.
  ///
  /// If even the minima do not fit, the result is the minima: the table then scrolls sideways (see
  /// `placements`). Complexity: O(n · log width).
  package static func widths(_ demands: [Demand], available: Int, spacing: Int = 1) -> [Int] {
    let room = available - spacing * max(0, demands.count - 1)
    func capped(_ cap: Int) -> [Int] { demands.map { max(min($0.preferred, cap), $0.minimum) } }
    func total(_ cap: Int) -> Int {
      demands.reduce(0) { $0 + max(min($1.preferred, cap), $1.minimum) }
    }
    let widest = demands.map(\.preferred).max() ?? 0
    if total(widest) <= room { return capped(widest) }
    var low = 0
    var high = widest
    while high - low > 1 {
      let middle = low + (high - low) / 2
      if total(middle) <= room { low = middle } else { high = middle }
    }
    var widths = capped(low)
    var spare = room - widths.reduce(0, +)
    for index in widths.indices where spare > 0 && widths[index] < demands[index].preferred {
      widths[index] += 1
      spare -= 1
    }
    return widths
  }

  /// The columns on the screen when `first` is the leftmost scrolled one: the `frozen` leading columns, then
  /// those from `first` on, until the room is used up. The last one may be cut, but not below the width that
  /// still shows something. Between frozen and scrolled columns `line` more cells are left.
  package static func placements(
    widths: [Int], available: Int, spacing: Int = 1, first: Int = 0, frozen: Int = 0, line: Int = 0
  ) -> [Placement] {
    var placements: [Placement] = []
    var offset = 0
    let frozen = min(max(0, frozen), widths.count)
    let order = Array(0..<frozen) + Array(min(max(first, frozen), widths.count)..<widths.count)
    for index in order where offset < available {
      if index >= frozen, frozen > 0, placements.count == frozen { offset += line }
      let width = min(widths[index], available - offset)
      guard width >= min(widths[index], leastCut) || placements.isEmpty && width > 0 else { break }
      placements.append(Placement(index: index, offset: offset, width: width))
      offset += width + spacing
    }
    return placements
  }

  /// A character or two and the ellipsis.
  private static let leastCut = 3

  /// The leftmost scrolled column that shows column `cursor` whole, moving as little as possible from
  /// `previous`, and no further than the last columns need. Complexity: O(n²) in the number of columns
  /// skipped.
  package static func firstVisible(
    cursor: Int, widths: [Int], available: Int, spacing: Int = 1, previous: Int, frozen: Int = 0,
    line: Int = 0
  ) -> Int {
    let used = widths.prefix(frozen).reduce(0) { $0 + $1 + spacing } + (frozen > 0 ? line : 0)
    var first = max(previous, frozen)
    if cursor >= frozen, cursor < widths.count {
      first = min(first, cursor)
      while first < cursor {
        let needed = widths[first...cursor].reduce(0) { $0 + $1 + spacing } - spacing
        if used + needed <= available { break }
        first += 1
      }
    }
    // No room after the last column stays empty while there are columns to fill it.
    var room = available - used
    var filling = widths.count
    while filling > frozen, widths[filling - 1] <= room {
      filling -= 1
      room -= widths[filling] + spacing
    }
    return min(first, filling)
  }
}
