import DatastoreCore
import TerminalUI

/// What a cell of the table shows: made once when a row is read, drawn many times.
struct CellContent: Hashable, Sendable {
  /// What kind of thing is shown, where that decides more than the look.
  enum Kind: Hashable, Sendable {
    case value
    /// NULL: a dim mark, so that it cannot be taken for a text.
    case null
    /// A text of no characters.
    case emptyText
    /// A to-one relationship; its text is the key until the name of the object is known.
    case reference(RowKey)
  }

  var kind: Kind
  /// At most `CellContent.limit` characters of the value; empty for NULL.
  var text: String
  var role: StyleRole
  /// Whether the text is right-aligned of its column.
  var isTrailing: Bool

  /// How it is cut where it has no room, in whatever role it is drawn.
  var truncation: Truncation { role == .number ? .number : .tail }

  /// More of a long text is never kept for a table.
  static let limit = 400

  init(_ text: String, role: StyleRole, isTrailing: Bool = false, kind: Kind = .value) {
    self.kind = kind
    self.text = text
    self.role = role
    self.isTrailing = isTrailing
  }
}

/// The marks of the browser, for screens with and without Unicode.
struct Marks: Hashable, Sendable {
  let glyphs: GlyphSet
  let null: String
  let emptyText: String
  let ascending: String
  /// Before what is said of unsaved changes.
  let unsaved: String
  let descending: String
  let expanded: String
  let collapsed: String
  let crumb: String
  let unread: String
  let leadsTo: String
  let separator: String

  init(_ glyphs: GlyphSet) {
    self.glyphs = glyphs
    let isUnicode = glyphs == .unicode
    null = isUnicode ? "∅" : "NULL"
    emptyText = isUnicode ? "‘’" : "''"
    unsaved = isUnicode ? "●" : "*"
    ascending = isUnicode ? "▲" : "^"
    descending = isUnicode ? "▼" : "v"
    expanded = isUnicode ? "▾" : "-"
    collapsed = isUnicode ? "▸" : "+"
    crumb = isUnicode ? " › " : " > "
    unread = isUnicode ? "·" : "."
    leadsTo = isUnicode ? "→" : "->"
    separator = isUnicode ? " · " : " | "
  }
}

extension CellContent {
  /// Text and look where no name of a related object is looked up.
  func shown(_ marks: Marks) -> (text: String, role: StyleRole) {
    switch kind {
    case .value, .reference: (text, role)
    case .null: (marks.null, .null)
    case .emptyText: (marks.emptyText, .dim)
    }
  }
}
