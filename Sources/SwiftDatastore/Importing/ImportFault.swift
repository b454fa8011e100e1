public import DatastoreCore

/// One record that could not be imported.
///
/// An error thrown by a class or a closure of the program is in its `reason`:
///
/// ```swift
/// } catch let fault as ImportFault {
///   if case .thrown(let error as InvalidName) = fault.reason { … }
/// }
/// ```
public struct ImportFault: Error, Sendable, CustomStringConvertible {
  /// The reason why a record could not be imported.
  @nonexhaustive
  public enum Reason: Sendable {
    /// The class, or the closure that reads the record, has thrown an error.
    case thrown(any Error)
    /// The record has no value for the property that identifies objects.
    case missingKey(property: String)
    /// An earlier record has the same value for this property.
    case repeatedKey(property: String)
    /// Several stored rows have the same value for this property.
    case ambiguousKey(property: String, count: Int)
    /// The record has no value for a property that requires one.
    case missingValue(property: String)
    /// The destination of a relationship does not exist.
    case unknownObject(relationship: String, entity: String, key: Value)
  }

  /// The entity whose objects are imported.
  public let entityName: String
  /// The index of the record among all records; nil for one that was added by a preparation.
  public let index: Int?
  /// The identifier of the record; nil if it has none, or if it is not known yet.
  public let uniqueID: Value?
  /// The reason why it could not be imported.
  public let reason: Reason

  init(entityName: String, index: Int?, uniqueID: Value?, reason: Reason) {
    self.entityName = entityName
    self.index = index
    self.uniqueID = uniqueID
    self.reason = reason
  }

  public var description: String {
    let place = index.map { "Record \($0 + 1)" } ?? "A record that was added"
    let name = uniqueID.map { "\(entityName) \($0)" } ?? entityName
    return "\(place) (\(name)) could not be imported: \(reason.sentence)"
  }
}

extension ImportFault.Reason {
  fileprivate var sentence: String {
    switch self {
    case .thrown(let error): "\(error)"
    case .missingKey(let property): "“\(property)”, by which objects are found, has no value."
    case .repeatedKey(let property): "a record before it has the same “\(property)”."
    case .ambiguousKey(let property, let count):
      "\(count) stored rows have this “\(property)”, which must identify one."
    case .missingValue(let property): "“\(property)” must have a value, but has none here."
    case .unknownObject(let relationship, let entity, let key):
      "“\(relationship)” is to lead to a \(entity) with the key \(key), which is not there."
    }
  }
}
