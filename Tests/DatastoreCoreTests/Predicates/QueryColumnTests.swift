import Testing

@testable import DatastoreCore

@Suite struct QueryColumnTests {
  private func columns(_ text: String) throws(PredicateSyntaxError) -> [QueryColumn] {
    var parts = ValueQueryText()
    parts.columns = text
    return try ValueQuery(parts, entity: PredicateFixture.entity(), in: PredicateFixture.schema)
      .columns
  }

  @Test(
    "A column without a name is named as it is written, with one way of writing white space",
    arguments: [
      ("count( DISTINCT  name )", "count(DISTINCT name)"), ("AVG(salary)", "avg(salary)"),
      ("age+ 1", "age+1"), ("company . name", "company.name"), ("`order item`", "order item"),
      ("max(name)", "max(name)"), ("sum(hired)", "sum(hired)"),
    ])
  func name(_ text: String, _ name: String) throws {
    let column = try #require(columns(text).first)
    #expect(column.canonicalName == name)
  }

  @Test("What holds no numbers has no sum and no mean", arguments: ["sum", "avg"])
  func texts(_ function: String) {
    let error = #expect(throws: PredicateSyntaxError.self) { _ = try columns("\(function)(name)") }
    #expect(
      error?.message
        == "“name” does not hold numbers, so it has no \(function); it has count, min and max.")
    #expect(error?.utf8Offset == 4)
  }
}
