import DatastoreCore

extension DatastoreValue where Self: Decodable {
  /// Decodes the value from an object, each property by its name.
  ///
  /// - Parameter object: an object of the entity, on the queue or actor of its context.
  /// - Throws: `DatastoreValueError` if a property is missing, unknown or of another kind; the errors of
  ///   `init(from:)`.
  public init(_ object: Object) throws {
    object.requireAccess()
    self = try Self(from: ValueReader(object, for: Self.self))
  }
}

extension DatastoreValue where Self: Encodable {
  /// Sets the properties of the value on an object, each by its name. Ignores properties that the store
  /// computes.
  ///
  /// - Parameters:
  ///   - object: the object.
  ///   - context: its context.
  /// - Throws: `DatastoreValueError` if a property is unknown or of another kind, or the object of a part is
  ///   gone; the errors of `encode(to:)`.
  public func assign(to object: Object, in context: any ObjectContext) throws {
    object.requireAccess()
    try encode(to: ValueWriter(object, for: Self.self, in: context))
  }
}

extension DatastoreObject {
  /// The value of the object, with its identifier if the type has one.
  ///
  /// - Parameter isIdentified: whether the type has one. Determined once for many objects, because asking a
  ///   type takes as long as reading two properties.
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

  /// Sets the identifier of the object on the value.
  func identify<V: DatastoreValue>(_ value: inout V) {
    guard var identified = value as? any IdentifiedDatastoreValue else { return }
    identified.objectID = objectID
    if let same = identified as? V { value = same }
  }
}
