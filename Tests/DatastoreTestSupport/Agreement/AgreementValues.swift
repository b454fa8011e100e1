package import DatastoreCore
package import Foundation

/// Values of every storage class, with the ones that conversions go wrong on.
package enum AgreementValues {
  static let pieces = [
    "a", "A", "b", "É", "é", "e\u{301}", "ß", "İ", "\u{0}", "😀", "*", "?", "\\", "%", " ", "1",
    "\u{10FFFF}", "ø",
  ]

  package static func text(_ random: inout SeededRandom) -> String {
    let whole = [
      "", "2024-02-29", "2024-02-29 13:05:09", "2023-12-31T23:59:59.5Z", "2024-02-30", "1", "1.0",
      "1e3", " 2 ", "0x10", "9223372036854775808", "abc", "ABC", "àb\u{0}c",
    ]
    if Int.random(in: 0..<3, using: &random) == 0 {
      return whole[Int.random(in: 0..<whole.count, using: &random)]
    }
    return (0..<Int.random(in: 0..<4, using: &random)).map { _ in
      pieces[Int.random(in: 0..<pieces.count, using: &random)]
    }.joined()
  }

  package static func integer(_ random: inout SeededRandom) -> Int64 {
    if Int.random(in: 0..<3, using: &random) == 0 {
      // Dates of 2021 to 2025 in seconds and in smaller units.
      let scale: [Int64] = [1, 1_000, 1_000_000, 1_000_000_000]
      return Int64.random(in: 1_610_000_000..<1_760_000_000, using: &random)
        * scale[Int.random(in: 0..<scale.count, using: &random)]
    }
    let special: [Int64] = [.min, .max, .max - 1, 1 << 53, (1 << 53) + 1, -1, 0, 1, 2, 16, 1000]
    return special[Int.random(in: 0..<special.count, using: &random)]
  }

  package static func real(_ random: inout SeededRandom) -> Double {
    let special = [
      0, 1, 2, -1.5, 0.1, 1e15, 9_007_199_254_740_992, 9.223372036854775807e18, 1e300, .infinity,
      -.infinity, Double.leastNonzeroMagnitude, 1.0 / 3,
    ]
    return special[Int.random(in: 0..<special.count, using: &random)]
  }

  package static func blob(_ random: inout SeededRandom) -> Data {
    if Int.random(in: 0..<3, using: &random) == 0 { return Data(text(&random).utf8) }
    return Data(
      (0..<Int.random(in: 0..<3, using: &random)).map { _ in
        UInt8.random(in: 0...255, using: &random)
      })
  }

  package static func any(_ random: inout SeededRandom) -> Value {
    switch Int.random(in: 0..<8, using: &random) {
    case 0: .null
    case 1, 2: .integer(integer(&random))
    case 3, 4: .real(real(&random))
    case 5, 6: .text(text(&random))
    default: .blob(blob(&random))
    }
  }

  /// A value that an attribute of that type may hold in a native file.
  package static func stored(_ type: AttributeType, _ random: inout SeededRandom) -> Value {
    if Int.random(in: 0..<5, using: &random) == 0 { return .null }
    return switch type {
    case .undefined: any(&random)
    case .boolean: .integer(Int64.random(in: 0...1, using: &random))
    case .float, .double, .date: .real(real(&random))
    case .string, .url: .text(text(&random))
    case .decimal:
      .text(["10", "9.5", "-0.25", "1.50", "1.5", "100"].randomElement(using: &random) ?? "")
    case .uuid, .data, .coded: .blob(blob(&random))
    default: .integer(integer(&random))
    }
  }
}
