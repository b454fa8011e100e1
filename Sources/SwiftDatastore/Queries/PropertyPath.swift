import Basics
public import DatastoreCore

/// A property behind one or more relationships, for `Where` and `OrderBy`.
///
/// ```swift
/// \.$company ~ \.$name == "Initech"             // through a to-one
/// (\.$tasks ~ \.$title).any == "Report"         // for at least one task
/// (\.$tasks ~ \.$isDone).all == true            // for every task, also when there is none
/// \.$company ~ \.$employees.count > 3
/// (\.$tasks ~ \.$estimate).sum >= 40
/// ```
///
/// A missing to-one along the path gives a missing value. A path through a to-many without a quantifier means
/// `any`.
public struct PropertyPath<T: DatastoreObject, P>: Sendable {
  /// The names of the relationships along the path and of the property at its end.
  public let names: [String]
  /// The operand of the comparison: the property itself or an aggregate of it.
  let operand: Predicate.Operand
  let quantifier: Predicate.Quantifier
  /// Whether the path runs through a to-many relationship.
  let isThroughToMany: Bool
  /// The property at the end; nil for an aggregate.
  let end: (owner: DatastoreObject.Type, slot: Slot)?

  init(
    names: [String], operand: Predicate.Operand, quantifier: Predicate.Quantifier = .direct,
    isThroughToMany: Bool, end: (owner: DatastoreObject.Type, slot: Slot)? = nil
  ) {
    self.end = end
    self.names = names
    self.operand = operand
    self.quantifier = quantifier
    self.isThroughToMany = isThroughToMany
  }
}

extension PropertyPath where P: QueryProperty {
  /// The stored form of a value that the property is compared with.
  func stored(_ value: P.KeyPathType) -> Value {
    end.map { P.storedValue(of: value, in: $0.owner, at: $0.slot) } ?? P.storedValue(of: value)
  }
}

extension PropertyPath where P: EntityProperty {
  /// The path of one property of the class itself.
  public init(_ keyPath: KeyPath<T, P>) {
    let slot = ClassReflection.of(T.self).slot(of: keyPath)
    let names = [ClassReflection.of(T.self).names[slot]]
    self.init(
      names: names, operand: P.operand(along: names), isThroughToMany: false, end: (T.self, slot))
  }
}

extension PropertyPath where P: RelationshipProperty {
  fileprivate func appending<Q: EntityProperty>(
    _ next: KeyPath<P.Destination, Q>
  ) -> PropertyPath<T, Q> {
    let slot = ClassReflection.of(P.Destination.self).slot(of: next)
    let names = names + [ClassReflection.of(P.Destination.self).names[slot]]
    return PropertyPath<T, Q>(
      names: names, operand: Q.operand(along: names),
      isThroughToMany: isThroughToMany || P.isToMany, end: (P.Destination.self, slot))
  }
}

extension PropertyPath where P: ToManyProperty {
  /// The number of objects. If the path leads through another to-many, the objects of all of them together:
  /// `(\.$company ~ \.$employees).count`.
  public var count: PropertyPath<T, RelationshipCount> {
    PropertyPath<T, RelationshipCount>(
      names: names, operand: .count(names), isThroughToMany: isThroughToMany, end: end)
  }
}

extension PropertyPath where P: ComparableProperty {
  /// The condition holds for at least one object that the path leads to.
  public var any: PropertyPath { quantified(.any) }

  /// The condition holds for every object that the path leads to; true if there are none.
  public var all: PropertyPath { quantified(.all) }

  /// The condition holds for no object that the path leads to.
  public var none: PropertyPath { quantified(.none) }

  private func quantified(_ quantifier: Predicate.Quantifier) -> PropertyPath {
    PropertyPath(
      names: names, operand: operand, quantifier: quantifier, isThroughToMany: isThroughToMany,
      end: end)
  }

  /// The sum over all objects that a to-many path leads to; missing if there are none.
  ///
  /// - Precondition: the path runs through a to-many relationship; the same applies to the other aggregates.
  public var sum: PropertyPath<T, AggregateOf<P>> { aggregated(.sum) }

  /// The least value of all; missing if there are none.
  public var minimum: PropertyPath<T, AggregateOf<P>> { aggregated(.minimum) }

  /// The greatest value of all; missing if there are none.
  public var maximum: PropertyPath<T, AggregateOf<P>> { aggregated(.maximum) }

  /// The mean of all values; missing if there are none.
  public var average: PropertyPath<T, Attribute.Optional<Double>.Property> {
    aggregated(.average)
  }

  private func aggregated<Q>(_ aggregate: Predicate.Aggregate) -> PropertyPath<T, Q> {
    require(
      isThroughToMany,
      "\(names.joined(separator: ".")) does not run through a to-many relationship, so there is "
        + "nothing to aggregate")
    return PropertyPath<T, Q>(
      names: names, operand: .aggregate(aggregate, names), isThroughToMany: true)
  }
}

/// The `sum`, `minimum` or `maximum` of a property, compared with values of the property's type.
public enum AggregateOf<P: QueryProperty>: QueryProperty {
  public static func storedValue(of value: P.KeyPathType) -> Value { P.storedValue(of: value) }
}

/// Binds more tightly than arithmetic and comparisons, so that paths need no parentheses.
precedencegroup PropertyPathPrecedence {
  associativity: left
  higherThan: BitwiseShiftPrecedence
}

/// Leads through a relationship: `\.$company ~ \.$name`.
infix operator ~ : PropertyPathPrecedence

/// The property of the object that a relationship leads to: `\.$company ~ \.$name`.
public func ~ <T, R: RelationshipProperty, P: EntityProperty>(
  relationship: any KeyPath<T, R> & Sendable, next: any KeyPath<R.Destination, P> & Sendable
) -> PropertyPath<T, P> {
  PropertyPath(relationship).appending(next)
}

/// Adds a step to a path: `\.$owner ~ \.$company ~ \.$name`.
public func ~ <T, R: RelationshipProperty, P: EntityProperty>(
  path: PropertyPath<T, R>, next: any KeyPath<R.Destination, P> & Sendable
) -> PropertyPath<T, P> {
  path.appending(next)
}
