/// A bar whose length shows a part of a whole, to an eighth of a cell.
package struct Bar: Hashable, Sendable {
  /// The part, from 0 to 1.
  package var fraction: Double

  /// Makes a bar; parts outside 0 to 1 count as the nearer end.
  package init(_ fraction: Double) {
    self.fraction = fraction.isNaN ? 0 : min(max(fraction, 0), 1)
  }

  private static let eighths = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"]

  /// The bar as a text of at most `width` cells. Any part greater than zero is visible.
  package func text(width: Int, glyphs: GlyphSet) -> String {
    let steps = glyphs == .unicode ? 8 : 1
    var length = Int((fraction * Double(width * steps)).rounded())
    if fraction > 0 { length = max(1, length) }
    let whole = String(repeating: glyphs.fullBlock, count: length / steps)
    return steps == 1 ? whole : whole + Self.eighths[length % steps]
  }
}

/// A row of small columns, one for each number, as high as the number is large.
package enum Sparkline {
  private static let levels: [GlyphSet: [Character]] = [
    .unicode: Array("▁▂▃▄▅▆▇█"), .ascii: Array("_.-=+*%#"),
  ]

  /// The columns as a text, with a blank for zero; any number greater than zero is visible.
  package static func text(_ counts: [Int], glyphs: GlyphSet) -> String {
    let most = counts.max() ?? 0
    guard most > 0, let levels = levels[glyphs] else {
      return String(repeating: " ", count: counts.count)
    }
    return String(
      counts.map { count in
        count <= 0
          ? " " : levels[min(levels.count - 1, (count * levels.count - 1) / most)]
      })
  }
}
