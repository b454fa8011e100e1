import Testing

@testable import DatastoreCore

@Suite struct PredicateFormTests {
  private let entity = PredicateFixture.entity()
  private let schema = PredicateFixture.schema

  private func form(_ text: String) throws -> PredicateForm {
    PredicateForm(try PredicateParsingTests.parse(text))
  }

  private func text(_ form: PredicateForm) -> String {
    form.predicate?.formatted(entity: entity, in: schema) ?? "nothing"
  }

  @Test(arguments: [UInt64(7), UInt64.random(in: 0 ... .max)])
  func aPredicateComesBackUnchanged(seed: UInt64) {
    var random = RandomPredicate(seed: seed)
    var rows = 0
    for _ in 0..<2_000 {
      let predicate = random.wrapped(random.predicate())
      let form = PredicateForm(predicate)
      if form.predicate != predicate {
        Issue.record(
          "seed \(seed): \(predicate) came back as \(String(describing: form.predicate))")
        return
      }
      rows += Self.rows(of: form.root)
      #expect(PredicateForm(form.predicate) == form, "seed \(seed): \(predicate)")
    }
    #expect(rows > 1_000)
  }

  private static func rows(of group: PredicateForm.Group) -> Int {
    group.nodes.reduce(0) { sum, node in
      switch node {
      case .row: sum + 1
      case .group(let group): sum + rows(of: group)
      case .other: sum
      }
    }
  }

  /// After any change of a form, its predicate is valid and prints as text with the same meaning.
  @Test(arguments: [UInt64(8), UInt64.random(in: 0 ... .max)])
  func anEditedFormSaysSomethingValid(seed: UInt64) throws {
    var random = RandomPredicate(seed: seed)
    let properties = PredicateForm.properties(of: entity, in: schema)
    for _ in 0..<150 {
      var form = PredicateForm(random.roll(4) == 0 ? nil : random.predicate(depth: 2))
      for _ in 0..<12 {
        edit(&form, &random, properties)
        guard let predicate = form.predicate else { continue }
        try predicate.validate(for: entity, in: schema)
        let written = predicate.formatted(entity: entity, in: schema)
        let read = try PredicateParsingTests.parse(written)
        #expect(
          read.formatted(entity: entity, in: schema) == written, "seed \(seed): \(predicate)")
      }
    }
  }

  private func edit(
    _ form: inout PredicateForm, _ random: inout RandomPredicate,
    _ properties: [PredicateForm.Property]
  ) {
    let places = Self.places(in: form.root, at: [])
    let place = places.isEmpty ? [0] : random.pick(places)
    let row = PredicateForm.Row(random.pick(properties).operand, entity: entity, in: schema)
    switch random.roll(9) {
    case 0: form.insert(.row(row), at: place)
    case 1:
      form.insert(
        .group(PredicateForm.Group(random.pick(PredicateForm.Kind.allCases), [.row(row)])),
        at: place)
    case 2: form.remove(at: place)
    case 3: _ = form.indent(at: place)
    case 4: _ = form.outdent(at: place)
    default:
      guard case .row(var row)? = form.node(at: place) else { return }
      let type = OperandType(row.comparison.left, from: entity, in: schema)
      switch random.roll(4) {
      case 0: row.setLeft(random.pick(properties).operand, entity: entity, in: schema)
      case 1: row.setComparator(random.pick(type.comparators))
      case 2: row.isNegated.toggle()
      default:
        let isText = row.comparison.comparator.isTextual
        let typed = isText || random.roll(2) == 0 ? "abc" : "2024"
        guard let value = type.value(typed: typed) else { return }
        if isText, case .text = value {
        } else if isText || row.comparison.comparator == .matches {
          return
        }
        for index in 0..<(row.comparison.comparator == .between ? 2 : 1) {
          row.setValue(value, at: index)
        }
      }
      form.replace(.row(row), at: place)
    }
  }

  private static func places(in group: PredicateForm.Group, at place: [Int]) -> [[Int]] {
    group.nodes.enumerated().flatMap { index, node -> [[Int]] in
      if case .group(let inner) = node {
        return [place + [index]] + places(in: inner, at: place + [index])
      }
      return [place + [index]]
    }
  }

  @Test func rowsAndGroupsAndWhatHasNoRow() throws {
    let form = try form(
      "name BEGINSWITH[c] \"T\" AND NOT (age > 3 OR active == TRUE) AND salary * 12 > 50000")
    #expect(form.root.kind == .all)
    #expect(form.root.nodes.count == 3)
    guard case .row(let row) = form.root.nodes[0], case .group(let group) = form.root.nodes[1],
      case .other = form.root.nodes[2]
    else {
      Issue.record("\(form)")
      return
    }
    #expect(row.values == [.text("T")])
    #expect(group.kind == .none && group.nodes.count == 2)
  }

  @Test func indentingMakesGroupsAndOutdentingEndsThem() throws {
    var form = try form("age > 1 AND age > 2 AND age > 3")
    let first = form.indent(at: [1])
    #expect(first == [1, 0])
    let second = form.indent(at: [2])
    #expect(second == [1, 1])
    #expect(text(form) == "age > 1 AND (age > 2 OR age > 3)")
    let third = form.outdent(at: [1, 0])
    #expect(third == [2])
    #expect(text(form) == "age > 1 AND age > 3 AND age > 2")
    let fourth = form.outdent(at: [1, 0])
    #expect(fourth == [1])
    form.remove(at: [0])
    form.remove(at: [0])
    #expect(text(form) == "age > 2")
    form.remove(at: [0])
    #expect(form.predicate == nil)
  }

  @Test func aRowIsNoConditionBeforeItHasItsValues() throws {
    var form = try form("age > 1")
    var row = PredicateForm.Row(.keyPath(["name"]), entity: entity, in: schema)
    form.insert(.row(row), at: [1])
    #expect(text(form) == "age > 1")
    #expect(form.firstIncomplete == [1])
    row.setValue(.text("Ann"), at: 0)
    row.setComparator(.in)
    row.setValue(.text("Bob"), at: 1)
    form.replace(.row(row), at: [1])
    #expect(text(form) == "age > 1 AND name IN {\"Ann\", \"Bob\"}")
    row.setLeft(.keyPath(["tasks", "estimate"]), entity: entity, in: schema)
    #expect(row.lacksValue)
    row.setComparator(.between)
    row.setValue(.integer(1), at: 0)
    #expect(row.predicate == nil)
    row.setValue(.integer(2), at: 1)
    row.setQuantifier(.none)
    form.replace(.row(row), at: [1])
    #expect(text(form) == "age > 1 AND NONE tasks.estimate BETWEEN {1, 2}")
  }

  @Test func propertiesReachThroughRelationships() {
    let texts = PredicateForm.properties(of: entity, in: schema).map(\.text)
    for text in [
      "name", "company", "company.name", "tasks", "tasks.@count", "tasks.title",
      "tasks.@sum.estimate", "company.employees.@count", "`order item`", "manager.salary",
    ] {
      #expect(texts.contains(text), "\(text)")
    }
    #expect(!texts.contains("company.employees.name"))
    let behind = PredicateForm.properties(behind: ["company"], of: entity, in: schema).map(\.text)
    #expect(behind.contains("company.employees.name"))
  }
}

extension RandomPredicate {
  /// Lists of no and of one condition, which parsing never gives, and NOT upon NOT.
  fileprivate mutating func wrapped(_ predicate: Predicate) -> Predicate {
    switch roll(8) {
    case 0: .and([predicate])
    case 1: .or([predicate, .and([])])
    case 2: .not(.or([predicate]))
    case 3: .not(.not(predicate))
    case 4: .and([.or([]), .not(.and([])), predicate])
    default: predicate
    }
  }
}
