import Basics
import DatastoreCore
import DatastoreSQL

/// A table whose columns are found by their names without looking at all of them: some have hundreds, and
/// each is asked for.
struct IndexedTable {
  let table: FileTable
  private let columnByName: [String: FileTable.Column]
  /// Columns that an index begins with.
  private let indexed: Set<String>

  init(_ table: FileTable) {
    self.table = table
    columnByName = Dictionary(
      table.columns.map { ($0.name.caselessKey, $0) }, uniquingKeysWith: { first, _ in first })
    indexed = Set(table.indexes.compactMap { $0.columns.first?.caselessKey })
  }

  var name: String { table.name }

  func column(_ name: String) -> FileTable.Column? { columnByName[name.caselessKey] }

  /// The column of a name, or else of that name and a number after it, which distinguishes columns of one
  /// name.
  ///
  /// - Parameter other: the name of a column that is not meant.
  func column(numbered name: String, besides other: String? = nil) -> FileTable.Column? {
    if let column = column(name), column.name != other { return column }
    let wanted = Array(name.caselessKey.utf8)
    return table.columns.filter { column in
      let found = Array(column.name.caselessKey.utf8)
      return column.name != other && found.starts(with: wanted)
        && found.dropFirst(wanted.count).allSatisfy { (0x30...0x39).contains($0) }
    }.min { $0.name.utf8.count < $1.name.utf8.count }
  }

  /// Whether rows are found by a column without reading all of them.
  func isIndexed(_ column: FileTable.Column) -> Bool {
    indexed.contains(column.name.caselessKey)
      || table.primaryKey.first?.caselessKey == column.name.caselessKey
  }
}
