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

  /// What the values of an operand mean.
  static func type(
    of operand: Predicate.Operand, from entity: Entity, in schema: Schema
  ) -> Meaning {
    func attribute(_ path: [String]) -> AttributeDescription? {
      guard let resolved = try? PredicatePath(path, from: entity, in: schema),
        case .attribute(let attribute) = resolved.destination
      else { return nil }
      return attribute
    }
    switch operand {
    case .value, .list, .arithmetic: return Meaning(type: .undefined)
    case .keyPath(let path): return Meaning(attribute(path))
    case .count: return Meaning(type: .integer64)
    case .aggregate(let aggregate, let path): return Meaning(attribute(path)).aggregated(aggregate)
    }
  }

  /// What values mean.
  struct Meaning {
    var type: AttributeType
    var declaredType: String?
    var dates: DateConvention?

    init(type: AttributeType, dates: DateConvention? = nil) {
      self.type = type
      self.dates = dates
    }

    init(_ attribute: AttributeDescription?) {
      type = attribute?.type ?? .undefined
      declaredType = attribute?.declaredType
      dates = attribute?.dateConvention
    }

    /// What an aggregate over such values means.
    func aggregated(_ aggregate: Predicate.Aggregate) -> Meaning {
      switch aggregate {
      case .minimum, .maximum: self
      // The mean of numbers that are dates is one, too.
      case .average:
        Meaning(
          type: type == .date ? .date : .double, dates: dates.flatMap { $0.isText ? nil : $0 })
      // A sum may be an integer or a real, whatever was declared; one of dates is a number.
      case .sum: Meaning(type: type == .decimal ? .decimal : .undefined)
      }
    }
  }
}
