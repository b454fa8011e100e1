/// The one gate for text that others read: names and values quoted for SQL, CSV, JSON, DOT, shells and more.
///
/// Everything here goes by bytes or scalars. Swift compares Characters, and a quote, comma or line end
/// followed by a combining mark is a different Character, as is CR LF, so `replacing`, `split`, `contains`
/// and `==` miss characters that every other program sees. `make lint` (`.ci/check-quoting`) refuses them
/// elsewhere.
package enum Quoting {
  /// Text between quotes, with the quotes inside doubled. O(length).
  package static func quoted(_ text: some StringProtocol, by quote: Unicode.Scalar) -> String {
    var result = ""
    append(text, between: quote, to: &result)
    return result
  }

  /// Appends text between quotes, doubling the quotes inside. O(length); faster if there are none.
  ///
  /// - Parameter quote: an ASCII character.
  package static func append(
    _ text: some StringProtocol, between quote: Unicode.Scalar, to result: inout String
  ) {
    result.unicodeScalars.append(quote)
    if text.utf8.contains(UInt8(ascii: quote)) {
      for scalar in text.unicodeScalars {
        if scalar == quote { result.unicodeScalars.append(quote) }
        result.unicodeScalars.append(scalar)
      }
    } else {
      result += text
    }
    result.unicodeScalars.append(quote)
  }

  /// The inverse of `quoted`, for a text without the quotes around it: two quotes in a row become one.
  /// O(length).
  package static func undoubled(_ inside: some StringProtocol, quote: Unicode.Scalar) -> String {
    var result = String.UnicodeScalarView()
    var isAfterQuote = false
    for scalar in inside.unicodeScalars {
      isAfterQuote = scalar == quote && !isAfterQuote
      if scalar != quote || isAfterQuote { result.append(scalar) }
    }
    return String(result)
  }

  /// Text with some scalars replaced. O(length); returns the text itself if there are none.
  ///
  /// - Parameter replacement: returns the replacement of a scalar; nil to keep it.
  package static func replacing(
    in text: String, _ replacement: (Unicode.Scalar) -> String?
  ) -> String {
    let scalars = text.unicodeScalars
    guard let first = scalars.firstIndex(where: { replacement($0) != nil }) else { return text }
    var result = String(scalars[..<first])
    for scalar in scalars[first...] {
      if let other = replacement(scalar) {
        result += other
      } else {
        result.unicodeScalars.append(scalar)
      }
    }
    return result
  }

  /// Text with every occurrence of a part replaced, found by its bytes. O(length · part).
  package static func substituting(_ part: String, with other: String, in text: String) -> String {
    let part = Array(part.utf8)
    guard let first = part.first, text.utf8.contains(first) else { return text }
    let bytes = Array(text.utf8)
    var result: [UInt8] = []
    var place = 0
    while place < bytes.count {
      if bytes[place] == first, bytes[place...].starts(with: part) {
        result.append(contentsOf: other.utf8)
        place += part.count
      } else {
        result.append(bytes[place])
        place += 1
      }
    }
    return String(decoding: result, as: UTF8.self)
  }
}
