extension Value {
  /// Calculates like SQLite, on numbers only.
  ///
  /// - NULL, text or a blob on either side gives NULL (text is never read as a number).
  /// - Two integers give an integer; `/` truncates towards zero. An overflow, and the lowest integer
  ///   divided by -1, is calculated again in reals.
  /// - A real on either side gives a real.
  /// - Division by zero gives NULL, and so does NaN.
  package static func arithmetic(
    _ left: Value, _ operation: Predicate.Arithmetic, _ right: Value
  ) -> Value {
    if case .integer(let a) = left, case .integer(let b) = right {
      if operation == .divide, b == 0 { return .null }
      let (result, overflow) = exact(a, operation, b)
      return overflow ? real(Double(a), operation, Double(b)) : .integer(result)
    }
    guard let a = left.number, let b = right.number else { return .null }
    return real(a, operation, b)
  }

  private static func exact(
    _ a: Int64, _ operation: Predicate.Arithmetic, _ b: Int64
  ) -> (Int64, overflow: Bool) {
    switch operation {
    case .add: a.addingReportingOverflow(b)
    case .subtract: a.subtractingReportingOverflow(b)
    case .multiply: a.multipliedReportingOverflow(by: b)
    case .divide: a.dividedReportingOverflow(by: b)
    }
  }

  private static func real(
    _ a: Double, _ operation: Predicate.Arithmetic, _ b: Double
  ) -> Value {
    let result: Double
    switch operation {
    case .add: result = a + b
    case .subtract: result = a - b
    case .multiply: result = a * b
    case .divide:
      if b == 0 { return .null }
      result = a / b
    }
    return Value.real(result).withoutNaN
  }
}
