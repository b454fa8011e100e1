import Basics
import DatastoreCore

/// A measure of some rows: their number, or a sum, a mean, the least or the greatest value of a column.
struct Measure: Hashable, Sendable {
  /// Nil for the number of rows.
  var aggregate: Predicate.Aggregate?
  var column: TableColumn?

  var term: AggregateTerm {
    guard let aggregate, let column else { return .countRows }
    return .aggregate(aggregate, column.groupPath)
  }

  /// The measure in words: `sum of salary`.
  var title: String {
    guard let aggregate, let column else { return "rows" }
    return "\(aggregate.word) of \(column.name)"
  }

  /// A value as text for people.
  func text(_ value: Value) -> String {
    switch (value, aggregate) {
    case (.null, _): return ""
    case (.integer(let count), nil): return CountText.grouped(Int(count))
    case (_, .sum), (_, .average):
      let kept = kept(value)
      if case .real(let number) = kept { return ValueFormat.rounded(number) }
      return ValueFormat(type: .undefined).grouped(kept)
    default: return (column?.format ?? ValueFormat(type: .undefined)).grouped(value)
    }
  }

  /// A value as a derived table stores it.
  func kept(_ value: Value) -> Value {
    guard let aggregate, let format = column?.format else { return value }
    return format.kept(value, of: aggregate)
  }
}

extension Predicate.Aggregate {
  /// The aggregate in words.
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
  /// The aggregates that apply to the values of the column, besides counting them.
  var aggregates: [Predicate.Aggregate] {
    guard let format, destination == nil, !isToMany else { return [] }
    if format.isDate || format.holdsDays { return [.minimum, .maximum] }
    guard holdsNumbers else { return [] }
    // Keys are numbers that are not counted or measured in.
    return isIdentifier ? [.minimum, .maximum] : [.sum, .average, .minimum, .maximum]
  }

  /// Whether the values are numbers, as far as is known.
  var holdsNumbers: Bool {
    guard let format, destination == nil, !isToMany, !format.isDate else { return false }
    return format.isTrailing || format.type == .undefined
  }
}
