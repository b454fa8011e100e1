import Basics

/// The style of every role: a base16 or base24 colour scheme and the rules that give roles their colours.
///
/// The slots have the meaning of the base16 styling guide: 00 to 07 run from the background to the brightest
/// text, 08 to 0F are red, orange, yellow, green, cyan, blue, magenta and brown; base24 adds two darker
/// backgrounds and six brighter hues. Text with too little contrast to its background is moved towards the
/// scheme's own foreground until the contrast is 4.5:1, so every published scheme can be used unchanged.
package struct Theme: Hashable, Sendable {
  /// The name of the scheme.
  package var name: String
  /// The author; empty if the file names none.
  package var author: String
  /// The colours: 16 for base16, 24 for base24.
  package let palette: [RGB]

  /// The least contrast of text, as a WCAG ratio.
  static let leastContrast = 4.5
  /// The least contrast between the two colours of a scheme that make text legible.
  private static let leastOfScheme = 3.0

  /// Whether text is lighter than the background.
  package var isDark: Bool { palette[0].luminance < palette[5].luminance }

  /// Creates a theme; errors name `file`.
  ///
  /// Throws `ThemeError` when the text colour (base05) cannot be read on the background (base00).
  /// Traps unless there are 16 or 24 colours.
  package init(name: String, author: String, palette: [RGB], file: String) throws(ThemeError) {
    require(palette.count == 16 || palette.count == 24, "a scheme has 16 or 24 colours")
    let contrast = palette[5].contrast(with: palette[0])
    guard contrast >= Self.leastOfScheme else {
      let ratio = (contrast * 100).rounded(.down) / 100
      throw ThemeError(
        file: file, key: "base05 on base00",
        reason: "(text \(palette[5]) on background \(palette[0])) has a contrast of "
          + "\(ratio):1; at least 3:1 is needed to read it.")
    }
    self.init(checkedName: name, author: author, palette: palette)
  }

  init(checkedName name: String, author: String, palette: [RGB]) {
    self.name = name
    self.author = author
    self.palette = palette
  }

  /// The theme without a theme file: the same as `themes/datastore-dark.yaml`.
  package static let fallback = Theme(
    checkedName: "Datastore Dark", author: "SwiftDatastore",
    palette: [
      0x14181D, 0x1E242B, 0x2F3945, 0x6B7885, 0x9AA7B4, 0xCDD6DF, 0xE3E9EF, 0xF6F9FB,
      0xE5707A, 0xE39A5B, 0xDCC064, 0x86C27C, 0x66C2BE, 0x6FAEEB, 0xBC93E2, 0xB98A6A,
    ].map { RGB($0) })
}
