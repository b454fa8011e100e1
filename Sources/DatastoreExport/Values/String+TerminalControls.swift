import TerminalUI

extension String {
  /// The text with marks in place of everything that a terminal could obey, or that is not UTF-8.
  package var withoutTerminalControls: String {
    Glyphs(self).reduce(into: "") { $0 += $1.text }
  }
}
