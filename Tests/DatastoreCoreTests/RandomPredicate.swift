import DatastoreTestSupport

import struct Foundation.Data

@testable import DatastoreCore

/// Draws valid predicates on the fixture's employees, in the form that parsing gives them.
struct RandomPredicate {
  typealias Operand = Predicate.Operand
  var generator: SeededRandom

  init(seed: UInt64) { generator = SeededRandom(seed: seed) }

  mutating func roll(_ bound: Int) -> Int { Int.random(in: 0..<bound, using: &generator) }

  mutating func pick<T>(_ items: [T]) -> T { items[roll(items.count)] }

  mutating func predicate(depth: Int = 4) -> Predicate {
    switch depth == 0 ? 9 : roll(10) {
    case 0: return .constant(roll(2) == 0)
    case 1: return .not(predicate(depth: depth - 1))
    case 2, 3: return .and((0..<2 + roll(2)).map { _ in predicate(depth: depth - 1) })
    case 4, 5: return .or((0..<2 + roll(2)).map { _ in predicate(depth: depth - 1) })
    default: return .comparison(comparison())
    }
  }

  mutating func comparison() -> Predicate.Comparison {
    let options = Predicate.StringOptions(rawValue: UInt8(roll(4)))
    switch roll(9) {
    case 0:
      return .init(
        .keyPath(pick([["name"], ["manager", "name"], ["order item"], ["site"]])),
        pick([.contains, .beginsWith, .endsWith, .like, .equal, .lessThan]), .value(.text(text())),
        options: options)
    case 1:
      return .init(.keyPath(["name"]), .matches, .value(.text(pick(["a.*", "\\d+|é", "[\"']"]))))
    case 2:
      return .init(
        .keyPath(["tasks", "estimate"]), pick([.equal, .greaterThan, .notEqual]),
        .value(pick([number(), .null])), quantifier: pick([.direct, .any, .all, .none]))
    case 3:
      return .init(
        .keyPath(pick([["tasks"], ["company", "employees"]])), pick([.equal, .notEqual]),
        .value(pick([.null, .integer(Int64(roll(5)))])), quantifier: pick([.any, .all, .none]))
    case 4:
      let values = (0..<roll(4)).map { _ in Operand.value(pick([number(), .null])) }
      return .init(.keyPath(["age"]), .in, .list(values))
    case 5:
      return .init(arithmetic(depth: 3), .between, .list([arithmetic(depth: 1), .value(number())]))
    case 6:
      return .init(
        .keyPath(pick([["hired"], ["manager", "hired"]])), pick([.equal, .lessThan]),
        .value(.real(Double(roll(1_000_000_000)) / Double(pick([1, 2, 7, 1000])))))
    case 7:
      let (path, value) = pick([
        ("badge", Value.blob(Data((0..<16).map { _ in UInt8(roll(256)) }))),
        ("photo", .blob(Data((0..<roll(5)).map { _ in UInt8(roll(256)) }))),
        ("active", .integer(Int64(roll(3)))), ("anything", .text(text())), ("anything", number()),
        ("anything", .blob(Data([UInt8(roll(256))]))), ("foreign", .text("2024-01-02")),
        ("rate", .real(1.5)), ("any", number()), ("größe", .null),
      ])
      return .init(.keyPath([path]), pick([.equal, .notEqual]), .value(value))
    default:
      return .init(
        arithmetic(depth: 3), pick([.equal, .lessThan, .greaterThanOrEqual]), arithmetic(depth: 2))
    }
  }

  mutating func arithmetic(depth: Int) -> Operand {
    if depth > 0, roll(2) == 0 {
      return .arithmetic(
        arithmetic(depth: depth - 1), pick([.add, .subtract, .multiply, .divide]),
        arithmetic(depth: depth - 1))
    }
    if depth > 0, roll(4) == 0 {
      return pick([
        .function(pick([.abs, .round, .floor, .ceiling]), [arithmetic(depth: depth - 1)]),
        .function(.round, [arithmetic(depth: depth - 1), .value(.integer(Int64(roll(4))))]),
        .function(.length, [.function(.concat, [.keyPath(["name"]), .keyPath(["age"])])]),
        .function(.days, [.keyPath(["hired"]), .value(.text("2024-02-29"))]),
      ])
    }
    return pick([
      .value(number()), .keyPath(["age"]), .keyPath(["manager", "salary"]), .keyPath([]),
      .count(["tasks"]), .aggregate(pick([.sum, .average]), ["tasks", "estimate"]),
      .aggregate(pick([.minimum, .maximum]), ["company", "employees", "age"]),
    ])
  }

  mutating func number() -> Value {
    pick([
      .integer(Int64(roll(20) - 10)), .integer(.min), .integer(.max), .real(Double(roll(100)) / 8),
      .real(-0.0), .real(1e300), .real(.leastNonzeroMagnitude), .real(.infinity), .real(-.infinity),
      .real(Double(roll(1_000_000)) / 7),
    ])
  }

  mutating func text() -> String {
    let pieces = [
      "a", "B", "é", "e\u{301}", "\"", "'", "\\", "\n", "\t", "\r", "\u{0}", "\u{7F}", "*", "?",
      "😀", "`",
      " ", "%@", "\u{85}",
    ]
    return (0..<roll(6)).map { _ in pick(pieces) }.joined()
  }
}
