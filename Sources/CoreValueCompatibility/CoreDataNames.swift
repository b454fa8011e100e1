public import SwiftDatastore

/// An object of the store, of any class.
public typealias NSManagedObject = DatastoreObject

/// The identifier of an object of the store.
public typealias NSManagedObjectID = DatastoreObjectID

/// A context: the view context, or the context inside `perform` and `write`.
public typealias NSManagedObjectContext = any ObjectContext

/// A condition in the NSPredicate format language, which is parsed when it is used.
///
/// ```swift
/// NSPredicate(format: "age > %@ AND name BEGINSWITH %@", 30, "H")
/// ```
///
/// It shadows the class of Foundation, which cannot be read here, even with `import Foundation`.
public struct NSPredicate: Sendable {
  /// The condition.
  public let format: String
  let arguments: [PredicateArgument]

  /// Traps for an argument that no attribute can hold.
  ///
  /// - Parameters:
  ///   - format: the condition.
  ///   - arguments: the values of its `%@`, `%d`, `%f` and `%K`, in their order: attribute values, arrays of
  ///     them, objects, nil.
  public init(format: String, _ arguments: Any?...) {
    self.init(format: format, argumentArray: arguments)
  }

  /// The same with the arguments in an array.
  public init(format: String, argumentArray arguments: [Any?]?) {
    self.format = format
    self.arguments = (arguments ?? []).map { PredicateArgument(any: $0) }
  }
}

/// A key of an order.
public struct NSSortDescriptor: Sendable {
  /// The name of a property, or several with dots between them.
  public let key: String
  /// Whether the least comes first.
  public let ascending: Bool

  /// - Parameters:
  ///   - key: the name of a property, or several with dots between them.
  ///   - ascending: whether the least comes first.
  public init(key: String, ascending: Bool) {
    self.key = key
    self.ascending = ascending
  }
}

extension DatastoreObject {
  /// The value of a property, under its first name: `value(forKey:)`.
  public func valueForKey(_ key: String) -> Any? { value(forKey: key) }
}
