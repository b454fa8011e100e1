/// The characters for lines, bars and marks: Unicode, or ASCII for terminals that cannot show it.
package enum GlyphSet: Hashable, Sendable {
  case unicode
  case ascii

  /// The mark in place of the cut part of a text; one cell.
  package var ellipsis: String { self == .unicode ? "…" : "~" }
  /// A whole filled cell, of progress bars and scrollbars.
  package var fullBlock: String { self == .unicode ? "█" : "#" }
  /// An empty cell of a bar's track.
  package var track: String { self == .unicode ? "░" : "." }
  /// The line that a scrollbar's thumb moves on.
  package var scrollTrack: String { self == .unicode ? "│" : "|" }

  /// The glyph itself if the set has it, else an ASCII mark for each of its cells.
  func shown(_ glyph: Glyph) -> [Glyph] {
    guard self == .ascii, !glyph.text.utf8.allSatisfy({ $0 < 0x80 }) else { return [glyph] }
    return Array(repeating: Glyph(text: "?", width: 1, isMark: true), count: glyph.width)
  }
}

/// The weight of a line: heavy lines mark the panel with the focus even without colour.
package enum LineWeight: Hashable, Sendable {
  case light
  case heavy
}

/// The directions in which a line leaves a cell; two lines in one cell are the union.
struct LineSides: OptionSet, Hashable {
  let rawValue: UInt8
  static let up = LineSides(rawValue: 1)
  static let down = LineSides(rawValue: 2)
  static let left = LineSides(rawValue: 4)
  static let right = LineSides(rawValue: 8)

  /// The character for these sides.
  func scalar(_ weight: LineWeight, _ glyphs: GlyphSet) -> Unicode.Scalar {
    switch (glyphs, weight) {
    case (.unicode, .light): Self.light[Int(rawValue)]
    case (.unicode, .heavy): Self.heavy[Int(rawValue)]
    case (.ascii, .light): Self.ascii[Int(rawValue)]
    case (.ascii, .heavy): Self.asciiHeavy[Int(rawValue)]
    }
  }

  private static let light = Array(" ╵╷│╴┘┐┤╶└┌├─┴┬┼".unicodeScalars)
  private static let heavy = Array(" ╹╻┃╸┛┓┫╺┗┏┣━┻┳╋".unicodeScalars)
  private static let ascii = Array(" |||-+++-+++-+++".unicodeScalars)
  private static let asciiHeavy = Array(" ###=###=###=###".unicodeScalars)
}

extension LineSides {
  /// The sides of a line character of the given weight, or nil for any other. ASCII lines
  /// do not show their sides.
  init?(_ scalar: Unicode.Scalar, _ weight: LineWeight, _ glyphs: GlyphSet) {
    guard glyphs == .unicode, scalar.value >= 0x2500 else { return nil }
    let table = weight == .light ? Self.light : Self.heavy
    guard let index = table.firstIndex(of: scalar), index > 0 else { return nil }
    self.init(rawValue: UInt8(index))
  }
}
