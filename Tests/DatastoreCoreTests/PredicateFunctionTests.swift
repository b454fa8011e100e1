import Testing

@testable import DatastoreCore

/// Functions of values in expressions, and names that stand for calculations.
@Suite struct PredicateFunctionTests {
  private let entity = PredicateFixture.entity()
  private let schema = PredicateFixture.schema

  private func value(_ text: String, _ values: [String: Value]) throws -> Value {
    let operand = try Predicate.Operand.parse(text, entity: entity, in: schema)
    // The printed text parses to the same.
    #expect(
      try Predicate.Operand.parse(operand.description, entity: entity, in: schema) == operand)
    return operand.value(of: Subject(1, values))
  }

  @Test(
    arguments: [
      ("lowercase(name)", .text("é b")), ("UPPERCASE(name)", .text("É B")),
      ("length(name)", .integer(3)), ("left(name, 1)", .text("É")), ("right(name, 2)", .text(" b")),
      ("left(name, 99)", .text("É b")), ("left(name, -1)", .text("")),
      ("trim(concat(\"  \", name, ' '))", .text("É b")),
      ("replace(name, \" b\", \"-\")", .text("É-")), ("replace(name, \"\", \"-\")", .text("É b")),
      ("concat(name, \" \", age, NULL)", .text("É b 7")), ("abs(-age)", .integer(7)),
      ("abs(0 - 1.5)", .real(1.5)), ("round(age / 2.0)", .integer(4)),
      ("round(2.345, 2)", .real(2.35)), ("floor(-1.5)", .integer(-2)),
      ("ceiling(-1.5)", .integer(-1)), ("coalesce(salary, age, 1)", .integer(7)),
      ("days(hired, \"2001-01-31\")", .integer(30)), ("length(site)", .null),
      ("days(hired, \"2001-01-31\") / 7 + 1", .integer(5)),
    ] as [(String, Value)])
  func values(text: String, expected: Value) throws {
    #expect(
      try value(text, ["name": .text("É b"), "age": .integer(7), "hired": .real(0)]) == expected)
  }

  @Test(arguments: [
    ("length(age)", 7, 3, "length takes text, but “age” does not hold text."),
    ("length(5)", 7, 1, "length takes text, but “5” does not hold text."),
    ("left(name)", 0, 10, "Write left(text, count)."),
    ("abs(name)", 4, 4, "“name” does not hold numbers, so it cannot be calculated with."),
    ("days(name, hired)", 5, 4, "days takes dates, but “name” does not hold dates."),
    ("days(hired, \"soon\")", 12, 6, "There is no date \"soon\"."),
    ("length(name", 11, 0, "Expected “,” or “)”, found the end."),
    ("salry * 12", 0, 5, "Employee has no property “salry”; did you mean “salary”?"),
  ])
  func faults(text: String, offset: Int, length: Int, message: String) {
    do {
      _ = try Predicate.Operand.parse(text, entity: entity, in: schema)
      Issue.record("\(text) was read")
    } catch {
      #expect(error.message == message)
      #expect((error.offset, error.length) == (offset, length), "\(text)")
    }
  }

  @Test func functionsAreForConditionsAndOrders() throws {
    let predicate = try Predicate.parse(
      "length(name) > 2 AND lowercase(name) CONTAINS \"b\" AND hired < now()", entity: entity,
      in: schema)
    #expect(predicate.admits(Subject(1, ["name": .text("É B"), "hired": .real(0)])))
    #expect(!predicate.admits(Subject(1, ["name": .text("B"), "hired": .real(0)])))
    let order = try SortDescriptor.parse(
      "length(name) desc, (age + 1), -age", entity: entity, in: schema)
    #expect(order.map(\.ascending) == [false, true, true])
    #expect(
      order.compare(Subject(1, ["name": .text("bb")]), Subject(2, ["name": .text("a")]))
        == .ascending)
  }

  @Test func aNameStandsForACalculation() throws {
    let twice = try Predicate.Operand.parse("age * 2", entity: entity, in: schema)
    #expect(twice.path == ["=age * 2"])
    #expect(Predicate.Operand(at: twice.path, of: entity, in: schema) == twice)
    #expect(Predicate.Operand.keyPath(twice.path).description == "(age * 2)")
    var descriptions = schema.entities.map(\.description)
    descriptions[entity.index.rawValue].aliases["twice"] = twice.path
    let naming = try Schema(descriptions)
    let named = naming.entities[entity.index]
    let predicate = try Predicate.parse("twice + 1 == 15", entity: named, in: naming)
    let plain = try Predicate.parse("age * 2 + 1 == 15", entity: entity, in: schema)
    #expect(predicate == plain)
    #expect(predicate.admits(Subject(1, ["age": .integer(7)])))
    // It also works in the place of a path, and holds numbers.
    #expect(Subject(1, ["age": .integer(7)]).predicateScalar(along: twice.path) == .integer(14))
    let path = try PredicatePath(twice.path, from: entity, in: schema)
    guard case .attribute(let attribute) = path.destination else {
      Issue.record("a calculation has a value")
      return
    }
    #expect(attribute.name == "age * 2")
    #expect(throws: PredicatePath.Fault.self) {
      try PredicatePath(["=nothing * 2"], from: entity, in: schema)
    }
  }

  /// A column that is called by its own expression, as columns without a name are, is that expression.
  @Test(arguments: ["length(name)", "uppercase(name)", "age * 2"])
  func aCalculationNamedLikeItself(text: String) throws {
    let operand = try Predicate.Operand.parse(text, entity: entity, in: schema)
    var descriptions = schema.entities.map(\.description)
    descriptions[entity.index.rawValue].aliases[text] = operand.path
    let naming = try Schema(descriptions)
    let named = naming.entities[entity.index]
    #expect(try Predicate.Operand.parse(text, entity: named, in: naming) == operand)
    _ = try PredicatePath([text], from: named, in: naming)
  }
}
