/// A question whose answer is a table of values: columns of the objects of one entity, or of groups of them.
package struct ValueQuery: Sendable, Codable {
  /// The name of the entity.
  package let entity: String
  /// The condition on the objects.
  package var predicate: Predicate?
  /// The columns of the answer; those of the groups, if there are groups.
  package var columns: [QueryColumn]
  package var grouping: Grouping?
  /// The order of the rows; for groups, by the columns of `Grouping.schema`.
  package var order: [SortDescriptor]
  /// Whether objects that are equal in the order come by their keys, even if there is no order.
  package var isOrderedByKey = false
  /// The number of rows to skip at the start.
  package var offset: Int
  /// The greatest number of rows; nil means no limit.
  package var limit: Int?

  /// Groups of objects with equal values.
  package struct Grouping: Sendable {
    /// The values that define the groups; empty for one group of all objects.
    package let keys: [QueryColumn]
    /// All columns of a group: the shown ones, and those that only conditions and order use.
    package let columns: [QueryColumn]
    /// The groups as objects of one entity with a property for each of `columns`.
    package let schema: Schema
    /// The condition on groups.
    package var condition: Predicate?
    /// The part of the matching objects that forms the groups; nil for all of them.
    package var window: Window?
  }

  /// A part of the matching objects: a number of them in an order; objects that are equal in it come by key.
  package struct Window: Sendable, Hashable, Codable {
    package let order: [SortDescriptor]
    package let offset: Int
    /// 0 means no limit.
    package let limit: Int

    /// The objects of a request; nil if these are all that meet its condition.
    package init?(_ request: FetchRequest) {
      guard request.offset > 0 || request.limit > 0 else { return nil }
      order = request.sortDescriptors
      offset = request.offset
      limit = request.limit
    }

    /// The objects as a request.
    ///
    /// - Parameters:
    ///   - entity: the name of their entity.
    ///   - predicate: the condition that they meet.
    package func request(of entity: String, where predicate: Predicate?) -> FetchRequest {
      FetchRequest(
        entity: entity, predicate: predicate, sortDescriptors: order, offset: offset, limit: limit)
    }
  }

  /// Likely mistakes in its conditions, as sentences.
  package var advice: [String] {
    (predicate?.advice ?? []) + (grouping?.condition?.advice ?? [])
  }

  /// All columns of all objects.
  package init(entity: String) {
    self.entity = entity
    columns = []
    order = []
    offset = 0
  }
}

/// The parts of a `ValueQuery` as text written by a person.
package struct ValueQueryText: Sendable {
  package var columns: String?
  package var predicate: String?
  package var groupBy: String?
  package var having: String?
  package var order: String?

  package init() {}
}

extension ValueQueryText {
  /// The condition and the order of a request.
  package init(_ request: FetchRequest) {
    predicate = request.predicate?.description
    if !request.sortDescriptors.isEmpty {
      order = request.sortDescriptors.map(\.description).joined(separator: ", ")
    }
  }

  /// All parts in one line: `SELECT name FROM Employee WHERE salary > 3000 ORDER BY name LIMIT 20`.
  ///
  /// - Parameters:
  ///   - entity: the name of the entity.
  ///   - window: the part of the matching objects; nil for all of them.
  ///   - offset: the number of rows to skip at the start.
  ///   - limit: the greatest number of rows; 0 for no limit.
  package func statement(
    from entity: String, among window: ValueQuery.Window? = nil, offset: Int, limit: Int
  ) -> String {
    var predicate = predicate
    var source = PredicateFormatter.name(entity)
    if let window {
      var objects = ValueQueryText(window.request(of: entity, where: nil))
      objects.predicate = predicate
      source = "(\(objects.statement(from: entity, offset: window.offset, limit: window.limit)))"
      predicate = nil
    }
    let clauses = [
      ("SELECT", columns), ("FROM", source), ("WHERE", predicate),
      ("GROUP BY", groupBy), ("HAVING", having), ("ORDER BY", order),
      ("LIMIT", limit > 0 ? String(limit) : nil), ("OFFSET", offset > 0 ? String(offset) : nil),
    ]
    return clauses.compactMap { word, text in text.map { "\(word) \($0)" } }
      .joined(separator: " ")
  }
}

extension ValueQuery.GroupCondition: CustomStringConvertible {
  /// The written form: `avg(salary) > 3000.0`.
  package var description: String {
    "\(term) \(comparator.word) \(PredicateFormatter.literal(value))"
  }
}

extension ValueQuery.GroupOrder: CustomStringConvertible {
  /// The written form: `count(*) desc`.
  package var description: String { "\(term)\(options.text)\(isAscending ? "" : " desc")" }
}
