import DatastoreCore
import TerminalUI

/// The rows to read.
extension TableState {
  /// Returns the keys to read for every visible row and some screens around them, and marks them as
  /// requested.
  mutating func takeMissingKeys(height: Int) -> [RowKey] {
    let visible = scroll.visible(count: lines.count, height: height)
    let missing = keys(of: visible).filter(isMissing)
    // Reading ahead starts again only when a visible row is missing or the cursor comes near the edge.
    let near = keys(
      of: max(0, visible.lowerBound - height)..<min(lines.count, visible.upperBound + height))
    guard !missing.isEmpty || near.contains(where: isMissing) else { return [] }
    let ahead = 3 * height
    let window = keys(
      of: max(0, visible.lowerBound - ahead)..<min(lines.count, visible.upperBound + ahead))
    if rows.count > 40 * max(height, 25) { forgetRows(besides: window) }
    let wanted = window.filter(isMissing)
    requested.formUnion(wanted)
    stale.subtract(wanted)
    return wanted
  }

  /// Marks all rows to be read again.
  mutating func invalidateRows() {
    stale = Set(rows.keys)
    requested = []
  }

  private func isMissing(_ key: RowKey) -> Bool {
    (rows[key] == nil || stale.contains(key)) && !requested.contains(key)
  }

  func keys(of range: Range<Int>) -> [RowKey] {
    range.compactMap { line in
      if case .row(let index) = lines[line] { list.keys.readKey(at: index) } else { nil }
    }
  }

  /// Returns the places whose keys are to be read, for the visible rows and some screens around them, and
  /// marks them as requested. Nil if there are none, or if they were requested last.
  mutating func takeUnreadPlaces(height: Int) -> Range<Int>? {
    guard !list.keys.isRead, isComplete else { return nil }
    let visible = scroll.visible(count: lines.count, height: height)
    let ahead = 3 * height
    let near = max(0, visible.lowerBound - ahead)..<min(lines.count, visible.upperBound + ahead)
    func unread(_ lines: Range<Int>) -> Range<Int>? {
      var found: Range<Int>?
      for line in lines {
        guard case .row(let index) = self.lines[line] else { continue }
        if list.keys.readKey(at: index) != nil || found.map({ $0.upperBound != index }) ?? false {
          if found != nil { break }
        } else {
          found = (found?.lowerBound ?? index)..<index + 1
        }
      }
      return found
    }
    guard let places = unread(visible) ?? unread(near), places != requestedPlaces else {
      return nil
    }
    requestedPlaces = places
    return places
  }

  private mutating func forgetRows(besides window: [RowKey]) {
    let kept = Set(window)
    rows = rows.filter { kept.contains($0.key) }
    stale.formIntersection(kept)
  }
}
