/// The emphasis of a text besides its colour.
package struct TextAttributes: OptionSet, Hashable, Sendable {
  package let rawValue: UInt8

  package init(rawValue: UInt8) { self.rawValue = rawValue }

  package static let bold = TextAttributes(rawValue: 1)
  package static let dim = TextAttributes(rawValue: 2)
  package static let underline = TextAttributes(rawValue: 4)
  package static let reverse = TextAttributes(rawValue: 8)
}

/// The colours and the emphasis of a role in a theme.
package struct Style: Hashable, Sendable {
  /// Colour of the text.
  package var foreground: RGB
  /// Colour of the background.
  package var background: RGB
  /// Emphasis on terminals with enough colours.
  package var attributes: TextAttributes
}

/// The style of a cell on a terminal of a certain depth.
package struct CellStyle: Hashable, Sendable {
  /// Colour number; nil is the terminal's own text colour.
  package var foreground: Int?
  /// Colour number; nil is the terminal's own background.
  package var background: Int?
  package var attributes: TextAttributes
}
