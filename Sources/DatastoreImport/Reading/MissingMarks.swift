/// The texts that mean a missing value in columns of numbers, dates and the like, in which they could be
/// nothing else. In columns of text they are text: “NA” is the code of Namibia.
package struct MissingMarks: Hashable, Sendable {
  private let texts: Set<String>
  private let longest: Int

  /// The marks that programs write, and the empty text.
  package static let usual = MissingMarks([
    "", "NA", "N/A", "n/a", "#N/A", "NULL", "Null", "null", "\\N", "NaN", "nan", "None", "none",
    "-", ".", "?",
  ])

  /// The marks that also mean a missing value in columns of text, once a column of another kind has shown
  /// that the file uses them so.
  static let certain: Set<String> = ["N/A", "n/a", "#N/A", "NULL", "null", "\\N"]

  package init(_ texts: Set<String>) {
    // The empty text is neither a number nor a date, whatever else means a missing value.
    self.texts = texts.union([""])
    longest = texts.lazy.map(\.utf8.count).max() ?? 0
  }

  /// The length in bytes of the longest mark that could be a value, too. None of the usual ones could.
  var longestLikeValues: Int { self == .usual ? 0 : longest }

  /// O(1): a text longer than any mark is not hashed.
  func contains(_ text: String) -> Bool {
    text.utf8.count <= longest && texts.contains(text)
  }
}
