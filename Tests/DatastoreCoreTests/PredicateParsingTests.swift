import DatastoreTestSupport
import Testing

import struct Foundation.Data

@testable import DatastoreCore

@Suite struct PredicateParsingTests {
  static func parse(
    _ text: String, _ arguments: [PredicateArgument] = []
  ) throws(PredicateSyntaxError) -> Predicate {
    try Predicate.parse(
      text, arguments: arguments, entity: PredicateFixture.entity(), in: PredicateFixture.schema)
  }

  static func formatted(_ predicate: Predicate) -> String {
    predicate.formatted(entity: PredicateFixture.entity(), in: PredicateFixture.schema)
  }

  /// Each text with its canonical form.
  @Test(arguments: [
    ("truepredicate", "TRUEPREDICATE"),
    ("(FALSEPREDICATE)", "FALSEPREDICATE"),
    ("age = 3", "age == 3"), ("age <> 3", "age != 3"), ("age =< 3", "age <= 3"),
    ("age => 3", "age >= 3"), ("age<3", "age < 3"), ("age>-3", "age > -3"),
    ("age == 1 && age == 2 || age == 3", "age == 1 AND age == 2 OR age == 3"),
    ("age == 1 and (age == 2 or age == 3)", "age == 1 AND (age == 2 OR age == 3)"),
    ("((age == 1)) AND ((age == 2))", "age == 1 AND age == 2"),
    ("(age == 1 AND age == 2) AND age == 3", "(age == 1 AND age == 2) AND age == 3"),
    ("!age == 1", "NOT age == 1"), ("not (age == 1 or age == 2)", "NOT (age == 1 OR age == 2)"),
    ("NOT NOT age == 1", "NOT NOT age == 1"),
    ("NOT age == 1 AND age == 2", "NOT age == 1 AND age == 2"),
    ("age between {1, 2.5}", "age BETWEEN {1, 2.5}"),
    ("age IN (1, NULL)", "age IN {1, NULL}"), ("age in {}", "age IN {}"),
    ("name beginswith[cd] 'Ti\"m'", "name BEGINSWITH[cd] \"Ti\\\"m\""),
    ("name ==[c] \"x\"", "name ==[c] \"x\""), ("name LIKE [DC] \"*\"", "name LIKE[cd] \"*\""),
    ("name search 'a b*'", "name SEARCH \"a b*\""),
    ("name MATCHES \"\\\\d+\"", "name MATCHES \"\\\\d+\""),
    ("name CONTAINS '\\n\\t\\u00e9\\uD83D\\uDE00'", "name CONTAINS \"\\n\\té😀\""),
    ("some tasks.done == NO", "ANY tasks.done == FALSE"),
    ("tasks.done == true", "tasks.done == TRUE"), ("ALL tasks.done == 1", "ALL tasks.done == TRUE"),
    ("none tasks == nil", "NONE tasks == NULL"), ("any tasks == 12", "ANY tasks == 12"),
    ("company == NULL", "company == NULL"), ("company = 5", "company == 5"),
    ("SELF == 5", "SELF == 5"), ("SELF.name == 'x'", "name == \"x\""),
    ("boss.name != nil", "manager.name != NULL"), ("company_id == 3", "company.number == 3"),
    ("boss.company_id == 3", "manager.company.number == 3"),
    ("tasks.@count > 2", "tasks.@count > 2"),
    ("tasks.@sum.estimate >= 1.5", "tasks.@sum.estimate >= 1.5"),
    ("company.employees.manager.@avg.age < 3", "company.employees.manager.@avg.age < 3"),
    (
      "tasks.@min.due == '2001-01-02'",
      "tasks.@min.due == CAST(\"2001-01-02T00:00:00Z\", \"NSDate\")"
    ),
    ("5 < age", "5 < age"), ("5 < tasks.estimate", "tasks.estimate > 5"),
    ("5 IN reports", "ANY reports == 5"), ("5 IN {age, salary}", "5 IN {age, salary}"),
    ("age + 2 * salary > 1", "age + 2 * salary > 1"),
    ("(age + 2) * salary > 1", "(age + 2) * salary > 1"),
    ("age - (2 - salary) > 1", "age - (2 - salary) > 1"),
    ("(age - 2) - salary > 1", "age - 2 - salary > 1"), ("-age == 1", "0 - age == 1"),
    ("((age)) == (1)", "age == 1"), ("-(age + 1) < -1.5e3", "0 - (age + 1) < -1500.0"),
    ("hired > '2024-02-29'", "hired > CAST(\"2024-02-29T00:00:00Z\", \"NSDate\")"),
    (
      "hired == \"2024-01-02T03:04:05.25+02:00\"",
      "hired == CAST(\"2024-01-02T01:04:05.250Z\", \"NSDate\")"
    ),
    ("hired > CAST('2024-01-02', 'NSDate') - 60", "hired > 725846400.0 - 60"),
    ("hired > 5", "hired > 5"),
    (
      "badge == '3F2504E0-4F89-11D3-9A0C-0305E82C3301'",
      "badge == \"3F2504E0-4F89-11D3-9A0C-0305E82C3301\""
    ),
    ("photo == x'00fF'", "photo == x'00FF'"), ("rate == 1.50", "rate == 1.5"),
    ("active == YES", "active == TRUE"), ("salary == 1", "salary == 1"),
    ("`order item` == 'x'", "`order item` == \"x\""), ("#any == 1", "`any` == 1"),
    ("größe > 1", "größe > 1"),
    ("anything == 'x' OR anything == 3", "anything == \"x\" OR anything == 3"),
    ("foreign > '2024-01-02'", "foreign > \"2024-01-02\""), ("1 == 1", "1 == 1"),
    ("age == -9223372036854775808", "age == -9223372036854775808"),
    ("salary < 9e999", "salary < 9e999"),
    ("'abc' CONTAINS name", "\"abc\" CONTAINS name"), ("hired == NULL", "hired == NULL"),
    ("age == 1\n  AND\tage == 2", "age == 1 AND age == 2"),
  ])
  func reads(text: String, canonical: String) throws {
    let predicate = try Self.parse(text)
    #expect(Self.formatted(predicate) == canonical)
    #expect(try Self.parse(canonical) == predicate)
    try predicate.validate(for: PredicateFixture.entity(), in: PredicateFixture.schema)
  }

  @Test func storesConstantsAsTheirAttributesDo() throws {
    func constant(_ text: String) throws -> Value? {
      guard case .comparison(let comparison) = try Self.parse(text),
        case .value(let value) = comparison.right
      else { return nil }
      return value
    }
    #expect(try constant("hired == '2001-01-01T00:00:01Z'") == 1.0)
    #expect(try constant("hired == 1") == 1)
    #expect(try constant("active == YES") == 1)
    #expect(
      try constant("badge == '00010203-0405-0607-0809-0A0B0C0D0E0F'")
        == .blob(Data(0..<16)))
    #expect(try constant("rate == 2") == 2)
    #expect(try constant("rate == 1.5") == 1.5)
    #expect(try constant("rate == \"2.0\"") == 2)
    #expect(try constant("foreign == '2001-01-01'") == "2001-01-01")
    #expect(try constant("salary == 2") == 2)
    #expect(try constant("salary == -0.0") == .real(-0.0))
  }

  @Test func takesArguments() throws {
    let predicate = try Self.parse(
      "%K == %@ AND age IN %@ AND age > %d AND salary < %f AND age IN {%@, 9} AND %K.@count > %ld",
      [
        .keyPath(["order item"]), .value("x"), .values([1, 2]), .value(3), .value(1.5),
        .values([7, 8]), .value("company.employees"), .value(2),
      ])
    #expect(
      Self.formatted(predicate)
        == "`order item` == \"x\" AND age IN {1, 2} AND age > 3 AND salary < 1.5 "
        + "AND age IN {7, 8, 9} AND company.employees.@count > 2")
    #expect(
      Self.formatted(try Self.parse("%K > 1", [.keyPath(["tasks", "@count"])]))
        == "tasks.@count > 1")
    #expect(
      Self.formatted(try Self.parse("hired > %@", [.value("2001-01-01")]))
        == "hired > CAST(\"2001-01-01T00:00:00Z\", \"NSDate\")")
  }

  @Test func readsSortOrders() throws {
    func parse(_ text: String) throws(PredicateSyntaxError) -> [SortDescriptor] {
      try SortDescriptor.parse(
        text, entity: PredicateFixture.entity(), in: PredicateFixture.schema)
    }
    #expect(
      try parse("salary desc, boss.name[cd] ASC, `any`, company descending, SELF desc") == [
        SortDescriptor(["salary"], ascending: false),
        SortDescriptor(
          ["manager", "name"], options: [.caseInsensitive, .diacriticInsensitive]),
        SortDescriptor(["any"]), SortDescriptor(["company"], ascending: false),
        SortDescriptor([], ascending: false),
      ])
    #expect(try parse(" ").isEmpty)
    #expect(
      try parse("tasks.@count desc, tasks.@max.title[c], company.employees.@count") == [
        SortDescriptor(.count(["tasks"]), ascending: false),
        SortDescriptor(.aggregate(.maximum, ["tasks", "title"]), options: .caseInsensitive),
        SortDescriptor(.count(["company", "employees"])),
      ])
    let text = "name[c] desc, `order item`, tasks.@count desc, tasks.@max.title[c]"
    #expect(try parse(text).map(\.description).joined(separator: ", ") == text)
    for (text, message) in [
      ("salary up", "Expected “,”, asc, desc or the end, found “up”."),
      ("salary,", "Expected a property to sort by, found the end."),
      ("tasks.title", "“tasks.title” has no one value to sort by."),
      (
        "tasks", "“tasks” has no one value to sort by; its number of objects is “tasks.@count”."
      ),
      ("slary", "Employee has no property “slary”; did you mean “salary”?"),
    ] {
      #expect { try parse(text) } throws: { ($0 as? PredicateSyntaxError)?.message == message }
    }
  }

  @Test func datesKeepTheirNumber() {
    var generator = SeededRandom(seed: RandomCases.seed())
    for _ in 0..<RandomCases.count {
      let whole = Double(Int.random(in: -60_000_000_000...200_000_000_000, using: &generator))
      let seconds = whole + [0, 0.5, 0.001, 0.123456][Int.random(in: 0..<4, using: &generator)]
      if let text = ISODate.format(seconds) {
        #expect(ISODate.parse(text) == seconds, "\(text)")
      }
    }
    #expect(ISODate.format(0) == "2001-01-01T00:00:00Z")
    #expect(ISODate.format(-978_307_200) == "1970-01-01T00:00:00Z")
    #expect(ISODate.format(-0.5) == "2000-12-31T23:59:59.500Z")
    #expect(ISODate.format(1e300) == nil)
    for text in ["2023-02-29", "2024-13-01", "2024-01-01T24:00", "2024-1-1", "", "2024-01-01T10"] {
      #expect(ISODate.parse(text) == nil, "\(text)")
    }
    #expect(
      ISODate.parse("2024-02-29 10:00-0130") == ISODate.parse("2024-02-29T11:30Z"))
  }

  // Promise: `Name LIKE "%love%"` finds nothing → the wildcards that count are told, and the condition that
  // was meant is written out.
  // Also: `FilterLineTests.theWildcardsOfSQLAreTold`, `QueryCommandTests.wildcards`
  /// Conditions with what is advised about them: the pattern that was meant, if SQL's wildcards are in it.
  @Test(arguments: [
    (#"name LIKE "%love%""#, #"name LIKE "*love*""#),
    (#"NOT (age == 1 OR name LIKE[cd] "a_b%")"#, #"name LIKE[cd] "a?b*""#),
    (#"ANY tasks.title LIKE "%""#, #"ANY tasks.title LIKE "*""#),
    // These wildcards are known to whom has written them.
    (#"name LIKE "*50%*""#, nil), (#"name LIKE "a_?""#, nil), (#"name LIKE "a""#, nil),
    (#"name LIKE "50\\%""#, nil), (#"name LIKE "\\\\_""#, #"name LIKE "\\\\?""#),
    (#"name CONTAINS "%""#, nil), (#"name == "a_b""#, nil), ("TRUEPREDICATE", nil),
  ])
  func wildcardsOfSQLAreAdvisedAgainst(_ text: String, meant: String?) throws {
    let advice = try Self.parse(text).advice
    #expect(advice.count == (meant == nil ? 0 : 1), "\(advice)")
    if let meant, let sentence = advice.first {
      #expect(sentence.contains("Write \(meant); for the sign itself, CONTAINS or =="))
      #expect(try Self.parse(meant).advice.isEmpty)
    }
  }
}
