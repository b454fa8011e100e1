/// Rows of fields copied from a spreadsheet or another table: tabs between fields, line ends between rows,
/// and quotes around fields that contain either.
struct PastedTable: Hashable, Sendable {
  private(set) var rows: [[String]] = []

  init(_ text: String) {
    // By scalars, as a spreadsheet writes it: a quote before a combining accent is a quote.
    var row: [String] = []
    var field = ""
    var isQuoted = false
    var rest = text.unicodeScalars[...]
    while let scalar = rest.popFirst() {
      if isQuoted {
        if scalar != "\"" {
          field.unicodeScalars.append(scalar)
        } else if rest.first == scalar {
          field.unicodeScalars.append(scalar)
          rest.removeFirst()
        } else {
          isQuoted = false
        }
        continue
      }
      switch scalar {
      // A quote counts only if its field also ends with one.
      case "\"" where field.isEmpty && Self.closes(rest): isQuoted = true
      case "\t":
        row.append(field)
        field = ""
      // CR LF is one line end.
      case "\r" where rest.first?.value == 0x0A: continue
      case "\n", "\r":
        row.append(field)
        rows.append(row)
        (row, field) = ([], "")
      default: field.unicodeScalars.append(scalar)
      }
    }
    if !field.isEmpty || !row.isEmpty { rows.append(row + [field]) }
    rows.removeAll { $0.allSatisfy(\.isEmpty) }
  }

  /// Whether a text has a quote before a tab, a line end or its own end.
  private static func closes(_ text: Substring.UnicodeScalarView) -> Bool {
    var rest = text
    while let scalar = rest.popFirst() {
      guard scalar == "\"" else { continue }
      guard let next = rest.popFirst(), next != "\t", next != "\n", next != "\r" else {
        return true
      }
      if next != "\"" { return false }
    }
    return false
  }

  /// Whether there are several columns or rows: a single field is not a table.
  var isTable: Bool { rows.count > 1 || (rows.first?.count ?? 0) > 1 }
}
