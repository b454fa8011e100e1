public import Foundation
public import SwiftDatastore

/// Values instead of objects. A value of another type than the requested one is nil; a number that is read as
/// a whole one is truncated. An aggregate has one type by its kind and its property (a count is an `Int`, an
/// average a `Double`, a sum of dates a number), and covers the first objects in their order if a `Tweak`
/// limits them. A sum beyond the range of this type is an `AggregateValueError`. `SelectedValueError` reports
/// a stored value that is not of its property's type.
extension ObjectSource {
  /// The value of the first row; nil when no row is found or its value is missing.
  public func queryValue<O, Value>(_ selection: Selection<O, Value>) throws -> Value? {
    try objectContext.firstRow(selection)
  }

  /// The value of the first row, of a type that may be nil; nil when no row is found or its value is missing.
  public func queryValue<O, Value>(_ selection: Selection<O, Value?>) throws -> Value? {
    try objectContext.firstRow(selection).flatMap(\.self)
  }

  /// The value of the first row of a chain of clauses.
  public func queryValue<O, Value: AttributeValueType>(
    _ query: some QueryChainableBuilderType<O, Value>
  ) throws -> Value? { try queryValue(query.chain.selection) }

  /// The identifier of the first object.
  public func queryValue<O>(
    _ query: some QueryChainableBuilderType<O, DatastoreObjectID>
  ) throws -> DatastoreObjectID? { try objectContext.fetchIDs(query.from.limit(1)).first }

  /// The value of the first row, with clauses as arguments.
  public func queryValue<O, Value: AttributeValueType>(
    _ query: From<O>, _ select: Select<Value>, _ clauses: any QueryClause...
  ) throws -> Value? {
    try queryValue(
      QueryChainBuilder<O, Value>(query, select.selectTerms).appending(contentsOf: clauses))
  }

  /// The value of the first row, with the class in front of the type.
  public func queryValue<O, Value: AttributeValueType>(
    _ query: From<O>, _ select: Select<O, Value>, _ clauses: any QueryClause...
  ) throws -> Value? { try queryValue(query, select, clauses) }

  /// The value of the first row, with the clauses in an array.
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

  /// One dictionary for each row of a chain of clauses.
  public func queryAttributes<O>(
    _ query: some QueryChainableBuilderType<O, NSDictionary>
  ) throws -> [[String: Any]] { try queryAttributes(query.chain.dictionaries) }

  /// One dictionary for each row, with clauses as arguments.
  public func queryAttributes<O>(
    _ query: From<O>, _ select: Select<NSDictionary>, _ clauses: any QueryClause...
  ) throws -> [[String: Any]] {
    try queryAttributes(QueryChainBuilder(query, select.selectTerms).appending(contentsOf: clauses))
  }

  /// One dictionary for each row, with the class in front of the type.
  @_disfavoredOverload public func queryAttributes<O>(
    _ query: From<O>, _ select: Select<O, NSDictionary>, _ clauses: any QueryClause...
  ) throws -> [[String: Any]] { try queryAttributes(query, select, clauses) }

  /// One dictionary for each row, with the clauses in an array.
  @_disfavoredOverload public func queryAttributes<O>(
    _ query: From<O>, _ select: Select<O, NSDictionary>, _ clauses: [any QueryClause]
  ) throws -> [[String: Any]] {
    try queryAttributes(query.select(select).appending(contentsOf: clauses))
  }
}
