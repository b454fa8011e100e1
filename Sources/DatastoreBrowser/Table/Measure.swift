import Basics
import DatastoreCore

/// What is computed of some rows: their number, or a sum, a mean, the least or the greatest value of a
/// column.
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
      guard let number = value.number else { return ValueFormat(type: .undefined).cell(value).text }
      let isDate = column?.format?.isDate ?? false
      return isDate ? column?.format?.shown(number) ?? "" : ValueFormat.rounded(number)
    default: return (column?.format ?? ValueFormat(type: .undefined)).grouped(value)
    }
  }
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

extension TableColumn {
  /// What can be computed of its values besides counting them.
  var aggregates: [Predicate.Aggregate] {
    guard let format, destination == nil, !isToMany else { return [] }
    if format.isDate { return [.minimum, .maximum] }
    guard holdsNumbers else { return [] }
    // Keys of objects are numbers by which nothing is counted or measured.
    return isIdentifier ? [.minimum, .maximum] : [.sum, .average, .minimum, .maximum]
  }

  /// Whether its values are numbers, as far as is known.
  var holdsNumbers: Bool {
    guard let format, destination == nil, !isToMany, !format.isDate else { return false }
    return format.isTrailing || format.type == .undefined
  }
}
