import Basics

/// The annotations of columns, by table and column. Names are compared by their bytes, as the file does.
struct ByColumn<Said: Hashable & Sendable & Codable>: Hashable, Sendable {
  /// By exact keys.
  private var said: [String: [String: Said]] = [:]

  /// The annotation of a column; nil where there is none.
  subscript(table: String, column: String) -> Said? {
    get { said[table.exactKey]?[column.exactKey] }
    set {
      let table = table.exactKey
      said[table, default: [:]][column.exactKey] = newValue
      if said[table]?.isEmpty ?? false { said[table] = nil }
    }
  }

  /// All annotations of a table, by column.
  func columns(of table: String) -> [(column: String, said: Said)] {
    (said[table.exactKey] ?? [:]).map { (String(exactKey: $0), $1) }
  }

  /// All annotations, in no order.
  var all: [(table: String, column: String, said: Said)] {
    said.flatMap { table, columns in
      columns.map { (String(exactKey: table), String(exactKey: $0), $1) }
    }
  }
}

/// Encoded as an object of objects. The member names are exact keys, because many JSON readers merge two
/// names that differ only in Unicode normalization; plain names are read, too.
extension ByColumn: Codable {
  init(from decoder: any Decoder) throws {
    for (table, columns) in try [String: [String: Said]](from: decoder) {
      for (column, said) in columns {
        self[String(exactKey: table), String(exactKey: column)] = said
      }
    }
  }

  func encode(to encoder: any Encoder) throws { try said.encode(to: encoder) }
}
