import DatastoreCore

/// True when both are.
public func && <T>(left: Where<T>, right: Where<T>) -> Where<T> {
  if case .and(let parts) = left.predicate { return Where(.and(parts + [right.predicate])) }
  return Where(.and([left.predicate, right.predicate]))
}

/// True when either is.
public func || <T>(left: Where<T>, right: Where<T>) -> Where<T> {
  if case .or(let parts) = left.predicate { return Where(.or(parts + [right.predicate])) }
  return Where(.or([left.predicate, right.predicate]))
}

/// True when the other is not.
public prefix func ! <T>(condition: Where<T>) -> Where<T> {
  Where(.not(condition.predicate))
}
