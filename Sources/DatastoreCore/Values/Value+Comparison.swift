import Basics
import Foundation

extension Value {
  /// The order of two values.
  public enum Ordering: Sendable {
    /// The left one comes first.
    case ascending
    /// Neither comes first.
    case same
    /// The right one comes first.
    case descending
  }

  /// Orders two values as SQLite does without a collation: NULL, then numbers, then text, then blobs.
  ///
  /// Integers and reals are compared by their exact numeric value, text and blobs byte by byte.
  /// Rules: <https://www.sqlite.org/datatype3.html#sort_order>. O(length) for text and blobs.
  public static func compare(_ left: Value, _ right: Value) -> Ordering {
    switch (left, right) {
    case (.null, .null): .same
    case (.integer(let a), .integer(let b)): order(a, b)
    case (.real(let a), .real(let b)): order(a, b)
    case (.integer(let a), .real(let b)): order(integer: a, real: b)
    case (.real(let a), .integer(let b)): order(integer: b, real: a).reversed
    case (.text(let a), .text(let b)): order(utf8: a, b)
    case (.blob(let a), .blob(let b)): order(bytes: a, b)
    default: order(left.classRank, right.classRank)
    }
  }

  private var classRank: Int {
    switch self {
    case .null: 0
    case .integer, .real: 1
    case .text: 2
    case .blob: 3
    }
  }

  private static func order<T: Comparable>(_ a: T, _ b: T) -> Ordering {
    a < b ? .ascending : a == b ? .same : .descending
  }

  private static func order(utf8 a: String, _ b: String) -> Ordering {
    // Swift's own comparison uses canonical equivalence, SQLite's BINARY collation does not.
    if a.isExactly(b) { return .same }
    return a.utf8.lexicographicallyPrecedes(b.utf8) ? .ascending : .descending
  }

  private static func order(bytes a: Data, _ b: Data) -> Ordering {
    if a == b { return .same }
    return a.lexicographicallyPrecedes(b) ? .ascending : .descending
  }

  /// Exact comparison of an integer with a real, without rounding the integer to a double.
  private static func order(integer: Int64, real: Double) -> Ordering {
    if real.isNaN { return .descending }
    if real >= 9_223_372_036_854_775_808 { return .ascending }
    if real < -9_223_372_036_854_775_808 { return .descending }
    let whole = real.rounded(.towardZero)
    let ordering = order(integer, Int64(whole))
    if ordering != .same { return ordering }
    return order(whole, real)
  }
}

extension Value.Ordering {
  /// The opposite order.
  public var reversed: Value.Ordering {
    switch self {
    case .ascending: .descending
    case .same: .same
    case .descending: .ascending
    }
  }
}
