extension Value {
  /// Whether every SQLite reads its digits or letters back as the same value, where it stands in the declaration of a
  /// table. O(length).
  ///
  /// Not so for numbers with many digits, and for a text with a NUL.
  package var hasExactLiteral: Bool {
    switch self {
    case .null: false
    // SQLite reads the digits of the least integer as a real.
    case .integer(let integer): integer != .min
    case .real(let real):
      real.isFinite && "\(real)".count(where: \.isNumber) <= 15 && abs(real) < 1e15
        && (abs(real) >= 1e-5 || real == 0)
    case .text(let text): !text.utf8.contains(0)
    case .blob: true
    }
  }
}
