#if PostgreSQL
import DatastoreCore
import DatastorePostgreSQL
import DatastoreSQL
import DatastoreTestSupport
import Foundation
import Testing

/// Relationships that no foreign key declares, in tables that psql makes and counts.
struct SuggestionTests {
  let server: PostgreSQLServer
  let database: String

  init() throws {
    server = try PostgreSQLServer.shared()
    database = try server.makeDatabase()
    try server.psql(
      database,
      """
      CREATE TABLE customers (id int PRIMARY KEY, name text, country_code text);
      CREATE TABLE country (code text PRIMARY KEY, id uuid UNIQUE);
      CREATE TABLE orders (id bigint PRIMARY KEY, customer_id bigint, country_id bigint, total real);
      CREATE TABLE visit (id int PRIMARY KEY, customer_id int REFERENCES customers);
      INSERT INTO country VALUES ('DE', NULL), ('FR', NULL);
      INSERT INTO customers SELECT i, 'Customer ' || i, CASE i % 2 WHEN 0 THEN 'DE' ELSE 'FR' END
        FROM generate_series(1, 300) AS i;
      INSERT INTO orders SELECT i, CASE WHEN i % 10 = 0 THEN -i ELSE i % 300 + 1 END, i, i
        FROM generate_series(1, 12000) AS i;
      """)
  }

  private func store(_ annotations: SchemaAnnotations = SchemaAnnotations()) throws
    -> PostgreSQLStore
  {
    try PostgreSQLStore(
      showing: PostgreSQLAddress(server.address(of: database)), annotations: annotations)
  }

  /// A column is not compared with one of another type, to which its name leads: the server would report an
  /// error.
  @Test func namesAndValuesSuggestThem() throws {
    let suggestions = try store().answer(SuggestionsQuestion())
    #expect(
      suggestions.map { $0.title() } == [
        "customers.country_code → country.code", "orders.customer_id → customers.id",
      ])
    #expect(suggestions[0].evidence == "300 of 300 values are found in country.code")
    // Five thousand from each end.
    let found = try server.psql(
      database,
      """
      SELECT count(*) FILTER (WHERE customer_id IN (SELECT id FROM customers)) FROM orders
      WHERE id <= 5000 OR id > 7000
      """)
    #expect(
      suggestions[1].evidence
        == "\(found.trimmingCharacters(in: .whitespacesAndNewlines)) of 10000 sampled values are found in customers.id"
    )
  }

  @Test func anAcceptedOneIsFollowedLikeADeclaredOne() throws {
    var annotations = SchemaAnnotations()
    annotations.setRelationship(
      .accepted, of: "customer_id", in: "orders", to: .init(table: "customers", column: "id"))
    annotations.setRelationship(
      .refused, of: "country_code", in: "customers", to: .init(table: "country", column: "code"))
    let store = try store(annotations)
    let orders = try #require(store.schema.entity(named: "orders"))
    let predicate = try Predicate.parse(
      "customer.name ENDSWITH \"7\"", entity: orders, in: store.schema)
    let count = try store.count(FetchRequest(entity: "orders", predicate: predicate))
    let counted = try server.psql(
      database,
      """
      SELECT count(*) FROM orders JOIN customers AS c ON c.id = customer_id WHERE c.name LIKE '%7'
      """)
    #expect("\(count)" == counted.trimmingCharacters(in: .whitespacesAndNewlines))
    #expect(try store.answer(SuggestionsQuestion()).map(\.decision) == [.refused, .accepted])
  }
}
#endif
