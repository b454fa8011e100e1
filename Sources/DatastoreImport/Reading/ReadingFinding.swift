/// One property of the form of a file, with the reason for it.
package struct ReadingFinding: Hashable, Sendable, CustomStringConvertible {
  package enum Subject: String, Hashable, Sendable {
    case encoding, delimiter, quotes, decimals, path
    case header = "header row"
    case missing = "no value"
  }

  package let subject: Subject
  /// The property in a word or two: “semicolon”.
  package let value: String
  /// A part of a sentence; nil if the user has given the property.
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
