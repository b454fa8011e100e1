/// Computes one aggregate over values that arrive one by one. Used in memory and by the SQL functions, so
/// both agree.
///
/// | aggregate | over | nothing to aggregate |
/// |---|---|---|
/// | `sum` | numbers; everything else is ignored | NULL |
/// | `average` | numbers; everything else is ignored; always real | NULL |
/// | `minimum`, `maximum` | all but NULL, in the order of `Value.compare` | NULL |
///
/// A sum of integers is an integer; if it does not fit 64 bits it is a real (SQLite's own `sum` fails there).
/// One real among the numbers makes the sum real; reals are summed with compensation, so their order hardly
/// matters, and a mean is rounded once. A server adds reals without compensation, in any order: its sum or
/// average of reals may differ in the last digits; those of whole numbers are the same everywhere. Of equal
/// extremes the first is kept. The extremes of decimals are the stored ones, with all their digits.
package struct AggregateAccumulator: Sendable {
  private let aggregate: Predicate.Aggregate
  /// Whether extremes are compared as decimals.
  private let isOfDecimals: Bool
  private var count = 0
  private var hasReal = false
  /// Holds the sum of any number of integers that fit in memory.
  private var integers: Int128 = 0
  private var reals = 0.0
  private var compensation = 0.0
  private var extreme: Value = .null

  package init(_ aggregate: Predicate.Aggregate, ofDecimals isOfDecimals: Bool = false) {
    self.aggregate = aggregate
    self.isOfDecimals = isOfDecimals
  }

  package mutating func add(_ value: Value) {
    switch aggregate {
    case .sum, .average: addNumber(value)
    case .minimum: addExtreme(value.withoutNaN, replacingWhen: .ascending)
    case .maximum: addExtreme(value.withoutNaN, replacingWhen: .descending)
    }
  }

  /// The aggregate of the values added so far.
  package var result: Value {
    switch aggregate {
    case .minimum, .maximum: return extreme
    case .sum:
      if count == 0 { return .null }
      if !hasReal, let sum = Int64(exactly: integers) { return .integer(sum) }
      return Value.real(total).withoutNaN
    case .average:
      return count == 0 ? .null : Value.real(mean).withoutNaN
    }
  }

  /// The quotient of the sum before it is rounded: 2.2 for 1.1, 2.2 and 3.3, of whose rounded sum a third is
  /// 2.1999999999999997.
  private var mean: Double {
    let count = Double(self.count)
    guard hasReal else { return total / count }
    let whole = Double(integers)
    let sum = reals + whole
    let lost = abs(reals) >= abs(whole) ? (reals - sum) + whole : (whole - sum) + reals
    let quotient = sum / count
    // The remainder of the division is exact.
    let rest = sum.addingProduct(-quotient, count) + (lost + compensation)
    let mean = quotient + rest / count
    return mean.isFinite ? mean : total / count
  }

  private var total: Double {
    guard hasReal else { return Double(integers) }
    // The compensation of an infinite sum is not a number.
    let sum = compensation.isFinite ? reals + compensation : reals
    return sum + Double(integers)
  }

  private mutating func addNumber(_ value: Value) {
    switch value {
    case .integer(let integer):
      integers += Int128(integer)
    case .real(let real) where !real.isNaN:
      hasReal = true
      let sum = reals + real
      compensation += abs(reals) >= abs(real) ? (reals - sum) + real : (real - sum) + reals
      reals = sum
    case .real, .null, .text, .blob:
      return
    }
    count += 1
  }

  private mutating func addExtreme(_ value: Value, replacingWhen ordering: Value.Ordering) {
    if value.isNull { return }
    if extreme.isNull || compare(value, extreme) == ordering { extreme = value }
  }

  private func compare(_ left: Value, _ right: Value) -> Value.Ordering {
    isOfDecimals ? Value.compareDecimals(left, right) : Value.compare(left, right)
  }
}

extension Predicate.Aggregate {
  /// Whether it is one of the values.
  package var isExtreme: Bool { self == .minimum || self == .maximum }
}
