/// A value computed from an object, usable in place of a path: sections, aggregates and searches need not be
/// based on a property.
///
/// Its path has one step, an equals sign followed by the expression: `["=salary * 12"]`. So it is
/// self-contained, even for a store that knows none of the names given to calculations. Conditions and orders
/// hold the operand itself.
package struct Calculation: Hashable, Sendable {
  /// In the predicate format language, with property names only.
  package let text: String

  private static let sign: Character = "="

  /// - Parameter operand: an operand with one value for each object.
  package init(_ operand: Predicate.Operand) {
    text = operand.description
  }

  /// The calculation in a path; nil if its first step is a property, which is usual.
  package init?(_ path: [String], of entity: Entity) {
    guard path.count == 1, let step = path.first, step.first == Self.sign,
      entity.slot(named: step) == nil
    else { return nil }
    text = String(step.dropFirst())
  }

  package var path: [String] { [String(Self.sign) + text] }

  /// Whether a path has the form of a calculation.
  static func isOne(_ path: [String]) -> Bool { text(of: path) != nil }

  /// The text of the calculation in a path; nil for other paths.
  package static func text(of path: [String]) -> String? {
    path.count == 1 && path[0].first == sign ? String(path[0].dropFirst()) : nil
  }

  /// The operand that computes the value. O(length of the text).
  ///
  /// - Throws: `PredicateSyntaxError` if the entity lacks a property that it names.
  package func operand(
    of entity: Entity, in schema: Schema
  ) throws(PredicateSyntaxError) -> Predicate.Operand {
    var parser = PredicateParser(self, entity: entity, schema: schema)
    return try parser.parseWholeOperand()
  }
}

extension PredicateParser {
  /// A parser of the text of a calculation.
  init(_ calculation: Calculation, entity: Entity, schema: Schema) {
    self.init(calculation.text, arguments: [], entity: entity, schema: schema)
    isCalculation = true
  }
}

extension Predicate.Operand {
  /// The path of the operand, where only a path is allowed; for an operand that is not a path, that of its
  /// calculation.
  package var path: [String] {
    if case .keyPath(let path) = self { path } else { Calculation(self).path }
  }

  /// Creates the operand of a path: the property at its end, or its calculation.
  package init(at path: [String], of entity: Entity, in schema: Schema) {
    let computed = Calculation(path, of: entity).flatMap {
      try? $0.operand(of: entity, in: schema)
    }
    self = computed ?? .keyPath(path)
  }

  /// The type of the operand, as a read-only attribute.
  package func attribute(
    named name: String, of entity: Entity, in schema: Schema
  ) -> AttributeDescription {
    let meaning = OperandMeaning(of: self, from: entity, in: schema)
    // Numbers of either storage class.
    let isNumber =
      meaning.type == .undefined && OperandType(self, from: entity, in: schema) == .number
    var attribute = AttributeDescription(
      name: name, type: meaning.type, isReadOnly: true,
      declaredType: isNumber ? "NUMERIC" : meaning.declaredType, cases: meaning.cases)
    attribute.dateConvention = meaning.dates
    return attribute
  }
}
