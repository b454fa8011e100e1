import DatastoreCore

/// The columns of an answer as those of a table.
struct AnswerTable: Sendable {
  /// The table's name in the file that the rows are copied into.
  static let name = "answer"

  /// Names that a table can have, in the order of the answer's columns.
  let names: [String]
  /// What each would be declared as: it says what values mean, and changes none of them.
  let types: [String?]

  /// - Parameter rows: the first ones; the types of what is computed are theirs.
  init(_ columns: [AnswerColumn], rows: RowPage?) {
    names = Self.unique(columns.map(\.name))
    types = columns.enumerated().map { index, column in
      if let declared = column.declaredType, !declared.isEmpty { return declared }
      return rows.flatMap { Self.type(of: index, in: $0) }
    }
  }

  /// What is known of the table besides the names of its columns.
  var annotations: SchemaAnnotations {
    var annotations = SchemaAnnotations()
    for (name, type) in zip(names, types) {
      annotations.setType(type, of: name, in: Self.name)
    }
    return annotations
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
