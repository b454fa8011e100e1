/// A condition that only objects can meet whose attribute has one of some values.
package struct ValueLookup {
  package let slot: Slot
  package let values: [Value]

  /// - Returns: nil if the condition does not require that.
  init?(_ predicate: Predicate?, _ entity: Entity) {
    switch predicate {
    case .and(let parts):
      for part in parts {
        if let lookup = ValueLookup(part, entity) {
          self = lookup
          return
        }
      }
      return nil
    case .comparison(let comparison):
      self.init(comparison, entity)
    default: return nil
    }
  }

  private init?(_ comparison: Predicate.Comparison, _ entity: Entity) {
    guard comparison.quantifier == .direct, comparison.options.isEmpty,
      case .keyPath(let path) = comparison.left, path.count == 1,
      let slot = entity.slot(named: path[0]),
      let attribute = entity.properties[slot].attribute
    else { return nil }
    self.slot = slot
    switch (comparison.comparator, comparison.right) {
    case (.equal, .value(let value)): values = [value]
    case (.in, .list(let members)):
      var listed: [Value] = []
      for member in members {
        guard case .value(let value) = member else { return nil }
        listed.append(value)
      }
      values = listed
    default: return nil
    }
    guard values.allSatisfy({ Self.isExact($0, attribute.type) }) else { return nil }
  }

  /// Whether a value of an attribute is equal to the constant only if both are the same value: other types
  /// are compared by rules of their own.
  private static func isExact(_ value: Value, _ type: AttributeType) -> Bool {
    switch (type, value) {
    case (.boolean, .integer), (.integer8, .integer), (.integer16, .integer),
      (.integer32, .integer),
      (.integer64, .integer), (.string, .text), (.uuid, .blob), (.uuid, .text), (.data, .blob):
      true
    default: false
    }
  }
}

extension FetchRequest {
  /// The unique attribute whose value the request asks for, and the value, which no more than one object has;
  /// nil if it asks for anything else.
  package func uniqueLookup(in entity: Entity) -> (slot: Slot, value: Value)? {
    guard offset == 0, case .comparison = predicate, let lookup = ValueLookup(predicate, entity),
      lookup.values.count == 1, entity.properties[lookup.slot].attribute?.isUnique == true
    else { return nil }
    return (lookup.slot, lookup.values[0])
  }
}
