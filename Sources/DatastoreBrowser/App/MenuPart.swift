import DatastoreCore
import TerminalUI

/// A subject of the menu at the cursor, such as the row or its column, with its commands.
enum MenuPart: Hashable, Sendable {
  case row
  case column
  case section
  case rows
  case views
  case file
  case entity
  case field

  /// The subjects at the cursor in a panel, the nearest first.
  static func parts(of panel: CommandScope, in state: BrowserState) -> [MenuPart] {
    switch panel {
    case .entities: return [.entity, .views, .file]
    case .detail: return [.field, .rows, .views, .file]
    default:
      if case .header = state.table?.currentLine {
        return [.section, .column, .rows, .views, .file]
      }
      return [.row, .column, .rows, .views, .file]
    }
  }

  func title(in state: BrowserState) -> String {
    switch self {
    case .row: "This row"
    case .column: state.table?.currentColumn.map { "The column \($0.name)" } ?? "This column"
    case .section: "This section"
    case .rows: state.entity.map { "The rows of \($0.name)" } ?? "The rows"
    case .views: "Views and tabs"
    case .file: "The file"
    case .entity: "This entity"
    case .field: "This value"
    }
  }

  /// The heading of the commands in lists of keys.
  var topic: String {
    switch self {
    case .row, .field: "Row"
    case .column: "Column"
    case .section: "Sections"
    case .rows: "Rows"
    case .views: "Views and tabs"
    case .file, .entity: "File"
    }
  }

  /// The subjects in the order of lists of keys.
  static let topics: [MenuPart] = [.column, .section, .row, .rows, .views, .file]

  /// The names of the commands.
  var commands: [String] {
    switch self {
    case .row:
      [
        "open-row", "edit", "show-value", "follow-cell", "create", "duplicate", "delete",
        "select-row", "copy-cell", "copy-rows", "copy-rows-with-header", "copy-markdown",
        "copy-json",
      ]
    case .column:
      [
        "sort", "sort-further", "group", "filter-value", "exclude-value", "frequencies",
        "statistics", "histogram", "chart", "total", "number-format", "column-meaning", "wider",
        "narrower", "hide-column", "freeze", "derive",
        "change-derived", "remove-derived", "expand-object", "open-array",
      ]
    case .section:
      [
        "toggle-section", "toggle-all-sections", "group-in-steps", "order-sections", "sparkline",
        "next-section", "previous-section",
      ]
    case .rows:
      [
        "filter", "filter-form", "clear-filter", "search", "sort-by-relevance", "overview", "pivot",
        "columns", "matches-only", "fill-down", "export", "copy-command", "copy-sql",
      ]
    case .views: ["view", "save-view", "next-tab", "previous-tab", "close-tab"]
    case .file:
      [
        "save", "revert", "undo", "review", "import", "search-file", "show-schema", "sql",
        "changes", "store-history", "meanings", "messages", "save-session",
        "replay-session",
      ]
    case .entity: ["open-entity", "search", "hide-entity", "show-schema", "export"]
    case .field: ["edit", "show-value", "follow", "copy-cell"]
    }
  }
}
