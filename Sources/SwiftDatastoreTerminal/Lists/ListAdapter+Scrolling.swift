import SwiftDatastore
import TerminalUI

extension ListAdapter {
  /// The objects in a range. Those that are not in memory are read together; all are kept until another range
  /// is shown.
  func show(_ items: Range<Int>) -> [ObjectPublisher<T>?] {
    shown = snapshot.publishers(in: items)
    return shown
  }

  /// Scrolls so that the selection is visible in this height, and returns the visible lines.
  func settle(height: Int) -> Range<Int> {
    self.height = height
    let lines = ListLines(list: snapshot)
    var scroll = ScrollState(cursor: lines.line(ofItem: index), first: firstLine)
    scroll.settle(count: lines.count, height: height)
    firstLine = scroll.first
    // A section's first object is shown together with the title of the section.
    if height > 1, firstLine == scroll.cursor, firstLine > 0,
      case .section = lines[firstLine - 1]
    {
      firstLine -= 1
    }
    return ScrollState(cursor: scroll.cursor, first: firstLine)
      .visible(count: lines.count, height: height)
  }
}

extension ListAdapter: ScrolledList {
  func handle(_ key: Key) -> Bool {
    let page = max(1, height - 1)
    switch key {
    case "up", "k": select(index - 1)
    case "down", "j": select(index + 1)
    case "pgup", "ctrl-b": select(index - page)
    case "pgdn", "ctrl-f": select(index + page)
    case "home", "g":
      firstLine = 0
      select(0)
    case "end", "G":
      select(snapshot.count - 1)
      awaitsEnd = !publisher.isComplete
    default: return false
    }
    return true
  }

  func click(row: Int) {
    let lines = ListLines(list: snapshot)
    guard row >= 0, firstLine + row < lines.count else { return }
    switch lines[firstLine + row] {
    case .section(let section): select(section.indices.lowerBound)
    case .item(let index): select(index)
    }
  }

  func scroll(by rows: Int) {
    let lines = ListLines(list: snapshot)
    firstLine = min(max(0, firstLine + rows), max(0, lines.count - height))
    let visible = lines.items(in: firstLine..<min(lines.count, firstLine + height))
    guard !visible.isEmpty else { return }
    select(min(max(index, visible.lowerBound), visible.upperBound - 1))
  }
}
