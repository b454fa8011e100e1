/// One column of a query's answer: its content and its name.
package struct QueryColumn: Sendable, Hashable, Codable {
  /// The content of a column.
  package enum Term: Sendable, Hashable, Codable {
    /// Every stored column of the entity: `*`.
    case everything
    /// A value of each object: a path, an aggregate over a to-many path, or arithmetic.
    case value(Predicate.Operand)
    /// The key of the object that a to-one path leads to; of the object itself for the empty path.
    case key([String])
    /// The number of objects of a group.
    case countRows
    /// The number of objects of a group that have a value.
    case count(Predicate.Operand)
    /// The number of distinct values in a group.
    case countDistinct(Predicate.Operand)
    /// An aggregate over a group.
    case aggregate(Predicate.Aggregate, Predicate.Operand)

    /// Whether it is computed over a group of objects.
    package var isAggregate: Bool {
      switch self {
      case .everything, .value, .key: false
      case .countRows, .count, .countDistinct, .aggregate: true
      }
    }
  }

  package var name: String
  package let term: Term
  /// The type of its values.
  package let type: AttributeType
  /// The type that a third-party file declares for the source column of the values.
  package let declaredType: String?
  /// How the source column stores dates, in a third-party file.
  package var dates: DateConvention?
  /// The name of the term in conditions on groups: `avg(salary)`.
  let canonicalName: String
  /// Its range in the text, in UTF-8 bytes.
  let range: Range<Int>

  /// Whether `AS` gives it another name than its term.
  package var isRenamed: Bool { name != canonicalName }
}

extension QueryColumn.Term: CustomStringConvertible {
  /// The written form: `company.name`, `avg(salary)`, `count(*)`.
  package var description: String {
    switch self {
    case .everything: "*"
    case .value(let operand): operand.description
    case .key(let path): PredicateFormatter.path(path)
    case .countRows: "count(*)"
    case .count(let operand): "count(\(operand))"
    case .countDistinct(let operand): "count(DISTINCT \(operand))"
    case .aggregate(let aggregate, let operand): "\(aggregate.word)(\(operand))"
    }
  }
}

extension QueryColumn {
  /// Creates a column named by its term as written.
  package init(_ term: Term, from entity: Entity, in schema: Schema) {
    let meaning: OperandMeaning
    switch term {
    case .everything: meaning = OperandMeaning(type: .undefined)
    case .value(let operand): meaning = OperandMeaning(of: operand, from: entity, in: schema)
    case .key, .countRows, .count, .countDistinct: meaning = OperandMeaning(type: .integer64)
    case .aggregate(let aggregate, let operand):
      meaning = OperandMeaning(of: operand, from: entity, in: schema).aggregated(aggregate)
    }
    let name = term.description
    self.init(
      name: name, term: term, type: meaning.type, declaredType: meaning.declaredType,
      dates: meaning.dates, canonicalName: name, range: 0..<0)
  }
}

extension QueryColumn {
  /// The names of the aggregate functions.
  static let functions = ["count", "sum", "avg", "min", "max"]
}
