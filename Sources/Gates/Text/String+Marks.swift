extension StringProtocol {
  /// The text with a mark in place of each harmful character. Everything else is unchanged, so that a name
  /// copied from a message can be found again. Complexity: O(length); ASCII without controls, which nearly
  /// all text is, is not copied.
  ///
  /// - Parameter keepsLines: whether newlines and tabs stay, for texts of several lines.
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
  /// The text without the controls that cannot be typed, and the number of controls removed. Newlines and
  /// tabs stay. O(length).
  package func removingControls() -> (text: String, count: Int) {
    func isRemoved(_ scalar: Unicode.Scalar) -> Bool {
      scalar != "\n" && scalar != "\t" && HarmfulCharacter(scalar) == .control
    }
    let count = unicodeScalars.count(where: isRemoved)
    if count == 0 { return (self, 0) }
    return (String(String.UnicodeScalarView(unicodeScalars.filter { !isRemoved($0) })), count)
  }
}
