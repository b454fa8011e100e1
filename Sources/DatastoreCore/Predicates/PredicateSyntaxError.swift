import Basics

/// A predicate or sort order in text form that cannot be read, and where.
///
/// `description` is ready for a terminal: the sentence, the line and a caret under the place.
public struct PredicateSyntaxError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The whole text that was parsed.
  public let text: String
  /// The fault and the remedy, in one or two sentences.
  public let message: String
  /// What the text has at the place, as it is written there; “the end” after the last character.
  public let found: String
  /// What the grammar or the schema asks for there, in words; nil where that is not a matter of form.
  public let expected: String?
  /// What may be written instead of the marked text, if there is a good guess.
  public let suggestion: String?
  /// The place in characters from the start of the text.
  public let offset: Int
  /// The length of the place in characters; 0 at the end.
  public let length: Int
  /// The place in UTF-8 bytes from the start of the text.
  public let utf8Offset: Int
  /// The length of the place in UTF-8 bytes.
  public let utf8Length: Int
  /// What could appear there, for completion.
  let expectation: PredicateExpectation

  init(
    _ message: String, in text: String, at range: Range<Int>, expected: String? = nil,
    suggestion: String? = nil, expectation: PredicateExpectation = .nothing
  ) {
    let start = text.utf8.index(text.utf8.startIndex, offsetBy: range.lowerBound)
    let end = text.utf8.index(start, offsetBy: range.count)
    let found = String(text[start..<end])
    self.text = text
    // A message quotes what is there, however long that is.
    self.message =
      message.utf8.count > 1_000 ? "\(message.prefix(300)) … \(message.suffix(300))" : message
    self.found = found.isEmpty ? "the end" : found
    self.expected = expected
    self.suggestion = suggestion
    offset = text[..<start].count
    length = found.count
    utf8Offset = range.lowerBound
    utf8Length = range.count
    self.expectation = expectation
  }

  public var description: String {
    let start = text.utf8.index(text.utf8.startIndex, offsetBy: utf8Offset)
    let line = text.line(at: start)
    let (lineStart, lineEnd) = (line.startIndex, line.endIndex)
    // Of a long line the neighbourhood is shown.
    let before = text[lineStart..<max(start, lineStart)].suffix(Self.shownBefore)
    let after = text[max(start, lineStart)..<max(start, lineEnd)].prefix(Self.shownBehind)
    let (head, tail) = (
      before.startIndex > lineStart ? "…" : "", after.endIndex < lineEnd ? "…" : ""
    )
    let marked = min(length, after.count)
    // Tabs stay tabs, so that the caret lands where the terminal puts the text.
    let padding = (head + before).map { $0 == "\t" ? "\t" : " " }
    let caret = "^" + String(repeating: "~", count: max(marked - 1, 0))
    return "\(message)\n  \(head)\(before)\(after)\(tail)\n  \(padding.joined())\(caret)"
  }

  /// Characters of a line that are shown before the place of the error, and from it on.
  private static let shownBefore = 400
  private static let shownBehind = 400
}

/// What may appear at a place in a predicate's text.
enum PredicateExpectation: Sendable, Hashable {
  case nothing
  /// The start of a condition.
  case condition
  /// A value or a property to compare with something of that type, at a path where there is one.
  case operand(OperandType, path: [String]? = nil)
  /// A property of the entity, by its index, behind a dot.
  case property(entity: EntityIndex, isToMany: Bool)
  /// What rows can be distinguished by, of a date.
  case datePart
  /// A member of what is at a place in the JSON of an attribute.
  case member(of: [String], [Value])
  /// A comparison with something of that type.
  case comparator(OperandType)
  case list
  /// `AND`, `OR` or the end.
  case connective
}
