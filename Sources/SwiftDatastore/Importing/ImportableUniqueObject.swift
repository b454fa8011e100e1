import DatastoreCore

/// A class whose objects have an identifier: a source with the identifier of an existing object updates it,
/// and any other source makes a new one.
///
/// ```swift
/// extension Product: ImportableUniqueObject {
///   typealias ImportSource = [String: String]
///   static let uniqueIDKeyPath = UniqueIDKeyPath(\Product.$number)
///
///   static func uniqueID(from source: ImportSource, in context: any ObjectContext) -> String? {
///     source["number"]
///   }
///
///   func update(from source: ImportSource, in context: any ObjectContext) throws {
///     name = source["name"] ?? ""
///   }
/// }
///
/// try context.importUniqueObjects(Product.self, from: sources)
/// ```
///
/// Declare the attribute `unique: true`, or at least `indexed: true`: objects are looked up by it.
public protocol ImportableUniqueObject: ImportableObject {
  /// The type of the identifier.
  associatedtype UniqueIDType: AttributeValueType & Hashable

  /// The attribute that holds the identifier.
  static var uniqueIDKeyPath: UniqueIDKeyPath<UniqueIDType> { get }

  /// The identifier of the object; by default the value of the attribute.
  var uniqueIDValue: UniqueIDType { get set }

  /// The identifier in a source; nil to skip the source.
  ///
  /// - Parameters:
  ///   - source: the source.
  ///   - context: the context that imports.
  /// - Throws: an error if the source cannot be imported; the whole call is undone then.
  static func uniqueID(
    from source: ImportSource, in context: any ObjectContext
  ) throws -> UniqueIDType?

  /// Whether a source updates the existing object; true by default.
  ///
  /// - Parameters:
  ///   - source: the source.
  ///   - context: the context that imports.
  static func shouldUpdate(from source: ImportSource, in context: any ObjectContext) -> Bool

  /// Sets the values of the existing object; also of a new one, unless the class implements
  /// `didInsert(from:in:)`. The object already has its identifier.
  ///
  /// It may fetch, create, change and import other objects in the context, and must not save it.
  ///
  /// - Parameters:
  ///   - source: the source.
  ///   - context: the context that imports.
  /// - Throws: an error if the source cannot be imported; the whole call is undone then.
  func update(from source: ImportSource, in context: any ObjectContext) throws
}

extension ImportableUniqueObject {
  /// The sources of an import by their identifiers, as a preparation receives and returns them.
  public typealias SourcesByID = [UniqueIDType: ImportSource]

  public var uniqueIDValue: UniqueIDType {
    get {
      let slot = Self.uniqueIDKeyPath.slot
      guard let value: UniqueIDType = readAttribute(slot) else { missingValue(slot) }
      return value
    }
    set { writeAttribute(newValue.storedValue, Self.uniqueIDKeyPath.slot) }
  }

  public static func shouldUpdate(
    from source: ImportSource, in context: any ObjectContext
  ) -> Bool { true }

  /// The result of `shouldUpdate(from:in:)`, unless the class overrides it.
  public static func shouldInsert(
    from source: ImportSource, in context: any ObjectContext
  ) -> Bool { shouldUpdate(from: source, in: context) }

  /// Calls `update(from:in:)`, unless the class overrides it.
  public func didInsert(from source: ImportSource, in context: any ObjectContext) throws {
    try update(from: source, in: context)
  }
}

/// The attribute that identifies imported objects.
///
/// ```swift
/// static let uniqueIDKeyPath = UniqueIDKeyPath(\Product.$number)
/// ```
public struct UniqueIDKeyPath<UniqueID: AttributeValueType & Hashable>: Sendable {
  let slot: Slot
  /// Whether a class has the attribute.
  let belongs: @Sendable (DatastoreObject.Type) -> Bool

  /// - Parameter keyPath: an attribute of the class, or of an ancestor; optional or not.
  public init<T: DatastoreObject, P: FetchableProperty>(_ keyPath: any KeyPath<T, P> & Sendable)
  where P.FetchedValue == UniqueID {
    slot = ClassReflection.of(T.self).slot(of: keyPath)
    belongs = { $0 is T.Type }
  }
}
