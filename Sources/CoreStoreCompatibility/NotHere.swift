// What CoreStore has that needs Core Data, the Objective-C runtime or UIKit: the compiler says what to use.

public import DatastoreCore
import SwiftDatastore

extension DataStack {
  @available(
    *, unavailable, message: "There are no .xcdatamodeld files; use DataStack(CoreStoreSchema(…))"
  )
  public convenience init(xcodeModelName: String, migrationChain: MigrationChain = nil) {
    fatalError()
  }

  @available(
    *, unavailable, message: "There are no .xcdatamodeld files; use DataStack(CoreStoreSchema(…))"
  )
  public convenience init(migrationChain: MigrationChain) { fatalError() }
}

@available(*, unavailable, message: "There are no .xcdatamodeld files; use CoreStoreSchema")
public enum XcodeDataModelSchema {}

@available(
  *, unavailable, message: "There are no .xcmappingmodel files; use CustomSchemaMappingProvider"
)
public enum XcodeSchemaMappingProvider {}

@available(*, unavailable, message: "There is no NSManagedObjectModel; use CoreStoreSchema")
public enum UnsafeDataModelSchema {}

extension Value {
  @available(*, unavailable, message: "Use @Field.Stored, or @Field.Virtual for a transient value")
  public enum Required<V> {}

  @available(*, unavailable, message: "Use @Field.Stored, or @Field.Virtual for a transient value")
  public enum Optional<V> {}
}

@available(*, unavailable, message: "Use @Field.Coded")
public enum Transformable {}

@available(
  *, unavailable,
  message: "There are no views; use ListChange.batch or ListSnapshot.difference(from:)"
)
public enum DiffableDataSource {}

@available(*, unavailable, message: "There is no NSManagedObject; use CoreStoreObject")
public enum CoreStoreManagedObject {}

extension DynamicSchema {
  @available(*, unavailable, message: "There is no NSManagedObjectModel; see `schema`")
  public func rawModel() -> Schema { fatalError() }
}

extension SwiftDatastoreModel {
  @available(
    *, unavailable, message: "Numbers are Core Data's; print(schema.versionLock) has lines"
  )
  public convenience init(
    modelVersion: String, entities: [DynamicEntity], versionLock: [String: [UInt64]]
  ) { fatalError() }
}

extension VersionLock {
  @available(
    *, unavailable, message: "Numbers are Core Data's; print(schema.versionLock) has lines"
  )
  public init(_ intArrayByEntityName: [String: [UInt64]]) { fatalError() }

  @available(
    *, unavailable, message: "There are no hashes of Core Data's; `entities` has the lines"
  )
  public var hashesByEntityName: [String: Any] { fatalError() }
}

extension StorageInterface {
  @available(*, unavailable, message: "There is no coordinator of Core Data's to take options")
  public var storeOptions: [AnyHashable: Any]? { fatalError() }
}

extension DataStack {
  @available(*, unavailable, message: "Use FetchedObjectsController(viewContext:_:)")
  public func createFetchedResultsController(_ query: Any, _ clauses: Any...) { fatalError() }
}

// A transaction stays where it was made; what follows changes lives on the main actor.
extension SwiftDatastoreLocalContext {
  @available(*, unavailable, message: "Lists follow the view context: dataStack.monitorList")
  public func monitorList(_ query: Any, _ clauses: Any...) { fatalError() }

  @available(
    *, unavailable, message: "Lists follow the view context: dataStack.monitorSectionedList"
  )
  public func monitorSectionedList(_ query: Any, _ clauses: Any...) { fatalError() }

  @available(*, unavailable, message: "Use dataStack.monitorObject, or object.observeChanges here")
  public func monitorObject(_ object: Any) { fatalError() }
}
