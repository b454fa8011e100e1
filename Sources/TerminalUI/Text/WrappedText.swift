import Basics

extension StringProtocol {
  /// The text in lines of at most `width` cells, broken at spaces, or inside a word that is longer than a
  /// line. Line ends (LF, CR LF, CR) end a line; every other control is left for drawing to mark. Complexity:
  /// linear in the text; meant for messages, not for data.
  package func wrapped(to width: Int) -> [String] {
    guard width > 0 else { return [] }
    return String(self).lines().flatMap { paragraph in
      Self.wrap(paragraph, to: width)
    }
  }

  private static func wrap(_ paragraph: Substring, to width: Int) -> [String] {
    var lines: [String] = []
    var line = ""
    var used = 0
    for word in paragraph.words() {
      let wordWidth = word.displayWidth()
      if used > 0, used + 1 + wordWidth <= width {
        line += " " + word
        used += 1 + wordWidth
        continue
      }
      if used > 0 { lines.append(line) }
      line = ""
      used = 0
      for character in word {
        let characterWidth = String(character).displayWidth()
        if used > 0, used + characterWidth > width {
          lines.append(line)
          line = ""
          used = 0
        }
        line.append(character)
        used += characterWidth
      }
    }
    return lines + [line]
  }
}
