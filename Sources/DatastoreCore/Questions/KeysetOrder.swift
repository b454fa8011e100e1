/// An order in which the rows after a known row can be found by its values: by a condition that an index
/// answers, however many rows come before it.
///
/// Each key of the order is a property of the rows themselves. Rows that are equal in all of them are ordered
/// by their row keys.
package struct KeysetOrder: Sendable, Hashable, Codable {
  /// The properties to compare, each once.
  private let descriptors: [SortDescriptor]
  /// Whether rows that are equal in these come by ascending row key.
  private let isKeyAscending: Bool

  /// nil for orders that have to be computed, or whose values are not compared in stored form.
  package init?(_ descriptors: [SortDescriptor], of entity: Entity) {
    var distinct: [SortDescriptor] = []
    var isKeyAscending = true
    for descriptor in descriptors {
      guard descriptor.options.isEmpty, let path = descriptor.keyPath else { return nil }
      if path.isEmpty {
        // No two rows are equal in this key.
        isKeyAscending = descriptor.ascending
        break
      }
      guard path.count == 1, let slot = entity.slot(named: path[0]),
        !(entity.links[slot]?.kind.isToMany ?? false),
        entity.properties[slot].attribute?.type != .decimal
      else { return nil }
      if !distinct.contains(where: { $0.keyPath == path }) { distinct.append(descriptor) }
    }
    self.init(distinct, isKeyAscending: isKeyAscending)
  }

  private init(_ descriptors: [SortDescriptor], isKeyAscending: Bool) {
    self.descriptors = descriptors
    self.isKeyAscending = isKeyAscending
  }

  package var reversed: KeysetOrder {
    KeysetOrder(
      descriptors.map { SortDescriptor($0.operand, ascending: !$0.ascending) },
      isKeyAscending: !isKeyAscending)
  }

  /// Whether it consists of the row keys alone, ascending.
  package var isOfKeys: Bool { descriptors.isEmpty && isKeyAscending }

  /// The properties whose values determine the place of a row, besides its key.
  package var paths: [[String]] { descriptors.compactMap(\.keyPath) }

  /// A contiguous part of a list.
  package struct Part: Sendable, Hashable {
    package let condition: Predicate?
    /// Their order, without the properties that they share.
    package let order: [SortDescriptor]

    /// The rows of a request that are in the part.
    package func of(_ request: FetchRequest) -> FetchRequest {
      var part = request
      part.predicate = .conjunction([request.predicate, condition])
      part.sortDescriptors = order
      return part
    }
  }

  /// The rows that have a value of the first property: the part that needs an index in this order.
  package var indexedPart: Part {
    Part(condition: descriptors.first.map(isPresent), order: order(from: 0))
  }

  /// The parts that make up a list: every engine's index has rows without a value in a separate place.
  package var parts: [Part] {
    guard let first = descriptors.first else { return [indexedPart] }
    let missing = Part(condition: isMissing(first), order: order(from: 1))
    return first.ascending ? [missing, indexedPart] : [indexedPart, missing]
  }

  /// The parts that make up the rows after a row, in order: rows that are equal in all but the last property,
  /// in all but the last two, and so on.
  ///
  /// - Parameter values: the values of the row at `paths`.
  package func parts(after values: [Value], key: RowKey) -> [Part] {
    let shared = zip(descriptors, values).map(isEqual)
    let isAfter = Predicate.comparison(
      .init(.keyPath([]), isKeyAscending ? .greaterThan : .lessThan, .value(.key(key))))
    var parts = [
      Part(condition: .conjunction(shared + [isAfter]), order: order(from: descriptors.count))
    ]
    for place in descriptors.indices.reversed() {
      let (descriptor, value) = (descriptors[place], values[place])
      let shared = Array(shared[..<place])
      if descriptor.ascending {
        let isAfter =
          value.isNull ? isPresent(descriptor) : compare(descriptor, .greaterThan, value)
        parts.append(Part(condition: .conjunction(shared + [isAfter]), order: order(from: place)))
      } else if !value.isNull {
        let isAfter = compare(descriptor, .lessThan, value)
        parts.append(Part(condition: .conjunction(shared + [isAfter]), order: order(from: place)))
        parts.append(
          Part(
            condition: .conjunction(shared + [isMissing(descriptor)]), order: order(from: place + 1)
          ))
      }
    }
    return parts
  }

  private func order(from place: Int) -> [SortDescriptor] {
    // Every order ends with ascending row keys by default.
    descriptors[place...] + (isKeyAscending ? [] : [SortDescriptor([], ascending: false)])
  }

  private func compare(
    _ descriptor: SortDescriptor, _ comparator: Predicate.Comparator, _ value: Value
  ) -> Predicate {
    .comparison(.init(descriptor.operand, comparator, .value(value)))
  }

  private func isEqual(_ descriptor: SortDescriptor, to value: Value) -> Predicate {
    compare(descriptor, .equal, value)
  }

  private func isMissing(_ descriptor: SortDescriptor) -> Predicate {
    compare(descriptor, .equal, .null)
  }

  private func isPresent(_ descriptor: SortDescriptor) -> Predicate {
    compare(descriptor, .notEqual, .null)
  }
}

extension Predicate {
  /// The conjunction of conditions; nil if there are none.
  fileprivate static func conjunction(_ conditions: [Predicate?]) -> Predicate? {
    let conditions = conditions.compactMap(\.self)
    return conditions.count > 1 ? .and(conditions) : conditions.first
  }

  /// The properties that have a value in every row that meets the condition, as far as that shows without
  /// examining alternatives.
  package var presentPaths: Set<[String]> {
    switch self {
    case .and(let parts): return parts.reduce(into: []) { $0.formUnion($1.presentPaths) }
    case .comparison(let comparison):
      guard case .keyPath(let path) = comparison.left, case .value(let value) = comparison.right,
        comparison.quantifier == .direct
      else { return [] }
      switch comparison.comparator {
      case .notEqual: return value.isNull ? [path] : []
      case .equal, .lessThan, .lessThanOrEqual, .greaterThan, .greaterThanOrEqual:
        return value.isNull ? [] : [path]
      default: return []
      }
    case .constant, .or, .not: return []
    }
  }
}
