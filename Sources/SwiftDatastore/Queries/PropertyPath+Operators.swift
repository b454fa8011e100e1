/// Equal; `nil` finds objects without a value.
public func == <T, P: QueryProperty>(
  path: PropertyPath<T, P>, value: P.KeyPathType?
) -> Where<T> {
  Where(comparing: path, .equal, value)
}

/// Different; an object without a value is different from every value.
public func != <T, P: QueryProperty>(
  path: PropertyPath<T, P>, value: P.KeyPathType?
) -> Where<T> {
  Where(comparing: path, .notEqual, value)
}

/// Less than; never true for objects without a value.
public func < <T, P: QueryProperty>(
  path: PropertyPath<T, P>, value: P.KeyPathType
) -> Where<T> {
  Where(comparing: path, .lessThan, value)
}

/// Less than or equal to; never true for objects without a value.
public func <= <T, P: QueryProperty>(
  path: PropertyPath<T, P>, value: P.KeyPathType
) -> Where<T> {
  Where(comparing: path, .lessThanOrEqual, value)
}

/// Greater than; never true for objects without a value.
public func > <T, P: QueryProperty>(
  path: PropertyPath<T, P>, value: P.KeyPathType
) -> Where<T> {
  Where(comparing: path, .greaterThan, value)
}

/// Greater than or equal to; never true for objects without a value.
public func >= <T, P: QueryProperty>(
  path: PropertyPath<T, P>, value: P.KeyPathType
) -> Where<T> {
  Where(comparing: path, .greaterThanOrEqual, value)
}

/// The text contains another: `\.$company ~ \.$name ?= "om"`.
public func ?= <T, P: QueryProperty>(
  path: PropertyPath<T, P>, value: String
) -> Where<T> where P.KeyPathType == String {
  Where(comparing: path, .contains, value)
}

/// The text begins with another: `(\.$company ~ \.$name ^= "T")`. Has the precedence of an assignment, hence
/// the parentheses.
public func ^= <T, P: QueryProperty>(
  path: PropertyPath<T, P>, value: String
) -> Where<T> where P.KeyPathType == String {
  Where(comparing: path, .beginsWith, value)
}

/// The text ends with another: `(\.$company ~ \.$name |= "e")`. Has the precedence of an assignment, hence
/// the parentheses.
public func |= <T, P: QueryProperty>(
  path: PropertyPath<T, P>, value: String
) -> Where<T> where P.KeyPathType == String {
  Where(comparing: path, .endsWith, value)
}

/// The value is in the list: `[20, 30] ~= \.$manager ~ \.$age`. Never true for an empty list.
public func ~= <T, P: QueryProperty>(
  values: [P.KeyPathType], path: PropertyPath<T, P>
) -> Where<T> {
  Where(path, isAnyOf: values)
}

/// The value is in the range, inclusive: `20...30 ~= \.$manager ~ \.$age`.
public func ~= <T, P: QueryProperty>(
  range: ClosedRange<P.KeyPathType>, path: PropertyPath<T, P>
) -> Where<T> {
  Where(path, isWithin: range)
}
