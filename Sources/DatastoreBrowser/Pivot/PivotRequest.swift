import DatastoreCore

/// What a pivot is asked of: two groupings of the rows that the table shows, and what is computed for each
/// pair of groups.
struct PivotRequest: Hashable, Sendable {
  /// One of the groupings.
  struct Axis: Hashable, Sendable {
    let path: [String]
    let format: GroupFormat?

    var title: String { GroupTitle(path).description }
  }

  /// What is computed of the rows of a cell.
  struct Measure: Hashable, Sendable {
    /// Nil for the number of rows.
    var aggregate: Predicate.Aggregate?
    var column: TableColumn?

    var term: AggregateTerm {
      guard let aggregate, let column else { return .countRows }
      return .aggregate(aggregate, column.groupPath)
    }

    /// In words: `sum of salary`.
    var title: String {
      guard let aggregate, let column else { return "rows" }
      return "\(aggregate.word) of \(column.name)"
    }

    /// A value as people read it.
    func text(_ value: Value) -> String {
      switch (value, aggregate) {
      case (.null, _): return ""
      case (.integer(let count), nil): return CountText.grouped(Int(count))
      case (_, .sum), (_, .average):
        guard let number = value.number else {
          return ValueFormat(type: .undefined).cell(value).text
        }
        let isDate = column?.format?.isDate ?? false
        return isDate ? column?.format?.shown(number) ?? "" : ValueFormat.rounded(number)
      default: return (column?.format ?? ValueFormat(type: .undefined)).cell(value).text
      }
    }
  }

  /// Tells the answers of one request from those of another.
  let number: Int
  let query: TableQuery
  let rows: Axis
  let columns: Axis
  let measure: Measure
}

extension Predicate.Aggregate {
  /// In words.
  var word: String {
    switch self {
    case .sum: "sum"
    case .average: "mean"
    case .minimum: "least"
    case .maximum: "greatest"
    }
  }
}
