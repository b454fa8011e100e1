/// The place of an entity in `Schema.entities`: the number by which questions, changes and objects say which
/// entity they are about.
///
/// `Entity.index` has it. It means something together with the schema it is of, and only while that is in
/// use: files, and whatever outlives a program, say the name. A type of its own, so that a slot, a key or a
/// count cannot be passed for it; it costs what the integer costs.
@frozen
public struct EntityIndex: RawRepresentable, Hashable, Sendable, Codable {
  public let rawValue: Int

  /// The entity at that place.
  @inlinable
  public init(rawValue: Int) { self.rawValue = rawValue }

  /// The entity at that place.
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
