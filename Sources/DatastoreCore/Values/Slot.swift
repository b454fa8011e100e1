/// The index of a property in `EntityDescription.properties`, by which rows, changes and typed wrappers refer
/// to it.
///
/// Properties of a parent come first, so a slot means the same property in an entity and in all its
/// descendants. It is valid only with its entity, and while the schema is in use: files, and everything that
/// outlives a program, use the name. A separate type, so that the index of an entity, a count or a column of
/// some answer cannot be passed for it; it costs no more than an integer.
@frozen
public struct Slot: RawRepresentable, Hashable, Sendable, Codable {
  public let rawValue: Int

  /// Creates the slot of a place.
  @inlinable
  public init(rawValue: Int) { self.rawValue = rawValue }

  /// Creates the slot of a place.
  @inlinable
  public init(_ place: some BinaryInteger) { rawValue = Int(place) }
}

extension Slot: Strideable, ExpressibleByIntegerLiteral, CustomStringConvertible {
  @inlinable
  public static func < (left: Slot, right: Slot) -> Bool { left.rawValue < right.rawValue }

  @inlinable
  public func distance(to other: Slot) -> Int { other.rawValue - rawValue }

  @inlinable
  public func advanced(by places: Int) -> Slot { Slot(rawValue: rawValue + places) }

  @inlinable
  public init(integerLiteral place: Int) { rawValue = place }

  public var description: String { rawValue.description }
}
