public import DatastoreCore
public import SwiftDatastore

/// A type with a description for logs.
public protocol CoreStoreDebugStringConvertible: CustomDebugStringConvertible {}

extension CoreStoreDebugStringConvertible {
  /// The type and its parts.
  public var debugDescription: String {
    let parts = Mirror(reflecting: self).children.map { "\($0.label ?? "-"): \($0.value)" }
    return "\(Self.self)(\(parts.joined(separator: ", ")))"
  }
}

extension CoreStoreDebugStringConvertible where Self: CustomStringConvertible {
  /// Its description.
  public var debugDescription: String { description }
}

extension CustomDebugStringConvertible {
  /// `debugDescription`.
  public var coreStoreDumpString: String { debugDescription }
}

/// Stacks are equal when they are the same one.
extension DataStack: EqualByIdentity, CoreStoreDebugStringConvertible {
  /// The model's version and the datastore.
  public var debugDescription: String {
    let place = (try? datastore.debugDescription) ?? "without a storage"
    return "DataStack (\(modelVersion ?? "no version"), \(place))"
  }
}

extension CoreStoreError: CoreStoreDebugStringConvertible {}
extension DatastoreObjectID: CoreStoreDebugStringConvertible {}
extension DeleteRule: CoreStoreDebugStringConvertible {}
extension DynamicEntity: CoreStoreDebugStringConvertible {}
extension From: CoreStoreDebugStringConvertible {}
extension GroupBy: CoreStoreDebugStringConvertible {}
extension Into: CoreStoreDebugStringConvertible {}
extension ListPublisher: @MainActor CoreStoreDebugStringConvertible {}
extension ListSnapshot: CoreStoreDebugStringConvertible {}
extension LocalStorageOptions: CoreStoreDebugStringConvertible {}
extension MigrationChain: CoreStoreDebugStringConvertible {}
extension MigrationType: CoreStoreDebugStringConvertible {}
extension ObjectProxy: CoreStoreDebugStringConvertible {}
extension ObjectPublisher: @MainActor CoreStoreDebugStringConvertible {}
extension ObjectSnapshot: CoreStoreDebugStringConvertible {}
extension OrderBy: CoreStoreDebugStringConvertible {}
extension Result { public var coreStoreDumpString: String { "\(self)" } }
extension SchemaHistory: CoreStoreDebugStringConvertible {}
extension SectionBy: CoreStoreDebugStringConvertible {}
extension Select: CoreStoreDebugStringConvertible {}
extension SelectTerm: CoreStoreDebugStringConvertible {}
extension SwiftDatastoreModel: CoreStoreDebugStringConvertible {}
extension Tweak: CoreStoreDebugStringConvertible {}
extension VersionLock: CoreStoreDebugStringConvertible {}
extension Where: CoreStoreDebugStringConvertible {}
