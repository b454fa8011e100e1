#if PostgreSQL
import Basics
import DatastoreCore
import Foundation

/// A decimal number in the server's binary form; see `Value.init(serverDecimal:)`.
struct ServerDecimal {
  let bytes: [UInt8]

  /// The number that a stored decimal represents; nil for a value that is none.
  init?(_ value: Value) {
    guard let decimal = Decimal(stored: value) else { return nil }
    var text = Substring(decimal.description)
    let isNegative = text.first == "-"
    if isNegative { text.removeFirst() }
    let parts = text.parts(at: ".")
    guard let whole = parts.first, parts.count <= 2,
      parts.allSatisfy({ $0.utf8.allSatisfy { (0x30...0x39).contains($0) } })
    else { return nil }
    let fraction = parts.count == 2 ? parts[1] : ""
    // Groups of four digits, counted from the point.
    let before = String(repeating: "0", count: (4 - whole.count % 4) % 4) + whole
    let behind = fraction + String(repeating: "0", count: (4 - fraction.count % 4) % 4)
    var groups = Self.groups(Array((before + behind).utf8))
    var weight = before.utf8.count / 4 - 1
    while groups.last == 0 { groups.removeLast() }
    while groups.first == 0 {
      groups.removeFirst()
      weight -= 1
    }
    if groups.isEmpty { weight = 0 }
    let sign: UInt16 = isNegative && !groups.isEmpty ? 0x4000 : 0
    var bytes = Int16(groups.count).networkBytes + Int16(weight).networkBytes
    bytes += sign.networkBytes + Int16(fraction.count).networkBytes
    for group in groups { bytes += group.networkBytes }
    self.bytes = bytes
  }

  private static func groups(_ digits: [UInt8]) -> [Int16] {
    stride(from: 0, to: digits.count, by: 4).map { start in
      digits[start..<start + 4].reduce(0) { $0 * 10 + Int16($1 - 0x30) }
    }
  }
}
#endif
