import DatastoreCore

/// What a summary is asked of: one column of the rows that the table shows.
struct SummaryRequest: Hashable, Sendable {
  /// The ways to look at a column.
  enum Kind: Hashable, Sendable, CaseIterable {
    /// Each value and how often it occurs.
    case frequencies
    /// Counts, extremes, mean and the like.
    case statistics
    /// How numbers and dates are spread.
    case histogram
    /// Sums and means of the column by the groups of the table.
    case chart

    var title: String {
      switch self {
      case .frequencies: "Frequencies"
      case .statistics: "Statistics"
      case .histogram: "Histogram"
      case .chart: "Chart"
      }
    }
  }

  /// Tells the answers of one request from those of another.
  let number: Int
  let kind: Kind
  let query: TableQuery
  let column: TableColumn
  /// The path of the groups of a chart.
  var groupPath: [String]?
  /// The first rows of a long list: what is true of them is shown while all are read.
  var sample: [RowKey] = []

  /// Lists that are longer are summed up in two steps, and so many rows make the first one.
  static let (longest, sampled) = (20_000, 2_000)
}

/// The answer to a request.
enum SummaryContent: Hashable, Sendable {
  case frequencies(FrequencyTable)
  case statistics(ColumnStatistics)
  /// Nil when no value is a number.
  case histogram(Histogram?)
  case chart([ChartEntry])
}

/// One group of a chart.
struct ChartEntry: Hashable, Sendable {
  let group: Value
  let count: Int
  /// The values of the column in the group; nil where none is a number.
  let sum: Double?
  let mean: Double?
  let minimum: Double?
  let maximum: Double?
}
