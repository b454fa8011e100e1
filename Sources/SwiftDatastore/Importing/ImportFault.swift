public import DatastoreCore

/// One record that could not be imported.
///
/// What a class or a closure of the program has thrown is in its `reason`:
///
/// ```swift
/// } catch let fault as ImportFault {
///   if case .thrown(let error as InvalidName) = fault.reason { … }
/// }
/// ```
public struct ImportFault: Error, Sendable, CustomStringConvertible {
  /// Why a record could not be imported.
  public enum Reason: Sendable {
    /// The class, or the closure that reads the record, has thrown this.
    case thrown(any Error)
    /// The record has no value for the property by which objects are found.
    case missingKey(property: String)
    /// A record before it has the same value there.
    case repeatedKey(property: String)
    /// A property must have a value and has none in the record.
    case missingValue(property: String)
    /// A relationship is to lead to an object that does not exist.
    case unknownObject(relationship: String, entity: String, key: Value)
  }

  /// The entity whose objects are imported.
  public let entityName: String
  /// The place of the record among all that were given, from 0; nil for one that was added by a preparation.
  public let index: Int?
  /// The identifier that the record has; nil where it has none, or where it is not known yet.
  public let uniqueID: Value?
  /// Why it could not be imported.
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
    case .missingValue(let property): "“\(property)” must have a value, but has none here."
    case .unknownObject(let relationship, let entity, let key):
      "“\(relationship)” is to lead to a \(entity) with the key \(key), which is not there."
    }
  }
}
