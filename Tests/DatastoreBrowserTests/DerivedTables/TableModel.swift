import Foundation
import GRDB

/// The rows of a derived table in memory, with the user's settings. Plain Swift sorts, filters, groups and
/// selects them, for comparison.
struct TableModel {
  /// A column and whether its values ascend.
  struct Order {
    let column: String
    var ascending: Bool
  }

  let columns: [String]
  /// By their numbers, from 1.
  private let rows: [[DatabaseValue]]
  var order: [Order] = []
  /// Rows with these values, or without them.
  var conditions: [(column: String, value: DatabaseValue, isExcluded: Bool)] = []
  var hidden: Set<String> = []
  var group: String?
  var selected: Set<Int> = []

  /// Reads the rows as another program finds them in the file.
  init(of url: URL, table: String) throws {
    let queue = try DatabaseQueue(path: url.path)
    defer { try? queue.close() }
    let found = try queue.read {
      try Row.fetchAll($0, sql: "SELECT * FROM \"\(table)\" ORDER BY rowid")
    }
    columns =
      try found.first.map { Array($0.columnNames) }
      ?? queue.read { try $0.columns(in: table).map(\.name) }
    rows = found.map { row in Array(row.databaseValues) }
  }

  func value(_ column: String, of row: Int) -> DatabaseValue {
    columns.firstIndex(of: column).map { rows[row - 1][$0] } ?? .null
  }

  /// The numbers of the rows that are shown, in their order.
  var shown: [Int] {
    let there = (1...max(1, rows.count)).prefix(rows.count).filter { row in
      conditions.allSatisfy { (value($0.column, of: row) == $0.value) != $0.isExcluded }
    }
    // The first sort key reverses the sections if it is the column that groups.
    let isAscending = order.first.map { $0.column != group || $0.ascending } ?? true
    let keys = (group.map { [Order(column: $0, ascending: isAscending)] } ?? []) + order
    return there.sorted { left, right in
      for key in keys {
        let (a, b) = (value(key.column, of: left), value(key.column, of: right))
        if Self.isLess(a, b) { return key.ascending }
        if Self.isLess(b, a) { return !key.ascending }
      }
      return left < right
    }
  }

  var shownColumns: [String] { columns.filter { !hidden.contains($0) } }

  /// As SQLite compares: nothing before numbers, these before texts, texts by their bytes.
  private static func isLess(_ a: DatabaseValue, _ b: DatabaseValue) -> Bool {
    func rank(_ value: DatabaseValue) -> Int {
      switch value.storage {
      case .null: 0
      case .int64, .double: 1
      case .string: 2
      case .blob: 3
      }
    }
    switch (a.storage, b.storage) {
    case (.string(let a), .string(let b)): return a.utf8.lexicographicallyPrecedes(b.utf8)
    case (.int64, .int64), (.int64, .double), (.double, .int64), (.double, .double):
      return (Double.fromDatabaseValue(a) ?? 0) < (Double.fromDatabaseValue(b) ?? 0)
    default: return rank(a) < rank(b)
    }
  }
}
