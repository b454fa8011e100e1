import DatastoreCore
import DatastoreSQL
import DatastoreSQLite
import DatastoreTestSupport
import Foundation
import Testing

// Promise: names suggest a relationship that there is none → it is only offered, with the proportion of
// values that are found.
@Suite(
  "Relationships that no foreign key declares",
  .enabled(if: SQLiteCommand.isPresent, "\(SQLiteCommand.absence)"))
struct SuggestionTests {
  private let directory: TemporaryDirectory
  private var url: URL { directory.url.appending(path: "shop.sqlite") }

  init() throws {
    directory = try TemporaryDirectory()
  }

  /// A shop without any foreign key but one.
  private static let shop = """
    CREATE TABLE customers (id INTEGER PRIMARY KEY, name TEXT, home_city_id INTEGER, region_id INTEGER);
    CREATE TABLE city (id INTEGER PRIMARY KEY, name TEXT);
    CREATE TABLE country (code TEXT PRIMARY KEY, name TEXT);
    CREATE TABLE region (id INTEGER PRIMARY KEY, name TEXT);
    CREATE TABLE Category (CategoryId INTEGER PRIMARY KEY, parent_id INTEGER, name TEXT);
    CREATE TABLE orders (id INTEGER PRIMARY KEY, customer_id INTEGER, total REAL, country_code TEXT,
      city TEXT, status_id INTEGER, region_id INTEGER REFERENCES region);
    CREATE TABLE product (id INTEGER PRIMARY KEY, CategoryId INTEGER, customerRef INTEGER, orderid INT);
    INSERT INTO city SELECT value, 'City ' || value FROM generate_series(1, 20);
    INSERT INTO country VALUES ('DE', 'Germany'), ('FR', 'France');
    INSERT INTO region VALUES (1, 'North');
    INSERT INTO customers SELECT value, 'Customer ' || value, value % 20 + 1, value + 1000
      FROM generate_series(1, 300);
    INSERT INTO Category VALUES (1, NULL, 'All'), (2, 1, 'Books'), (3, 1, 'Pens');
    INSERT INTO orders SELECT value, value * 7 % 300 + 1, value * 1.5, iif(value % 2, 'DE', 'FR'),
      'City ' || value, value, 1 FROM generate_series(1, 312);
    INSERT INTO product SELECT value, value % 3 + 1, iif(value % 10, value, -value), value * 3
      FROM generate_series(1, 100);
    """

  private func open(_ annotations: SchemaAnnotations = SchemaAnnotations()) throws -> SQLiteStore {
    try SQLiteStore(existing: url, annotations: annotations, isReadOnly: true)
  }

  @Test("Names and values suggest relationships; the proportion is that of SQLite's program")
  func suggested() async throws {
    try SQLiteCommand.run(Self.shop, on: url)
    let suggestions = try await open().answer(SuggestionsQuestion())
    #expect(
      suggestions.map { $0.title() } == [
        "customers.home_city_id → city.id", "Category.parent_id → Category.CategoryId",
        "orders.customer_id → customers.id", "orders.country_code → country.code",
        "product.CategoryId → Category.CategoryId", "product.customerRef → customers.id",
        "product.orderid → orders.id",
      ])
    for suggestion in suggestions {
      let (column, key) = (suggestion.column, suggestion.reference.column)
      let counts = try SQLiteCommand.run(
        """
        SELECT count(\(column)), sum(\(column) IN (SELECT \(key) FROM \(suggestion.reference.table))) \
        FROM \(suggestion.table)
        """, on: url)
      #expect("\(suggestion.valueCount)|\(suggestion.foundCount)" == counts, "\(suggestion)")
      #expect(suggestion.isComplete && suggestion.decision == nil)
    }
    #expect(suggestions[2].evidence == "312 of 312 values are found in customers.id")
    #expect(suggestions[5].evidence == "90 of 100 values are found in customers.id")
  }

  @Test("An accepted relationship is walked, filtered and counted like a declared one")
  func accepted() async throws {
    try SQLiteCommand.run(Self.shop, on: url)
    var annotations = SchemaAnnotations()
    for (table, column, other) in [
      ("orders", "customer_id", "customers"), ("product", "customerRef", "customers"),
    ] {
      annotations.setRelationship(
        .accepted, of: column, in: table, to: .init(table: other, column: "id"))
    }
    annotations.setRelationship(
      .refused, of: "orderid", in: "product", to: .init(table: "orders", column: "id"))
    let kept = try JSONDecoder().decode(
      SchemaAnnotations.self, from: JSONEncoder().encode(annotations))
    #expect(kept == annotations)
    let store = try open(kept)
    let orders = try #require(store.schema.entity(named: "orders"))
    let customers = try #require(store.schema.entity(named: "customers"))
    let customer = try #require(orders.slot(named: "customer").flatMap { orders.links[$0] })
    #expect(customer.destination == customers.index && customer.inverseSlot != nil)
    func count(_ entity: Entity, _ format: String) throws -> String {
      let predicate = try Predicate.parse(format, entity: entity, in: store.schema)
      return String(
        try store.count(FetchRequest(entity: entity.name, predicate: predicate)))
    }
    #expect(
      try count(orders, "customer.name ENDSWITH \"7\" AND customer_id > 5")
        == SQLiteCommand.run(
          """
          SELECT count(*) FROM orders JOIN customers ON customers.id = customer_id \
          WHERE name LIKE '%7' AND customer_id > 5
          """, on: url))
    #expect(
      try count(customers, "ANY orders.total > 400")
        == SQLiteCommand.run(
          "SELECT count(DISTINCT customer_id) FROM orders WHERE total > 400", on: url))
    #expect(
      try count(customers, "orders.@count == 2")
        == SQLiteCommand.run(
          """
          SELECT count(*) FROM (SELECT 1 FROM orders GROUP BY customer_id HAVING count(*) = 2)
          """, on: url))
    // Values that lead nowhere are still values of the column.
    let product = try #require(store.schema.entity(named: "product"))
    #expect(try count(product, "customerRef.name == NULL") == "10")
    #expect(try count(product, "customerRef == NULL") == "0")
    #expect(product.slot(named: "orderid").map { product.links[$0] == nil } == true)
    let decisions = try await store.answer(SuggestionsQuestion()).map(\.decision)
    #expect(decisions == [nil, nil, .accepted, nil, nil, .accepted, .refused])
    #expect(
      try open().schema.entity(named: "orders")?.description.properties.map(\.name)
        == ["id", "customer_id", "total", "country_code", "city", "status_id", "region"])
  }

  @Test("A row that an accepted relationship leads to is changed, added and removed")
  func edited() throws {
    try SQLiteCommand.run(Self.shop, on: url)
    var annotations = SchemaAnnotations()
    annotations.setRelationship(
      .accepted, of: "customer_id", in: "orders", to: .init(table: "customers", column: "id"))
    let store = try SQLiteStore(existing: url, annotations: annotations)
    var changes = Changes(store)
    let order = try changes.insert("orders", ["customer": 5, "total": 1])
    try changes.update("orders", 1, from: ["customer": 8], to: ["customer": 9])
    try changes.save()
    try store.close()
    #expect(
      try SQLiteCommand.run(
        "SELECT customer_id FROM orders WHERE id IN (1, \(order)) ORDER BY id", on: url) == "9\n5")
  }

  @Test("Of large tables some values of both ends are looked at, and that is said")
  func sampled() async throws {
    try SQLiteCommand.run(
      """
      CREATE TABLE kind (id INTEGER PRIMARY KEY);
      INSERT INTO kind SELECT value FROM generate_series(0, 9);
      CREATE TABLE small (kind_id INTEGER);
      INSERT INTO small SELECT value % 10 FROM generate_series(1, 8000);
      CREATE TABLE large (kind_id INTEGER);
      INSERT INTO large SELECT iif(value BETWEEN 10000 AND 90000, -1, value % 10)
        FROM generate_series(1, 100000);
      """, on: url)
    let found = try await open().answer(SuggestionsQuestion())
    #expect(
      found.map(\.evidence) == [
        "8000 of 8000 values are found in kind.id",
        "10000 of 10000 sampled values are found in kind.id",
      ])
  }

  @Test("A file of rows that lie about each other suggests nothing")
  func nothing() async throws {
    try SQLiteCommand.run(
      """
      CREATE TABLE a (id INTEGER PRIMARY KEY, b_id INTEGER, note TEXT);
      CREATE TABLE b (id INTEGER PRIMARY KEY, a TEXT);
      CREATE TABLE empty (id INTEGER PRIMARY KEY, a_id INTEGER);
      CREATE VIEW c AS SELECT id AS a_id FROM b;
      INSERT INTO a VALUES (1, 17, 'x'), (2, 18, 'y');
      INSERT INTO b VALUES (1, 'one');
      """, on: url)
    #expect(try await open().answer(SuggestionsQuestion()) == [])
  }

  // Promise: row numbers of the copy look like values of a column → they are never offered as what it
  // refers to.
  // Also: (column `kind`)
  @Test(
    "Between files that were loaded beside each other: by columns without repeated values, and never by the numbers of rows"
  )
  func loaded() async throws {
    let schema = try Schema([
      entity("sales", attribute("customer_id", .integer64), attribute("kind", .integer64)),
      entity("customers", attribute("id", .integer64), attribute("name")),
      entity("kinds", attribute("name")),
    ])
    let made = try SQLiteStore(schema, at: url)
    var rows = Changes(made)
    for key in 1...3 as ClosedRange<Int64> {
      try rows.insert(
        "customers", key: RowKey(key), ["id": .integer(key + 10), "name": .text("c\(key)")])
      try rows.insert("kinds", key: RowKey(key), ["name": .text("k\(key)")])
      try rows.insert(
        "sales", key: RowKey(key), ["customer_id": .integer(key + 10), "kind": .integer(key)])
    }
    _ = try made.save(rows.set)
    #expect(try await made.answer(SuggestionsQuestion()).isEmpty)
    try made.indexReferencedColumns()
    let found = try await made.answer(SuggestionsQuestion())
    #expect(found.map { $0.title() } == ["sales.customer_id → customers.id"])
    #expect(found.first?.foundCount == 3)
    try made.close()
    var said = SchemaAnnotations()
    said.setRelationship(
      .accepted, of: "customer_id", in: "sales", to: .init(table: "customers", column: "id"))
    // It is a relationship with another side, and everything else is the store's own description.
    let store = try SQLiteStore(existing: url, annotations: said)
    #expect(store.schemaDifferences.isEmpty)
    let names = try await store.answer(
      ValuesQuestion(
        of: [["customer", "name"], ["kind"]],
        in: FetchRequest(
          entity: "sales",
          sortDescriptors: [SortDescriptor(["customer", "name"], ascending: false)])
      ))
    #expect(names == [[.text("c3"), 3], [.text("c2"), 2], [.text("c1"), 1]])
    let counts = try await store.answer(
      ValuesQuestion(
        of: [["id"]],
        in: FetchRequest(
          entity: "customers",
          predicate: try Predicate.parse(
            "ANY sales.kind == 2", entity: try #require(store.schema.entity(named: "customers")),
            in: store.schema))))
    #expect(counts == [[12]])
    try store.close()
    // Without the annotation it is an attribute again.
    let plain = try SQLiteStore(existing: url)
    #expect(plain.isNative)
    #expect(plain.schema.entity(named: "sales")?.slot(named: "customer_id") != nil)
    try plain.close()
  }
}
