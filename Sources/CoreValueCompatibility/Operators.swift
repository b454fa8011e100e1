public import SwiftDatastore

precedencegroup CVMapping {
  associativity: left
  higherThan: NilCoalescingPrecedence
}

precedencegroup CVUnboxing {
  associativity: left
  higherThan: CVMapping
}

infix operator <^> : CVMapping
infix operator <| : CVUnboxing
infix operator <|? : CVUnboxing
infix operator <|| : CVUnboxing

/// Gives a curried function its next argument.
public func <^> <Argument, Result>(
  _ function: Curried<Argument, Result>, _ argument: Argument
) -> Result {
  function(argument)
}

/// The value of a property.
///
/// - Throws: `DatastoreValueError` if it is missing, unknown or of another kind.
public func <| <Property: Unboxing>(_ object: NSManagedObject, _ key: String) throws -> Property {
  try Property.unbox(object, key)
}

/// The value of a property that may be missing.
///
/// - Throws: `DatastoreValueError` if it is unknown or of another kind.
public func <|? <Property: Unboxing>(
  _ object: NSManagedObject, _ key: String
) throws -> Property? {
  try Property.unboxIfPresent(object, key)
}

/// The structs that a relationship leads to, in its order.
///
/// - Throws: `DatastoreValueError` if there is no such relationship; the errors of creating the structs.
public func <|| <Part: BoxingStruct & UnboxingStruct>(
  _ object: NSManagedObject, _ key: String
) throws -> [Part] {
  try ValueReading(object).related([Part].self, PropertyKey(stringValue: key))
}
