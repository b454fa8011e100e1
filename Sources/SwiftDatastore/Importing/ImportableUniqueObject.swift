import DatastoreCore

/// A class whose objects are found again by an identifier: a source that is about an existing one updates
/// it, and any other makes a new one.
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

  /// The attribute that holds it.
  static var uniqueIDKeyPath: UniqueIDKeyPath<UniqueIDType> { get }

  /// The identifier of the object; what the attribute holds unless the class says otherwise.
  var uniqueIDValue: UniqueIDType { get set }

  /// The identifier that a source is about; nil where the source is to be passed over.
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

  /// Gives the existing object its values; new objects, too, unless the class has a
  /// `didInsert(from:in:)` of its own. The object has its identifier.
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
  /// The sources of an import by their identifiers, as a preparation gets and returns them.
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

  /// What `shouldUpdate(from:in:)` says, unless the class says otherwise.
  public static func shouldInsert(
    from source: ImportSource, in context: any ObjectContext
  ) -> Bool { shouldUpdate(from: source, in: context) }

  /// Does what `update(from:in:)` does, unless the class says otherwise.
  public func didInsert(from source: ImportSource, in context: any ObjectContext) throws {
    try update(from: source, in: context)
  }
}

/// The attribute by which imported objects are found again.
///
/// ```swift
/// static let uniqueIDKeyPath = UniqueIDKeyPath(\Product.$number)
/// ```
public struct UniqueIDKeyPath<UniqueID: AttributeValueType & Hashable>: Sendable {
  let slot: Slot
  /// Whether a class has the attribute.
  let belongs: @Sendable (DatastoreObject.Type) -> Bool

  /// - Parameter keyPath: an attribute of the class, or of one that it inherits from; optional or not.
  public init<T: DatastoreObject, P: FetchableProperty>(_ keyPath: any KeyPath<T, P> & Sendable)
  where P.FetchedValue == UniqueID {
    slot = ClassReflection.of(T.self).slot(of: keyPath)
    belongs = { $0 is T.Type }
  }
}
