import DatastoreCore

/// The reason why a value could not be made from an object, or could not be stored.
@nonexhaustive
public enum DatastoreValueError: Error, Sendable, Equatable {
  /// The entity has no property of this name.
  case unknownProperty(value: String, property: String, entity: String)
  /// The property is of another kind than the value's; `reason` is a part of a sentence.
  case mismatch(value: String, property: String, entity: String, reason: String)
  /// The object has no value for a property that the value requires.
  case missing(value: String, property: String, entity: String)
  /// The object that the value is tied to is no longer in the store.
  case gone(value: String, id: DatastoreObjectID)
  /// The value has no identifier or key to find its object.
  case noIdentity(value: String)
  /// A path of relationships leads back to a value that is still being made.
  case circular(value: String, property: String, entity: String)
  /// Values are nested deeper than the limit.
  case tooDeep(value: String, property: String, entity: String)
}

extension DatastoreValueError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .unknownProperty(let value, let property, let entity):
      "\(value).\(property) cannot be stored: \(entity) has no property “\(property)”. Leave it out of the "
        + "`CodingKeys`, or give it the name of a property."
    case .mismatch(let value, let property, let entity, let reason):
      "\(value).\(property) and \(entity).\(property) do not fit: \(reason)."
    case .missing(let value, let property, let entity):
      "\(entity).\(property) is missing, but \(value).\(property) is not optional."
    case .gone(let value, let id):
      "The \(value) cannot be saved: its object \(id) is no longer in the store. Set `objectID` to nil to store it as "
        + "a new one."
    case .noIdentity(let value):
      "A \(value) has no identity by which its object could be found. Use `IdentifiedDatastoreValue` or "
        + "`KeyedDatastoreValue`."
    case .circular(let value, let property, let entity):
      "\(value).\(property) leads back to a value that is being made: both sides of the relationship "
        + "\(entity).\(property) are properties of values. Make one of them optional, or leave it out."
    case .tooDeep(let value, let property, let entity):
      "\(value).\(property) is more than \(ValueReading.depthLimit) values deep, along \(entity).\(property). Fetch the parts "
        + "by themselves."
    }
  }
}
