/// One column of a query's answer: what it holds, and under which name.
package struct QueryColumn: Sendable, Hashable {
  /// What a column holds.
  package enum Term: Sendable, Hashable {
    /// Every stored column of the entity: `*`.
    case everything
    /// A value of each object: a path, an aggregate over a to-many path, or arithmetic.
    case value(Predicate.Operand)
    /// The number of objects of a group.
    case countRows
    /// The number of objects of a group that have a value there.
    case count(Predicate.Operand)
    /// A value that is computed over a group.
    case aggregate(Predicate.Aggregate, Predicate.Operand)

    /// Whether it is computed over a group of objects.
    package var isAggregate: Bool {
      switch self {
      case .everything, .value: false
      case .countRows, .count, .aggregate: true
      }
    }
  }

  package var name: String
  package let term: Term
  /// What its values mean.
  package let type: AttributeType
  /// The type that a third-party file declares for the column that the values come from.
  package let declaredType: String?
  /// How that column stores dates, in a file of another program.
  package var dates: DateConvention?
  /// The term as conditions on groups name it: `avg(salary)`.
  let canonicalName: String
  /// Where it is written, in UTF-8 bytes.
  let range: Range<Int>
}

extension QueryColumn {
  /// The functions over groups by their names.
  static let functions = ["count", "sum", "avg", "min", "max"]
}
