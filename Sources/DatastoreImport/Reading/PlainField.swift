import DatastoreCore

/// The value of a field if its bytes determine it directly, as those of most values in tables do.
///
/// For such a field it agrees with `ColumnTypeInference` and `ImportValue.converted(to:)`, and it leaves all
/// other fields to them: `PlainFieldTests` compares them on random texts.
enum PlainField: Equatable {
  /// Digits that a number restores unchanged.
  case integer(Int64)
  /// A number with a point and at most 15 digits, without an exponent.
  case real(Double)
  /// `true` or `false`.
  case boolean(Bool)
  /// A day or moment in ISO 8601, in seconds since 2001-01-01.
  case date(Double, isDay: Bool)
  /// Text that is not examined any further.
  case text

  /// - Parameter kind: the likely kind.
  @inline(__always)
  init?(_ bytes: UnsafeBufferPointer<UInt8>, like kind: ColumnTypeInference.Kind) {
    let field: PlainField? =
      switch kind {
      case .integer, .double, .decimal: Self.number(bytes)
      case .day, .moment: Self.date(bytes)
      case .boolean: Self.boolean(bytes)
      case .uuid, .url, .string, .list, .record: nil
      }
    guard let field else { return nil }
    self = field
  }

  /// A number. 15 digits and a power of ten up to 10¹⁵ are exact as doubles, so their quotient is the double
  /// nearest to the text.
  static func number(_ bytes: UnsafeBufferPointer<UInt8>) -> PlainField? {
    let count = bytes.count
    guard count > 0, count <= 19 else { return nil }
    let isNegative = bytes[0] == Byte.minus
    let start = isNegative ? 1 : 0
    var index = start
    var digits: Int64 = 0
    while index < count, Byte.isDigit(bytes[index]) {
      digits = digits &* 10 &+ Int64(bytes[index] &- Byte.zero)
      index += 1
    }
    let wholeCount = index - start
    guard wholeCount > 0, wholeCount == 1 || bytes[start] != Byte.zero else { return nil }
    if index == count {
      // Only a real has a negative zero.
      guard wholeCount <= 18, !isNegative || digits != 0 else { return nil }
      return .integer(isNegative ? -digits : digits)
    }
    guard bytes[index] == Byte.point, index + 1 < count, count - start <= 16 else { return nil }
    index += 1
    var scale = 1.0
    while index < count, Byte.isDigit(bytes[index]) {
      digits = digits &* 10 &+ Int64(bytes[index] &- Byte.zero)
      scale *= 10
      index += 1
    }
    guard index == count, !isNegative || digits != 0 else { return nil }
    let real = Double(digits) / scale
    return .real(isNegative ? -real : real)
  }

  static func boolean(_ bytes: UnsafeBufferPointer<UInt8>) -> PlainField? {
    if bytes.elementsEqual("true".utf8) { return .boolean(true) }
    if bytes.elementsEqual("false".utf8) { return .boolean(false) }
    return nil
  }

  static func date(_ bytes: UnsafeBufferPointer<UInt8>) -> PlainField? {
    ISODate.parse(bytes).map { .date($0, isDay: bytes.count == 10) }
  }
}
