/// The place of a property in `EntityDescription.properties`: the number by which rows, changes and typed
/// wrappers know it.
///
/// Properties of a parent come first, so a slot means the same property in an entity and in all that inherit
/// from it. It means something together with an entity, and only while the schema is in use: files, and
/// whatever outlives a program, say the name. A type of its own, so that the index of an entity, a count or a
/// column of some answer cannot be passed for it; it costs what the integer costs.
@frozen
public struct Slot: RawRepresentable, Hashable, Sendable, Codable {
  public let rawValue: Int

  /// The slot at that place.
  @inlinable
  public init(rawValue: Int) { self.rawValue = rawValue }

  /// The slot at that place.
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
