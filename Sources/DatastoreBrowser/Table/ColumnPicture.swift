import Basics
import TerminalUI

/// The picture that a column draws from its values.
enum ColumnPicture: Hashable, Sendable, Codable {
  /// A part of a whole, from 0 to 1: a percentage with a bar that is full at `most`.
  case share(most: Double)
  /// A bar, from 0 to 1.
  case bar
  /// A row of small columns, drawn from numbers with blanks between them.
  case sparkline

  private static let barWidth = 20

  /// The number of cells that the picture needs.
  var width: Int {
    switch self {
    case .share: 8 + Self.barWidth
    case .bar: Self.barWidth
    case .sparkline: 16
    }
  }

  /// The text of a cell that holds a text.
  func text(of text: String, _ glyphs: GlyphSet) -> String {
    switch self {
    case .share(let most):
      guard let share = Double(text) else { return text }
      let bar = Bar(most > 0 ? share / most : 0).text(width: Self.barWidth, glyphs: glyphs)
      return Self.percent(share) + " " + bar
    case .bar:
      return Double(text).map { Bar($0).text(width: Self.barWidth, glyphs: glyphs) } ?? text
    case .sparkline:
      return Sparkline.text(text.words(at: " ").compactMap { Int($0) }, glyphs: glyphs)
    }
  }

  private static func percent(_ share: Double) -> String {
    let tenths = Int((share * 1000).rounded())
    let text = tenths == 0 && share > 0 ? "<0.1 %" : "\(tenths / 10).\(tenths % 10) %"
    return String(repeating: " ", count: max(0, 7 - text.count)) + text
  }
}
