import DatastoreCore
import TerminalUI

/// All columns of the table, hidden ones too, to be chosen and put in order.
struct ColumnsScreen: LineListOverlay {
  var scope: CommandScope { .columns }
  /// The line under the cursor is a place among all columns.
  var scroll = ScrollState()

  /// The index of the column under the cursor.
  func column(in state: BrowserState) -> Int? {
    guard let all = state.table?.arrangement.all, all.indices.contains(scroll.cursor) else {
      return nil
    }
    return all[scroll.cursor]
  }

  /// Where the list lies, with its border.
  static func area(in state: BrowserState) -> Rectangle {
    let count = state.table?.columns.count ?? 0
    return state.size.box(columns: 76, rows: count + 2)
  }

  func lineCount(in state: BrowserState) -> Int { state.table?.columns.count ?? 0 }

  func body(in state: BrowserState) -> Rectangle {
    Self.area(in: state).inset(horizontal: 1, vertical: 1)
  }

  func box(in state: BrowserState) -> Rectangle? { Self.area(in: state) }

  /// A click on the box of a line changes it, as a second click anywhere does.
  func takes(clicks: Int, column: Int, in state: BrowserState) -> Bool {
    clicks == 2 || column < body(in: state).left + 4
  }

  func pick(in state: inout BrowserState) {
    if let column = column(in: state) { state.toggleShown(column) }
  }

  func draw(into buffer: inout ScreenBuffer, in state: BrowserState) -> Position? {
    guard let table = state.table, let entity = state.entity else { return nil }
    let area = Self.area(in: state)
    buffer.fill(area)
    let shown = table.arrangement.shown.count
    Box(
      title: "Columns of \(entity.name)", note: "\(shown) of \(table.columns.count) shown",
      isFocused: true
    ).draw(into: &buffer, in: area)
    drawLines(into: &buffer, in: state, scrollbar: 0) { place, buffer, line in
      draw(table.arrangement.all[place], of: table, entity, into: &buffer, in: line)
    }
    return nil
  }

  private func draw(
    _ index: Int, of table: TableState, _ entity: Entity, into buffer: inout ScreenBuffer,
    in line: Rectangle
  ) {
    let marks = Marks(buffer.glyphs)
    let column = table.columns[index]
    let place = table.arrangement.position(of: index)
    let tracks = line.sideBySide(
      [.fixed(3), .share(minimum: 12), .share(minimum: 16), .fixed(7), .fixed(18)],
      spacing: 1)
    let texts: [(String, StyleRole)] = [
      (place == nil ? "[ ]" : "[x]", .key),
      (column.name, place == nil ? .dim : .text),
      (Self.type(of: column, in: entity), .dim),
      (table.settings.widths[column.name].map { "\($0) wide" } ?? "", .number),
      (notes(on: column, place, table, marks).joined(separator: ", "), .dim),
    ]
    for (track, (text, role)) in zip(tracks, texts) {
      buffer.draw(text, at: track.origin, width: track.columns, role: role, truncation: .middle)
    }
  }

  private static func type(of column: TableColumn, in entity: Entity) -> String {
    guard let slot = column.slot else { return "= \(column.expression ?? "")" }
    return switch entity.properties[slot] {
    case .attribute(let attribute): TypeText.describe(attribute)
    case .relationship(let relationship):
      relationship.kind.isToMany ? "\(relationship.destination) (count)" : relationship.destination
    }
  }

  private func notes(
    on column: TableColumn, _ place: Int?, _ table: TableState, _ marks: Marks
  ) -> [String] {
    var notes: [String] = []
    if let place, place < table.arrangement.frozen { notes.append("frozen") }
    if let mark = table.sortMark(of: column, marks) { notes.append("sorted \(mark)") }
    if let format = table.settings.numbers[column.name] { notes.append(format.pattern) }
    return notes
  }
}

extension BrowserState {
  /// Shows all columns, the cursor on the one under the table's.
  mutating func openColumns() {
    guard let table else { return }
    var screen = ColumnsScreen()
    screen.moveCursor(to: table.arrangement.all.firstIndex(of: table.column) ?? 0, in: self)
    open(screen)
  }

  /// Shows a hidden column, or hides one that is shown.
  mutating func toggleShown(_ column: Int) {
    setShown(table?.arrangement.position(of: column) == nil, column: column)
  }

  /// Moves the column under the cursor of the list of columns, hidden ones counted, and the cursor
  /// with it.
  mutating func moveListedColumn(by step: Int) {
    guard let screen = overlay(as: ColumnsScreen.self), let column = screen.column(in: self),
      let all = table?.arrangement.all, all.indices.contains(screen.scroll.cursor + step)
    else { return }
    let place = screen.scroll.cursor + step
    arrange { settings, table in
      settings.order = Self.order(table, moving: column, toPlaceOf: all[place])
    }
    let state = self
    changeOverlay(as: ColumnsScreen.self) { $0.moveCursor(to: place, in: state) }
  }
}

extension CommandScope {
  static let columns = CommandScope(
    "columns", title: "In the list of columns", traits: [.scrolls, .closes, .toggles],
    openedBy: "columns")
}
