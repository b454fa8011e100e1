/// Rows of fields that were copied from a spreadsheet or another table: tabs between fields, line ends between
/// rows, and quotes around fields that have either of them inside.
struct PastedTable: Hashable, Sendable {
  private(set) var rows: [[String]] = []

  init(_ text: String) {
    var row: [String] = []
    var field = ""
    var isQuoted = false
    var index = text.startIndex
    func isAtStart() -> Bool { field.isEmpty }
    while index < text.endIndex {
      let character = text[index]
      index = text.index(after: index)
      if isQuoted {
        guard character == "\"" else {
          field.append(character)
          continue
        }
        if index < text.endIndex, text[index] == "\"" {
          field.append("\"")
          index = text.index(after: index)
        } else {
          isQuoted = false
        }
        continue
      }
      switch character {
      // A quote means one only where the field that it begins ends with one.
      case "\"" where isAtStart() && Self.closes(text[index...]): isQuoted = true
      case "\t":
        row.append(field)
        field = ""
      case "\n", "\r", "\r\n":
        row.append(field)
        rows.append(row)
        (row, field) = ([], "")
      default: field.append(character)
      }
    }
    if !field.isEmpty || !row.isEmpty { rows.append(row + [field]) }
    rows.removeAll { $0.allSatisfy(\.isEmpty) }
  }

  /// Whether a text has a quote before a tab, a line end or its own end.
  private static func closes(_ text: Substring) -> Bool {
    var index = text.startIndex
    while index < text.endIndex {
      defer { index = text.index(after: index) }
      guard text[index] == "\"" else { continue }
      let next = text.index(after: index)
      if next == text.endIndex || ["\t", "\n", "\r", "\r\n"].contains(text[next]) { return true }
      guard text[next] == "\"" else { return false }
      index = next
    }
    return false
  }

  /// Whether there are columns or several rows: a single field is no table.
  var isTable: Bool { rows.count > 1 || (rows.first?.count ?? 0) > 1 }
}
