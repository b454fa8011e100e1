import Basics
public import Foundation

/// One stored value, in one of the five storage classes of SQLite.
///
/// Typed properties (dates, UUIDs, enums …) are views of these; `AttributeType` defines what a value means
/// and how it is stored. Equality is identity of class and content: `.integer(1)` and `.real(1)` differ, and
/// text is equal when its UTF-8 bytes are, as in SQLite's BINARY collation. Use `Value.compare(_:_:)` for
/// SQLite's ordering, in which numbers of both classes mix.
public enum Value: Sendable {
  /// No value.
  case null
  /// A signed 64-bit integer.
  case integer(Int64)
  /// A double.
  case real(Double)
  /// Text, stored as UTF-8.
  case text(String)
  /// Bytes.
  case blob(Data)

  /// Whether this is `.null`.
  public var isNull: Bool {
    if case .null = self { true } else { false }
  }
}

extension Value: Hashable {
  public static func == (left: Value, right: Value) -> Bool {
    switch (left, right) {
    case (.null, .null): true
    case (.integer(let a), .integer(let b)): a == b
    case (.real(let a), .real(let b)): a.bitPattern == b.bitPattern
    case (.text(let a), .text(let b)): a.isExactly(b)
    case (.blob(let a), .blob(let b)): a == b
    default: false
    }
  }

  public func hash(into hasher: inout Hasher) {
    switch self {
    case .null: hasher.combine(0)
    case .integer(let integer): hasher.combine(integer)
    case .real(let real): hasher.combine(real.bitPattern)
    case .text(let text): text.hashExactly(into: &hasher)
    case .blob(let data): hasher.combine(data)
    }
  }
}

extension Value: ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral,
  ExpressibleByStringLiteral
{
  public init(integerLiteral value: Int64) { self = .integer(value) }
  public init(floatLiteral value: Double) { self = .real(value) }
  public init(stringLiteral value: String) { self = .text(value) }
}

extension Value {
  /// A number as a real; nil for other classes.
  package var number: Double? {
    switch self {
    case .integer(let integer): Double(integer)
    case .real(let real): real
    case .null, .text, .blob: nil
    }
  }
}

extension Value: CustomStringConvertible {
  /// The value for a person: text in quotes, NULL as `NULL`, blobs as their size.
  public var description: String {
    switch self {
    case .null: "NULL"
    case .integer(let integer): String(integer)
    case .real(let real): String(real)
    case .text(let text): "“\(text)”"
    case .blob(let data): "\(data.count) bytes"
    }
  }
}

extension Value {
  /// Whether every SQLite reads its literal in a table declaration back as the same value. O(length).
  ///
  /// False for numbers with many digits, and for a text with a NUL.
  package var hasExactLiteral: Bool {
    switch self {
    case .null: false
    // SQLite reads the literal of the least integer as a real.
    case .integer(let integer): integer != .min
    case .real(let real):
      real.isFinite && "\(real)".count(where: \.isNumber) <= 15 && abs(real) < 1e15
        && (abs(real) >= 1e-5 || real == 0)
    case .text(let text): !text.utf8.contains(0)
    case .blob: true
    }
  }
}

extension Value {
  /// SQLite has no NaN: it stores and computes NULL instead.
  var withoutNaN: Value {
    if case .real(let real) = self, real.isNaN { .null } else { self }
  }
}
