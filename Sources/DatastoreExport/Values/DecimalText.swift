import Basics
import Foundation

/// A number written out, without an exponent.
struct DecimalText: CustomStringConvertible {
  let description: String

  /// The number that the shortest digits of a real denote; nil for infinities.
  init?(_ real: Double) {
    guard real.isFinite else { return nil }
    let shortest = real.description
    guard let mark = shortest.firstIndex(of: "e") else {
      description = shortest.hasSuffix(".0") ? String(shortest.dropLast(2)) : shortest
      return
    }
    guard let exponent = Int(shortest[shortest.index(after: mark)...]) else { return nil }
    let isNegative = shortest.hasPrefix("-")
    let mantissa = shortest[..<mark].drop { $0 == "-" }
    let parts = mantissa.words(at: ".")
    var digits = parts.joined()
    var point = (parts.first?.count ?? 0) + exponent
    while digits.hasSuffix("0"), digits.count > 1, digits.count > point { digits.removeLast() }
    if point <= 0 {
      digits = String(repeating: "0", count: 1 - point) + digits
      point = 1
    }
    if point >= digits.count {
      digits += String(repeating: "0", count: point - digits.count)
    } else {
      digits.insert(".", at: digits.index(digits.startIndex, offsetBy: point))
    }
    description = (isNegative ? "-" : "") + digits
  }
}
