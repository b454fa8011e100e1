import DatastoreCore

/// Contains: `\.$name ?= "om"`, `\.$employees ?= tom`.
infix operator ?= : ComparisonPrecedence

/// Equal; `nil` finds objects without a value.
public func == <T, P: EntityProperty & QueryProperty>(
  keyPath: any KeyPath<T, P> & Sendable, value: P.KeyPathType?
) -> Where<T> {
  Where(comparing: PropertyPath(keyPath), .equal, value)
}

/// Different; an object without a value is different from every value.
public func != <T, P: EntityProperty & QueryProperty>(
  keyPath: any KeyPath<T, P> & Sendable, value: P.KeyPathType?
) -> Where<T> {
  Where(comparing: PropertyPath(keyPath), .notEqual, value)
}

/// Less than; never true for objects without a value.
public func < <T, P: EntityProperty & QueryProperty>(
  keyPath: any KeyPath<T, P> & Sendable, value: P.KeyPathType
) -> Where<T> {
  Where(comparing: PropertyPath(keyPath), .lessThan, value)
}

/// Less than or equal to; never true for objects without a value.
public func <= <T, P: EntityProperty & QueryProperty>(
  keyPath: any KeyPath<T, P> & Sendable, value: P.KeyPathType
) -> Where<T> {
  Where(comparing: PropertyPath(keyPath), .lessThanOrEqual, value)
}

/// Greater than; never true for objects without a value.
public func > <T, P: EntityProperty & QueryProperty>(
  keyPath: any KeyPath<T, P> & Sendable, value: P.KeyPathType
) -> Where<T> {
  Where(comparing: PropertyPath(keyPath), .greaterThan, value)
}

/// Greater than or equal to; never true for objects without a value.
public func >= <T, P: EntityProperty & QueryProperty>(
  keyPath: any KeyPath<T, P> & Sendable, value: P.KeyPathType
) -> Where<T> {
  Where(comparing: PropertyPath(keyPath), .greaterThanOrEqual, value)
}

/// The text contains another: `\.$name ?= "om"`.
public func ?= <T, P: EntityProperty & QueryProperty>(
  keyPath: any KeyPath<T, P> & Sendable, value: String
) -> Where<T> where P.KeyPathType == String {
  Where(comparing: PropertyPath(keyPath), .contains, value)
}

/// The text begins with another: `(\.$name ^= "T")`. Has the precedence of an assignment, hence the
/// parentheses.
public func ^= <T, P: EntityProperty & QueryProperty>(
  keyPath: any KeyPath<T, P> & Sendable, value: String
) -> Where<T> where P.KeyPathType == String {
  Where(comparing: PropertyPath(keyPath), .beginsWith, value)
}

/// The text ends with another: `(\.$name |= "e")`. Has the precedence of an assignment, hence the
/// parentheses.
public func |= <T, P: EntityProperty & QueryProperty>(
  keyPath: any KeyPath<T, P> & Sendable, value: String
) -> Where<T> where P.KeyPathType == String {
  Where(comparing: PropertyPath(keyPath), .endsWith, value)
}

/// The to-many relationship leads to the object: `\.$employees ?= tom`.
public func ?= <T, R: ToManyProperty>(
  keyPath: any KeyPath<T, R> & Sendable, object: R.Destination
) -> Where<T> {
  let path = PropertyPath(keyPath)
  return Where(
    .comparison(
      Predicate.Comparison(
        .keyPath(path.names), .equal, .value(.key(object.key)), quantifier: .any)))
}

/// The value is in the list: `[20, 30] ~= \.$age`. Never true for an empty list.
public func ~= <T, P: EntityProperty & QueryProperty>(
  values: [P.KeyPathType], keyPath: any KeyPath<T, P> & Sendable
) -> Where<T> {
  Where(PropertyPath(keyPath), isAnyOf: values)
}

/// The value is in the range, inclusive: `20...30 ~= \.$age`.
public func ~= <T, P: EntityProperty & QueryProperty>(
  range: ClosedRange<P.KeyPathType>, keyPath: any KeyPath<T, P> & Sendable
) -> Where<T> {
  Where(PropertyPath(keyPath), isWithin: range)
}
