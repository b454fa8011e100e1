public import Foundation
public import SwiftDatastore

/// Values in place of objects. A value of another type than the one asked for is nil; a number that is read
/// as a whole one is cut. An aggregate has one type by its kind and its property (a count is an `Int`, an
/// average a `Double`, a sum of dates a number), and is of the first objects in their order where a `Tweak`
/// limits them. A sum that this type of its own cannot hold is an `AggregateValueError`. `SelectedValueError`
/// is a stored value that is not of its property's type.
extension ObjectSource {
  /// The value of the first row; nil when no row is found or its value is missing.
  public func queryValue<O, Value>(_ selection: Selection<O, Value>) throws -> Value? {
    try objectContext.firstRow(selection)
  }

  /// The same for a value that may be missing.
  public func queryValue<O, Value>(_ selection: Selection<O, Value?>) throws -> Value? {
    try objectContext.firstRow(selection).flatMap(\.self)
  }

  /// The same for a chain of clauses.
  public func queryValue<O, Value: AttributeValueType>(
    _ query: some QueryChainableBuilderType<O, Value>
  ) throws -> Value? { try queryValue(query.chain.selection) }

  /// The identifier of the first object.
  public func queryValue<O>(
    _ query: some QueryChainableBuilderType<O, DatastoreObjectID>
  ) throws -> DatastoreObjectID? { try objectContext.fetchIDs(query.from.limit(1)).first }

  /// The same with clauses as arguments.
  public func queryValue<O, Value: AttributeValueType>(
    _ query: From<O>, _ select: Select<Value>, _ clauses: any QueryClause...
  ) throws -> Value? {
    try queryValue(
      QueryChainBuilder<O, Value>(query, select.selectTerms).appending(contentsOf: clauses))
  }

  /// The same with the class in front of the type.
  public func queryValue<O, Value: AttributeValueType>(
    _ query: From<O>, _ select: Select<O, Value>, _ clauses: any QueryClause...
  ) throws -> Value? { try queryValue(query, select, clauses) }

  /// The same with the clauses in an array.
  public func queryValue<O, Value: AttributeValueType>(
    _ query: From<O>, _ select: Select<O, Value>, _ clauses: [any QueryClause]
  ) throws -> Value? { try queryValue(query.select(select).appending(contentsOf: clauses)) }

  /// The identifier of the first object.
  public func queryValue<O>(
    _ query: From<O>, _ select: Select<O, DatastoreObjectID>, _ clauses: any QueryClause...
  ) throws -> DatastoreObjectID? {
    try queryValue(query.select(select).appending(contentsOf: clauses))
  }

  /// One dictionary for each row: `dictionaries(_:)`. A missing value has no key.
  public func queryAttributes<O>(_ query: DictionaryQuery<O>) throws -> [[String: Any]] {
    try objectContext.dictionaries(query)
  }

  /// The same for a chain of clauses.
  public func queryAttributes<O>(
    _ query: some QueryChainableBuilderType<O, NSDictionary>
  ) throws -> [[String: Any]] { try queryAttributes(query.chain.dictionaries) }

  /// The same with clauses as arguments.
  public func queryAttributes<O>(
    _ query: From<O>, _ select: Select<NSDictionary>, _ clauses: any QueryClause...
  ) throws -> [[String: Any]] {
    try queryAttributes(QueryChainBuilder(query, select.selectTerms).appending(contentsOf: clauses))
  }

  /// The same with the class in front of the type.
  @_disfavoredOverload public func queryAttributes<O>(
    _ query: From<O>, _ select: Select<O, NSDictionary>, _ clauses: any QueryClause...
  ) throws -> [[String: Any]] { try queryAttributes(query, select, clauses) }

  /// The same with the clauses in an array.
  @_disfavoredOverload public func queryAttributes<O>(
    _ query: From<O>, _ select: Select<O, NSDictionary>, _ clauses: [any QueryClause]
  ) throws -> [[String: Any]] {
    try queryAttributes(query.select(select).appending(contentsOf: clauses))
  }
}
