import Basics
import DatastoreCore
import TerminalUI

/// A whole value: text wrapped to the screen, JSON spread over lines, or a dump of bytes.
struct ValueScreen: SearchableLines, TextOverlay {
  static let scope = CommandScope(
    "value", title: "In a value shown in full",
    traits: [.scrolls, .closes, .hasColumns, .hasForms, .copiesValue, .searchesLines],
    labels: ["left": "scroll"], openedBy: "show-value")
  var searchedThing: String { "the value" }
  var searchedPlace: String { "this value" }
  var searchStart: Int { first }
  /// The object that has the value, and its property.
  let object: ObjectReference
  let slot: Slot
  /// The name of the value: the object and the property.
  let title: String
  private(set) var text: ValueText?
  private(set) var fault: String?
  /// The requested form; nil for the best one.
  private(set) var form: ValueText.Form?
  private(set) var wraps = true
  var first = 0
  /// The number of cells that the lines are scrolled sideways.
  private(set) var left = 0
  var search = ""
  var message = ""
  private var asked: ValueRequest?

  init(_ object: ObjectReference, slot: Slot, title: String) {
    self.object = object
    self.slot = slot
    self.title = title
  }

  static func area(in size: Size) -> Rectangle { Rectangle.aboveStatus(size) }
  func lineCount(in size: Size) -> Int { text?.lineCount ?? 0 }

  func body(in size: Size) -> Rectangle {
    Self.area(in: size).inset(horizontal: 1, vertical: 1)
  }

  mutating func requestMissing(in state: inout BrowserState) {
    let width = wraps ? body(in: state.size).columns : nil
    let request = ValueRequest(object: object, slot: slot, form: form, width: width)
    guard request != asked else { return }
    asked = request
    state.request(.layOutValue(request))
  }

  /// Applies a value that was laid out.
  mutating func apply(
    _ result: Result<ValueText, EffectFailure>, of request: ValueRequest, size: Size
  ) {
    guard request == asked else { return }
    switch result {
    case .success(let text): self.text = text
    case .failure(let failure): fault = failure.message
    }
    scroll(by: 0, size: size)
  }

  /// Marks the value to be read again, since its object has changed.
  mutating func storeChanged() { asked = nil }

  /// Shows the value in its next form.
  mutating func changeForm() {
    guard let text, let index = text.forms.firstIndex(of: text.form) else { return }
    form = text.forms[(index + 1) % text.forms.count]
    (first, left) = (0, 0)
  }

  mutating func toggleWrapping() {
    wraps.toggle()
    (first, left) = (0, 0)
  }

  mutating func scrollSideways(by cells: Int) {
    left = wraps || text?.form == .bytes ? 0 : max(0, left + cells)
  }

  func changeForm(_ state: inout BrowserState) {
    state.changeValue { screen, _ in screen.changeForm() }
  }

  func moveColumn(_ movement: ColumnMovement, _ state: inout BrowserState) {
    state.changeValue { value, _ in value.scrollSideways(by: movement.cells) }
  }

  func matches(of text: String) -> [Int]? { self.text?.matches(of: text) }

  mutating func go(toMatch line: Int, size: Size) {
    scroll(by: line - first, size: size)
    // The last lines cannot scroll to the top; the next search still continues after them.
    if first < line { matched = line }
  }

  /// The line of the last match, if it could not be scrolled to the top.
  private(set) var matched: Int?

  /// Goes to the next match of the last search, or to the previous one.
  mutating func findAgain(forward: Bool, size: Size) {
    let start = first
    if let matched, matched >= first { first = matched }
    find(search, forward: forward, includingStart: false, size: size)
    if message.hasPrefix("“") { first = start }
  }

  mutating func scrolled() { matched = nil }
}

/// A request to lay out a value.
struct ValueRequest: Hashable, Sendable {
  let object: ObjectReference
  let slot: Slot
  var form: ValueText.Form?
  /// The width in cells to wrap lines at.
  var width: Int?
}

extension ValueScreen {
  func draw(into buffer: inout ScreenBuffer, in state: BrowserState) -> Position? {
    let area = Self.area(in: buffer.size)
    let body = Box(
      title: title, trailingTitle: text?.note ?? "", note: note
    ).cover(&buffer, in: area)
    let status = state.layout.status
    buffer.draw(" " + message, in: status, role: message.isEmpty ? .statusBar : .warning)
    if let notice = fault ?? text?.notice ?? (text == nil ? "reading…" : nil) {
      buffer.draw(notice, in: body, role: fault == nil ? .dim : .error)
      return nil
    }
    guard let text else { return nil }
    let visible = visible(in: buffer.size)
    for (row, index) in visible.enumerated() {
      draw(
        index, of: text, into: &buffer,
        in: body.row(row))
    }
    Scrollbar(count: text.lineCount, visible: visible).draw(
      into: &buffer, beside: body, column: area.right - 1)
    return nil
  }

  private func draw(
    _ index: Int, of text: ValueText, into buffer: inout ScreenBuffer, in line: Rectangle
  ) {
    let shown = String(text.line(index).dropFirst(left))
    buffer.draw(
      shown, in: line, role: text.form == .bytes ? .blob : .string,
      truncation: wraps || text.form == .bytes ? .clip : .tail)
    markMatches(in: shown, into: &buffer, in: line)
  }

  private var note: String {
    guard let text, text.notice == nil else { return "" }
    let form = text.forms.count > 1 ? "as \(text.form.rawValue), " : ""
    return form + CountText.counted(text.lineCount, "line")
  }
}
