/// A value that is computed of an object, in the place of a path: what rows are put into sections, summed up
/// and searched by need not be a property.
///
/// Its path has one step, the text of the expression after an equals sign: `["=salary * 12"]`. So it says by
/// itself what it is, to a store that knows nothing of names that were given to it. Conditions and orders
/// hold the operand itself.
package struct Calculation: Hashable, Sendable {
  /// In the predicate format language, with names of properties only.
  package let text: String

  private static let sign: Character = "="

  /// - Parameter operand: one value of an object.
  package init(_ operand: Predicate.Operand) {
    text = operand.description
  }

  /// The calculation that a path abbreviates; nil where its first step is a property, as a rule.
  package init?(_ path: [String], of entity: Entity) {
    guard path.count == 1, let step = path.first, step.first == Self.sign,
      entity.slot(named: step) == nil
    else { return nil }
    text = String(step.dropFirst())
  }

  package var path: [String] { [String(Self.sign) + text] }

  /// Whether a path is written like one.
  static func isOne(_ path: [String]) -> Bool { text(of: path) != nil }

  /// The text of the calculation that a path is written as; nil for other paths.
  package static func text(of path: [String]) -> String? {
    path.count == 1 && path[0].first == sign ? String(path[0].dropFirst()) : nil
  }

  /// The value that is computed. O(length of the text).
  ///
  /// - Throws: `PredicateSyntaxError` where the entity does not have what it names.
  package func operand(
    of entity: Entity, in schema: Schema
  ) throws(PredicateSyntaxError) -> Predicate.Operand {
    try Predicate.Operand.parse(text, entity: entity, in: schema)
  }
}

extension Predicate.Operand {
  /// The path of the operand, where only a path can stand; of one that is none itself, its calculation's.
  package var path: [String] {
    if case .keyPath(let path) = self { return path }
    return Calculation(self).path
  }

  /// The value of a path: the one at its end, or what it computes.
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
    // Numbers of either kind.
    let isNumber =
      meaning.type == .undefined && OperandType(self, from: entity, in: schema) == .number
    var attribute = AttributeDescription(
      name: name, type: meaning.type, isReadOnly: true,
      declaredType: isNumber ? "NUMERIC" : meaning.declaredType, cases: meaning.cases)
    attribute.dateConvention = meaning.dates
    return attribute
  }
}
