import Basics
import DatastoreCore

/// The values, and the objects they are read from, for `dictionaries(_:)` of a context; `dictionaries(_:)` of
/// a query makes it.
public struct DictionaryQuery<T: DatastoreObject>: Sendable {
  /// The objects and their order.
  package var query: From<T>
  private let attributes: [SelectedAttribute<T>]
  private var groupKeys: [QueryColumn.Term] = []

  init(_ query: From<T>, _ attributes: [SelectedAttribute<T>]) {
    self.query = query
    self.attributes = attributes
  }

  /// Keeps only objects that meet the condition, besides the conditions of earlier calls.
  ///
  /// - Parameter condition: the condition.
  public func `where`(_ condition: Where<T>) -> DictionaryQuery {
    changed { $0.query = query.where(condition) }
  }

  /// Adds keys to the order, less significant than those of earlier calls. Groups are ordered by the values
  /// they share. The single row of aggregates without groups is computed from the first objects in this order
  /// if the query has a limit or an offset.
  ///
  /// - Parameter keys: the keys of the order, the most significant first.
  public func orderBy(_ keys: OrderBy<T>...) -> DictionaryQuery {
    changed { $0.query = query.orderBy(keys) }
  }

  /// Makes one dictionary for each group of objects that share the value of an attribute, and those of
  /// earlier calls. Besides aggregates, only the shared attributes can be selected; any other traps when the
  /// query runs.
  ///
  /// - Parameter keyPath: the attribute.
  public func groupBy<P: FetchableProperty>(
    _ keyPath: any KeyPath<T, P> & Sendable
  ) -> DictionaryQuery {
    changed { $0.groupKeys.append(.value(PropertyToFetch<T>(keyPath).operand)) }
  }

  /// Groups by several attributes.
  ///
  /// - Parameter attributes: the attributes.
  public func groupBy(_ attributes: [SelectedAttribute<T>]) -> DictionaryQuery {
    changed { $0.groupKeys += attributes.map(\.term) }
  }

  private func changed(_ change: (inout DictionaryQuery) -> Void) -> DictionaryQuery {
    var query = self
    change(&query)
    return query
  }

  var selection: Selection<T, [String: Any]> {
    selection(of: attributes) { [attributes] row in
      var values: [String: Any] = [:]
      for attribute in attributes {
        // Reads every value, since reading advances the row to the next one.
        if let value = try attribute.read(row) { values[attribute.key] = value }
      }
      return values
    }
  }

  /// The first value of each row, read by `read` from its term and the type of its aggregate.
  package func firstColumn<Value>(
    _ read:
      @escaping @Sendable (SelectedRow, QueryColumn.Term, (any AttributeValueType.Type)?)
      throws -> Value
  ) -> Selection<T, Value> {
    let attribute = attributes[0]
    return selection(of: [attribute]) { try read($0, attribute.term, attribute.aggregateType) }
  }

  /// Aggregates without groups cover all objects, or the first ones in the order of a query with a limit.
  private func selection<Row>(
    of attributes: [SelectedAttribute<T>],
    _ read: @escaping @Sendable (SelectedRow) throws -> Row
  ) -> Selection<T, Row> {
    let hasAggregates = attributes.contains { $0.term.isAggregate }
    if hasAggregates || !groupKeys.isEmpty {
      for attribute in attributes where !attribute.term.isAggregate {
        require(
          groupKeys.contains(attribute.term),
          "\(attribute.term) is selected beside aggregates, but the objects of a group do not share it; add it with "
            + "`groupBy`")
      }
    }
    let columns = attributes.map(\.term)
    if hasAggregates, groupKeys.isEmpty {
      return Selection(computing: columns, of: query.request, read: read)
    }
    return Selection(
      request: query.request, columns: columns, groupKeys: groupKeys.isEmpty ? nil : groupKeys,
      having: [], groupOrder: [], read: read)
  }
}

extension From {
  /// Values of each object, or of each group of objects, for columns that are known only at run time.
  ///
  /// - Parameter attributes: the values.
  public func dictionaries(_ attributes: SelectedAttribute<T>...) -> DictionaryQuery<T> {
    dictionaries(attributes)
  }

  /// The same with the values in an array.
  ///
  /// - Parameter attributes: the values.
  public func dictionaries(_ attributes: [SelectedAttribute<T>]) -> DictionaryQuery<T> {
    DictionaryQuery(self, attributes)
  }
}

extension ObjectContext {
  /// Values instead of objects, one dictionary for each row. A missing value has no key. Unsaved changes do
  /// not count. `rows(_:)` returns tuples, in which every value has its type.
  ///
  /// ```swift
  /// let ages = try context.dictionaries(
  ///   From<Person>()
  ///     .dictionaries(.attribute(\.$age), .count(\.$age, as: "count"))
  ///     .groupBy(\.$age))
  /// ```
  ///
  /// - Parameter query: the objects and their values.
  /// - Throws: `AggregateValueError` for a sum that its type cannot hold; `UnknownEntityError`; `StoreError`
  ///   when the store cannot be read.
  public func dictionaries<T: DatastoreObject>(
    _ query: DictionaryQuery<T>
  ) throws -> [[String: Any]] {
    try rows(query.selection)
  }
}
