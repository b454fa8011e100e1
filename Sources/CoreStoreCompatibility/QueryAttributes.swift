import DatastoreCore
public import SwiftDatastore

/// One value of the dictionaries that `queryAttributes` gives, and its key there.
public struct SelectedAttribute<T: DatastoreObject>: Sendable {
  let key: String
  let term: QueryColumn.Term
  let read: @Sendable (SelectedRow) -> Any?

  private init(_ property: PropertyToFetch<T>, _ alias: String?) {
    key = alias ?? property.name
    term = .value(property.operand)
    read = { property.typed($0.stored()) }
  }

  private init<Value: AttributeValueType>(
    _ aggregate: Aggregate<T, Value>, _ name: String, of property: PropertyToFetch<T>,
    _ alias: String?
  ) {
    key = alias ?? "\(name)(\(property.name))"
    term = aggregate.term
    read = { Value(storedValue: $0.stored()) }
  }
}

extension SelectedAttribute {
  /// An attribute; the raw value of an enum.
  ///
  /// - Parameters:
  ///   - keyPath: the attribute, or the number of related objects, like `\.$friends.count`.
  ///   - alias: its key; the name of the property without it.
  public static func attribute<P: FetchableProperty>(
    _ keyPath: any KeyPath<T, P> & Sendable, as alias: String? = nil
  ) -> SelectedAttribute {
    SelectedAttribute(PropertyToFetch(keyPath), alias)
  }

  /// The number of objects that have a value.
  ///
  /// - Parameters:
  ///   - keyPath: the attribute.
  ///   - alias: its key; `count(age)` without it.
  public static func count<P: FetchableProperty & ComparableProperty>(
    _ keyPath: any KeyPath<T, P> & Sendable, as alias: String? = nil
  ) -> SelectedAttribute {
    SelectedAttribute(Aggregate.count(keyPath), "count", of: PropertyToFetch(keyPath), alias)
  }

  /// The mean of the numbers, a `Double`.
  ///
  /// - Parameters:
  ///   - keyPath: the attribute.
  ///   - alias: its key; `average(age)` without it.
  public static func average<P: FetchableProperty>(
    _ keyPath: any KeyPath<T, P> & Sendable, as alias: String? = nil
  ) -> SelectedAttribute {
    SelectedAttribute(Aggregate.average(keyPath), "average", of: PropertyToFetch(keyPath), alias)
  }

  /// The greatest value.
  ///
  /// - Parameters:
  ///   - keyPath: the attribute.
  ///   - alias: its key; `max(age)` without it.
  public static func maximum<P: FetchableProperty>(
    _ keyPath: any KeyPath<T, P> & Sendable, as alias: String? = nil
  ) -> SelectedAttribute {
    SelectedAttribute(
      Aggregate<T, P.FetchedValue>.maximum(keyPath), "max", of: PropertyToFetch(keyPath), alias)
  }

  /// The least value.
  ///
  /// - Parameters:
  ///   - keyPath: the attribute.
  ///   - alias: its key; `min(age)` without it.
  public static func minimum<P: FetchableProperty>(
    _ keyPath: any KeyPath<T, P> & Sendable, as alias: String? = nil
  ) -> SelectedAttribute {
    SelectedAttribute(
      Aggregate<T, P.FetchedValue>.minimum(keyPath), "min", of: PropertyToFetch(keyPath), alias)
  }

  /// The sum of the numbers. One that the type of the attribute cannot hold has no key.
  ///
  /// - Parameters:
  ///   - keyPath: the attribute.
  ///   - alias: its key; `sum(age)` without it.
  public static func sum<P: FetchableProperty>(
    _ keyPath: any KeyPath<T, P> & Sendable, as alias: String? = nil
  ) -> SelectedAttribute {
    SelectedAttribute(
      Aggregate<T, P.FetchedValue>.sum(keyPath), "sum", of: PropertyToFetch(keyPath), alias)
  }
}

/// Which values of which objects `queryAttributes` gives: what `select` of a query makes.
public struct AttributesQuery<T: DatastoreObject>: Sendable {
  private var query: From<T>
  private let attributes: [SelectedAttribute<T>]
  private var groupKeys: [QueryColumn.Term] = []

  init(_ query: From<T>, _ attributes: [SelectedAttribute<T>]) {
    self.query = query
    self.attributes = attributes
  }

  /// Only of objects that meet the condition, as well as those of earlier calls.
  ///
  /// - Parameter condition: which objects.
  public func `where`(_ condition: Where<T>) -> AttributesQuery {
    changed { $0.query = query.where(condition) }
  }

  /// In this order, within that of earlier calls. Groups are ordered by what they share.
  ///
  /// - Parameter keys: what is compared first, second and so on.
  public func orderBy(_ keys: OrderBy<T>...) -> AttributesQuery {
    changed { $0.query = query.orderBy(keys) }
  }

  /// One dictionary for each group of objects that share the value of an attribute, and those of earlier calls. What
  /// is selected beside aggregates is what the groups share; anything else traps when the query is asked.
  ///
  /// - Parameter keyPath: the attribute.
  public func groupBy<P: FetchableProperty>(
    _ keyPath: any KeyPath<T, P> & Sendable
  ) -> AttributesQuery {
    changed { $0.groupKeys.append(.value(PropertyToFetch<T>(keyPath).operand)) }
  }

  private func changed(_ change: (inout AttributesQuery) -> Void) -> AttributesQuery {
    var query = self
    change(&query)
    return query
  }

  /// Aggregates without groups are those of all objects.
  var selection: Selection<T, [String: Any]> {
    let isGrouped = !groupKeys.isEmpty || attributes.contains { $0.term.isAggregate }
    if isGrouped {
      for attribute in attributes where !attribute.term.isAggregate {
        precondition(
          groupKeys.contains(attribute.term),
          "\(attribute.term) is selected beside aggregates, but the objects of a group do not share it; add it with "
            + "`groupBy`")
      }
    }
    return Selection(
      request: query.request, columns: attributes.map(\.term),
      groupKeys: isGrouped ? groupKeys : nil, having: [], groupOrder: []
    ) { [attributes] row in
      var values: [String: Any] = [:]
      for attribute in attributes {
        // Each value is read, as the row goes on to the next one with it.
        if let value = attribute.read(row) { values[attribute.key] = value }
      }
      return values
    }
  }
}

extension From {
  /// Values of each object, or of each group of them, for `queryAttributes`.
  ///
  /// - Parameters:
  ///   - attribute: a value.
  ///   - others: more of them.
  public func select(
    _ attribute: SelectedAttribute<T>, _ others: SelectedAttribute<T>...
  ) -> AttributesQuery<T> {
    AttributesQuery(self, [attribute] + others)
  }
}

extension ObjectContext {
  /// Values in place of objects, one dictionary for each row. A missing value has no key. Unsaved changes do not count.
  /// `rows(_:)` gives tuples, in which every value has its type.
  ///
  /// ```swift
  /// let ages = try transaction.queryAttributes(
  ///   From<Person>()
  ///     .select(.attribute(\.$age), .count(\.$age, as: "count"))
  ///     .groupBy(\.$age))
  /// ```
  ///
  /// - Parameter query: which values of which objects.
  /// - Throws: `UnknownEntityError`; `StoreError` when the store cannot be read.
  public func queryAttributes<O: DatastoreObject>(
    _ query: AttributesQuery<O>
  ) throws -> [[String: Any]] {
    try rows(query.selection)
  }
}

@MainActor
extension DataStack {
  /// Values of saved objects in place of objects, one dictionary for each row. A missing value has no key.
  ///
  /// - Parameter query: which values of which objects.
  /// - Throws: `CoreStoreError.persistentStoreNotFound` without a storage; otherwise like `queryAttributes` of a context.
  public func queryAttributes<O: DatastoreObject>(
    _ query: AttributesQuery<O>
  ) throws -> [[String: Any]] {
    try datastore.sharedViewContext.queryAttributes(query)
  }
}
