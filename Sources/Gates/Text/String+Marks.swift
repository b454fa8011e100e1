extension StringProtocol {
  /// The text with marks in place of all harmful characters; everything else is as it was, so that a
  /// name that is copied from a message is found again. Complexity: O(length); nothing is copied of
  /// ASCII without controls, which nearly all text is.
  ///
  /// - Parameter keepsLines: whether newlines and tabs stay, in a text of several lines.
  package func markingHarmful(keepsLines: Bool = false) -> String {
    if utf8.allSatisfy({ (0x20...0x7E).contains($0) || keepsLines && ($0 == 0x0A || $0 == 0x09) }) {
      return String(self)
    }
    var text = String.UnicodeScalarView()
    for scalar in unicodeScalars {
      if keepsLines, scalar == "\n" || scalar == "\t" {
        text.append(scalar)
      } else {
        text.append(HarmfulCharacter(scalar)?.mark(of: scalar) ?? scalar)
      }
    }
    return String(text)
  }
}

extension String {
  /// The text without controls that cannot be typed, and how many they were. Newlines and tabs stay.
  /// O(length).
  package func removingControls() -> (text: String, count: Int) {
    func isRemoved(_ scalar: Unicode.Scalar) -> Bool {
      scalar != "\n" && scalar != "\t" && HarmfulCharacter(scalar) == .control
    }
    let count = unicodeScalars.count(where: isRemoved)
    if count == 0 { return (self, 0) }
    return (String(String.UnicodeScalarView(unicodeScalars.filter { !isRemoved($0) })), count)
  }
}
