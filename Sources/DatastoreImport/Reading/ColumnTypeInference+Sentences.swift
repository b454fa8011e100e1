import Foundation

extension ColumnTypeInference {
  /// A report about a column that is text although others of its values are something else; nil if there is
  /// nothing to report: a name that happens to be a number is no surprise among names.
  ///
  /// - Parameter isTyped: whether the file itself states the types of its values, as JSON does.
  func mixtureSentence(of column: String, isTyped: Bool) -> String? {
    guard type == .string, !isAmbiguous else { return nil }
    let kinds = Self.words.map { words, name in (name, words.reduce(0) { $0 + self[$1] }) }
      .filter { $0.1 > 0 }
    guard kinds.count > 1, isTyped || self[.string] * 2 < valueCount else { return nil }
    let parts = kinds.map { name, count in
      "\(count) \(name[count == 1 ? 0 : 1])"
        + (name == Self.textWords ? firstText.map { " (“\($0.shownInMessage)”)" } ?? "" : "")
    }
    return "“\(column.shownInMessage)” has \(parts.formatted(.list(type: .and).locale(.english))), "
      + "so all of them are kept as text"
  }

  private static let textWords = ["text", "texts"]

  private static let words: [([Kind], [String])] = [
    ([.integer, .double, .decimal], ["number", "numbers"]), ([.boolean], ["boolean", "booleans"]),
    ([.day, .moment], ["date", "dates"]), ([.uuid], ["UUID", "UUIDs"]), ([.url], ["URL", "URLs"]),
    ([.string], textWords), ([.list], ["list", "lists"]), ([.record], ["object", "objects"]),
  ]

  /// A report about a column in whose dates day and month cannot be told apart.
  func ambiguitySentence(of column: String) -> String {
    "“\(column.shownInMessage)” has dates such as \((firstOpenDate ?? "1/2/2024").shownInMessage), and no "
      + "value shows which number is the month, so they are kept as text; use --dates day-first or --dates month-first"
  }
}

extension Locale {
  fileprivate static let english = Locale(identifier: "en_US_POSIX")
}
