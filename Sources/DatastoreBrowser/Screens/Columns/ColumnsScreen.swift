import DatastoreCore
import TerminalUI

/// All columns of the table, hidden ones too, to be chosen and put in order.
struct ColumnsScreen: Overlay {
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
    return Rectangle(state.size).centred(
      Size(columns: min(state.size.columns - 4, 76), rows: min(state.size.rows - 4, count + 2)))
  }

  private static func height(in state: BrowserState) -> Int { max(1, area(in: state).rows - 2) }

  /// Puts the cursor on a place.
  mutating func moveCursor(to place: Int, in state: BrowserState) {
    scroll.move(
      to: place, count: state.table?.columns.count ?? 0, height: Self.height(in: state))
  }

  mutating func move(_ movement: Movement, in state: inout BrowserState) -> [Effect] {
    scroll.move(
      by: movement.rows(height: Self.height(in: state)), count: state.table?.columns.count ?? 0,
      height: Self.height(in: state))
    return []
  }

  mutating func wheel(
    _ lines: Int, at position: Position, in state: inout BrowserState
  ) -> [Effect] {
    scroll.scroll(
      by: lines, count: state.table?.columns.count ?? 0, height: Self.height(in: state))
    return []
  }

  mutating func click(
    at position: Position, clicks: Int, in state: inout BrowserState
  ) -> [Effect] {
    let body = Self.area(in: state).inset(horizontal: 1, vertical: 1)
    guard Self.area(in: state).contains(position) else {
      state.closeOverlay()
      return []
    }
    guard body.contains(position) else { return [] }
    moveCursor(to: scroll.first + position.row - body.top, in: state)
    // A click on the box of a line changes it, as a second click anywhere does.
    guard clicks == 2 || position.column < body.left + 4, let column = column(in: state) else {
      return []
    }
    return state.toggleShown(column)
  }

  mutating func resize(in state: BrowserState) {
    moveCursor(to: scroll.cursor, in: state)
  }

  func draw(into buffer: inout ScreenBuffer, in state: BrowserState) -> Position? {
    guard let table = state.table, let entity = state.entity else { return nil }
    let area = Self.area(in: state)
    buffer.fill(area)
    let shown = table.arrangement.shown.count
    let body = Box(
      title: "Columns of \(entity.name)", note: "\(shown) of \(table.columns.count) shown",
      isFocused: true
    ).draw(into: &buffer, in: area)
    let visible = scroll.visible(count: table.columns.count, height: body.rows)
    for (row, place) in visible.enumerated() {
      let line = Rectangle(column: body.left, row: body.top + row, columns: body.columns, rows: 1)
      draw(table.arrangement.all[place], of: table, entity, into: &buffer, in: line)
      if place == scroll.cursor { buffer.highlight(line, as: .selection) }
    }
    Scrollbar(count: table.columns.count, visible: visible).draw(
      into: &buffer,
      in: Rectangle(column: area.right - 1, row: body.top, columns: 1, rows: body.rows))
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
    switch entity.properties[column.slot] {
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
    if table.settings.grouped.contains(column.name) { notes.append("1 000") }
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
  mutating func toggleShown(_ column: Int) -> [Effect] {
    setShown(table?.arrangement.position(of: column) == nil, column: column)
  }

  /// Moves the column under the cursor of the list of columns, hidden ones counted, and the cursor
  /// with it.
  mutating func moveListedColumn(by step: Int) -> [Effect] {
    guard let screen = overlay(as: ColumnsScreen.self), let column = screen.column(in: self),
      let all = table?.arrangement.all, all.indices.contains(screen.scroll.cursor + step)
    else { return [] }
    let place = screen.scroll.cursor + step
    let effects = arrange { settings, table in
      settings.order = Self.order(table, moving: column, toPlaceOf: all[place])
    }
    let state = self
    changeOverlay(as: ColumnsScreen.self) { $0.moveCursor(to: place, in: state) }
    return effects
  }
}
