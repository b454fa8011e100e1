import DatastoreCore
import TerminalUI

/// Mouse events.
extension BrowserState {
  mutating func handle(_ event: MouseEvent) {
    switch event.action {
    case .wheelUp: wheel(-3, at: event.position)
    case .wheelDown: wheel(3, at: event.position)
    case .press(.left, let clicks):
      message = nil
      press(at: event.position, clicks: clicks, modifiers: event.modifiers)
    case .press(.right, _):
      message = nil
      pressRight(at: event.position)
    case .release(.left): release(at: event.position)
    case .press, .release: break
    }
  }

  private mutating func wheel(_ rows: Int, at position: Position) {
    guard overlays.isEmpty else {
      return handleInOverlay { $0.wheel(rows, at: position, in: &$1) }
    }
    let layout = layout
    if layout.entities.contains(position) {
      entities.scroll.scroll(
        by: rows, count: entities.shown.count, height: layout.entityBody.rows)
    } else if layout.table.contains(position) {
      changeTable { $0.wheel(by: rows, height: $1) }
    } else if layout.detail.contains(position) {
      detail.cursor = min(max(0, detail.cursor + rows), max(0, detail.items.count - 1))
      settleDetail()
    }
  }

  private mutating func press(at position: Position, clicks: Int, modifiers: KeyModifiers) {
    if overlays.isEmpty { session.begin() }
    let command = footerCommand(at: position)
    if scope != KeyHints.scope {
      let click = SessionStep.click(column: position.column, row: position.row, clicks: clicks)
      session.record(command?.reasonIfDisabled(self) == nil ? click : .idle(click))
    }
    if let command { return perform(command) }
    guard overlays.isEmpty else {
      return handleInOverlay { $0.click(at: position, clicks: clicks, in: &$1) }
    }
    let layout = layout
    if layout.entities.contains(position) { return clickEntity(at: position, layout) }
    if layout.toolbar.contains(position) { return clickToolbar(at: position, layout) }
    if layout.tableHeader.contains(position) {
      focus = .table
      return pressHeader(at: position, layout, clicks: clicks, modifiers: modifiers)
    }
    if layout.table.contains(position) { return clickTable(at: position, layout, clicks: clicks) }
    if layout.detail.contains(position) { clickDetail(at: position, layout, clicks: clicks) }
  }

  /// Moves the cursor to the mouse and opens a menu there.
  private mutating func pressRight(at position: Position) {
    guard overlays.isEmpty else { return }
    let layout = layout
    let isHeader = layout.tableHeader.contains(position)
    if isHeader {
      guard goToHeader(at: position, layout) else { return }
      focus = .table
    } else {
      press(at: position, clicks: 1, modifiers: [])
    }
    if overlays.isEmpty { openMenu(first: isHeader ? .column : nil) }
  }

  private mutating func clickEntity(at position: Position, _ layout: ScreenLayout) {
    focus = .entities
    let line = entities.scroll.first + position.row - layout.entityBody.top
    guard layout.entityBody.contains(position), entities.shown.indices.contains(line) else {
      return
    }
    entities.move(to: entities.shown[line], height: layout.entityBody.rows)
    openSelectedEntity()
  }

  /// Releasing the button on the pressed header sorts; pressing between two headers starts to drag the
  /// border.
  private mutating func pressHeader(
    at position: Position, _ layout: ScreenLayout, clicks: Int, modifiers: KeyModifiers
  ) {
    guard let table else { return }
    let place = position.column - layout.tableHeader.left
    let placements = table.placements(available: layout.tableBody.columns)
    if let left = placements.last(where: { $0.offset + $0.width <= place }),
      place < left.offset + left.width + TableState.spacing
    {
      if clicks == 2 { return fitColumn(left.index) }
      drag = ColumnDrag(column: left.index, start: position.column, width: left.width)
      return
    }
    guard goToHeader(at: position, layout) else { return }
    // Many terminals keep clicks with Shift to themselves, so Ctrl and Alt do the same.
    let name = modifiers.isEmpty ? "sort" : "sort-further"
    if let command = keymap.commands.named(name) { perform(command) }
  }

  /// Puts the cursor on the column of the header at a position; false if there is none.
  private mutating func goToHeader(at position: Position, _ layout: ScreenLayout) -> Bool {
    let place = position.column - layout.tableHeader.left
    let placements = table?.placements(available: layout.tableBody.columns)
    guard let column = placements?.last(where: { $0.offset <= place }) else { return false }
    table?.column = column.index
    return true
  }

  private mutating func release(at position: Position) {
    guard let drag else { return }
    self.drag = nil
    let moved = position.column - drag.start
    if moved != 0 { setWidth(drag.width + moved, column: drag.column) }
  }

  private mutating func clickTable(at position: Position, _ layout: ScreenLayout, clicks: Int) {
    focus = .table
    guard var table else { return }
    let body = layout.tableBody
    let line = table.scroll.first + position.row - body.top
    guard body.contains(position), line < table.lines.count else { return }
    if position.row == body.top, let section = table.stickySection(height: body.rows) {
      table.moveCursor(toSection: section, height: body.rows)
      self.table = table
      return
    }
    table.scroll.move(to: line, count: table.lines.count, height: body.rows)
    let column = table.placements(available: body.columns).last {
      $0.offset <= position.column - body.left
    }
    if let column { table.column = column.index }
    table.moveAnchor()
    if case .header = table.currentLine {
      table.toggleSection(height: body.rows)
    } else if clicks == 2 {
      showsDetail = true
      focus = .detail
    }
    self.table = table
  }

  private mutating func clickDetail(at position: Position, _ layout: ScreenLayout, clicks: Int) {
    focus = .detail
    let body = layout.detailBody
    let lines = DetailLines(
      detail, width: body.columns, marks: Marks(.unicode), name: { names[$0, $1] }
    ).lines
    let index = detail.first + position.row - body.top
    guard body.contains(position), lines.indices.contains(index) else { return }
    detail.cursor = lines[index].item
    if clicks == 2 && reasonNotToFollow == nil { followCurrent() }
  }
}
