/// A question whose answer is a table of values: columns of the objects of one entity, or of groups
/// of them.
package struct ValueQuery: Sendable, Codable {
  /// The name of the entity.
  package let entity: String
  /// Which objects are asked about.
  package var predicate: Predicate?
  /// The columns of the answer; those of the groups, where there are groups.
  package var columns: [QueryColumn]
  package var grouping: Grouping?
  /// The order of the rows: of groups by the columns of `Grouping.schema`.
  package var order: [SortDescriptor]
  /// Whether objects that are equal in the order come by their keys, also where there is no order.
  package var isOrderedByKey = false
  /// Rows of the answer that are left out at the start.
  package var offset: Int
  /// Most rows of the answer; nil means no limit.
  package var limit: Int?

  /// Objects put together by equal values.
  package struct Grouping: Sendable {
    /// The values that make the groups; none for one group of all objects.
    package let keys: [QueryColumn]
    /// All that is computed for a group: what is shown, and what only conditions and order ask for.
    package let columns: [QueryColumn]
    /// The groups as objects of one entity with a property for each of `columns`.
    package let schema: Schema
    /// Which groups are kept.
    package var condition: Predicate?
    /// Which of the objects that meet the condition of the query the groups are made of; nil for all of them.
    package var window: Window?
  }

  /// Some of the objects that meet a condition: so many of them in an order, objects that are equal in it by
  /// key.
  package struct Window: Sendable, Hashable, Codable {
    package let order: [SortDescriptor]
    package let offset: Int
    /// 0 means no limit.
    package let limit: Int

    /// The objects of a request; nil where these are all that meet its condition.
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

  /// What is hardly meant in its conditions, as sentences.
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

/// The parts of a `ValueQuery` as a person writes them.
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
  ///   - window: which objects that meet the condition are asked about; nil for all of them.
  ///   - offset: rows that are left out at the start.
  ///   - limit: most rows; 0 for no limit.
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
  /// As it is written: `avg(salary) > 3000.0`.
  package var description: String {
    "\(term) \(comparator.word) \(PredicateFormatter.literal(value))"
  }
}

extension ValueQuery.GroupOrder: CustomStringConvertible {
  /// As it is written: `count(*) desc`.
  package var description: String { "\(term)\(options.text)\(isAscending ? "" : " desc")" }
}
