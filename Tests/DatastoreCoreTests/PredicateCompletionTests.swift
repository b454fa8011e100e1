import Testing

@testable import DatastoreCore

@Suite struct PredicateCompletionTests {
  /// The bar marks the cursor.
  private func complete(_ marked: String) -> (range: Range<Int>, items: [String]) {
    let cursor = marked.firstIndex(of: "|") ?? marked.endIndex
    let offset = marked.distance(from: marked.startIndex, to: cursor)
    var text = marked
    if cursor != marked.endIndex { text.remove(at: cursor) }
    let completion = PredicateCompletion(
      of: text, at: offset, entity: PredicateFixture.entity(), in: PredicateFixture.schema)
    return (completion.range, completion.items.map(\.text))
  }

  @Test(
    arguments: [
      ("na|", 0..<2, ["name"]),
      ("age > 1 AND sal| < 3", 12..<15, ["salary"]),
      ("NOT ta|", 4..<6, ["tasks", "tags"]),
      ("an|", 0..<2, ["anything", "`any`", "ANY"]),
      (
        "tasks.|", 6..<6,
        ["title", "done", "estimate", "due", "owner", "@count", "@sum", "@avg", "@min", "@max"]
      ),
      ("tasks.@m|", 6..<8, ["@min", "@max"]),
      ("boss.company.|", 13..<13, ["name", "number", "employees"]),
      ("company.na|", 8..<10, ["name"]),
      ("name B|", 5..<6, ["BETWEEN", "BEGINSWITH"]),
      ("age |", 4..<4, ["==", "!=", "<", "<=", ">", ">=", "IN", "BETWEEN"]),
      ("active |", 7..<7, ["==", "!=", "IN"]),
      ("active == T|", 10..<11, ["TRUE", "tasks", "tags"]),
      ("age IN |", 7..<7, ["{"]),
      ("age > 1 |", 8..<8, ["AND", "OR"]),
      ("(age > 1 a|", 9..<10, ["AND"]),
      ("name == \"a|", 8..<10, []),
      ("name == \"a|\" AND age > 1", 8..<11, []),
      ("name == \"a\"|", 11..<11, []),
      ("age == 1|", 7..<8, []),
      ("nonsense > 1 |", 13..<13, []),
      ("größe > 1 o|", 10..<11, ["OR"]),
    ] as [(String, Range<Int>, [String])])
  func offersWhatMayCome(text: String, range: Range<Int>, items: [String]) {
    let completion = complete(text)
    #expect(completion.range == range)
    #expect(completion.items == items)
  }

  @Test func offersOperandsThatFit() {
    #expect(complete("active == |").items.prefix(4) == ["TRUE", "FALSE", "NULL", "name"])
    #expect(complete("|").items.contains("NOT"))
    #expect(complete("|").items.contains("`order item`"))
  }

  @Test(
    arguments: [
      ("name == |", ["name"], "", "\"x\""), ("name == \"An|", ["name"], "An", "\"x\""),
      ("name IN {\"a\", 'B|", ["name"], "B", "\"x\""), ("name == An|", ["name"], "An", "\"x\""),
      ("age > 1 AND boss.age <= 4|", ["manager", "age"], "4", nil),
      ("tasks.@max.estimate > 2|", ["tasks", "estimate"], "2", nil),
      ("company == 4|", ["company"], "4", nil),
    ] as [(String, [String], String, String?)])
  func asksForValues(text: String, path: [String], prefix: String, item: String?) throws {
    let typed = text.filter { $0 != "|" }
    let completion = PredicateCompletion(
      of: typed, at: typed.count, entity: PredicateFixture.entity(), in: PredicateFixture.schema)
    let values = try #require(completion.values)
    #expect(values.path == path)
    #expect(values.prefix == prefix)
    if let item { #expect(values.item(for: .text("x"))?.text == item) }
    #expect(values.item(for: .null) == nil)
  }

  @Test func asksForNoValuesWhereNoneMayStand() {
    for text in ["", "name", "name ==  \"a\"", "active == ", "tasks.@count > ", "nonsense == \"a"] {
      let completion = PredicateCompletion(
        of: text, at: text.count, entity: PredicateFixture.entity(), in: PredicateFixture.schema)
      #expect(completion.values == nil, "\(text)")
    }
  }
}
