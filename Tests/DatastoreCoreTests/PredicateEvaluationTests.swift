import Testing

import struct Foundation.Data

@testable import DatastoreCore

@Suite struct PredicateEvaluationTests {
  typealias Operand = Predicate.Operand
  typealias Comparator = Predicate.Comparator

  static let blob = Value.blob(Data([1]))

  @Test(arguments: [
    (Value.null, Comparator.equal, Value.null, true),
    (.null, .notEqual, .null, false),
    (.null, .notEqual, "x", true),
    ("x", .notEqual, .null, true),
    (.null, .lessThan, 1, false),
    (1, .greaterThan, .null, false),
    (.null, .lessThanOrEqual, .null, false),
    (.null, .greaterThanOrEqual, .null, false),
    (1, .equal, 1.0, true),
    (9_007_199_254_740_993, .equal, 9_007_199_254_740_992.0, false),
    (9_007_199_254_740_993, .greaterThan, 9_007_199_254_740_992.0, true),
    (1, .equal, "1", false),
    (1, .notEqual, "1", true),
    (9, .lessThan, "1", true),
    ("z", .lessThan, blob, true),
    ("Z", .lessThan, "a", true),
    ("é", .equal, "e\u{301}", false),
    (.real(.nan), .equal, .null, true),
    (2, .lessThanOrEqual, 2, true), (2, .greaterThanOrEqual, 3, false),
  ])
  func comparesAsSQLite(left: Value, comparator: Comparator, right: Value, expected: Bool) {
    let predicate = Predicate.comparison(.init(.value(left), comparator, .value(right)))
    #expect(predicate.admits(Subject(1)) == expected)
    #expect(Predicate.not(predicate).admits(Subject(1)) == !expected)
  }

  @Test(arguments: [
    (Comparator.contains, "Müller", "üll", "", true),
    (.contains, "abc", "", "", true),
    (.contains, "", "", "", true),
    (.contains, "abc", "abcd", "", false),
    (.contains, "aab", "ab", "", true),
    (.contains, "MÜLLER", "üll", "", false),
    (.contains, "MÜLLER", "üll", "c", true),
    (.contains, "MÜLLER", "ull", "cd", true),
    (.contains, "각", "가", "d", false),
    (.beginsWith, "Tim", "Ti", "", true),
    (.beginsWith, "Tim", "tI", "c", true),
    (.beginsWith, "Tim", "", "", true),
    (.endsWith, "Tim", "im", "", true),
    (.endsWith, "Tim", "Tims", "", false),
    (.endsWith, "café", "FE", "cd", true),
    (.like, "abc", "a*", "", true),
    (.like, "abc", "*b", "", false),
    (.like, "abc", "*b*", "", true),
    (.like, "äbc", "?bc", "", true),
    (.like, "a😀c", "a?c", "", true),
    (.like, "ac", "a?c", "", false),
    (.like, "", "", "", true),
    (.like, "", "*", "", true),
    (.like, "x", "", "", false),
    (.like, "a*c", "a\\*c", "", true),
    (.like, "abc", "a\\*c", "", false),
    (.like, "a\\", "a\\", "", true),
    (.like, "ABC", "a*c", "c", true),
    (.like, "mississippi", "*iss*ip*", "", true),
    (.search, "Apple pie, with cream", "cream PIE", "", true),
    (.search, "Apple pie", "pie apples", "", false),
    (.search, "Apple pie", "app*", "", true),
    (.search, "pineapple pie", "app*", "", false),
    (.search, "an apple pie", "\"apple pie\"", "", true),
    (.search, "apple or pie", "\"apple pie\"", "", false),
    (.search, "an apple pie", "\"apple p\"*", "", true),
    (.search, "a well known word", "well-known", "", true),
    (.search, "a well and known word", "well-known", "", false),
    (.search, "Crème brûlée", "creme brulee", "", true),
    (.search, "creme", "CRE\u{300}ME", "", true),
    (.search, "Άλφα", "αλφα", "", false),
    (.search, "Straße 12", "straße 12", "", true),
    (.search, "anything", "", "", false),
    (.search, "any, thing", "* \" , !", "", false),
    (.search, "x\"y", "x\"y\"", "c", true),
    (.matches, "ab12", "[a-z]+\\d+", "", true),
    (.matches, "ab12x", "[a-z]+\\d+", "", false),
    (.matches, "ab", "a|ab", "", true),
    (.matches, "AB", "ab", "", false),
    (.matches, "AB", "ab", "c", true),
    (.matches, "é", "e", "d", true),
    (.matches, "x1", "\\D\\d", "c", true),
    (.matches, "a", "(", "", false),
    (.matches, "ab", "a)(b", "", false),
    (.matches, "ab", "(?x) a b # all", "", true),
    (.matches, "a\n", "a", "", false),
  ])
  func comparesText(
    comparator: Comparator, text: String, pattern: String, options: String, expected: Bool
  ) throws {
    let subject = Subject(1, ["name": .text(text)])
    let comparison = Predicate.Comparison(
      .keyPath(["name"]), comparator, .value(.text(pattern)), options: .letters(options))
    #expect(Predicate.comparison(comparison).admits(subject) == expected)
    #expect(
      try TextMatching.holdsFolding(
        #require(comparator.text), text, pattern, options: .letters(options)) == expected)
  }

  @Test(arguments: Comparator.allCases.filter(\.isTextual))
  func textComparisonsAreFalseForAnythingElse(comparator: Comparator) {
    for value in [Value.null, 1, 1.5, Self.blob] {
      for (left, right) in [(value, Value.text("")), (.text("1"), value)] {
        let predicate = Predicate.comparison(.init(.value(left), comparator, .value(right)))
        #expect(!predicate.admits(Subject(1)), "\(left) \(comparator) \(right)")
      }
    }
  }

  @Test func likeStaysFastOnHostilePatterns() throws {
    let text = String(repeating: "a", count: 20_000)
    let pattern = String(repeating: "*a", count: 30) + "*b"
    #expect(try !TextMatching.holds(.like, text, pattern, options: []))
  }

  @Test(arguments: [
    ("ABC", "c", "abc"), ("abc", "d", "abc"), ("ÄÖ", "c", "äö"), ("Äö", "d", "Ao"),
    ("ÀÉ", "cd", "ae"), ("İ", "cd", "i"), ("ß", "c", "ß"), ("ΑΣ", "c", "ασ"),
    ("ł", "d", "ł"), ("각", "d", "각"),
  ])
  func folds(text: String, options: String, expected: String) {
    let folded = TextFolding.fold(text, .letters(options))
    #expect(Array(folded.utf8) == Array(expected.utf8))
    #expect(Array(TextFolding.fold(folded, .letters(options)).utf8) == Array(folded.utf8))
  }

  @Test func optionsFoldEqualityOrderAndLists() {
    let subject = Subject(1, ["name": "ÉMILE"])
    func holds(_ comparator: Comparator, _ right: Operand, _ options: String) -> Bool {
      Predicate.comparison(
        .init(.keyPath(["name"]), comparator, right, options: .letters(options))
      ).admits(subject)
    }
    #expect(holds(.equal, .value("émile"), "c"))
    #expect(!holds(.equal, .value("emile"), "c"))
    #expect(holds(.equal, .value("emile"), "cd"))
    #expect(holds(.lessThan, .value("f"), "cd"))
    #expect(holds(.in, .list([.value(3), .value("Emile")]), "cd"))
    #expect(holds(.between, .list([.value("a"), .value("F")]), "cd"))
  }

  @Test func membershipTreatsNullAsAValue() {
    let subject = Subject(1, ["age": 3])
    func holds(_ path: String, _ values: [Value]) -> Bool {
      Predicate.comparison(
        .init(.keyPath([path]), .in, .list(values.map { .value($0) }))
      ).admits(subject)
    }
    #expect(holds("age", [1, 3.0]))
    #expect(!holds("age", [.null]))
    #expect(holds("name", [1, .null]))
    #expect(!holds("name", []))
  }

  @Test func betweenIncludesItsBoundsAndNoNull() {
    func holds(_ value: Value, _ low: Value, _ high: Value) -> Bool {
      Predicate.comparison(
        .init(.value(value), .between, .list([.value(low), .value(high)]))
      ).admits(Subject(1))
    }
    #expect(holds(1, 1, 2))
    #expect(holds(2.0, 1, 2))
    #expect(!holds(3, 1, 2))
    #expect(!holds(1, .null, 2))
    #expect(!holds(.null, .null, .null))
  }

  @Test func pathsFollowRelationships() {
    let boss = Subject(7, ["name": "Ada"])
    let employee = Subject(8, ["name": "Tim"])
    employee.related["manager"] = [boss]
    func equals(_ path: [String], _ value: Value, _ subject: Subject) -> Bool {
      Predicate.comparison(.init(.keyPath(path), .equal, .value(value))).admits(subject)
    }
    #expect(equals([], 8, employee))
    #expect(equals(["manager"], 7, employee))
    #expect(equals(["manager", "name"], "Ada", employee))
    #expect(equals(["manager", "manager", "name"], .null, employee))
    #expect(equals(["manager"], .null, boss))
  }

  @Test func quantifiersDecideOverManyObjects() {
    let employee = Subject(1)
    let idle = Subject(2)
    let tasks = [Subject("Task", 10, ["estimate": 2]), Subject("Task", 11, ["estimate": 4])]
    employee.related["tasks"] = tasks
    func holds(
      _ quantifier: Predicate.Quantifier, _ comparator: Comparator, _ value: Value,
      _ subject: Subject, path: [String] = ["tasks", "estimate"]
    ) -> Bool {
      Predicate.comparison(
        .init(.keyPath(path), comparator, .value(value), quantifier: quantifier)
      ).admits(subject)
    }
    #expect(holds(.any, .greaterThan, 3, employee))
    #expect(holds(.direct, .greaterThan, 3, employee))
    #expect(!holds(.all, .greaterThan, 3, employee))
    #expect(holds(.all, .greaterThan, 1, employee))
    #expect(!holds(.none, .greaterThan, 3, employee))
    #expect(holds(.none, .greaterThan, 5, employee))
    #expect(!holds(.any, .equal, .null, idle))
    #expect(!holds(.any, .notEqual, 1, idle))
    #expect(holds(.all, .equal, 1, idle))
    #expect(holds(.none, .equal, 1, idle))
    #expect(holds(.any, .equal, 11, employee, path: ["tasks"]))
    #expect(holds(.any, .equal, .null, employee, path: ["tasks", "owner", "name"]))
    #expect(!holds(.any, .equal, .null, employee, path: ["tasks", "owner", "tasks", "title"]))
    #expect(holds(.none, .equal, 5, idle, path: ["age"]))
    #expect(holds(.all, .equal, .null, idle, path: ["age"]))
  }

  @Test func countsAndAggregates() {
    let employee = Subject(1)
    employee.related["tasks"] = [
      Subject("Task", 1, ["estimate": 1, "title": "b"]), Subject("Task", 2, ["estimate": 2]),
      Subject("Task", 3, ["estimate": .null, "title": "a"]),
    ]
    func equals(_ operand: Operand, _ value: Value, _ subject: Subject) -> Bool {
      Predicate.comparison(.init(operand, .equal, .value(value))).admits(subject)
    }
    #expect(equals(.count(["tasks"]), 3, employee))
    #expect(equals(.count(["tasks"]), 0, Subject(2)))
    #expect(equals(.count(["tasks", "owner"]), 0, employee))
    #expect(equals(.aggregate(.sum, ["tasks", "estimate"]), 3, employee))
    #expect(equals(.aggregate(.average, ["tasks", "estimate"]), 1.5, employee))
    #expect(equals(.aggregate(.minimum, ["tasks", "title"]), "a", employee))
    #expect(equals(.aggregate(.maximum, ["tasks", "title"]), "b", employee))
    #expect(equals(.aggregate(.sum, ["tasks", "estimate"]), .null, Subject(2)))
  }

  @Test func aggregatesKeepClassesAndIgnoreTheRest() {
    func result(_ aggregate: Predicate.Aggregate, _ values: [Value]) -> Value {
      var accumulator = AggregateAccumulator(aggregate)
      for value in values { accumulator.add(value) }
      return accumulator.result
    }
    #expect(result(.sum, [1, 2, .null, "5"]) == 3)
    #expect(result(.sum, [1, 2.0]) == 3.0)
    #expect(result(.sum, ["x", .null]) == .null)
    #expect(result(.sum, [.integer(.max), 1]) == .real(0x1p63))
    #expect(result(.sum, [.integer(.max), 1, -1]) == .integer(.max))
    #expect(result(.sum, [.real(.infinity), .real(-.infinity)]) == .null)
    #expect(result(.sum, [.real(.infinity), 1.0]) == .real(.infinity))
    #expect(result(.average, [1, 2]) == 1.5)
    #expect(result(.average, [2]) == 2.0)
    #expect(result(.average, [1.1, 2.2, 3.3]) == 2.2)
    #expect(result(.average, [1, 1.1, 2.2, 3.3, 3.4]) == 2.2)
    #expect(result(.average, [.real(.infinity), 1.0]) == .real(.infinity))
    #expect(result(.minimum, ["a", 5, .null]) == 5)
    #expect(result(.maximum, ["a", 5, Self.blob]) == Self.blob)
    #expect(result(.maximum, [.null, .real(.nan)]) == .null)
  }

  @Test func extremesOfDecimalsAreTheStoredOnes() {
    func result(_ aggregate: Predicate.Aggregate, _ values: [Value]) -> Value {
      var accumulator = AggregateAccumulator(aggregate, ofDecimals: true)
      for value in values { accumulator.add(value) }
      return accumulator.result
    }
    // Both are the same real.
    let less: Value = "1234567890.12345678901234567"
    let more: Value = "1234567890.12345678901234568"
    #expect(result(.maximum, [2, less, more, less, 9.5, .null]) == more)
    #expect(result(.minimum, [more, less, more, 2_000_000_000]) == less)
    #expect(result(.maximum, [less, 2_000_000_000]) == 2_000_000_000)
    #expect(result(.minimum, [.null, less, 2]) == 2)
  }

  @Test(
    arguments: [
      (Value(integerLiteral: 7), Predicate.Arithmetic.divide, 2, 3),
      (-7, .divide, 2, -3), (7, .divide, 2.0, 3.5), (1, .divide, 0, .null),
      (1.0, .divide, 0.0, .null), (.integer(.max), .add, 1, .real(0x1p63)),
      (.integer(.min), .divide, -1, .real(0x1p63)), (.integer(.min), .subtract, 1, .real(-0x1p63)),
      (.null, .add, 1, .null), ("1", .add, 1, .null), (2, .multiply, 1.5, 3.0),
      (.real(.infinity), .subtract, .real(.infinity), .null), (2, .subtract, 3, -1),
    ] as [(Value, Predicate.Arithmetic, Value, Value)])
  func calculates(left: Value, operation: Predicate.Arithmetic, right: Value, expected: Value) {
    #expect(Value.arithmetic(left, operation, right) == expected)
  }

  @Test func emptyListsOfConditions() {
    #expect(Predicate.and([]).admits(Subject(1)))
    #expect(!Predicate.or([]).admits(Subject(1)))
    #expect(!Predicate.constant(false).admits(Subject(1)))
  }

  @Test func sortsByKeysThenByObjectKey() {
    let subjects = [
      Subject(5, ["name": "b"]), Subject(1, ["name": "B"]), Subject(2), Subject(3, ["name": "a"]),
      Subject(4, ["name": 1]),
    ]
    func order(_ descriptors: [SortDescriptor]) -> [RowKey] {
      subjects.sorted { descriptors.compare($0, $1) == .ascending }.map(\.predicateKey)
    }
    #expect(order([]) == [1, 2, 3, 4, 5])
    #expect(order([SortDescriptor(["name"])]) == [2, 4, 1, 3, 5])
    #expect(order([SortDescriptor(["name"], ascending: false)]) == [5, 3, 1, 4, 2])
    #expect(
      order([SortDescriptor(["name"], ascending: false, options: .caseInsensitive)])
        == [1, 5, 3, 4, 2])
    #expect(order([SortDescriptor([], ascending: false)]) == [5, 4, 3, 2, 1])
  }

  @Test func validationNamesTheFault() {
    func fault(_ comparison: Predicate.Comparison) -> String? {
      do {
        try Predicate.and([.not(.comparison(comparison))])
          .validate(for: PredicateFixture.entity(), in: PredicateFixture.schema)
        return nil
      } catch {
        return error.description
      }
    }
    #expect(fault(.init(.keyPath(["tasks", "done"]), .equal, .value(1))) == nil)
    #expect(
      fault(.init(.keyPath(["nme"]), .equal, .value(1))) == "Employee has no property “nme”.")
    #expect(
      fault(.init(.keyPath(["name", "x"]), .equal, .value(1)))
        == "Employee.name is an attribute, so a path cannot continue after it.")
    #expect(
      fault(.init(.value(1), .equal, .keyPath(["tasks", "done"])))?.contains("many objects") == true
    )
    #expect(fault(.init(.count(["name"]), .equal, .value(1)))?.contains("count") == true)
    #expect(
      fault(.init(.aggregate(.sum, ["tasks"]), .equal, .value(1)))?.contains("aggregate") == true)
    #expect(fault(.init(.keyPath(["age"]), .equal, .list([])))?.contains("IN or") == true)
    #expect(
      fault(.init(.keyPath(["age"]), .between, .list([.value(1)])))?.contains("two") == true)
    #expect(
      fault(.init(.keyPath(["name"]), .matches, .value("(")))
        == "“(” is not a valid regular expression.")
  }
}

extension Predicate.StringOptions {
  static func letters(_ letters: String) -> Self {
    var options: Self = []
    if letters.contains("c") { options.insert(.caseInsensitive) }
    if letters.contains("d") { options.insert(.diacriticInsensitive) }
    return options
  }
}
