public import Foundation
public import SwiftDatastore

/// The default stack, under its name in the first CoreStore: `CoreStore.fetchAll(From<Person>())`.
// swift-format-ignore: AlwaysUseLowerCamelCase
public var CoreStore: DataStack { CoreStoreDefaults.dataStack }

/// Names of the first CoreStore.
extension DataStack {
  /// The default stack, which is set by `CoreStoreDefaults.dataStack`.
  public var defaultStack: DataStack { CoreStoreDefaults.dataStack }

  /// Adds a storage in memory.
  @discardableResult
  public func addInMemoryStore(configuration: String? = nil) -> SetupResult<InMemoryStore> {
    added(InMemoryStore(configuration: configuration))
  }

  /// Adds a file in the directory of this program, by its name with its extension; by default that of the
  /// program.
  @discardableResult public func addSQLiteStore(
    _ fileName: String? = nil, configuration: String? = nil, automigrating: Bool = true,
    resetStoreOnMigrationFailure: Bool = false
  ) -> SetupResult<SQLiteStore> {
    addSQLiteStore(
      fileURL: (fileName.map { SQLiteStore(fileName: $0) } ?? SQLiteStore()).fileURL,
      configuration: configuration, automigrating: automigrating,
      resetStoreOnMigrationFailure: resetStoreOnMigrationFailure)
  }

  /// Adds a file, which is migrated if no row is written for that, and may be erased if it cannot be migrated
  /// to the model.
  @discardableResult public func addSQLiteStore(
    fileURL: URL, configuration: String? = nil, automigrating: Bool = true,
    resetStoreOnMigrationFailure: Bool = false
  ) -> SetupResult<SQLiteStore> {
    var options = LocalStorageOptions.none
    if automigrating { options.insert(.allowSynchronousLightweightMigration) }
    if resetStoreOnMigrationFailure { options.insert(.recreateStoreOnModelMismatch) }
    return added(
      SQLiteStore(fileURL: fileURL, configuration: configuration, localStorageOptions: options))
  }

  private func added<Storage: StorageInterface>(_ storage: Storage) -> SetupResult<Storage> {
    Result { try addStorageAndWait(storage) }
      .mapError { $0 as? CoreStoreError ?? .internalError(error: $0) }
  }

  /// A transaction that saves only when `commit` is called. Without a storage it does not run. An error of
  /// the closure ends it.
  public func beginAsynchronous(
    _ closure: @escaping @Sendable (AsynchronousDataTransaction) throws -> Void
  ) {
    perform(
      asynchronous: { transaction in
        try closure(transaction)
        transaction.revertChanges()
      }, completion: { _ in })
  }
}

extension SwiftDatastoreContext.Closure {
  /// Saves the changes made so far, and calls the closure at once with whether there were any, or the reason
  /// why they were not saved.
  public func commit(_ completion: (SetupResult<Bool>) -> Void) {
    let hadChanges = hasChanges
    completion(
      Swift.Result {
        try saveChanges()
        return hadChanges
      }.mapError { CoreStoreError(ofTransaction: $0) })
  }

  /// A new object: `create(Into<Person>())`.
  public func create<O: DatastoreObject>(_ type: O.Type) throws -> O { try createObject() }
}

/// Names of CoreStore 8 for lists and objects as values.
@MainActor
extension DataStack {
  /// `publishList(_:_:)`.
  public func listPublisher<O>(
    _ query: some ChainBuilder<O>, _ clauses: any FetchClause...
  ) throws -> ListPublisher<O> { try publishList(query, clauses) }

  /// `publishList(_:_:)` with the clauses in an array.
  public func listPublisher<O>(
    _ query: some ChainBuilder<O>, _ clauses: [any FetchClause]
  ) throws -> ListPublisher<O> { try publishList(query, clauses) }

  /// `publishList(_:_:_:)`.
  public func listPublisher<O>(
    _ query: From<O>, _ sectionBy: SectionBy<O>, _ clauses: any FetchClause...
  ) throws -> ListPublisher<O> { try publishList(query, sectionBy, clauses) }

  /// `publishList(_:_:_:)` with the clauses in an array.
  public func listPublisher<O>(
    _ query: From<O>, _ sectionBy: SectionBy<O>, _ clauses: [any FetchClause]
  ) throws -> ListPublisher<O> { try publishList(query, sectionBy, clauses) }

  /// `publishObject(_:)`.
  public func objectPublisher<O: DatastoreObject>(_ object: O) throws -> ObjectPublisher<O> {
    try publishObject(object)
  }
}

/// The property at the end of a key path with a dollar sign.
public typealias AnyDynamicKeyPath = AnyKeyPathStringConvertible
/// The property at the end of a key path with a dollar sign.
public typealias DynamicKeyPath = KeyPathStringConvertible

/// The class of the objects, under its name in CoreStore 8.
extension ChainBuilder { public typealias D = ObjectType }
extension GroupByClause { public typealias D = ObjectType }
extension Into { public typealias D = O }
extension ListMonitor { public typealias D = O }
extension ObjectMonitor { public typealias D = O }
extension OrderByClause { public typealias D = ObjectType }
extension SectionBy { public typealias D = O }
extension WhereClauseType { public typealias D = ObjectType }
