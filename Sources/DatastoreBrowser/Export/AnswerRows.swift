import DatastoreCore
import DatastoreExport

/// The rows of an answer on their way out; two are the same only if they are of one answer.
struct AnswerRows: Sendable, Hashable {
  let sql: String
  let columns: [ExportColumn]
  let pages: AnswerPages
  /// Whether all rows are there; else they are read again.
  let isWhole: Bool
  /// The row that is wanted; nil for all.
  var row: Int?

  var count: Int { pages.count }

  func place(of row: Int) -> (page: RowPage, row: Int)? { pages.place(of: row) }

  static func == (one: AnswerRows, other: AnswerRows) -> Bool {
    one.sql == other.sql && one.row == other.row && one.count == other.count
      && one.pages.first === other.pages.first
  }

  func hash(into hasher: inout Hasher) {
    hasher.combine(sql)
    hasher.combine(row)
    hasher.combine(count)
  }
}

/// Rows in the order in which they came, in packed pages.
struct AnswerPages: Sendable {
  private(set) var all: [RowPage] = []
  /// The number of the first row of each page.
  private var starts: [Int] = []
  private(set) var count = 0

  var first: RowPage? { all.first }

  mutating func append(_ page: RowPage) {
    starts.append(count)
    all.append(page)
    count += page.rowCount
  }

  /// Where a row is; nil where there is none. O(log pages).
  func place(of row: Int) -> (page: RowPage, row: Int)? {
    guard row >= 0, row < count else { return nil }
    var low = 0
    var high = starts.count
    while high - low > 1 {
      let middle = (low + high) / 2
      if starts[middle] <= row { low = middle } else { high = middle }
    }
    return (all[low], row - starts[low])
  }
}
