// What CoreStore has that needs Core Data, the Objective-C runtime or UIKit: the compiler says what to use.

import Basics
public import DatastoreCore
public import SwiftDatastore

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

extension From {
  @available(*, unavailable, message: "An entity is in one storage, which need not be named")
  public init(_ configuration: String?) { trap("An entity is in one storage.") }
}

extension Into {
  @available(*, unavailable, message: "An entity is in one storage, which need not be named")
  public init(_ configuration: String?) { trap("An entity is in one storage.") }
}
