extension Value {
  /// A decimal as the number that its text says, so that decimals compare, sort and add up as numbers,
  /// exact to 15 digits; everything else, text that says no number too, as it is.
  ///
  /// SQL calls the same code, so that both faces of a predicate agree to the last digit.
  package var decimalNumber: Value {
    guard case .text(let text) = self, let number = Double(text), !number.isNaN else { return self }
    return .real(number)
  }
}
