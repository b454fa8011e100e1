import DatastoreCore

/// Maps each member of the objects of a file to a column. Names that differ only in case or composition, and
/// a name that an object has twice, are columns of their own; in the file they keep their names.
///
/// Columns get their names in the order in which members occur, so that reading a file again gives the same
/// ones.
struct JSONMembers: Hashable, Sendable {
  /// A name byte for byte, and its occurrence among the members of an object that have this name.
  private struct Member: Hashable {
    let name: [UInt8]
    let number: Int
  }

  /// More sentences are of no use.
  private static let mostSentences = 20

  private var columns: [Member: String] = [:]
  private var names: [String: String] = [:]
  private var taken = NameRegistry()
  private var irregular: String?
  /// The column for the member names of an object of objects.
  private(set) var key: String?
  /// The member names of the last object whose columns all have the names of its members: most others have
  /// the same ones.
  private var last: [String] = []
  /// Notes for the user about renamed columns: parts of sentences.
  private(set) var sentences: [String] = []

  /// The name in the file of a column's member; nil for other columns, and for members that have not occurred
  /// so far.
  func name(of column: String) -> String? { names[column] }

  /// The column that describes irregular objects.
  mutating func irregularColumn() -> String {
    if let irregular { return irregular }
    let column = taken.claim("irregular")
    irregular = column
    return column
  }

  /// The column for the member names of an object of objects.
  mutating func keyColumn() -> String {
    let column = key ?? taken.claim("key")
    key = column
    return column
  }

  /// Renames the members of an object to their columns. Linear.
  ///
  /// - Returns: whether some of them have the same name in the file.
  mutating func name(_ fields: inout [ImportField]) -> Bool {
    let isLast =
      fields.count == last.count
      && zip(fields, last).allSatisfy { $0.name.utf8.elementsEqual($1.utf8) }
    if isLast { return false }
    var numbers: [[UInt8]: Int] = [:]
    var (isOwn, isRepeated) = (true, false)
    for (index, field) in fields.enumerated() {
      let name = Array(field.name.utf8)
      let number = numbers[name, default: 0] + 1
      numbers[name] = number
      if number > 1 { isRepeated = true }
      let column = column(of: Member(name: name, number: number), field.name)
      if column.utf8.elementsEqual(field.name.utf8) { continue }
      isOwn = false
      fields[index] = ImportField(
        name: column, value: field.value, line: field.line, column: field.column)
    }
    if isOwn { last = fields.map(\.name) }
    return isRepeated
  }

  private mutating func column(of member: Member, _ name: String) -> String {
    if let column = columns[member] { return column }
    // Characters that cannot occur in a name in an SQL statement.
    let shown = String(
      String.UnicodeScalarView(name.repaired.unicodeScalars.map { $0 == "\0" ? "\u{FFFD}" : $0 }))
    let column = taken.claim(shown.isEmpty ? "column_\(columns.count + 1)" : shown)
    columns[member] = column
    names[column] = name
    if !column.utf8.elementsEqual(name.utf8), sentences.count < Self.mostSentences {
      let called = "is called “\(column.shownInMessage)”"
      sentences.append(
        name.isEmpty
          ? "the member without a name \(called)"
          : member.number > 1
            ? "“\(name.shownInMessage)” number \(member.number) of an object \(called)"
            : "the member “\(name.shownInMessage)” \(called), since it differs too little from another"
      )
    }
    return column
  }
}
