import Basics

/// Queries that are built in code, not parsed from a text.
extension ValueQuery {
  /// Values of each object of a request, in its order; by key without one.
  ///
  /// - Parameter terms: the columns of a row, values of each object.
  package init(
    _ terms: [QueryColumn.Term], of request: FetchRequest, from entity: Entity, in schema: Schema
  ) {
    self.init(entity: entity.name)
    predicate = request.predicate
    columns = terms.map { QueryColumn($0, from: entity, in: schema) }
    order = request.sortDescriptors
    isOrderedByKey = true
    offset = request.offset
    limit = request.limit > 0 ? request.limit : nil
  }

  /// Values of groups of the objects that meet the condition of a request, whose offset and limit count
  /// groups.
  ///
  /// - Parameters:
  ///   - terms: the columns of a row: keys of the groups, and aggregates.
  ///   - request: the objects.
  ///   - keys: the values that the objects of a group share; empty for one group of all.
  ///   - conditions: the conditions that a group must meet, all of them.
  ///   - order: the order; groups that are equal in it come by ascending keys.
  ///   - window: the part of the objects that counts; all of them if nil.
  package init(
    _ terms: [QueryColumn.Term], of request: FetchRequest, groupedBy keys: [QueryColumn.Term],
    having conditions: [GroupCondition], orderedBy order: [GroupOrder], window: Window? = nil,
    from entity: Entity, in schema: Schema
  ) {
    func column(_ term: QueryColumn.Term) -> QueryColumn {
      QueryColumn(term, from: entity, in: schema)
    }
    self.init(entity: entity.name)
    predicate = request.predicate
    offset = request.offset
    limit = request.limit > 0 ? request.limit : nil
    columns = terms.map(column)
    let others = conditions.map { column($0.term) } + order.map { column($0.term) }
    var grouping = Self.grouping(keys: keys.map(column), shown: &columns, others)
    func path(_ term: QueryColumn.Term) -> [String] {
      guard let known = grouping.columns.first(where: { $0.term == term }) else {
        trap("the groups have a column for each term")
      }
      return [known.name]
    }
    let comparisons = conditions.map { condition in
      Predicate.comparison(
        Predicate.Comparison(
          .keyPath(path(condition.term)), condition.comparator, .value(condition.value)))
    }
    if !comparisons.isEmpty { grouping.condition = .and(comparisons) }
    grouping.window = window
    self.grouping = grouping
    self.order = order.map {
      SortDescriptor(path($0.term), ascending: $0.isAscending, options: $0.options)
    }
    for key in keys where !order.contains(where: { $0.term == key && $0.options.isEmpty }) {
      self.order.append(SortDescriptor(path(key)))
    }
  }

  /// A condition on groups: the term compared with a value.
  package struct GroupCondition: Sendable, Hashable {
    package let term: QueryColumn.Term
    package let comparator: Predicate.Comparator
    package let value: Value

    package init(_ term: QueryColumn.Term, _ comparator: Predicate.Comparator, _ value: Value) {
      self.term = term
      self.comparator = comparator
      self.value = value
    }
  }

  /// One key of an order of groups.
  package struct GroupOrder: Sendable, Hashable {
    package let term: QueryColumn.Term
    package let isAscending: Bool
    package let options: Predicate.StringOptions

    package init(
      _ term: QueryColumn.Term, isAscending: Bool, options: Predicate.StringOptions = []
    ) {
      self.term = term
      self.isAscending = isAscending
      self.options = options
    }
  }

  /// The columns of the groups: the shown ones, the keys, and those that only conditions and orders use.
  static func grouping(
    keys: [QueryColumn], shown: inout [QueryColumn], _ others: [QueryColumn]
  ) -> Grouping {
    var names: Set<String> = []
    for index in shown.indices { shown[index].name = names.free(shown[index].name) }
    let hidden = keys + others
    var all = shown
    for var column in hidden where !all.contains(where: { $0.term == column.term }) {
      column.name = names.free(column.name)
      all.append(column)
    }
    var aliases: [String: [String]] = [:]
    for column in (shown + hidden).reversed() {
      guard let known = all.first(where: { $0.term == column.term }) else { continue }
      for name in [column.name, column.canonicalName] { aliases[name] = [known.name] }
    }
    if let count = aliases["count(*)"] {
      for name in ["count", "count()"] where aliases[name] == nil { aliases[name] = count }
    }
    for column in all { aliases[column.name] = nil }
    let properties = all.map { column -> PropertyDescription in
      var attribute = AttributeDescription(
        name: column.name, type: column.type, declaredType: column.declaredType)
      attribute.dateConvention = column.dates
      return .attribute(attribute)
    }
    do {
      let groups = EntityDescription(
        name: "The result", properties: properties, isReadOnly: true, aliases: aliases)
      return Grouping(keys: keys, columns: all, schema: try Schema([groups]))
    } catch {
      trap("names were made unique, so the schema of groups has no faults: \(error)")
    }
  }
}

extension Set<String> {
  /// Reserves the name, with a number appended if it is already taken.
  fileprivate mutating func free(_ name: String) -> String {
    let base = name.isEmpty ? "column" : name
    var candidate = base
    var number = 2
    while !insert(candidate).inserted {
      candidate = "\(base)_\(number)"
      number += 1
    }
    return candidate
  }
}
