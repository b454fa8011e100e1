import DatastoreCore

extension DatastoreValue where Self: Decodable {
  /// The value of an object, each property by its name.
  ///
  /// - Parameter object: an object of the entity, on the queue or actor of its context.
  /// - Throws: `DatastoreValueError` where a property is missing, unknown or of another kind; what
  ///   `init(from:)` throws.
  public init(_ object: Object) throws {
    object.requireAccess()
    self = try Self(from: ValueReader(object, for: Self.self))
  }
}

extension DatastoreValue where Self: Encodable {
  /// Gives an object the properties of the value, each by its name. Properties that the store computes are
  /// passed over.
  ///
  /// - Parameters:
  ///   - object: the object.
  ///   - context: its context.
  /// - Throws: `DatastoreValueError` where a property is unknown or of another kind, or the object of a part
  ///   is gone; what `encode(to:)` throws.
  public func assign(to object: Object, in context: any ObjectContext) throws {
    object.requireAccess()
    try encode(to: ValueWriter(object, for: Self.self, in: context))
  }
}

extension DatastoreObject {
  /// The value of the object, with its identifier where the value has one.
  ///
  /// - Parameter isIdentified: whether it has. Asked once for many objects: to ask a type takes as long as to
  ///   read two properties.
  func makeValue<V: DatastoreValue>(
    _ type: V.Type, isIdentified: Bool = V.self is any IdentifiedDatastoreValue.Type
  ) throws -> V {
    guard let object = self as? V.Object else {
      throw DatastoreValueError.mismatch(
        value: "\(V.self)", property: "init", entity: entity.name,
        reason:
          "the object is a \(Swift.type(of: self)), and the value is made of a \(V.Object.self)")
    }
    var value = try V(object)
    if isIdentified { identify(&value) }
    return value
  }

  /// Gives the value the identifier of the object.
  func identify<V: DatastoreValue>(_ value: inout V) {
    guard var identified = value as? any IdentifiedDatastoreValue else { return }
    identified.objectID = objectID
    if let same = identified as? V { value = same }
  }
}
