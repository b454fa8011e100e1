import DatastoreCore

/// The columns of a derived table as those of a file.
struct DerivedTableColumns: Sendable {
  /// The table's name in the file that the rows are copied into.
  let table: String
  /// Names that a table can have, in the order of the derived table's columns.
  let names: [String]
  /// What is known of the table besides the names of its columns. It says what values mean, and changes none
  /// of them.
  private(set) var annotations = SchemaAnnotations()
  /// How they are shown first.
  private(set) var settings = ColumnSettings()

  /// Those of an answer.
  ///
  /// - Parameter rows: the first ones; the types of what is computed are theirs.
  init(_ columns: [AnswerColumn], rows: RowPage?) {
    table = "answer"
    names = Self.unique(columns.map(\.name))
    for (index, column) in columns.enumerated() {
      let declared = column.declaredType.flatMap { $0.isEmpty ? nil : $0 }
      annotations.setType(
        declared ?? rows.flatMap { Self.type(of: index, in: $0) }, of: names[index], in: table)
    }
  }

  /// Those of rows that were computed.
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

  /// Names of which no two are the same to SQLite, and none is empty.
  static func unique(_ names: [String]) -> [String] {
    // One name must be left for the number of a row.
    var taken: Set<String> = ["_rowid_"]
    // A column that has its name keeps it, whatever those before it are called.
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

  /// The type that all values of a column have that are there; nil where there are none, or several.
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
