import DatastoreCore

/// The columns of a derived table as the columns of a file.
struct DerivedTableColumns: Sendable {
  /// The table's name in the file that the rows are copied into.
  let table: String
  /// Valid column names, in the order of the derived table's columns.
  let names: [String]
  /// Annotations of the table. They give values their meaning, and change no value.
  private(set) var annotations = SchemaAnnotations()
  /// The initial settings of the columns.
  private(set) var settings = ColumnSettings()

  /// Creates the columns of an SQL answer.
  ///
  /// - Parameter rows: the first rows, which determine the types of computed columns.
  init(_ columns: [AnswerColumn], rows: RowPage?) {
    table = "answer"
    names = Self.unique(columns.map(\.name))
    for (index, column) in columns.enumerated() {
      let declared = column.declaredType.flatMap { $0.isEmpty ? nil : $0 }
      annotations.setType(
        declared ?? rows.flatMap { Self.type(of: index, in: $0) }, of: names[index], in: table)
    }
  }

  /// Creates the columns of computed rows.
  init(_ columns: [DerivedRows.Column], in table: String) {
    self.table = table
    names = Self.unique(columns.map(\.name))
    for (name, column) in zip(names, columns) {
      annotations.setType(column.declaredType, of: name, in: table)
      annotations.setDates(column.dates.map { .stored($0) }, of: name, in: table)
      annotations.setUnit(column.unit, of: name, in: table)
      settings.pictures[name] = column.picture
      settings.widths[name] = column.picture?.width
      settings.totals[name] = column.total
      settings.numbers[name] = column.numbers
    }
  }

  /// Names that are unique to SQLite, and not empty.
  static func unique(_ names: [String]) -> [String] {
    // One name must remain for the row number.
    var taken: Set<String> = ["_rowid_"]
    // A column whose name is unique keeps it, whatever the names before it are.
    let first = Set(names.map { $0.lowercased() })
    return names.enumerated().map { index, name in
      let base = name.isEmpty ? "column_\(index + 1)" : name
      var free = base
      var number = 1
      while taken.contains(free.lowercased())
        || free != name && first.contains(free.lowercased())
      {
        number += 1
        free = "\(base)_\(number)"
      }
      taken.insert(free.lowercased())
      return free
    }
  }

  /// The type of all values of a column; nil if there are none, or if they have several types.
  private static func type(of column: Int, in rows: RowPage) -> String? {
    var found: Set<CellTag> = []
    for row in 0..<rows.rowCount { found.insert(rows.tag(row: row, column: column)) }
    found.remove(.null)
    switch found {
    case [.integer]: return "INTEGER"
    case [.real], [.integer, .real]: return "REAL"
    case [.text]: return "TEXT"
    case [.blob]: return "BLOB"
    default: return nil
    }
  }
}
