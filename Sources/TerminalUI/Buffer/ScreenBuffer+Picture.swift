import Basics

extension ScreenBuffer {
  /// The text of each row without trailing blanks, as a person sees it.
  package var picture: [String] {
    (0..<size.rows).map { number in
      var line = row(number).map(\.text).joined()
      while line.ends(with: " ") { line.removeLast() }
      return line
    }
  }
}
