/// The key of a row: it identifies the row among those of its entity and of all entities with the same root.
///
/// In a table with an integer key it is that integer. For rows with other keys the store assigns a number,
/// which is valid only while the store is open. The least numbers are reserved for references that lead
/// nowhere (`DanglingKey`).
///
/// A separate type, so that a count, the number of a row in a page, or an integer of the data cannot be
/// passed as a key. It takes 8 bytes and hashes like the integer.
@frozen
public struct RowKey: RawRepresentable, Hashable, Sendable, Codable {
  public let rawValue: Int64

  @inlinable
  public init(rawValue: Int64) { self.rawValue = rawValue }

  /// Creates a key from its number.
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

  @inlinable
  public func hash(into hasher: inout Hasher) { hasher.combine(rawValue) }

  /// Called first by sets and dictionaries. Without it they hash through a `Hasher`, which takes a set of
  /// keys twice the time of a set of integers.
  @inlinable
  public func _rawHashValue(seed: Int) -> Int { rawValue._rawHashValue(seed: seed) }

  public var description: String { rawValue.description }
}

extension Value {
  /// The value of a to-one relationship to the row with a key.
  @inlinable
  public static func key(_ key: RowKey) -> Value { .integer(key.rawValue) }

  /// The key of the row that a to-one relationship leads to; nil if there is none.
  @inlinable
  public var key: RowKey? {
    if case .integer(let number) = self { RowKey(number) } else { nil }
  }
}

/// Keys of stored references that lead to no row and are not valid keys either, such as a text.
///
/// They are numbers that no file uses for its rows: the least of all. A look-up by such a key finds nothing,
/// as for a deleted row, and yet the stored value is known.
package enum DanglingKey {
  /// The numbers, which are assigned one after the other.
  package static let range = RowKey(.min)..<RowKey(.min + 1 << 40)

  /// Whether a key belongs to a reference that leads nowhere.
  package static func isOne(_ key: RowKey) -> Bool { key < range.upperBound }
}
