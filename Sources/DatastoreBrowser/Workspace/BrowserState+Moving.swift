import Basics
import DatastoreCore
import TerminalUI

extension BrowserState {
  /// Moves the cursor of the current scope.
  mutating func move(_ movement: Movement) {
    guard overlays.isEmpty else { return handleInOverlay { $0.move(movement, in: &$1) } }
    switch focus {
    case .entities:
      let height = layout.entityBody.rows
      entities.scroll.move(
        by: movement.rows(height: height), count: entities.shown.count, height: height)
    case .table:
      guard var table else { return }
      table.scroll.move(
        by: movement.rows(height: tableHeight), count: table.lines.count, height: tableHeight)
      table.moveAnchor()
      self.table = table
    case .detail:
      let count = detail.items.count
      let (sum, overflow) = detail.cursor.addingReportingOverflow(
        movement.rows(height: layout.detailBody.rows))
      detail.cursor = overflow ? count - 1 : min(max(0, sum), max(0, count - 1))
      settleDetail()
    }
  }

  /// Moves the cursor of the panel with the focus to one of the visible lines.
  mutating func move(to place: ScreenPlace) {
    switch focus {
    case .entities:
      let (count, height) = (entities.shown.count, layout.entityBody.rows)
      let line = place.line(of: entities.scroll.visible(count: count, height: height))
      entities.scroll.move(to: line, count: count, height: height)
    case .table:
      changeTable { table, height in
        var visible = table.scroll.visible(count: table.lines.count, height: height)
        // The sticky header hides the first line.
        if table.stickySection(height: height) != nil { visible = visible.dropFirst() }
        table.scroll.move(
          to: place.line(of: visible), count: table.lines.count, height: height)
        table.moveAnchor()
      }
    case .detail:
      let body = layout.detailBody
      let lines = DetailLines(
        detail, width: body.columns, marks: Marks(.unicode), name: { names[$0, $1] }
      ).lines
      let line = place.line(of: detail.first..<min(lines.count, detail.first + body.rows))
      guard lines.indices.contains(line) else { return }
      detail.cursor = lines[line].item
      settleDetail()
    }
  }

  /// Moves the column cursor by this many shown columns.
  mutating func moveColumn(by step: Int) {
    guard let table, let place = table.arrangement.position(of: table.column) else { return }
    moveColumn(toPlace: place + step)
  }

  /// Puts the column cursor on the shown column at a place from the left, or on the nearest one.
  mutating func moveColumn(toPlace place: Int) {
    guard let shown = table?.arrangement.shown, !shown.isEmpty else { return }
    table?.column = shown[min(max(0, place), shown.count - 1)]
  }

  /// Puts the table's cursor on the header of another section; if that has not been read yet, as soon as it
  /// has.
  mutating func moveSection(by step: Int) {
    guard var table, table.isGrouped, table.lines.count > 0 else { return }
    let section = table.lines.section(ofLine: table.scroll.cursor)
    let isInside = table.lines.line(ofSection: section) != table.scroll.cursor
    // From inside a section, the first step back leads to its own header.
    let next = step < 0 && isInside ? section : section + step
    let target = max(0, table.wantedSection.map { $0 + step } ?? next)
    let wanted = min(target, table.lastSectionToCome)
    guard let line = table.lines.line(ofSection: wanted) else {
      self.table?.wantedSection = wanted
      return tell(
        "Still reading; the cursor goes to section \(CountText.grouped(wanted + 1)) "
          + "as soon as it is read.", .information)
    }
    table.scroll.move(to: line, count: table.lines.count, height: tableHeight)
    table.moveAnchor()
    self.table = table
  }

  /// Moves the focus to another panel.
  mutating func moveFocus(by step: Int) {
    let panels = openPanels
    let index = panels.firstIndex(of: focus) ?? 0
    focus = panels[(index + step + panels.count) % panels.count]
  }
}
