import TerminalUI

/// An overlay with one list to pick from, in a box.
///
/// Typing narrows the list down, arrows and the wheel move through it, a double click or Enter picks the line
/// under the cursor, and a click outside of the box closes it.
protocol PickListOverlay: Overlay {
  associatedtype ID: Hashable & Sendable

  var list: PickList<ID> { get set }
  /// The text on the left of the box's upper border, and the note on its right.
  var title: String { get }
  var note: String { get }
  /// The preferred width in columns of the screen.
  var width: Int { get }

  /// The area of the box.
  func area(in size: Size) -> Rectangle
  /// The area of the search line and the items, inside the box.
  func body(in size: Size) -> Rectangle
  /// Called when the search text has changed.
  mutating func searchChanged(in state: BrowserState)
  /// Called when the cursor may be on another line.
  mutating func cursorMoved()
  /// Picks the line under the cursor: closes the overlay and calls `picked(_:in:)`, if there is a line. An
  /// overlay with a method of its own closes itself with `state.closeOverlay()`.
  mutating func pick(in state: inout BrowserState)
  /// Does what the picked line stands for. The overlay is closed already.
  func picked(_ id: ID, in state: inout BrowserState)
}

extension PickListOverlay {
  var note: String { "" }
  var width: Int { 50 }

  func area(in size: Size) -> Rectangle { size.box(columns: width, rows: max(4, list.count + 3)) }
  func body(in size: Size) -> Rectangle { area(in: size).inset(horizontal: 2, vertical: 1) }

  mutating func searchChanged(in state: BrowserState) {}
  mutating func cursorMoved() {}
  func picked(_ id: ID, in state: inout BrowserState) {}
  func accept(_ state: inout BrowserState) { state.change(Self.self) { $0.pick(in: &$1) } }

  mutating func pick(in state: inout BrowserState) {
    guard let id = list.current?.id else { return }
    state.closeOverlay()
    picked(id, in: &state)
  }

  mutating func press(_ key: Key, in state: inout BrowserState) {
    if list.handle(key) { searchChanged(in: state) }
  }

  mutating func paste(_ text: String, in state: inout BrowserState) {
    list.insert(text)
    searchChanged(in: state)
  }

  mutating func move(_ movement: Movement, in state: inout BrowserState) {
    let height = PickList<ID>.height(in: body(in: state.size))
    list.move(by: movement.rows(height: height), height: height)
    cursorMoved()
  }

  mutating func wheel(_ lines: Int, at position: Position, in state: inout BrowserState) {
    list.move(by: lines, height: PickList<ID>.height(in: body(in: state.size)))
    cursorMoved()
  }

  mutating func click(at position: Position, clicks: Int, in state: inout BrowserState) {
    guard area(in: state.size).contains(position) else {
      return dismiss(&state)
    }
    let body = body(in: state.size)
    let height = PickList<ID>.height(in: body)
    guard list.click(row: position.row - body.top - 1, height: height) else { return }
    cursorMoved()
    if clicks == 2 { pick(in: &state) }
  }

  func draw(into buffer: inout ScreenBuffer, in state: BrowserState) -> Position? {
    drawList(into: &buffer, in: state)
  }

  /// Draws the box and the list.
  func drawList(into buffer: inout ScreenBuffer, in state: BrowserState) -> Position? {
    Box(title: title, note: note).cover(&buffer, in: area(in: state.size))
    return list.draw(into: &buffer, in: body(in: state.size))
  }
}
