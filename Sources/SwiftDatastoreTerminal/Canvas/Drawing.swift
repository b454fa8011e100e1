import TerminalUI

/// A picture while it is drawn: its cells, the lists in it and the position of the cursor.
@MainActor
final class Drawing {
  /// The picture that is being drawn. It follows the lists and objects that are read meanwhile.
  static private(set) var current: Drawing?

  var buffer: ScreenBuffer
  /// The position of the terminal's cursor; nil if there is no text field.
  var cursor: Position?
  /// The lists on the screen, in the order in which they were drawn.
  private(set) var lists: [(list: any ScrolledList, area: Rectangle)] = []
  /// The list that receives the keys; the first one if that list is not on the screen.
  let focused: ObjectIdentifier?
  let followed: FollowedPublishers
  /// Requests another picture.
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

  /// Runs the closure that draws, and follows the lists and objects that it reads until the next picture.
  func draw(_ body: () -> Void) {
    let outer = Self.current
    Self.current = self
    followed.begin()
    body()
    followed.end()
    Self.current = outer
  }

  /// Records a list as drawn.
  ///
  /// - Returns: whether the list receives the keys.
  func add(_ list: any ScrolledList) -> Bool {
    lists.append((list, Rectangle(.zero)))
    return focused.map { $0 == ObjectIdentifier(list) } ?? (lists.count == 1)
  }

  /// Sets the area of the rows of the list that was recorded last.
  func placeRows(in area: Rectangle) {
    lists[lists.count - 1].area = area
  }
}

/// A list whose selection moves by keys and the mouse.
@MainActor
protocol ScrolledList: AnyObject {
  /// Moves the selection if the key is one that does; returns whether it is.
  func handle(_ key: Key) -> Bool
  /// Selects the item drawn in a row of the list.
  func click(row: Int)
  /// Scrolls by a number of rows; a negative number scrolls up.
  func scroll(by rows: Int)
}
