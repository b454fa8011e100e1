extension ValueQuery {
  /// The rows of the answer: the groups that meet the condition on groups, in the order of the query.
  ///
  /// - Parameters:
  ///   - groups: the values of all columns of each group.
  ///   - grouping: the grouping of the query.
  /// - Throws: an error if a text exhausts a regular expression in the condition.
  func rows(
    ofGroups groups: [[Value]], _ grouping: Grouping
  ) throws(RegularExpression.Exhaustion) -> [[Value]] {
    var kept: [(values: [Value], compared: [Value])] = []
    for (place, values) in groups.enumerated() {
      let subject = GroupSubject(schema: grouping.schema, place: place, values: values)
      if let condition = grouping.condition, try !condition.evaluate(with: subject) { continue }
      kept.append((values, order.map { $0.value(of: subject) }))
    }
    let sorted = kept.indices.sorted { left, right in
      for (index, descriptor) in order.enumerated() {
        let ordering = descriptor.compare(kept[left].compared[index], kept[right].compared[index])
        if ordering != .same { return ordering == .ascending }
      }
      return left < right
    }
    let rest = sorted.dropFirst(max(offset, 0))
    let shown = columns.map { column in
      grouping.columns.firstIndex { $0.name == column.name }
    }
    return (limit.map { rest.prefix(max($0, 0)) } ?? rest).map { index in
      shown.map { $0.map { kept[index].values[$0] } ?? .null }
    }
  }
}

/// A group, as the subject of conditions and orders on groups.
private struct GroupSubject: PredicateSubject {
  let schema: Schema
  let place: Int
  let values: [Value]

  var predicateEntity: Entity { schema.entities[0] }
  var predicateSchema: Schema { schema }
  var predicateKey: RowKey { RowKey(Int64(place)) }

  func predicateValue(_ property: String) -> Value {
    predicateEntity.slot(named: property).map { values[$0.rawValue] } ?? .null
  }

  func predicateRelated(_ relationship: String) -> [any PredicateSubject] { [] }
}
