// Parts of CoreValue that need Core Data: the compiler says what to use instead.

public import Foundation
public import SwiftDatastore

@available(*, unavailable, message: "An object does not know its context; use box(_:withKey:in:)")
extension Boxing { public func box(_ object: NSManagedObject, withKey key: String) throws {} }

@available(*, unavailable, message: "A value holds no object; use its NSManagedObjectID")
extension DatastoreObject {
  public static func unbox(_ value: Any) -> NSManagedObject { fatalError() }
  public func box(_ object: NSManagedObject, withKey key: String) throws {}
}

@available(*, unavailable, message: "Use Decimal, which is a value")
extension NSDecimalNumber {
  public static func unbox(_ value: Any) throws -> NSDecimalNumber { fatalError() }
  public func box(_ object: NSManagedObject, withKey key: String) throws {}
}
