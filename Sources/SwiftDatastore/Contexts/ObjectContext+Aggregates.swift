import Basics
public import DatastoreCore

/// Aggregates that the store computes from saved objects: unsaved changes do not count.
extension ObjectContext {
  /// One aggregate over all objects that meet a condition.
  ///
  /// ```swift
  /// let total = try context.aggregate(.sum(\.$salary), of: Employee.self, where: \.$age > 30)
  /// ```
  ///
  /// - Returns: nil if there are no values to compute it from.
  /// - Throws: `AggregateValueError` for a sum that its type cannot hold; `UnknownEntityError`; `StoreError`
  ///   when the store cannot be read.
  public func aggregate<T: DatastoreObject, Result>(
    _ aggregate: Aggregate<T, Result>, of type: T.Type = T.self, where condition: Where<T>? = nil
  ) throws -> Result? {
    let row: Result?? = try firstRow(From(where: condition).select(aggregate))
    return row ?? nil
  }

  /// Aggregates over groups of objects that share the value of a property, by ascending value.
  ///
  /// ```swift
  /// for row in try context.aggregates(.count(), .average(\.$salary), of: Employee.self,
  ///   groupBy: \.$position, having: [Having(.count(), .greaterThan, 3)])
  /// {
  ///   let (count, average) = row.values
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - aggregates: the aggregates of each group.
  ///   - type: the class.
  ///   - group: the property whose value the objects of a group share.
  ///   - condition: which objects count; all if nil.
  ///   - conditions: the conditions that a group must meet, all of them.
  /// - Returns: for each group the shared value (nil for objects without one), and the aggregates in their
  ///   order.
  /// - Throws: `AggregateValueError` for a sum that its type cannot hold; `UnknownEntityError`; `StoreError`
  ///   when the store cannot be read.
  public func aggregates<T: DatastoreObject, G: FetchableProperty, each Result>(
    _ aggregates: repeat Aggregate<T, each Result>, of type: T.Type = T.self,
    groupBy group: any KeyPath<T, G> & Sendable, where condition: Where<T>? = nil,
    having conditions: [Having<T>] = []
  ) throws -> [(group: G.FetchedValue?, values: (repeat (each Result)?))] {
    let groups = try self.aggregates(
      repeat each aggregates, of: type, groupBy: [PropertyToFetch(group)], where: condition,
      having: conditions)
    return groups.map {
      (group: G.FetchedValue(storedValue: $0.group.values[0]), values: $0.values)
    }
  }

  /// Aggregates over groups of objects that share the values of several attributes, by ascending
  /// values.
  ///
  /// ```swift
  /// for row in try context.aggregates(.count(), of: Employee.self,
  ///   groupBy: [.init(\.$position), .init(\.$age)])
  /// {
  ///   print(row.group[\.$position], row.group[\.$age], row.values)
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - aggregates: the aggregates of each group.
  ///   - type: the class.
  ///   - properties: the attributes; without any, all objects are one group.
  ///   - condition: which objects count; all if nil.
  ///   - conditions: the conditions that a group must meet, all of them.
  /// - Returns: for each group the shared values, and the aggregates in their order.
  /// - Throws: `AggregateValueError` for a sum that its type cannot hold; `UnknownEntityError`; `StoreError`
  ///   when the store cannot be read.
  public func aggregates<T: DatastoreObject, each Result>(
    _ aggregates: repeat Aggregate<T, each Result>, of type: T.Type = T.self,
    groupBy properties: [PropertyToFetch<T>], where condition: Where<T>? = nil,
    having conditions: [Having<T>] = []
  ) throws -> [(group: GroupValues<T>, values: (repeat (each Result)?))] {
    // No key paths: within a parameter pack they cannot be made at run time.
    let names = properties.map { $0.name }
    let groups = GroupedQuery<T, GroupValues<T>>(
      request: From(where: condition).request, keys: properties.map { .value($0.operand) }
    ) { row in
      GroupValues(names: names, values: names.map { _ in row.stored() })
    }
    return try rows(groups.having(conditions).select(repeat each aggregates))
  }

  /// The number of rows in each group that shares the values of paths, by ascending values: the values, then
  /// the number. Paths may lead through to-one relationships (`["company", "name"]`); the value of a to-one
  /// relationship is the key of its object.
  ///
  /// - Throws: `StoreError` for paths that lead to no single value, or when the store cannot be read.
  public func countGroups(_ request: FetchRequest, by paths: [[String]]) throws -> [[Value]] {
    let request = try core.resolved(request)
    let keys = try core.terms(paths, of: request)
    return try core.stored(
      ValueQuery(
        keys + [.countRows], of: FetchRequest(entity: request.entity, predicate: request.predicate),
        groupedBy: keys, having: [], orderedBy: [], from: core.entity(named: request.entity),
        in: core.graph.schema))
  }
}

/// The values that the objects of a group share.
public struct GroupValues<T: DatastoreObject>: Sendable {
  let names: [String]
  let values: [Value]

  /// The value of one of the grouping attributes; nil if it is missing. Traps for other attributes.
  /// O(attributes).
  public subscript<P: FetchableProperty>(
    _ keyPath: any KeyPath<T, P> & Sendable
  ) -> P.FetchedValue? {
    let name = PropertyPath(keyPath).operand.propertyName
    guard let index = names.firstIndex(of: name) else {
      trap("the groups were not made by “\(name)”")
    }
    return P.FetchedValue(storedValue: values[index])
  }
}
