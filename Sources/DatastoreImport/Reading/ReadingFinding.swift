/// One thing about how a file is written, and why it is taken to be so.
package struct ReadingFinding: Hashable, Sendable, CustomStringConvertible {
  package enum Subject: String, Hashable, Sendable {
    case encoding, delimiter, quotes, decimals, path
    case header = "header row"
    case missing = "no value"
  }

  package let subject: Subject
  /// What it is, in a word or two: “semicolon”.
  package let value: String
  /// A part of a sentence; nil where the user has said it.
  package let reason: String?

  package init(_ subject: Subject, _ value: String, because reason: String?) {
    self.subject = subject
    self.value = value
    self.reason = reason
  }

  /// Such as “delimiter: semicolon (found: each of the first 10 records has 3 fields)”.
  package var description: String {
    "\(subject.rawValue): \(value) (\(reason.map { "found: \($0)" } ?? "given"))"
  }
}
