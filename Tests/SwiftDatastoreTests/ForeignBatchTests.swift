import DatastoreCore
import DatastoreTestSupport
import SwiftDatastore
import Testing

// Promise: many rows of another program's tables are updated or deleted at once, in a file or a server →
// the same as one by one, on both engines, seen by sqlite3 and psql.
/// Batch operations on tables that another program has made: keys of text, of several columns and of numbers.
@Suite("Batch operations on tables of other programs")
struct ForeignBatchTests {
  private static let tables = """
    CREATE TABLE customer (code TEXT PRIMARY KEY NOT NULL, name TEXT NOT NULL, level INTEGER);
    CREATE TABLE purchase (region TEXT NOT NULL, number INTEGER NOT NULL,
      customer_code TEXT NOT NULL REFERENCES customer (code) ON DELETE CASCADE, total INTEGER,
      PRIMARY KEY (region, number));
    CREATE TABLE line (id INTEGER PRIMARY KEY, what TEXT, region TEXT, number INTEGER,
      FOREIGN KEY (region, number) REFERENCES purchase (region, number) ON DELETE SET NULL);
    CREATE TABLE tag (id INTEGER PRIMARY KEY, label TEXT UNIQUE, level INTEGER);
    CREATE TABLE purchase_tag (region TEXT NOT NULL, number INTEGER NOT NULL,
      tag_id INTEGER NOT NULL REFERENCES tag (id), PRIMARY KEY (region, number, tag_id),
      FOREIGN KEY (region, number) REFERENCES purchase (region, number) ON DELETE CASCADE);
    CREATE TABLE badge (id INTEGER PRIMARY KEY, label TEXT,
      customer_code TEXT UNIQUE REFERENCES customer (code) ON DELETE SET NULL);
    CREATE TABLE customer_tag (customer_code TEXT NOT NULL REFERENCES customer (code) ON DELETE CASCADE,
      tag_id INTEGER NOT NULL REFERENCES tag (id), PRIMARY KEY (customer_code, tag_id));
    INSERT INTO customer VALUES ('a', 'Ann', 1), ('b', 'Bob', 2), ('c', 'Cyd', 3);
    INSERT INTO purchase VALUES ('EU', 1, 'a', 10), ('EU', 2, 'a', 20), ('US', 1, 'b', 30),
      ('US', 2, 'c', 40);
    INSERT INTO line VALUES (1, 'x', 'EU', 1), (2, 'y', 'EU', 1), (3, 'x', 'US', 1), (4, 'z', NULL, NULL);
    INSERT INTO tag VALUES (1, 'red', 1), (2, 'blue', 2);
    INSERT INTO purchase_tag VALUES ('EU', 1, 1), ('EU', 2, 1), ('US', 1, 2);
    INSERT INTO customer_tag VALUES ('a', 1), ('a', 2), ('b', 1), ('c', 2);
    INSERT INTO badge VALUES (1, 'one', 'a'), (2, 'two', 'b'), (3, 'three', NULL);
    """

  private func condition(_ text: String, _ entity: String, _ schema: Schema) throws -> Predicate {
    try Predicate.parse(text, entity: #require(schema.entity(named: entity)), in: schema)
  }

  /// The relationship from one entity that leads to one object of another.
  private func toOne(_ entity: String, _ destination: String, _ schema: Schema) throws -> String {
    let properties = try #require(schema.entity(named: entity)).properties
    return try #require(
      properties.first {
        $0.relationship?.kind == .toOne && $0.relationship?.destination == destination
      }?.name)
  }

  @Test("Values, references of every kind of key, and partners", arguments: TestEngine.allCases)
  func updates(engine: TestEngine) async throws {
    let tables = try ForeignTables(engine, Self.tables)
    try await tables.datastore.inContext { context in
      let schema = context.core.graph.schema
      let customer = try toOne("purchase", "customer", schema)
      let purchase = try toOne("line", "purchase", schema)
      let owner = try toOne("badge", "customer", schema)
      let bob = try context.one("customer", "name", "Bob")
      let purchases = try context.all("purchase")
      let second = try #require(purchases.first { $0["total"] == 20 })
      #expect(
        try context.updateMany(
          entityName: "purchase", where: condition("\(customer).name == 'Ann'", "purchase", schema),
          values: ["total": 99]) == 2)
      #expect(second["total"] == 99)
      #expect(try tables.run("SELECT sum(total) FROM purchase") == "268")
      // Keys of text, and of two columns.
      #expect(
        try context.updateMany(
          entityName: "purchase", where: condition("number == 2", "purchase", schema),
          values: [customer: .key(bob.key)]) == 2)
      #expect(
        try tables.run(
          "SELECT region, number FROM purchase WHERE customer_code = 'b' ORDER BY 1, 2")
          == "EU|2\nUS|1\nUS|2")
      #expect(
        try context.updateMany(
          entityName: "line", where: condition("what == 'x'", "line", schema),
          values: [purchase: .key(second.key)]) == 2)
      #expect(
        try tables.run("SELECT id FROM line WHERE region = 'EU' AND number = 2 ORDER BY id")
          == "1\n3")
      #expect(
        try context.updateMany(entityName: "line", where: nil, values: [purchase: .null]) == 4)
      #expect(
        try tables.run("SELECT count(*) FROM line WHERE region IS NULL AND number IS NULL") == "4")
      let cyd = try context.one("customer", "name", "Cyd")
      #expect(
        try context.updateMany(
          entityName: "badge", where: condition("label == 'three'", "badge", schema),
          values: [owner: .key(cyd.key)]) == 1)
      #expect(try context.one("badge", "label", "three").object(owner) === cyd)
      #expect(try tables.run("SELECT customer_code FROM badge ORDER BY id") == "a\nb\nc")
      // Each has one at most.
      #expect(throws: StoreError.self) {
        try context.updateMany(entityName: "badge", where: nil, values: [owner: .key(bob.key)])
      }
      #expect(try tables.run("SELECT customer_code FROM badge ORDER BY id") == "a\nb\nc")
    }
  }

  @Test("What cannot be written is refused, and nothing is written", arguments: TestEngine.allCases)
  func refusals(engine: TestEngine) async throws {
    let tables = try ForeignTables(engine, Self.tables)
    let before = try tables.contents(of: "customer", "purchase", "tag")
    try await tables.datastore.inContext { context in
      func refusal(_ entity: String, _ values: [String: Value]) throws -> String {
        let error = #expect(throws: StoreError.self) {
          try context.updateMany(entityName: entity, where: nil, values: values)
        }
        return try #require(error).description
      }
      // A file's rows get another key if it is free; objects of a server keep theirs.
      #expect(
        try refusal("purchase", ["region": "EU"]).contains(
          engine.isSQLite
            ? "another purchase has the same region, number" : "is part of the primary key"))
      #expect(try refusal("tag", ["label": "same"]).contains("label"))
      _ = try refusal("customer", ["name": .null])
      // Purchases are tagged with it, and no rule removes the tags.
      let denied = #expect(throws: (any Error).self) {
        try context.deleteMany(entityName: "tag", where: nil)
      }
      #expect(denied is StoreError || denied is ValidationError)
    }
    #expect(try tables.contents(of: "customer", "purchase", "tag") == before)
  }

  @Test(
    "Deleting many is deleting one by one, whatever keys and rules say",
    arguments: TestEngine.allCases,
    [
      ("customer", "level < 3"), ("customer", "level > 9"), ("purchase", "total >= 20"),
      ("line", "what == 'x'"), ("badge", "id == 1"), ("customer", "TRUEPREDICATE"),
    ])
  func deletions(engine: TestEngine, deleted: (entity: String, condition: String)) async throws {
    let names = ["customer", "purchase", "line", "tag", "purchase_tag", "badge", "customer_tag"]
    let many = try ForeignTables(engine, Self.tables)
    try await many.datastore.inContext { context in
      let condition = try condition(
        deleted.condition, deleted.entity, context.core.graph.schema)
      let found = try context.count(
        FetchRequest(entity: deleted.entity, predicate: condition))
      let objects = try context.core.graph.schema.entities.flatMap { try context.all($0.name) }
      #expect(try context.deleteMany(entityName: deleted.entity, where: condition) == found)
      // Objects that are gone know it.
      let left = try context.core.graph.schema.entities.flatMap { try context.all($0.name) }
      #expect(objects.filter { !$0.isGone }.map(\.objectID) == left.map(\.objectID))
    }
    let single = try ForeignTables(engine, Self.tables)
    try await single.datastore.inContext { context in
      let condition = try condition(
        deleted.condition, deleted.entity, context.core.graph.schema)
      let found: [DynamicObject] = try context.fetch(
        FetchRequest(entity: deleted.entity, predicate: condition))
      for object in found { context.deleteObject(object) }
      try context.saveChanges()
    }
    for name in names {
      let rows = "SELECT * FROM \(name) ORDER BY 1, 2"
      #expect(try many.run(rows) == single.run(rows), "\(engine), \(deleted), \(name)")
    }
  }

  #if PostgreSQL
  @Test("A trigger that keeps a row in a server is told, and what a trigger writes is seen")
  func triggers() async throws {
    let tables = try ForeignTables(
      .postgreSQL,
      Self.tables + """
        CREATE FUNCTION keep() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
          IF OLD.name = 'Bob' THEN RETURN NULL; END IF; RETURN OLD; END $$;
        CREATE TRIGGER keep BEFORE DELETE ON customer FOR EACH ROW EXECUTE FUNCTION keep();
        CREATE FUNCTION raise() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
          UPDATE customer SET level = level + 10 WHERE code = NEW.customer_code; RETURN NULL; END $$;
        CREATE TRIGGER raise AFTER UPDATE ON purchase FOR EACH ROW EXECUTE FUNCTION raise();
        """)
    try await tables.datastore.inContext { context in
      let ann = try context.one("customer", "name", "Ann")
      #expect(ann["level"] == 1)
      #expect(
        try context.updateMany(entityName: "purchase", where: nil, values: ["total": 1]) == 4)
      #expect(ann["level"] == 21)
      let kept = #expect(throws: StoreError.self) {
        try context.deleteMany(entityName: "customer", where: nil)
      }
      #expect(
        try #require(kept).description.contains("a trigger or row security of the table kept it"))
    }
    #expect(
      try tables.run("SELECT (SELECT count(*) FROM customer), (SELECT count(*) FROM purchase)")
        == "3|4")
  }
  #endif
}
