import DatastoreCore

/// What is said of one column beside all others.
struct ColumnOverview: Hashable, Sendable {
  /// The facts of a line, from left to right.
  enum Fact: Int, Hashable, Sendable, CaseIterable {
    case nulls
    case distinct
    case least
    case greatest
    case mostFrequent
    case distribution

    var title: String {
      switch self {
      case .nulls: "NULL"
      case .distinct: "different"
      case .least: "least"
      case .greatest: "greatest"
      case .mostFrequent: "most frequent"
      case .distribution: "distribution"
      }
    }
  }

  let rows: Int
  let nulls: Int
  /// Different values, without NULL.
  let distinct: Int
  /// NULL when there is no value.
  let least: Value
  let greatest: Value
  /// Nil without rows.
  let mostFrequent: FrequencyTable.Entry?
  /// The rows in intervals of equal width; nil when no value is a number.
  let counts: [Int]?
}

/// All columns of the rows that the table shows.
struct OverviewRequest: Sendable {
  /// Tells the answers of one request from those of another.
  let number: Int
  let query: TableQuery
  /// The columns, by their indices in the table.
  let columns: [(index: Int, column: TableColumn)]
  /// The first rows of a long list: what is true of them is shown while all are read.
  var sample: [RowKey] = []
}
