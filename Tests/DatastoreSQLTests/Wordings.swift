import DatastoreCore
import DatastoreSQL
import DatastoreSQLite
import DatastoreTestSupport
import Testing

#if PostgreSQL
import DatastorePostgreSQL
#endif

/// The statements of both dialects, without a file or a server.
///
/// `SQLLayout` lays out a text: a line for each clause, followed by the bound values in their order, if there
/// are any.
struct Wordings {
  let schema: Schema

  init(_ schema: Schema = CompanySchema.schema) {
    self.schema = schema
  }

  /// Compares the text of each dialect with the expected one.
  func expect(
    sqlite: String, postgreSQL: String, sourceLocation: SourceLocation = #_sourceLocation,
    _ statement: (QueryBuilder) throws -> SQLFragment
  ) throws {
    try expect(sqlite, in: SQLiteDialect(), "SQLite", sourceLocation, statement)
    #if PostgreSQL
    try expect(postgreSQL, in: PostgreSQLDialect(), "PostgreSQL", sourceLocation, statement)
    #endif
  }

  private func expect(
    _ expected: String, in dialect: any SQLDialect, _ engine: String,
    _ sourceLocation: SourceLocation, _ statement: (QueryBuilder) throws -> SQLFragment
  ) throws {
    let mapping = SchemaMapping.native(schema, dialect: dialect)
    let fragment = try statement(QueryBuilder(mapping))
    let shown = fragment.refusal.map { "refused: \($0)" } ?? Self.text(fragment, in: dialect)
    #expect(shown == expected, "\(engine)", sourceLocation: sourceLocation)
  }

  /// A statement on lines, and the values that it is run with.
  static func text(_ fragment: SQLFragment, in dialect: any SQLDialect) -> String {
    let (text, bindings) = fragment.rendered(in: dialect)
    let layout = SQLLayout.lines(of: text)
    if bindings.isEmpty { return layout }
    return layout + "\n← " + bindings.map(shown).joined(separator: ", ")
  }

  /// A value; not the long tables of letters that fold texts, nor white space.
  private static func shown(_ value: Value) -> String {
    guard case .text(let text) = value else { return "\(value)" }
    let isReadable = text.unicodeScalars.allSatisfy { $0 == " " || !$0.properties.isWhitespace }
    return isReadable && text.count <= 60 ? "\(value)" : "many letters"
  }
}

/// Requests as people write them.
extension Wordings {
  func request(
    _ entity: String, _ condition: String? = nil, order: String = "", offset: Int = 0,
    limit: Int = 0
  ) throws -> FetchRequest {
    let described = try self.entity(entity)
    return FetchRequest(
      entity: entity,
      predicate: try condition.map { try Predicate.parse($0, entity: described, in: schema) },
      sortDescriptors: try SortDescriptor.parse(order, entity: described, in: schema),
      offset: offset, limit: limit)
  }

  func entity(_ name: String) throws -> Entity {
    try #require(schema.entity(named: name))
  }

  /// The statement that declares the table of an entity of no family.
  func declaration(of name: String, _ builder: QueryBuilder) throws -> SQLFragment {
    NativeTables(mapping: builder.mapping).table(try entity(name))
  }

  func slot(_ name: String, of entity: String) throws -> Slot {
    try #require(self.entity(entity).slot(named: name))
  }

  /// The keys of the objects of an entity.
  func expectKeys(
    of entity: String = "Employee", where condition: String? = nil, order: String = "",
    offset: Int = 0, limit: Int = 0, sqlite: String, postgreSQL: String,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let request = try request(entity, condition, order: order, offset: offset, limit: limit)
    try expect(sqlite: sqlite, postgreSQL: postgreSQL, sourceLocation: sourceLocation) {
      try $0.keys(request)
    }
  }

  /// The text after `WHERE` in a question for the keys of an entity's objects, and the bound values.
  func expectCondition(
    _ condition: String, of entity: String = "Employee", sqlite: String, postgreSQL: String,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let request = try request(entity, condition)
    try expect(sqlite: sqlite, postgreSQL: postgreSQL, sourceLocation: sourceLocation) {
      let scope = $0.makeScope(try self.entity(entity).index)
      let condition = try $0.whereClause(request.predicate, in: scope)
      return condition.droppingPrefix(" WHERE ")
    }
  }

  /// The text after `ORDER BY` in a question for the keys of an entity's objects.
  func expectOrder(
    _ order: String, of entity: String = "Employee", sqlite: String, postgreSQL: String,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let request = try request(entity, order: order)
    try expect(sqlite: sqlite, postgreSQL: postgreSQL, sourceLocation: sourceLocation) {
      let scope = $0.makeScope(try self.entity(entity).index)
      return try $0.clauses(request, in: scope)
    }
  }
}
