import DatastoreCore
import DatastoreImport
import TerminalUI

/// A list of what a line of the import form can be.
struct ImportPicker: Overlay {
  var scope: CommandScope { .importPicker }
  let title: String
  private let choices: [ImportChoice]
  private(set) var list: PickList<Int>

  init(_ title: String, _ choices: [ImportChoice], present: ImportChoice?, in schema: Schema) {
    self.title = title
    self.choices = choices
    list = PickList(
      choices.enumerated().map { index, choice in
        PickList.Item(
          index, text: choice.title(in: schema), note: choice == present ? "now" : "")
      })
    if let place = choices.firstIndex(where: { $0 == present }) { list.select(place) }
  }

  mutating func press(_ key: Key, in state: inout BrowserState) -> [Effect] {
    _ = list.handle(key)
    return []
  }

  mutating func paste(_ text: String, in state: inout BrowserState) -> [Effect] {
    list.insert(text)
    return []
  }

  private func area(in size: Size) -> Rectangle {
    Rectangle(size).centred(
      Size(columns: min(50, size.columns - 4), rows: min(choices.count + 3, size.rows - 6)))
  }

  private func inside(in size: Size) -> Rectangle {
    area(in: size).inset(horizontal: 2, vertical: 1)
  }

  mutating func move(_ movement: Movement, in state: inout BrowserState) -> [Effect] {
    let height = PickList<Int>.height(in: inside(in: state.size))
    list.move(by: movement.rows(height: height), height: height)
    return []
  }

  mutating func wheel(
    _ lines: Int, at position: Position, in state: inout BrowserState
  ) -> [Effect] {
    list.move(by: lines, height: PickList<Int>.height(in: inside(in: state.size)))
    return []
  }

  mutating func click(
    at position: Position, clicks: Int, in state: inout BrowserState
  ) -> [Effect] {
    let inside = inside(in: state.size)
    guard inside.contains(position) else {
      if !area(in: state.size).contains(position) { state.closeOverlay() }
      return []
    }
    let height = PickList<Int>.height(in: inside)
    guard list.click(row: position.row - inside.top - 1, height: height), clicks == 2 else {
      return []
    }
    return pick(in: &state)
  }

  /// Takes the line under the cursor into the form and closes the list.
  func pick(in state: inout BrowserState) -> [Effect] {
    guard let current = list.current else { return [] }
    state.closeOverlay()
    return state.applyToImport(choices[current.id])
  }

  func draw(into buffer: inout ScreenBuffer, in state: BrowserState) -> Position? {
    let area = area(in: buffer.size)
    buffer.fill(area)
    let inside = Box(title: title, isFocused: true).draw(into: &buffer, in: area)
      .inset(horizontal: 1)
    return list.draw(into: &buffer, in: inside)
  }
}
