package import DatastoreCore

extension ValidationRule {
  /// The condition that a value satisfies the rule, without bindings; nil if SQL cannot express it. NULL for
  /// a missing value.
  ///
  /// - Parameter operand: the column, or an expression.
  package func condition(on operand: SQLFragment) -> SQLFragment? {
    switch self {
    case .range(let minimum, let maximum):
      Self.condition(
        on: operand, minimum.flatMap { DeclaredValue($0)?.literal },
        maximum.flatMap { DeclaredValue($0)?.literal })
    case .length(let minimum, let maximum):
      Self.condition(
        on: "length(\(operand))", minimum.map { "\(number: $0)" },
        maximum.map { "\(number: $0)" })
    case .matches, .email: nil
    }
  }

  private static func condition(
    on operand: SQLFragment, _ minimum: SQLFragment?, _ maximum: SQLFragment?
  ) -> SQLFragment? {
    switch (minimum, maximum) {
    case (let minimum?, let maximum?): "\(operand) BETWEEN \(minimum) AND \(maximum)"
    case (let minimum?, nil): "\(operand) >= \(minimum)"
    case (nil, let maximum?): "\(operand) <= \(maximum)"
    case (nil, nil): nil
    }
  }
}
