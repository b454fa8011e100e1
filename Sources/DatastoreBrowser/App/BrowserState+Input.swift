import TerminalUI

/// What the user does.
extension BrowserState {
  mutating func handle(_ input: InputEvent) -> [Effect] {
    switch input {
    case .key(let key): return press(key)
    case .paste(let text):
      return handleInOverlay { $0.paste(text, in: &$1) }
    case .mouse(let event): return layout.isTooSmall ? [] : handle(event)
    case .resize(let size):
      self.size = size
      for index in overlays.indices {
        var overlay = overlays[index]
        overlay.resize(in: self)
        overlays[index] = overlay
      }
      return []
    case .suspended, .resumed: return []
    case .closed, .terminate:
      isFinished = true
      return [.quit]
    }
  }

  private mutating func press(_ key: Key) -> [Effect] {
    message = nil
    macro.note(key)
    if layout.isTooSmall {
      if overlays.last is Question { return handleInOverlay { $0.press(key, in: &$1) } }
      // Nothing can be seen, so only leaving makes sense.
      guard let command = keymap.command(for: key, in: .table),
        command.worksUnseen
      else { return [] }
      return command.perform(&self)
    }
    if let command = keymap.command(for: key, in: scope) { return perform(command) }
    return handleInOverlay { $0.press(key, in: &$1) }
  }

  /// Carries out a command, or says why it cannot be.
  mutating func perform(_ command: Command) -> [Effect] {
    if let reason = command.reasonDisabled(self) {
      message = Message(text: reason, role: .warning)
      return []
    }
    return command.perform(&self)
  }

  private mutating func handle(_ event: MouseEvent) -> [Effect] {
    switch event.action {
    case .wheelUp: return wheel(-3, at: event.position)
    case .wheelDown: return wheel(3, at: event.position)
    case .press(.left, let clicks):
      message = nil
      return click(at: event.position, clicks: clicks)
    case .press, .release: break
    }
    return []
  }

  private mutating func wheel(_ rows: Int, at position: Position) -> [Effect] {
    guard overlays.isEmpty else {
      return handleInOverlay { $0.wheel(rows, at: position, in: &$1) }
    }
    let layout = layout
    if layout.entities.contains(position) {
      entities.scroll.scroll(
        by: rows, count: entities.names.count, height: layout.entityBody.rows)
    } else if layout.table.contains(position), var table {
      table.scroll.scroll(by: rows, count: table.lines.count, height: tableHeight)
      table.noteAnchor()
      self.table = table
    } else if layout.detail.contains(position) {
      detail.cursor = min(max(0, detail.cursor + rows), max(0, detail.items.count - 1))
      settleDetail()
    }
    return []
  }

  private mutating func click(at position: Position, clicks: Int) -> [Effect] {
    guard overlays.isEmpty else {
      return handleInOverlay { $0.click(at: position, clicks: clicks, in: &$1) }
    }
    let layout = layout
    if layout.entities.contains(position) {
      focus = .entities
      let row = entities.scroll.first + position.row - layout.entityBody.top
      guard layout.entityBody.contains(position), entities.names.indices.contains(row) else {
        return []
      }
      entities.scroll.move(
        to: row, count: entities.names.count, height: layout.entityBody.rows)
      return openSelectedEntity()
    }
    if layout.toolbar.contains(position) { return clickToolbar(at: position, layout) }
    if layout.table.contains(position) { return clickTable(at: position, layout, clicks: clicks) }
    if layout.detail.contains(position) { return clickDetail(at: position, layout, clicks: clicks) }
    return []
  }

  private mutating func clickTable(
    at position: Position, _ layout: ScreenLayout, clicks: Int
  ) -> [Effect] {
    focus = .table
    guard var table else { return [] }
    let body = layout.tableBody
    let column = table.placements(available: body.columns).last {
      $0.offset <= position.column - body.left
    }
    if layout.tableHeader.contains(position) {
      guard let column else { return [] }
      moveColumn(to: column.index)
      return CommandTable.named("sort").map { perform($0) } ?? []
    }
    let line = table.scroll.first + position.row - body.top
    guard body.contains(position), line < table.lines.count else { return [] }
    table.scroll.move(to: line, count: table.lines.count, height: body.rows)
    if let column { table.column = column.index }
    table.noteAnchor()
    if case .header = table.currentLine {
      table.toggleSection(height: body.rows)
    } else if clicks == 2 {
      showsDetail = true
      focus = .detail
    }
    self.table = table
    return []
  }

  private mutating func clickDetail(
    at position: Position, _ layout: ScreenLayout, clicks: Int
  ) -> [Effect] {
    focus = .detail
    let body = layout.detailBody
    let lines = DetailLines(
      detail, width: body.columns, marks: Marks(.unicode), name: { names[$0, $1] }
    ).lines
    let index = detail.first + position.row - body.top
    guard body.contains(position), lines.indices.contains(index) else { return [] }
    detail.cursor = lines[index].item
    return clicks == 2 && reasonNotToFollow == nil ? followCurrent() : []
  }
}
