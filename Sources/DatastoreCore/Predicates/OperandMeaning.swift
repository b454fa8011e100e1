/// The meaning of an operand's values, for displaying and writing them.
struct OperandMeaning {
  var type: AttributeType
  /// The type that a third-party file declares for the source column of the values.
  var declaredType: String?
  /// How the source column stores dates.
  var dates: DateConvention?
  /// The enum cases of the attribute.
  var cases: [EnumCase]?

  init(type: AttributeType, dates: DateConvention? = nil) {
    self.type = type
    self.dates = dates
  }

  private init(_ attribute: AttributeDescription?) {
    type = attribute?.type ?? .undefined
    declaredType = attribute?.declaredType
    dates = attribute?.dateConvention
    cases = attribute?.cases
  }

  /// The meaning of an operand's values; names that do not resolve give none.
  init(of operand: Predicate.Operand, from entity: Entity, in schema: Schema) {
    func attribute(_ path: [String]) -> AttributeDescription? {
      guard let resolved = try? PredicatePath(path, from: entity, in: schema),
        case .attribute(let attribute) = resolved.destination
      else { return nil }
      return attribute
    }
    switch operand {
    case .value, .list, .arithmetic: self.init(type: .undefined)
    case .keyPath(let path): self.init(attribute(path))
    case .count: self.init(type: .integer64)
    case .aggregate(let aggregate, let path):
      self = Self(attribute(path)).aggregated(aggregate)
    case .function(.coalesce, let arguments):
      let first = arguments.first { if case .value = $0 { false } else { true } }
      self.init(of: first ?? .value(.null), from: entity, in: schema)
    case .function(let function, _): self.init(type: function.type)
    }
  }

  /// The meaning of an aggregate over such values.
  func aggregated(_ aggregate: Predicate.Aggregate) -> OperandMeaning {
    switch aggregate {
    case .minimum, .maximum: self
    // The mean of numbers that are dates is a date, too.
    case .average:
      OperandMeaning(
        type: type == .date ? .date : .double, dates: dates.flatMap { $0.isText ? nil : $0 })
    // A sum may be an integer or a real, whatever was declared; a sum of dates is a number.
    case .sum: OperandMeaning(type: type == .decimal ? .decimal : .undefined)
    }
  }
}

extension Predicate.Function {
  /// The type of its values; undefined if it depends on the arguments.
  fileprivate var type: AttributeType {
    switch self {
    case .lowercase, .uppercase, .trim, .left, .right, .replace, .concat: .string
    case .length, .days: .integer64
    case .abs, .round, .floor, .ceiling, .coalesce, .json: .undefined
    }
  }
}
