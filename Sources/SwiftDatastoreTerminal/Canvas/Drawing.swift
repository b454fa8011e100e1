import TerminalUI

/// One picture while it is drawn: its cells, and what was found out on the way.
@MainActor
final class Drawing {
  /// The picture that is being drawn. What is read of lists and objects meanwhile is what it shows.
  static private(set) var current: Drawing?

  /// The cells.
  var buffer: ScreenBuffer
  /// Where the terminal's cursor belongs; nil where nothing is typed.
  var cursor: Position?
  /// The lists on the screen, in the order in which they were drawn.
  private(set) var lists: [(list: any ScrolledList, area: Rectangle)] = []
  /// The list that the keys go to; the first one where it is not on the screen.
  let focused: ObjectIdentifier?
  let followed: FollowedPublishers
  /// Asks for another picture.
  let needsAnother: @MainActor () -> Void

  init(
    _ buffer: ScreenBuffer, focused: ObjectIdentifier?, followed: FollowedPublishers,
    needsAnother: @escaping @MainActor () -> Void
  ) {
    self.buffer = buffer
    self.focused = focused
    self.followed = followed
    self.needsAnother = needsAnother
  }

  /// Draws: what is read of lists and objects meanwhile is followed until the next picture.
  func draw(_ body: () -> Void) {
    let outer = Self.current
    Self.current = self
    followed.begin()
    body()
    followed.end()
    Self.current = outer
  }

  /// Records a list that is drawn.
  ///
  /// - Returns: whether it is the one that the keys go to.
  func add(_ list: any ScrolledList) -> Bool {
    lists.append((list, Rectangle(.zero)))
    return focused.map { $0 == ObjectIdentifier(list) } ?? (lists.count == 1)
  }

  /// Says where the rows are of the list that was recorded last.
  func placeRows(in area: Rectangle) {
    lists[lists.count - 1].area = area
  }
}

/// A list that keys and the mouse go through.
@MainActor
protocol ScrolledList: AnyObject {
  /// Moves the selection. Returns whether the key is one that does.
  func handle(_ key: Key) -> Bool
  /// Selects what is drawn in a row of the list.
  func click(row: Int)
  /// Scrolls by a number of rows, upwards when negative.
  func scroll(by rows: Int)
}
