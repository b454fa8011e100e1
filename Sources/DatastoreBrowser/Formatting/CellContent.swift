import DatastoreCore
import TerminalUI

/// The content of a table cell: made once when its row is read, drawn many times.
struct CellContent: Hashable, Sendable {
  /// The kind of the content, if the style does not say everything.
  enum Kind: Hashable, Sendable {
    case value
    /// NULL: drawn as a dim mark, so that it is not mistaken for a text.
    case null
    case emptyText
    /// A to-one relationship; the text is the key until the name of the object is known.
    case reference(RowKey)
  }

  var kind: Kind
  /// At most `CellContent.limit` characters of the value; empty for NULL.
  var text: String
  var role: StyleRole
  /// Whether the text is right-aligned in its column.
  var isTrailing: Bool

  /// How the text is cut if it does not fit, whatever role it is drawn in.
  var truncation: Truncation { role == .number ? .number : .tail }

  /// The most characters of a text that are kept for the table.
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
  /// The mark before the note about unsaved changes.
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
  /// The text and role of the cell without the name of a related object.
  func shown(_ marks: Marks) -> (text: String, role: StyleRole) {
    switch kind {
    case .value, .reference: (text, role)
    case .null: (marks.null, .null)
    case .emptyText: (marks.emptyText, .dim)
    }
  }
}
