// Parts of CoreStore that need Core Data, the Objective-C runtime, UIKit or SwiftUI: the compiler says what
// to use instead.

public import DatastoreCore
public import Foundation
public import SwiftDatastore

// Models in files of Xcode.

@available(*, unavailable, message: "There are no .xcdatamodeld files; use CoreStoreSchema")
public typealias XcodeDataModelFileName = String

@available(*, unavailable, message: "There are no .xcdatamodeld files; use DataStack(schema)")
extension DataStack {
  public convenience init(
    xcodeModelName: String, bundle: Bundle = .main, migrationChain: MigrationChain = nil
  ) { fatalError() }
  public convenience init(migrationChain: MigrationChain = nil) { fatalError() }
}

@available(*, unavailable, message: "There are no .xcdatamodeld files; use CoreStoreSchema")
public final class XcodeDataModelSchema {
  public init(modelName: String, bundle: Bundle = .main) {}
  public init(modelName: String, modelVersionFileURL: URL) {}
  public static func from(
    modelName: String, bundle: Bundle = .main, migrationChain: MigrationChain = nil
  ) -> (allSchema: [XcodeDataModelSchema], currentModelVersion: ModelVersion) { fatalError() }
}

@available(*, unavailable, message: "There are no mapping models; use CustomSchemaMappingProvider")
public final class XcodeSchemaMappingProvider {
  public init(
    from sourceVersion: ModelVersion, to destinationVersion: ModelVersion,
    mappingModelBundle: Bundle
  ) {}
}

@available(*, unavailable, message: "There is no NSManagedObjectModel; use CoreStoreSchema")
public final class UnsafeDataModelSchema { public init(modelName: ModelVersion, model: Any) {} }

@available(*, unavailable, message: "There is no NSManagedObjectModel; see `schema`")
extension DynamicSchema { public func rawModel() -> Schema { fatalError() } }

@available(*, unavailable, message: "Numbers are Core Data's; print(schema.versionLock) has lines")
extension SwiftDatastoreModel {
  public convenience init(
    modelVersion: String, entities: [DynamicEntity], versionLock: [String: [UInt64]]
  ) { fatalError() }
}

@available(*, unavailable, message: "Numbers are Core Data's; print(schema.versionLock) has lines")
extension VersionLock {
  public typealias HashElement = UInt64
  public init(_ intArrayByEntityName: [String: [UInt64]]) { fatalError() }
  public var hashesByEntityName: [String: Any] { fatalError() }
}

@available(*, unavailable, message: "There is no coordinator of Core Data's to take options")
extension StorageInterface {
  public var storeOptions: [AnyHashable: Any]? { fatalError() }
  public func dictionary(forOptions: LocalStorageOptions?) -> [AnyHashable: Any]? { fatalError() }
}

// NSManagedObject and what fetches it.

@available(*, unavailable, message: "There is no NSManagedObject; use CoreStoreObject")
public enum CoreStoreManagedObject {}

@available(*, unavailable, message: "There is no NSManagedObject; use customGetter:, customSetter:")
extension DatastoreObject {
  public convenience init(rawObject: NSManagedObject) { fatalError() }
  public convenience init(asMeta: Void) { fatalError() }
  public func getValue(forKvcKey: KeyPathString) -> Any? { nil }
  public func getValue<T>(
    forKvcKey: KeyPathString, willGetValue: () throws -> Void = {}, didGetValue: (Any?) throws -> T
  ) rethrows -> T { fatalError() }
  public func setValue(_ value: Any?, forKvcKey: KeyPathString) {}
  public func setValue(
    _ value: Any?, forKvcKey: KeyPathString, willSetValue: () throws -> Void = {},
    didSetValue: () throws -> Void = {}
  ) rethrows {}
}

@available(*, unavailable, message: "An object does not know its context; hand that on")
extension FieldOwner where Self: DatastoreObject {
  public var unsafeDataTransaction: UnsafeDataTransaction? { nil }
  public func fetchSource() -> (any FetchableSource)? { nil }
  public func querySource() -> (any QueryableSource)? { nil }
  public func asPublisher() -> ObjectPublisher<Self>? { nil }
  public func asSnapshot() -> ObjectSnapshot<Self>? { nil }
}

@available(*, unavailable, message: "There is no NSFetchRequest; write applied(to:)")
extension FetchClause { public func applyToFetchRequest<T>(_ request: T) {} }

@available(*, unavailable, message: "Linux cannot read an NSPredicate; use Where(\"age > 30\")")
extension Where { public init(_ predicate: NSPredicate) { self.init() } }

@available(
  *, unavailable, message: "Linux cannot read an NSSortDescriptor; use .ascending(\"age\")"
)
extension OrderBy {
  public init(_ sortDescriptor: NSSortDescriptor) { self.init() }
  public init(_ sortDescriptors: [NSSortDescriptor]) { self.init() }
}

@available(*, unavailable, message: "A query holds its clauses as one request; it is `from`")
extension Select {
  public typealias ObjectType = Any
  public typealias ReturnType = Any
}

@available(*, unavailable, message: "A query holds its clauses as one request; it is `from`")
extension ChainBuilder {
  public var select: Any { from }
  public var fetchClauses: [any FetchClause] { [] }
  public var queryClauses: [any QueryClause] { [] }
  public var sectionBy: SectionBy<ObjectType> { fatalError() }
}

@available(*, unavailable, message: "A value is stored as its own type; use the type itself")
extension AttributeValueType {
  public typealias FieldStoredNativeType = Self
  public typealias NativeValueType = Self
  public typealias QueryableNativeType = Self
  public typealias DestinationValueType = Self
  public typealias ReturnValueType = Self
}

@available(*, unavailable, message: "A relationship is stored as its own type; use the type itself")
extension FieldRelationshipType { public typealias NativeValueType = Self }

@available(*, unavailable, message: "Use FetchedObjectsController(viewContext:_:)")
extension DataStack {
  public func createFetchedResultsController(_ query: Any, _ clauses: Any...) {}
  public func createFetchedResultsController(forDataStack: DataStack, _ query: Any, _: Any...) {}
}

// A transaction stays where it was created; everything that follows changes lives on the main actor.
@available(*, unavailable, message: "Lists follow the view context; use the stack")
extension SwiftDatastoreLocalContext {
  public func monitorList(_ query: Any, _ clauses: Any...) { fatalError() }
  public func monitorSectionedList(_ query: Any, _ clauses: Any...) { fatalError() }
  public func monitorList(createAsynchronously: Any, _ query: Any, _ clauses: Any...) {}
  public func monitorSectionedList(createAsynchronously: Any, _ query: Any, _ clauses: Any...) {}
  public func monitorObject(_ object: Any) { fatalError() }
  public func createFetchedResultsController(_ query: Any, _ clauses: Any...) {}
}

// Properties before `@Field`.

@available(*, unavailable, message: "Use @Field.Stored, or @Field.Virtual for a transient value")
public enum ValueContainer<O: DatastoreObject> {}

@available(*, unavailable, message: "Use @Field.Relationship")
public enum RelationshipContainer<O: DatastoreObject> {}

@available(*, unavailable, message: "Use @Field.Coded")
public enum TransformableContainer<O: DatastoreObject> {}

@available(*, unavailable, message: "Use @Field.Stored, or @Field.Virtual for a transient value")
extension Value {
  public enum Required<V> {}
  public enum Optional<V> {}
}

@available(*, unavailable, message: "Use @Field.Coded")
public enum Transformable {
  public enum Required<V> {}
  public enum Optional<V> {}
}

@available(*, unavailable, message: "Use @Field.Relationship with an array or a set")
extension Relationship {
  public enum ToManyOrdered<V> {}
  public enum ToManyUnordered<V> {}
}

infix operator .= : AssignmentPrecedence

@available(*, unavailable, message: "Assign the property itself: person.name = \"Ann\"")
public func .= <Property, Value>(property: Property, value: Value) {}

@available(*, unavailable, message: "Compare the property itself: person.name == \"Ann\"")
@_disfavoredOverload
public func .== <Property, Value>(property: Property, value: Value) -> Bool { false }

@available(*, unavailable, message: "A path through relationships is a PropertyPath")
extension Where {
  public enum Expression<Target, V> {}
  public enum SingleTarget {}
  public enum CollectionTarget {}
}

@available(*, unavailable, message: "A path through relationships is a PropertyPath")
public protocol WhereExpressionTrait {}

// The Objective-C runtime.

@available(*, unavailable, message: "There is no Objective-C runtime; use AttributeValueType")
public protocol CoreDataNativeType {}

@available(*, unavailable, message: "There is no Objective-C runtime; use EntityProperty")
public protocol AllowedObjectiveCKeyPathValue {}

@available(*, unavailable, message: "There is no Objective-C runtime; use EntityProperty")
public protocol AllowedOptionalObjectiveCKeyPathValue {}

@available(*, unavailable, message: "There is no Objective-C runtime; use FetchableProperty")
public protocol AllowedObjectiveCAttributeKeyPathValue {}

@available(*, unavailable, message: "There is no Objective-C runtime; use RelationshipProperty")
public protocol AllowedObjectiveCRelationshipKeyPathValue {}

@available(*, unavailable, message: "There is no Objective-C runtime; use ToManyProperty")
public protocol AllowedCoreStoreObjectCollectionKeyPathValue {}

@available(*, unavailable, message: "There is no Objective-C runtime; use ToManyProperty")
public protocol AllowedObjectiveCToManyRelationshipKeyPathValue {}

@available(*, unavailable, message: "There is no Objective-C runtime; use FieldCoders.Json")
public protocol DefaultNSSecureCodable {}

@available(*, unavailable, message: "There is no Objective-C runtime; use FieldCoders.Json")
extension FieldCoders {
  public enum NSCoding {}
  public enum DefaultNSSecureCoding {}
}

@available(*, unavailable, message: "There is no Objective-C runtime; use publisher.$name")
extension ObjectPublisher { public func value<V>(forKeyPath: KeyPath<T, V>) -> V? { nil } }

// UIKit and SwiftUI.

@available(*, unavailable, message: "There are no views; use ListSnapshot.difference(from:)")
public enum DiffableDataSource {
  public class BaseAdapter<O: DatastoreObject, T> {}
  public class TableViewAdapter<O: DatastoreObject> {}
  public class CollectionViewAdapter<O: DatastoreObject> {}
  public typealias Target = DiffableDataSourceTarget
  public struct DefaultTableViewTarget<T> {}
  public struct DefaultCollectionViewTarget<T> {}
}

@available(*, unavailable, message: "There are no views; use ListSnapshot.difference(from:)")
public protocol DiffableDataSourceTarget {}

@available(*, unavailable, message: "There are no views; use ListPublisher.addObserver")
public enum ListReader<Object: DatastoreObject, Content, Value> {}

@available(*, unavailable, message: "There are no views; use ListPublisher.snapshot")
@propertyWrapper
public struct ListState<O: DatastoreObject> {
  public init(_ list: Any, _ clauses: Any..., in dataStack: DataStack? = nil) {}
  public var wrappedValue: ListSnapshot<O> { fatalError() }
}

@available(*, unavailable, message: "There are no views; use ObjectPublisher.addObserver")
public enum ObjectReader<Object: DatastoreObject, Content, Placeholder, Value> {}

@available(*, unavailable, message: "There are no views; use ObjectPublisher.snapshot")
@propertyWrapper
public struct ObjectState<O: DatastoreObject> {
  public init(_ objectPublisher: ObjectPublisher<O>?) {}
  public var wrappedValue: ObjectSnapshot<O>? { nil }
}

@available(*, unavailable, message: "There are no views; use ObjectPublisher.addObserver")
extension DatastoreObject { public var objectWillChange: Any { self } }
