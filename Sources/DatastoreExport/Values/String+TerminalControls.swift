import TerminalUI

extension String {
  /// The text with marks in place of invalid UTF-8 and of all characters that a terminal could obey.
  package var withoutTerminalControls: String {
    Glyphs(self).reduce(into: "") { $0 += $1.text }
  }
}
