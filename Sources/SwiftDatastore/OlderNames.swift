import Basics

// Names from older versions and documents of the library. Each forwards to its current name, so that existing
// code still compiles; nothing else may use them.

extension SwiftDatastore {
  /// The same as `newContext()`.
  @available(*, deprecated, renamed: "newContext()")
  public func createNewContext() -> SwiftDatastoreContext { newContext() }

  /// The library no longer reads compiled Core Data models: it builds the model from the classes.
  @available(
    *, unavailable,
    message: "make a SwiftDatastoreModel(from:) of the classes and use init(dataModel:storeName:)"
  )
  public convenience init(
    storingType: StoringType = .app, storeName: String, datamodelName: String
  ) throws {
    trap("unavailable")
  }
}

extension ObjectContext {
  /// The same as `saveChanges()`.
  @available(*, deprecated, renamed: "saveChanges()")
  @discardableResult
  public func save() throws -> SwiftDatastoreSavedChanges { try saveChanges() }

  /// The same as `saveChanges()`.
  @available(*, deprecated, renamed: "saveChanges()")
  @discardableResult
  public func saveChnages() throws -> SwiftDatastoreSavedChanges { try saveChanges() }

  /// The same as `revertChanges()`.
  @available(*, deprecated, renamed: "revertChanges()")
  public func revertChnages() { revertChanges() }

  /// The same as `refresh(using:)`.
  @available(*, deprecated, renamed: "refresh(using:)")
  public func refresh(with savedChanges: SwiftDatastoreSavedChanges) {
    refresh(using: savedChanges)
  }
}

extension FetchedObjectsController {
  /// The same as `init(viewContext:where:orderBy:groupBy:)`.
  @available(*, deprecated, renamed: "init(viewContext:where:orderBy:groupBy:)")
  public convenience init<P: ComparableProperty>(
    context: SwiftDatastoreViewContext, where condition: Where<T>? = nil,
    orderBy order: [OrderBy<T>], groupBy group: any KeyPath<T, P> & Sendable
  ) {
    self.init(viewContext: context, where: condition, orderBy: order, groupBy: group)
  }

  /// The same as `init(viewContext:where:orderBy:)`.
  @available(*, deprecated, renamed: "init(viewContext:where:orderBy:)")
  public convenience init(
    context: SwiftDatastoreViewContext, where condition: Where<T>? = nil,
    orderBy order: [OrderBy<T>]
  ) {
    self.init(viewContext: context, where: condition, orderBy: order)
  }
}

/// The same as `PropertyToFetch`.
@available(*, deprecated, renamed: "PropertyToFetch")
public typealias PropetyToFetch = PropertyToFetch

/// The same as `SwiftDatastoreSavedChanges`.
@available(*, deprecated, renamed: "SwiftDatastoreSavedChanges")
public typealias SwiftCoredataSavedChanges = SwiftDatastoreSavedChanges

extension SwiftDatastoreContext {
  /// The same as `perform(_:success:failure:)`.
  ///
  /// As with that method, a callback is required, and a call with trailing closures selects the other
  /// overload.
  @available(*, deprecated, renamed: "perform(_:success:failure:)")
  @_disfavoredOverload
  public func perform(
    block: @escaping @Sendable (Closure) throws -> Void, success: (@Sendable () -> Void)? = nil,
    failure: @escaping @Sendable (any Error) -> Void
  ) { perform(block, success: success, failure: failure) }

  /// The same as `perform(_:completion:)`.
  @available(*, deprecated, renamed: "perform(_:completion:)")
  @_disfavoredOverload
  public func perform(
    block: @escaping @Sendable (Closure) -> Void, completion: @escaping @Sendable () -> Void
  ) { perform(block, completion: completion) }
}

/// The same as `QueryProperty`.
@available(*, deprecated, renamed: "QueryProperty")
public typealias EntityPropertyKeyPath = QueryProperty

/// The same as `EntityProperty`.
@available(*, deprecated, renamed: "EntityProperty")
public typealias EntityPropertyValueType = EntityProperty

extension EntityProperty {
  /// The same as `PropertyValue`.
  @available(*, deprecated, renamed: "PropertyValue")
  public typealias ValueType = PropertyValue

  /// A property does not carry its name; `String(keyPath:)` or `entityDescription` finds it.
  @available(*, unavailable, message: "a property does not carry its name; write it as text")
  public var key: String { trap("unavailable") }
}

/// There is no Core Data behind a context.
@available(*, unavailable, message: "use SwiftDatastoreContext, or SwiftDatastoreViewContext")
public final class ManagedObjectContext {}

/// Other errors report an entity or a model that does not exist.
@available(*, unavailable, message: "catch UnknownEntityError, StoreError or SchemaError")
public enum SwiftDatastoreError: Error {
  case entityNotFound
  case managedObjectModelNotFound
}
