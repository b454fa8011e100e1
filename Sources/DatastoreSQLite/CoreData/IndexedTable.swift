import Basics
import DatastoreCore
import DatastoreSQL

/// A table with fast look-up of columns by name: some tables have hundreds, and each is looked up.
struct IndexedTable {
  let table: FileTable
  private let columnByName: [String: FileTable.Column]
  /// Columns that are first in an index.
  private let indexed: Set<String>

  init(_ table: FileTable) {
    self.table = table
    columnByName = Dictionary(
      table.columns.map { ($0.name.caselessKey, $0) }, uniquingKeysWith: { first, _ in first })
    indexed = Set(table.indexes.compactMap { $0.columns.first?.caselessKey })
  }

  var name: String { table.name }

  func column(_ name: String) -> FileTable.Column? { columnByName[name.caselessKey] }

  /// The column with a name, or else with that name and a number, which distinguishes columns of one name.
  ///
  /// - Parameter other: the name of a column to exclude.
  func column(numbered name: String, besides other: String? = nil) -> FileTable.Column? {
    if let column = column(name), column.name != other { return column }
    let wanted = Array(name.caselessKey.utf8)
    return table.columns.filter { column in
      let found = Array(column.name.caselessKey.utf8)
      return column.name != other && found.starts(with: wanted)
        && found.dropFirst(wanted.count).allSatisfy { (0x30...0x39).contains($0) }
    }.min { $0.name.utf8.count < $1.name.utf8.count }
  }

  /// Whether an index finds rows by a column.
  func isIndexed(_ column: FileTable.Column) -> Bool {
    indexed.contains(column.name.caselessKey)
      || table.primaryKey.first?.caselessKey == column.name.caselessKey
  }
}
