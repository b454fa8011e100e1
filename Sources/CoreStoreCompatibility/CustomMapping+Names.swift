public import SwiftDatastore

extension CustomMapping {
  /// Calls a closure for each object of an old entity, which makes a new object of it, or does not:
  /// `transformEntity(from:to:_:)`.
  public static func transformEntity(
    sourceEntity: String, destinationEntity: String,
    transformer:
      @escaping @Sendable (
        _ sourceObject: UnsafeSourceObject,
        _ createDestinationObject: () throws -> UnsafeDestinationObject
      ) throws -> Void
  ) -> CustomMapping { transformEntity(from: sourceEntity, to: destinationEntity, transformer) }
}

extension UnsafeDestinationObject {
  /// Calls a closure for each property, with the one of the old entity that it is made of, if any: `forEachProperty(_:)`.
  public func enumerateAttributes(
    _ closure: (_ attribute: String, _ sourceAttribute: String?) throws -> Void
  ) rethrows {
    try forEachProperty(closure)
  }
}
