import DatastoreCore
import SwiftDatastore
import TerminalUI

@testable import DatastoreBrowser

/// Rules that hold for a browser and its picture after any act; each broken rule is a sentence.
@MainActor
enum MonkeyRules {
  /// The rules that are cheap enough to check after every key.
  ///
  /// - Parameter former: the picture before, whose rows are in order.
  static func broken(_ driver: BrowserDriver, after former: ScreenBuffer?) -> [String] {
    let state = driver.browser.state
    guard let buffer = driver.terminal.lastBuffer else { return ["nothing is drawn"] }
    var broken = picture(buffer, after: former, driver)
    if !state.openPanels.contains(state.focus), !state.schema.entities.isEmpty {
      broken.append("the focus is on \(state.focus), which is hidden")
    }
    broken += table(state)
    // The shown table may be above the file, and does not show changes staged in it.
    let view = driver.browser.level.datastore.sharedViewContext
    let staged = view.stagedObjects()
    let marks = state.editing.marks
    if staged.count != marks.count {
      broken.append("\(staged.count) objects are staged, \(marks.count) are marked")
    }
    if marks.changed + marks.inserted + marks.deleted != marks.count {
      broken.append("the counts of the marks are not their number")
    }
    if view.canUndo != marks.canUndo || view.canRedo != marks.canRedo {
      broken.append("undo or redo is offered wrongly")
    }
    return broken
  }

  /// The expensive rules: those of the graph, and the way out of the overlays.
  static func deeplyBroken(_ driver: BrowserDriver) -> [String] {
    driver.datastore.sharedViewContext.core.graph.brokenInvariants() + wayOut(driver.browser.state)
  }

  private static func picture(
    _ buffer: ScreenBuffer, after former: ScreenBuffer?, _ driver: BrowserDriver
  ) -> [String] {
    var broken: [String] = []
    if buffer.size != driver.terminal.size {
      broken.append("the picture is \(buffer.size), the terminal \(driver.terminal.size)")
    }
    for row in 0..<buffer.size.rows {
      if let former, former.size == buffer.size, former.row(row) == buffer.row(row) { continue }
      let cells = Array(buffer.row(row))
      for (column, cell) in cells.enumerated() {
        let place = "row \(row), column \(column)"
        switch cell.width {
        case 0:
          if column == 0 || cells[column - 1].width != 2 || !cell.text.isEmpty {
            broken.append("half of a wide character stands alone at \(place)")
          }
        case 2:
          if column + 1 == cells.count || cells[column + 1].width != 0 {
            broken.append("a wide character is cut at \(place)")
          }
        default: break
        }
        if cell.width > 0, cell.text != " " { broken += text(cell, place) }
      }
    }
    if let cursor = driver.terminal.cursor, !buffer.bounds.contains(cursor) {
      broken.append("the cursor is at \(cursor), outside of \(buffer.size)")
    }
    return broken
  }

  private static func text(_ cell: Cell, _ place: String) -> [String] {
    let scalars = cell.text.unicodeScalars
    if let first = scalars.first, scalars.count == 1, (0x21...0x7E).contains(first.value) {
      return cell.width == 1 ? [] : ["\(cell.text) is \(cell.width) wide at \(place)"]
    }
    if scalars.contains(where: { $0.properties.generalCategory == .control }) {
      return ["a control character is drawn at \(place)"]
    }
    if cell.text.displayWidth() != cell.width {
      return ["\(cell.text.debugDescription) takes \(cell.width) cells at \(place)"]
    }
    return []
  }

  private static func table(_ state: BrowserState) -> [String] {
    guard let table = state.table else { return [] }
    var broken: [String] = []
    let count = table.lines.count
    if count > 0, !(0..<count).contains(table.scroll.cursor) {
      broken.append("the cursor is in line \(table.scroll.cursor) of \(count)")
    }
    if !table.columns.isEmpty, !table.columns.indices.contains(table.column) {
      broken.append("the cursor is in column \(table.column) of \(table.columns.count)")
    }
    return broken
  }

  /// Escape, or an answer to the open question, leads back to the panels.
  private static func wayOut(_ state: BrowserState) -> [String] {
    var state = state
    for key in ["esc", "esc", "esc", "n", "q", "esc", "esc", "esc", "esc", "esc", "esc", "esc"] {
      if state.overlays.isEmpty || state.isFinished { return [] }
      _ = state.update(UserInput(.key(Key(stringLiteral: key))))
    }
    if state.overlays.isEmpty || state.isFinished { return [] }
    return ["there is no way out of \(state.overlays.map { String(describing: type(of: $0)) })"]
  }
}
