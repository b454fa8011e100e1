import Basics

// Words that older versions and documents of the library used. Each leads to the word of today, so that
// code written with them goes on to compile; nothing else may use them.

extension SwiftDatastore {
  /// The same as `newContext()`.
  @available(*, deprecated, renamed: "newContext()")
  public func createNewContext() -> SwiftDatastoreContext { newContext() }

  /// A compiled Core Data model is no longer read: the model is made of the classes themselves.
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
