import DatastoreCore

/// True when both are.
public func && <T>(left: Where<T>, right: Where<T>) -> Where<T> {
  Where(Predicate.and([left.predicate, right.predicate]).flattened)
}

/// True when either is.
public func || <T>(left: Where<T>, right: Where<T>) -> Where<T> {
  Where(Predicate.or([left.predicate, right.predicate]).flattened)
}

/// True when the other is not.
public prefix func ! <T>(condition: Where<T>) -> Where<T> {
  Where(Predicate.not(condition.predicate).flattened)
}
