import DatastoreCore
import DatastoreSQL
import DatastoreTestSupport
import Testing

/// The text for all engines has no word of one engine in it: everything else comes from the dialect.
@Suite struct SQLDialectTests {
  private static let mapping = SchemaMapping.native(CompanySchema.schema, dialect: MarkedDialect())

  /// Words that SQL of every engine has.
  private static let common: Set = [
    "AND", "AS", "BY", "CASE", "DESC", "DISTINCT", "ELSE", "END", "EXISTS", "FROM", "GROUP",
    "HAVING", "IN",
    "IS", "JOIN", "LEFT", "NOT", "NULL", "ON", "OR", "ORDER", "OVER", "SELECT", "THEN", "TRUE",
    "UNION", "WHEN", "WHERE", "WITH",
    "CASCADE", "CHECK", "CREATE", "DEFERRABLE", "DEFERRED", "DELETE", "IF", "INDEX", "INITIALLY",
    "KEY", "PRIMARY", "REFERENCES", "SET", "TABLE", "UNIQUE",
    "avg", "coalesce", "count", "max", "min", "sum",
    // Names of columns that the statement makes itself.
    "number", "rows", "value",
  ]

  private func expectCommon(
    _ sql: SQLFragment, _ comment: String, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let text = sql.rendered(in: MarkedDialect()).text
    let rest = text.replacing(/⟦[A-Za-z]* ?[0-9$]*/, with: " ").replacing("⟧", with: " ")
      .replacing(/"[^"]*"/, with: " ").replacing(/'[^']*'/, with: " ")
    let words = rest.matches(of: /[A-Za-z_]+/).map { String($0.output) }
    let others = words.filter { !Self.common.contains($0) }
    #expect(others.isEmpty, "\(comment): \(text)", sourceLocation: sourceLocation)
    let symbols = Set(rest).filter { !$0.isLetter && !$0.isNumber && !$0.isWhitespace }
    #expect(
      symbols.isSubset(of: "(),.=<>*-/|_"), "\(comment): \(text)", sourceLocation: sourceLocation)
  }

  @Test(
    "A condition is written in words of all engines",
    arguments: [
      "name == \"Ann\"", "name != nil", "age >= 30 AND (salary < 10.5 OR NOT (age == 4))",
      "name CONTAINS[cd] \"a\"", "name BEGINSWITH \"A\"", "name ENDSWITH \"n\"",
      "name LIKE \"A*\"", "name MATCHES \"A.*\"", "name SEARCH \"a\"", "age IN {1, 2, nil}",
      "age BETWEEN {1, 2}",
      "name IN {\"a\", \"b\"}", "bonus > 12.5", "age + salary > 10", "company.name == \"Acme\"",
      "company == nil", "ANY tasks.done == YES", "ALL tasks.done == YES", "NONE tasks.done == NO",
      "tasks.@count > 3", "tags.@count == 0", "tasks.@sum.estimate > 10",
      "tasks.@max.estimate == 4", "ANY tags.label == \"x\"", "name == email", "TRUEPREDICATE",
      "\"x\" IN tags.label", "FALSEPREDICATE",
    ])
  func conditions(text: String) throws {
    let schema = CompanySchema.schema
    let employee = try #require(schema.entity(named: "Employee"))
    let predicate = try Predicate.parse(text, entity: employee, in: schema)
    var request = FetchRequest(entity: "Employee", predicate: predicate)
    request.sortDescriptors = [
      SortDescriptor(["name"], ascending: false), SortDescriptor(["company", "name"]),
    ]
    try expectCommon(QueryBuilder(Self.mapping).rows(request), text)
    request.limit = 10
    request.offset = 5
    try expectCommon(QueryBuilder(Self.mapping).keys(request), text)
    try expectCommon(QueryBuilder(Self.mapping).count(request), text)
    try expectCommon(QueryBuilder(Self.mapping).sections(request, by: ["company"]), text)
    try expectCommon(QueryBuilder(Self.mapping).grouped(request, by: ["company", "name"]), text)
  }

  @Test("A summary is written in words of all engines", arguments: ["name", "age", "bonus"])
  func summaries(attribute: String) throws {
    let request = FetchRequest(entity: "Employee")
    let path = [attribute]
    let scale = HistogramScale(minimum: 0, maximum: 10, width: 2, count: 5)
    func builder() -> QueryBuilder { QueryBuilder(Self.mapping) }
    try expectCommon(builder().frequencies(of: path, in: request, limit: 10), "frequencies")
    try expectCommon(builder().statistics(of: path, in: request), "statistics")
    try expectCommon(builder().squares(of: path, in: request, mean: 2.5), "squares")
    try expectCommon(builder().middle(of: path, in: request, count: 8), "middle")
    try expectCommon(builder().numericRange(of: path, in: request), "numericRange")
    try expectCommon(builder().histogram(of: path, in: request, scale), "histogram")
    try expectCommon(
      builder().groupedHistograms(of: path, in: request, groupBy: ["company"], scale),
      "groupedHistograms")
    try expectCommon(builder().values(of: [path, ["company", "name"]], in: request), "values")
  }

  @Test("Relationships are followed in words of all engines")
  func relationships() {
    for entity in CompanySchema.schema.entities {
      expectCommon(QueryBuilder(Self.mapping).row(entity.index), entity.name)
      for case let link? in entity.links where link.kind.isToMany {
        expectCommon(
          QueryBuilder(Self.mapping).relatedKeys(entity.index, link.slot), link.description.name)
        expectCommon(QueryBuilder(Self.mapping).relatedRows(link), link.description.name)
        expectCommon(
          QueryBuilder(Self.mapping).memberCounts(link, where: nil), link.description.name)
      }
    }
  }

  @Test("Tables are declared in words of all engines")
  func declarations() {
    for statement in NativeTables(mapping: Self.mapping).statements {
      expectCommon(statement, "declaration")
    }
  }

  @Test("Names that an engine reserves are not given to tables")
  func reservedNames() throws {
    let schema = try Schema([
      EntityDescription(
        name: "pg_class", properties: [.attribute(AttributeDescription(name: "n", type: .string))])
    ])
    let mapping = SchemaMapping.native(schema, dialect: MarkedDialect())
    #expect(mapping.entities.map(\.table) == ["_pg_class"])
  }
}
