public import Foundation

/// Decimals in the storage classes of numbers, so that SQLite compares, sorts and adds them.
extension Value {
  /// The stored form of a decimal: an integer when it is whole and fits 64 bits; a real when that is the same
  /// decimal number (up to 15 significant digits); otherwise its text, which keeps every digit but compares
  /// as text and does not count in sums. NULL for NaN.
  public init(decimal: Decimal) {
    self = decimal.isNaN ? .null : Value(decimalText: decimal.description)
  }

  /// The stored form of a decimal that is given as a number or as text; nil if it is not a decimal.
  package init?(decimalFrom value: Value) {
    switch value {
    case .integer: self = value
    case .real(let real):
      guard real.isFinite, let decimal = Decimal(string: String(real)) else { return nil }
      self.init(decimal: decimal)
    case .text(let text):
      guard let decimal = Decimal(wholeText: text) else { return nil }
      self.init(decimal: decimal)
    case .null, .blob: return nil
    }
  }

  /// - Parameter text: the description of a decimal, without an exponent.
  package init(decimalText text: String) {
    if let integer = Int64(text) {
      self = .integer(integer)
    } else if Self.significantDigits(of: text) <= 15, let real = Double(text) {
      // Every decimal number of up to 15 digits survives a double, and no two share one.
      self = .real(real)
    } else {
      self = .text(text)
    }
  }

  private static func significantDigits(of text: String) -> Int {
    let digits = text.utf8.filter { (0x30...0x39).contains($0) }
    let leading = digits.prefix { $0 == 0x30 }.count
    let trailing = digits.reversed().prefix { $0 == 0x30 }.count
    return max(digits.count - leading - trailing, 0)
  }
}

extension Decimal {
  /// The decimal stored as a value, or nil when it is not one.
  public init?(stored value: Value) {
    switch value {
    case .integer(let integer): self.init(integer)
    case .real(let real):
      // Through its text, because a decimal made from a double has the digits of its binary fraction.
      guard real.isFinite else { return nil }
      self.init(string: String(real))
    case .text(let text): self.init(wholeText: text)
    case .null, .blob: return nil
    }
  }

  /// The decimal that the whole text denotes; nil when the text contains anything else.
  fileprivate init?(wholeText text: String) {
    let isNumber = text.wholeMatch(of: /[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?/) != nil
    guard isNumber, let decimal = Decimal(string: text), !decimal.isNaN else { return nil }
    self = decimal
  }
}

extension Value {
  /// A decimal as a number, so that decimals compare, sort and add up as numbers, exact to 15 digits;
  /// everything else unchanged, including text that is not a number.
  ///
  /// SQL calls the same code, so that predicates in memory and in SQL agree to the last digit.
  package var decimalNumber: Value {
    guard case .text(let text) = self, let number = Double(text), !number.isNaN else { return self }
    return .real(number)
  }

  /// Compares decimals as numbers, whatever their stored forms: to the last digit, unlike `decimalNumber`.
  /// Everything else compares as usual.
  static func compareDecimals(_ left: Value, _ right: Value) -> Ordering {
    let ordering = compare(left.decimalNumber, right.decimalNumber)
    guard ordering == .same, left != right, let a = Decimal(stored: left),
      let b = Decimal(stored: right), a != b
    else { return ordering }
    return a < b ? .ascending : .descending
  }
}
