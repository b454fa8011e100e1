/// Names and texts that break code which quotes or splits by Characters: characters before combining marks,
/// separators and line ends anywhere.
package enum HostileText {
  private static let signs = "\"'`\\,;:|/.=?&@()[]{}<>$%*_#!~^+- ".unicodeScalars.map { String($0) }
  /// Scalars that join the character before them; the last of them also joins the one after it.
  private static let marks = ["\u{301}", "\u{93E}", "\u{20DD}", "\u{FE0F}", "\u{200D}", "\u{600}"]
  private static let ends = [
    "\n", "\r", "\r\n", "\t", "\u{B}", "\u{C}", "\u{1C}", "\u{1E}", "\u{85}", "\u{2028}",
    "\u{2029}",
  ]
  private static let others = [
    "a", "b", "; touch pwned; ", "\n.shell touch pwned\n", "e\u{301}", "é", "😀", "日", "0", "$(id)",
    "--", "/*", "''", "\"\"", "\u{202E}", "\u{1B}[31m",
  ]

  /// A text of some pieces, often empty or of one.
  ///
  /// - Parameters:
  ///   - most: how many bytes it has at most.
  ///   - hasControls: whether line ends and other controls may be in it.
  package static func draw(
    most: Int = 400, hasControls: Bool = true, using random: inout SeededRandom
  ) -> String {
    var text = ""
    for _ in 0..<random.below(12) {
      var piece: String
      switch random.below(8) {
      case 0...3: piece = signs[random.below(signs.count)]
      case 4 where hasControls: piece = ends[random.below(ends.count)]
      default: piece = others[random.below(others.count)]
      }
      if random.below(3) == 0 { piece += marks[random.below(marks.count)] }
      if !hasControls {
        piece.unicodeScalars.removeAll { $0.properties.generalCategory == .control }
      }
      if text.utf8.count + piece.utf8.count <= most { text += piece }
    }
    return text
  }
}
