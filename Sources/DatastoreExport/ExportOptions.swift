package import TerminalUI

/// How rows are written, where a format leaves a choice.
package struct ExportOptions: Sendable {
  /// Whether formats with a header line write it.
  package var writesHeader = true
  /// The text for NULL in formats that have no word for it; nil for the format's own choice: nothing
  /// in CSV and TSV, where empty text is `""`; `∅` in tables; `*NULL*` in Markdown.
  package var null: String?
  /// Whether a terminal will show it: then no format lets control characters through.
  package var isForTerminal = false
  /// What lines of tables are drawn with.
  package var glyphs = GlyphSet.unicode
  /// The table that `INSERT` statements fill.
  package var table = "result"

  package init() {}
}
