public import Foundation
public import SwiftDatastore

/// The default stack, under the name that the first CoreStore had for it: `CoreStore.fetchAll(From<Person>())`.
// swift-format-ignore: AlwaysUseLowerCamelCase
public var CoreStore: DataStack { CoreStoreDefaults.dataStack }

/// Names of the first CoreStore.
extension DataStack {
  /// The default stack, which is set by `CoreStoreDefaults.dataStack`.
  public var defaultStack: DataStack { CoreStoreDefaults.dataStack }

  /// Adds a storage in memory.
  @discardableResult
  public func addInMemoryStore() -> SetupResult<InMemoryStore> { added(InMemoryStore()) }

  /// Adds a file in the directory of this program, by its name with its ending; without one that of the program.
  @discardableResult
  public func addSQLiteStore(_ fileName: String? = nil) -> SetupResult<SQLiteStore> {
    added(fileName.map { SQLiteStore(fileName: $0) } ?? SQLiteStore())
  }

  /// Adds a file, which is migrated where no row is written for that, and may be erased where no way leads from it to the
  /// model.
  @discardableResult
  public func addSQLiteStore(
    fileURL: URL, automigrating: Bool = true, resetStoreOnMigrationFailure: Bool = false
  ) -> SetupResult<SQLiteStore> {
    var options = LocalStorageOptions.none
    if automigrating { options.insert(.allowSynchronousLightweightMigration) }
    if resetStoreOnMigrationFailure { options.insert(.recreateStoreOnModelMismatch) }
    return added(SQLiteStore(fileURL: fileURL, localStorageOptions: options))
  }

  private func added<Storage: StorageInterface>(_ storage: Storage) -> SetupResult<Storage> {
    Result { try addStorageAndWait(storage) }
      .mapError { $0 as? CoreStoreError ?? .internalError(error: $0) }
  }

  /// A transaction that saves what it commits, and nothing else. Without a storage it is not run. What the closure throws
  /// ends it.
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
  /// Saves what was changed so far, and calls the closure at once with whether there was anything, or why it was not saved.
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

extension From {
  /// All objects of a class: `From<Person>()`.
  public init(_ type: T.Type) { self.init() }
}
