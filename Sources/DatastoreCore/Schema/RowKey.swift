/// The key of a row: what identifies it among the rows of its entity and of all that it shares a root with.
///
/// In tables with an integer key it is that integer; for rows with other keys the mapping of the store stands a
/// number for what they hold, which means something only while the store is open. The least numbers of all
/// stand for references that lead nowhere (`DanglingKey`). A type of its own, so that the number of a row in a
/// page, a count or an integer of the data cannot be passed for it; it costs what the integer costs, and an
/// array of keys is an array of integers in memory.
@frozen
public struct RowKey: RawRepresentable, Hashable, Sendable {
  public let rawValue: Int64

  @inlinable
  public init(rawValue: Int64) { self.rawValue = rawValue }

  /// The key that is this number.
  @inlinable
  public init(_ number: Int64) { rawValue = number }
}

extension RowKey: Comparable, ExpressibleByIntegerLiteral, CustomStringConvertible {
  @inlinable
  public static func == (left: RowKey, right: RowKey) -> Bool { left.rawValue == right.rawValue }

  @inlinable
  public static func < (left: RowKey, right: RowKey) -> Bool { left.rawValue < right.rawValue }

  @inlinable
  public init(integerLiteral number: Int64) { rawValue = number }

  public var description: String { rawValue.description }
}

extension Value {
  /// What a to-one relationship holds that leads to the row with that key.
  @inlinable
  public static func key(_ key: RowKey) -> Value { .integer(key.rawValue) }

  /// The key of the row that a to-one relationship leads to; nil where it leads to none.
  @inlinable
  public var key: RowKey? {
    if case .integer(let number) = self { RowKey(number) } else { nil }
  }
}
