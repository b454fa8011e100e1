package import DatastoreCore

/// Draws valid predicates and sort orders on any schema.
package struct PredicateAgreementDraw {
  let schema: Schema
  /// Values that are in the rows, so that comparisons often hold.
  let samples: [Value]
  let keys: [RowKey]
  package var random: SeededRandom

  package init(schema: Schema, samples: [Value], keys: [RowKey], random: SeededRandom) {
    self.schema = schema
    self.samples = samples
    self.keys = keys
    self.random = random
  }

  private mutating func roll(_ bound: Int) -> Int { Int.random(in: 0..<bound, using: &random) }
  private mutating func pick<T>(_ items: [T]) -> T { items[roll(items.count)] }

  package mutating func predicate(_ entity: Entity, depth: Int = 3) -> Predicate {
    switch depth == 0 ? 9 : roll(10) {
    case 0: roll(4) == 0 ? .constant(roll(2) == 0) : .not(predicate(entity, depth: depth - 1))
    case 1: .not(predicate(entity, depth: depth - 1))
    case 2: .and((0..<roll(4)).map { _ in predicate(entity, depth: depth - 1) })
    case 3: .or((0..<roll(4)).map { _ in predicate(entity, depth: depth - 1) })
    default: .comparison(comparison(entity))
    }
  }

  private mutating func comparison(_ entity: Entity) -> Predicate.Comparison {
    let options = Predicate.StringOptions(rawValue: UInt8(roll(3) == 0 ? roll(4) : 0))
    let comparator = pick(Predicate.Comparator.allCases)
    var left: Predicate.Operand
    var quantifier = Predicate.Quantifier.direct
    if roll(4) > 0 {
      left = .keyPath(path(entity))
      quantifier = pick([.direct, .any, .all, .none])
    } else {
      left = operand(entity, depth: 2)
      if case .keyPath = left { quantifier = pick([.direct, .any, .all, .none]) }
    }
    let right: Predicate.Operand =
      switch comparator.kind {
      case .membership: .list((0..<roll(5)).map { _ in operand(entity, depth: 1) })
      case .range: .list([operand(entity, depth: 1), operand(entity, depth: 1)])
      case .text(let comparator): textual(entity, comparator)
      case .relation: operand(entity, depth: 2)
      }
    return .init(left, comparator, right, quantifier: quantifier, options: options)
  }

  private mutating func textual(
    _ entity: Entity, _ comparator: Predicate.TextComparator
  ) -> Predicate.Operand {
    if roll(4) == 0 {
      return comparator == .matches ? .keyPath(scalarPath(entity)) : operand(entity, depth: 0)
    }
    let text = self.text()
    switch comparator {
    case .like: return .value(.text(pick(["*", "?*", "*\(text)*", "\(text)*", "?", text, "\\*"])))
    case .matches:
      return .value(.text(pick([".*", "a.*", "\\p{L}+", "É|e.*", "[a-z]+", "\\x00?.*"])))
    case .search:
      return .value(
        .text(pick([text, "\(text)*", "\"\(text) \(self.text())\"", "a*", "É", "!", ""])))
    case .contains, .beginsWith, .endsWith: return .value(.text(text))
    }
  }

  /// One operand that is a single value.
  private mutating func operand(_ entity: Entity, depth: Int) -> Predicate.Operand {
    switch roll(12) {
    case 0, 1, 2: return .keyPath(scalarPath(entity))
    case 3 where depth > 0:
      guard let path = manyPath(entity, endsInAttribute: false) else { break }
      return .count(path)
    case 4 where depth > 0:
      guard let path = manyPath(entity, endsInAttribute: true) else { break }
      return .aggregate(pick([.sum, .average, .minimum, .maximum]), path)
    case 5 where depth > 0,
      6 where depth > 0:
      return .arithmetic(
        operand(entity, depth: depth - 1), pick([.add, .subtract, .multiply, .divide]),
        operand(entity, depth: depth - 1))
    case 7 where depth > 0: return function(entity, depth: depth - 1)
    default: break
    }
    return .value(value())
  }

  private mutating func function(_ entity: Entity, depth: Int) -> Predicate.Operand {
    let function = pick(Predicate.Function.allCases)
    let count = function.argumentCounts.lowerBound + roll(2)
    return .function(
      function,
      (0..<min(count, function.argumentCounts.upperBound)).map { _ in
        operand(entity, depth: depth)
      })
  }

  package mutating func value() -> Value {
    switch roll(10) {
    case 0: .null
    case 1: .key(pick(keys + [0, 1]))
    case 2: pick([.integer(.min), .integer(.max), .real(.infinity), .real(-.infinity), 0.5, 2])
    case 3: .text(text())
    default: pick(samples)
    }
  }

  private mutating func text() -> String {
    if roll(2) == 0, case .text(let text) = pick(samples) {
      return String(String.UnicodeScalarView(text.unicodeScalars.prefix(roll(4))))
    }
    return (0..<roll(3)).map { _ in pick(AgreementValues.pieces) }.joined()
  }

  private func isMany(_ property: PropertyDescription) -> Bool {
    property.relationship?.kind.isToMany ?? false
  }

  /// Any path of up to three steps.
  private mutating func path(_ entity: Entity) -> [String] {
    walk(entity) { _ in true }
  }

  /// A path of to-one steps.
  private mutating func scalarPath(_ entity: Entity) -> [String] {
    walk(entity) { $0.relationship.map { !$0.kind.isToMany } ?? true }
  }

  private mutating func walk(
    _ entity: Entity, _ isWanted: (PropertyDescription) -> Bool
  ) -> [String] {
    // Equal rows of a view have one key in SQL, and are numbered as they are read.
    if !entity.isReadOnly, roll(12) == 0 { return [] }
    var path: [String] = []
    var current = entity
    while true {
      let property = pick(current.properties.filter(isWanted))
      path.append(property.name)
      guard let link = property.relationship, path.count < 3, roll(4) > 0,
        let next = schema.entity(named: link.destination)
      else {
        guard property.attribute?.dates != nil, roll(3) == 0 else { return path }
        return path + [pick(DatePart.allCases).step]
      }
      current = next
    }
  }

  /// A path through a to-many relationship, or nil if a few attempts find none.
  private mutating func manyPath(_ entity: Entity, endsInAttribute: Bool) -> [String]? {
    for _ in 0..<20 {
      let path = path(entity)
      var current = entity
      var isThroughMany = false
      var end: PropertyDescription?
      for name in path {
        guard let slot = current.slot(named: name) else { break }
        end = current.properties[slot]
        guard let link = current.links[slot] else { continue }
        isThroughMany = isThroughMany || link.kind.isToMany
        current = schema.entities[link.destination]
      }
      if isThroughMany, (end?.attribute != nil) == endsInAttribute { return path }
    }
    return nil
  }

  package mutating func order(_ entity: Entity) -> [SortDescriptor] {
    (0..<roll(4)).map { _ in
      SortDescriptor(
        sortOperand(entity), ascending: roll(2) == 0,
        options: .init(rawValue: UInt8(roll(2) == 0 ? roll(4) : 0)))
    }
  }

  private mutating func sortOperand(_ entity: Entity) -> Predicate.Operand {
    switch roll(6) {
    case 0:
      if let path = manyPath(entity, endsInAttribute: false) { return .count(path) }
    case 1:
      if let path = manyPath(entity, endsInAttribute: true) {
        return .aggregate(pick([.sum, .average, .minimum, .maximum]), path)
      }
    default: break
    }
    return .keyPath(scalarPath(entity))
  }

  package mutating func window() -> (offset: Int, limit: Int) {
    (roll(3) * roll(4), roll(3) * roll(9))
  }
}
