/// The index of an entity in `Schema.entities`, by which questions, changes and objects refer to it.
///
/// See `Entity.index`. It is valid only with its schema, and while that is in use: files, and everything that
/// outlives a program, use the name. A separate type, so that a slot, a key or a count cannot be passed for
/// it; it costs no more than an integer.
@frozen
public struct EntityIndex: RawRepresentable, Hashable, Sendable, Codable {
  public let rawValue: Int

  /// Creates the index of a place.
  @inlinable
  public init(rawValue: Int) { self.rawValue = rawValue }

  /// Creates the index of a place.
  @inlinable
  public init(_ place: Int) { rawValue = place }
}

extension EntityIndex: Strideable, ExpressibleByIntegerLiteral, CustomStringConvertible {
  @inlinable
  public static func < (left: EntityIndex, right: EntityIndex) -> Bool {
    left.rawValue < right.rawValue
  }

  @inlinable
  public func distance(to other: EntityIndex) -> Int { other.rawValue - rawValue }

  @inlinable
  public func advanced(by places: Int) -> EntityIndex { EntityIndex(rawValue + places) }

  @inlinable
  public init(integerLiteral place: Int) { rawValue = place }

  public var description: String { rawValue.description }
}
