import DatastoreCore
import DatastoreSQLite
import DatastoreTestSupport
import Foundation

/// Draws valid predicates and sort orders on any schema.
struct PredicateAgreementDraw {
  let schema: Schema
  /// Values that are in the rows, so that comparisons often hold.
  let samples: [Value]
  let keys: [RowKey]
  var random: SeededRandom

  private mutating func roll(_ bound: Int) -> Int { Int.random(in: 0..<bound, using: &random) }
  private mutating func pick<T>(_ items: [T]) -> T { items[roll(items.count)] }

  mutating func predicate(_ entity: Entity, depth: Int = 3) -> Predicate {
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
      switch comparator {
      case .in: .list((0..<roll(5)).map { _ in operand(entity, depth: 1) })
      case .between: .list([operand(entity, depth: 1), operand(entity, depth: 1)])
      case .contains, .beginsWith, .endsWith, .like, .matches, .search: textual(entity, comparator)
      default: operand(entity, depth: 2)
      }
    return .init(left, comparator, right, quantifier: quantifier, options: options)
  }

  private mutating func textual(
    _ entity: Entity, _ comparator: Predicate.Comparator
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
    default: return .value(.text(text))
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

  mutating func value() -> Value {
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

  /// A path through a to-many relationship, or nil where a few attempts find none.
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

  mutating func order(_ entity: Entity) -> [SortDescriptor] {
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

  mutating func window() -> (offset: Int, limit: Int) { (roll(3) * roll(4), roll(3) * roll(9)) }
}

/// Values of every storage class, with the ones that conversions go wrong on.
enum AgreementValues {
  static let pieces = [
    "a", "A", "b", "É", "é", "e\u{301}", "ß", "İ", "\u{0}", "😀", "*", "?", "\\", "%", " ", "1",
    "\u{10FFFF}", "ø",
  ]

  static func text(_ random: inout SeededRandom) -> String {
    let whole = [
      "", "2024-02-29", "2024-02-29 13:05:09", "2023-12-31T23:59:59.5Z", "2024-02-30", "1", "1.0",
      "1e3", " 2 ", "0x10", "9223372036854775808", "abc", "ABC", "àb\u{0}c",
    ]
    if Int.random(in: 0..<3, using: &random) == 0 {
      return whole[Int.random(in: 0..<whole.count, using: &random)]
    }
    return (0..<Int.random(in: 0..<4, using: &random)).map { _ in
      pieces[Int.random(in: 0..<pieces.count, using: &random)]
    }.joined()
  }

  static func integer(_ random: inout SeededRandom) -> Int64 {
    if Int.random(in: 0..<3, using: &random) == 0 {
      // Dates of 2021 to 2025 in seconds and in smaller units.
      let scale: [Int64] = [1, 1_000, 1_000_000, 1_000_000_000]
      return Int64.random(in: 1_610_000_000..<1_760_000_000, using: &random)
        * scale[Int.random(in: 0..<scale.count, using: &random)]
    }
    let special: [Int64] = [.min, .max, .max - 1, 1 << 53, (1 << 53) + 1, -1, 0, 1, 2, 16, 1000]
    return special[Int.random(in: 0..<special.count, using: &random)]
  }

  static func real(_ random: inout SeededRandom) -> Double {
    let special = [
      0, 1, 2, -1.5, 0.1, 1e15, 9_007_199_254_740_992, 9.223372036854775807e18, 1e300, .infinity,
      -.infinity, Double.leastNonzeroMagnitude, 1.0 / 3,
    ]
    return special[Int.random(in: 0..<special.count, using: &random)]
  }

  static func blob(_ random: inout SeededRandom) -> Data {
    if Int.random(in: 0..<3, using: &random) == 0 { return Data(text(&random).utf8) }
    return Data(
      (0..<Int.random(in: 0..<3, using: &random)).map { _ in
        UInt8.random(in: 0...255, using: &random)
      })
  }

  static func any(_ random: inout SeededRandom) -> Value {
    switch Int.random(in: 0..<8, using: &random) {
    case 0: .null
    case 1, 2: .integer(integer(&random))
    case 3, 4: .real(real(&random))
    case 5, 6: .text(text(&random))
    default: .blob(blob(&random))
    }
  }

  /// What an attribute of that type may hold in a file of ours.
  static func stored(_ type: AttributeType, _ random: inout SeededRandom) -> Value {
    if Int.random(in: 0..<5, using: &random) == 0 { return .null }
    return switch type {
    case .undefined: any(&random)
    case .boolean: .integer(Int64.random(in: 0...1, using: &random))
    case .float, .double, .date: .real(real(&random))
    case .string, .url: .text(text(&random))
    case .decimal:
      .text(["10", "9.5", "-0.25", "1.50", "1.5", "100"].randomElement(using: &random) ?? "")
    case .uuid, .data, .coded: .blob(blob(&random))
    default: .integer(integer(&random))
    }
  }
}
