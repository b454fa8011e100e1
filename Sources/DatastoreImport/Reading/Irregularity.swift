/// The irregularities of a record that is kept all the same.
struct Irregularity: Equatable, Sendable {
  /// The position of the first one.
  let position: SourcePosition
  /// Parts of a sentence, each once.
  var reasons: [String] = []

  static let notUTF8 = "a byte that is not UTF-8"

  init(_ position: SourcePosition) {
    self.position = position
  }

  mutating func add(_ reason: String) {
    if !reasons.contains(reason) { reasons.append(reason) }
  }

  /// The field that describes them.
  func field(named name: String) -> ImportField {
    ImportField(
      name: name, value: .text(reasons.joined(separator: ", ")), line: position.line,
      column: position.column)
  }
}

/// The number of irregular records of a file, and the first of them.
package struct IrregularRecords: Hashable, Sendable {
  private static let shown = 3

  package private(set) var count = 0
  private var examples: [String] = []
  private var column: String?

  /// - Parameter mark: the field that describes the irregularities of a record.
  mutating func record(_ mark: ImportField) {
    column = mark.name
    record(line: mark.line, mark.value.text ?? "")
  }

  mutating func record(_ header: Irregularity) {
    record(line: header.position.line, header.reasons.joined(separator: ", "))
  }

  private mutating func record(line: Int, _ reasons: String) {
    count += 1
    if examples.count < Self.shown { examples.append("line \(line): \(reasons)") }
  }

  mutating func add(_ others: IrregularRecords) {
    count += others.count
    examples += others.examples.prefix(Self.shown - examples.count)
    column = column ?? others.column
  }

  /// A note for the user about them: a sentence without its full stop; nil if there are none.
  package var sentence: String? {
    if count == 0 { return nil }
    let places = examples.joined(separator: "; ") + (count > examples.count ? "; …" : "")
    let mark = column.map { "; the column \($0.shownInMessage) says which" } ?? ""
    return "\(count == 1 ? "1 record is" : "\(count) records are") irregular (\(places))\(mark)"
  }
}
