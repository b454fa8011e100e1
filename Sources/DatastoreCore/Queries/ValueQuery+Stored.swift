/// Queries that read stored values unchanged.
extension ValueQuery {
  /// The attributes behind the columns, nil for the key, if the query asks for all rows in any order;
  /// otherwise nil.
  package func storedSlots(of entity: Entity) -> [Slot?]? {
    guard predicate == nil, grouping == nil, order.isEmpty, limit == nil, offset <= 0,
      !columns.isEmpty
    else { return nil }
    var slots: [Slot?] = []
    for column in columns {
      if column.term == .key([]) {
        slots.append(nil)
      } else if let slot = entity.storedSlot(of: column.term) {
        slots.append(slot)
      } else {
        return nil
      }
    }
    return slots
  }
}

extension Entity {
  /// The attribute whose stored cells are the value, or are aggregated.
  package func storedSlot(of term: QueryColumn.Term) -> Slot? {
    let operand: Predicate.Operand
    let isComputed: Bool
    switch term {
    case .value(let value): (operand, isComputed) = (value, false)
    case .aggregate(_, let value): (operand, isComputed) = (value, true)
    case .everything, .key, .countRows, .count, .countDistinct: return nil
    }
    guard case .keyPath(let path) = operand, path.count == 1, let slot = slot(named: path[0]),
      let attribute = properties[slot].attribute, !(isComputed && attribute.type == .decimal)
    else { return nil }
    return slot
  }
}
