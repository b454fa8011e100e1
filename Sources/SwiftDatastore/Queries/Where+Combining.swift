import DatastoreCore

infix operator &&? : LogicalConjunctionPrecedence
infix operator ||? : LogicalDisjunctionPrecedence

/// True when both are; a nil side is ignored.
///
/// ```swift
/// let condition = \.$isActive == true &&? search.map { .like(\.$name, "*\($0)*") }
/// ```
///
/// - Parameters:
///   - left: a condition.
///   - right: another one.
public func &&? <T>(left: Where<T>, right: Where<T>?) -> Where<T> {
  right.map { left && $0 } ?? left
}

/// True when both are; a nil side is ignored.
///
/// - Parameters:
///   - left: a condition.
///   - right: another one.
public func &&? <T>(left: Where<T>?, right: Where<T>) -> Where<T> {
  left.map { $0 && right } ?? right
}

/// True when either is; a nil side is ignored.
///
/// - Parameters:
///   - left: a condition.
///   - right: another one.
public func ||? <T>(left: Where<T>, right: Where<T>?) -> Where<T> {
  right.map { left || $0 } ?? left
}

/// True when either is; a nil side is ignored.
///
/// - Parameters:
///   - left: a condition.
///   - right: another one.
public func ||? <T>(left: Where<T>?, right: Where<T>) -> Where<T> {
  left.map { $0 || right } ?? right
}

extension Sequence {
  /// The condition that all of these hold; true if there are none.
  public func combinedByAnd<T>() -> Where<T> where Element == Where<T> {
    let parts = map(\.predicate)
    return Where(parts.count == 1 ? parts[0] : Predicate.and(parts).flattened)
  }

  /// The condition that any of these holds; false if there are none.
  public func combinedByOr<T>() -> Where<T> where Element == Where<T> {
    let parts = map(\.predicate)
    return Where(parts.count == 1 ? parts[0] : Predicate.or(parts).flattened)
  }
}

/// Conditions with words instead of operators.
extension Where {
  /// Equal; `nil` finds objects without a value. The same as `\.$name == "Ann"`.
  ///
  /// - Parameters:
  ///   - keyPath: the property.
  ///   - value: the value to compare it with.
  public init<P: EntityProperty & QueryProperty>(
    _ keyPath: any KeyPath<T, P> & Sendable, isEqualTo value: P.KeyPathType?
  ) {
    self = keyPath == value
  }

  /// One of the values; never true for an empty list. The same as `["Ann", "Bob"] ~= \.$name`.
  ///
  /// - Parameters:
  ///   - keyPath: the property.
  ///   - values: the values to compare it with.
  public init<P: EntityProperty & QueryProperty>(
    _ keyPath: any KeyPath<T, P> & Sendable, isMemberOf values: some Sequence<P.KeyPathType>
  ) {
    self = Array(values) ~= keyPath
  }

  /// The relationship leads to the object of an identifier, which need not be in memory.
  ///
  /// - Parameters:
  ///   - keyPath: the relationship.
  ///   - id: the identifier of the object.
  public init<P: RelationshipProperty>(
    _ keyPath: any KeyPath<T, P> & Sendable, isEqualTo id: DatastoreObjectID
  ) {
    self.init(relationship: keyPath, .equal, .value(.key(id.key)))
  }

  /// The relationship leads to the object of one of the identifiers; never true for an empty list.
  ///
  /// - Parameters:
  ///   - keyPath: the relationship.
  ///   - ids: the identifiers of the objects.
  public init<P: RelationshipProperty>(
    _ keyPath: any KeyPath<T, P> & Sendable, isMemberOf ids: some Sequence<DatastoreObjectID>
  ) {
    self.init(relationship: keyPath, .in, .list(ids.map { .value(.key($0.key)) }))
  }

  private init<P: RelationshipProperty>(
    relationship keyPath: KeyPath<T, P>, _ comparator: Predicate.Comparator,
    _ right: Predicate.Operand
  ) {
    self.init(
      .comparison(Predicate.Comparison(PropertyPath(keyPath).operand, comparator, right)))
  }
}

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
