/// The glyphs of a text cut to a number of cells.
struct FittedText {
  private(set) var glyphs: [Glyph] = []
  private(set) var width = 0

  /// Cuts `text` to `limit` cells. Reads little more of the text than fits.
  init(
    _ text: some StringProtocol, width limit: Int, truncation: Truncation, glyphs set: GlyphSet
  ) {
    let isWhole = append(Glyphs(text), limit: limit, set)
    guard !isWhole, truncation != .clip else { return }
    if truncation == .number, let number = FittedNumber(text) {
      self = FittedText(glyphs: Array(Glyphs(number.text(width: limit))))
      return
    }
    var ellipsis = Glyph(text: set.ellipsis, width: 1, isMark: true)
    switch truncation {
    case .clip: return
    case .tail, .number:
      shorten(to: limit - 1)
    case .head:
      let end = Self.end(of: text, width: limit - 1, set)
      self = FittedText(glyphs: [ellipsis] + end)
      return
    case .middle:
      let end = Self.end(of: text, width: (limit - 1) / 2, set)
      shorten(to: limit - 1 - end.reduce(0) { $0 + $1.width })
      self = FittedText(glyphs: glyphs + [ellipsis] + end)
      return
    }
    ellipsis.width = 1
    glyphs.append(ellipsis)
    width += 1
  }

  private init(glyphs: [Glyph]) {
    self.glyphs = glyphs
    width = glyphs.reduce(0) { $0 + $1.width }
  }

  /// Appends up to the limit; returns whether everything fitted.
  private mutating func append(_ source: Glyphs, limit: Int, _ set: GlyphSet) -> Bool {
    for glyph in source {
      guard width + glyph.width <= limit else { return false }
      if set == .unicode { glyphs.append(glyph) } else { glyphs += set.shown(glyph) }
      width += glyph.width
    }
    return true
  }

  private mutating func shorten(to limit: Int) {
    while width > max(0, limit), let last = glyphs.popLast() { width -= last.width }
  }

  /// The last glyphs that fit. A glyph has few scalars, so a bounded suffix is enough; the glyph that the
  /// suffix may have cut in two lies to the left of the result.
  private static func end(
    of text: some StringProtocol, width: Int, _ set: GlyphSet
  ) -> [Glyph] {
    guard width > 0 else { return [] }
    let scalars = text.unicodeScalars.suffix(width * 8 + 32)
    let tail = Array(Glyphs(String(String.UnicodeScalarView(scalars))))
    var used = 0
    var kept: [Glyph] = []
    for glyph in tail.reversed() {
      guard used + glyph.width <= width else { break }
      used += glyph.width
      kept += set.shown(glyph)
    }
    return kept.reversed()
  }
}

/// The part of a text that gives way to an ellipsis if the text is too long.
package enum Truncation: Hashable, Sendable {
  /// Keeps the beginning: `abcd…`.
  case tail
  /// Keeps the end: `…wxyz`.
  case head
  /// Keeps both ends: `ab…yz`.
  case middle
  /// Keeps the beginning and shows no ellipsis.
  case clip
  /// Shows a number in a shorter form, or a row of `#`: with fewer digits it would be another number. Other
  /// texts keep their beginning.
  case number
}
