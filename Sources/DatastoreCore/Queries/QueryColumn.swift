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
  /// The type that a foreign file declares for the column that the values come from.
  package let declaredType: String?
  /// The term as conditions on groups name it: `avg(salary)`.
  let canonicalName: String
  /// Where it is written, in UTF-8 bytes.
  let range: Range<Int>
}

extension QueryColumn {
  /// The functions over groups by their names.
  static let functions = ["count", "sum", "avg", "min", "max"]

  /// What the values of an operand mean.
  static func type(
    of operand: Predicate.Operand, from entity: Entity, in schema: Schema
  ) -> (type: AttributeType, declared: String?) {
    func attribute(_ path: [String]) -> AttributeDescription? {
      guard let resolved = try? PredicatePath(path, from: entity, in: schema),
        case .attribute(let attribute) = resolved.destination
      else { return nil }
      return attribute
    }
    switch operand {
    case .value, .list, .arithmetic: return (.undefined, nil)
    case .keyPath(let path):
      let attribute = attribute(path)
      return (attribute?.type ?? .undefined, attribute?.declaredType)
    case .count: return (.integer64, nil)
    case .aggregate(let aggregate, let path):
      let attribute = attribute(path)
      return type(of: aggregate, over: attribute?.type ?? .undefined, attribute?.declaredType)
    }
  }

  /// What the values of an aggregate over values of a type mean.
  static func type(
    of aggregate: Predicate.Aggregate, over type: AttributeType, _ declared: String?
  ) -> (type: AttributeType, declared: String?) {
    switch aggregate {
    case .minimum, .maximum: (type, declared)
    case .average: (type == .date ? .date : .double, nil)
    // A sum may be an integer or a real, whatever was declared; one of dates is a number.
    case .sum: (type == .decimal ? .decimal : .undefined, nil)
    }
  }
}
