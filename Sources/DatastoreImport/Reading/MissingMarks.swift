/// The texts that mean no value in columns of numbers, dates and the like, where they could be nothing
/// else. In columns of text they are text: “NA” is the code of Namibia.
package struct MissingMarks: Hashable, Sendable {
  private let texts: Set<String>
  private let longest: Int

  /// What programs write, and nothing at all.
  package static let usual = MissingMarks([
    "", "NA", "N/A", "n/a", "#N/A", "NULL", "Null", "null", "\\N", "NaN", "nan", "None", "none",
    "-", ".", "?",
  ])

  /// Those that are also none in columns of text, once a column of another kind has shown that the file
  /// means them so.
  static let certain: Set<String> = ["N/A", "n/a", "#N/A", "NULL", "null", "\\N"]

  package init(_ texts: Set<String>) {
    // Nothing at all is not a number and no date, whatever else means no value.
    self.texts = texts.union([""])
    longest = texts.lazy.map(\.utf8.count).max() ?? 0
  }

  /// The bytes of the longest of them that could be a value, too. There is none among the usual ones.
  var longestLikeValues: Int { self == .usual ? 0 : longest }

  /// O(1): nothing is hashed where the text is longer than any mark.
  func contains(_ text: String) -> Bool {
    text.utf8.count <= longest && texts.contains(text)
  }
}
