import Basics

/// A fault in the text of a predicate or sort order, with its position.
///
/// `description` is ready for a terminal: the sentence, the line and a caret under the position.
public struct PredicateSyntaxError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The whole parsed text.
  public let text: String
  /// The fault and the remedy, in one or two sentences.
  public let message: String
  /// The text at the position, as written; “the end” after the last character.
  public let found: String
  /// The expectation of the grammar or the schema at the position, in words; nil if the form is not the
  /// fault.
  public let expected: String?
  /// A replacement for the marked text, if there is a good guess.
  public let suggestion: String?
  /// The position in characters from the start of the text.
  public let offset: Int
  /// The length of the marked text in characters; 0 at the end.
  public let length: Int
  /// The position in UTF-8 bytes from the start of the text.
  public let utf8Offset: Int
  /// The length of the marked text in UTF-8 bytes.
  public let utf8Length: Int
  /// The possible continuations, for completion.
  let expectation: PredicateExpectation

  init(
    _ message: String, in text: String, at range: Range<Int>, expected: String? = nil,
    suggestion: String? = nil, expectation: PredicateExpectation = .nothing
  ) {
    let start = text.utf8.index(text.utf8.startIndex, offsetBy: range.lowerBound)
    let end = text.utf8.index(start, offsetBy: range.count)
    let found = String(text[start..<end])
    self.text = text
    // A message quotes the text at the position, which may be of any length.
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
    // Of a long line, only the surroundings are shown.
    let before = text[lineStart..<max(start, lineStart)].suffix(Self.shownBefore)
    let after = text[max(start, lineStart)..<max(start, lineEnd)].prefix(Self.shownBehind)
    let (head, tail) = (
      before.startIndex > lineStart ? "…" : "", after.endIndex < lineEnd ? "…" : ""
    )
    let marked = min(length, after.count)
    // Tabs are kept, so that the caret appears under the text in a terminal.
    let padding = (head + before).map { $0 == "\t" ? "\t" : " " }
    let caret = "^" + String(repeating: "~", count: max(marked - 1, 0))
    return "\(message)\n  \(head)\(before)\(after)\(tail)\n  \(padding.joined())\(caret)"
  }

  /// The numbers of characters shown before and after the position of the error.
  private static let shownBefore = 400
  private static let shownBehind = 400
}

/// The possible continuations at a position in a predicate's text.
enum PredicateExpectation: Sendable, Hashable {
  case nothing
  /// The start of a condition.
  case condition
  /// A value or a property to compare with a type; with the path of the other side, if any.
  case operand(OperandType, path: [String]? = nil)
  /// A property of the entity with an index, after a dot.
  case property(entity: EntityIndex, isToMany: Bool)
  /// A part of a date.
  case datePart
  /// A member at a place in the JSON of an attribute.
  case member(of: [String], [Value])
  /// A comparator for a left side of a type.
  case comparator(OperandType)
  case list
  /// `AND`, `OR` or the end.
  case connective
}
