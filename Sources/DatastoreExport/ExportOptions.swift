package import TerminalUI

package struct ExportOptions: Sendable {
  /// Whether formats with a header line write it.
  package var writesHeader = true
  /// The text for NULL in formats that have no word for it; nil for the default of the format: nothing in CSV
  /// and TSV, where empty text is `""`; `∅` in tables; `*NULL*` in Markdown.
  package var null: String?
  /// Whether the output goes to a terminal. If so, every format replaces or escapes control characters.
  package var isForTerminal = false
  /// The glyphs for the lines of tables.
  package var glyphs = GlyphSet.unicode
  /// The table that `INSERT` statements fill.
  package var table = "result"

  package init() {}
}
