import DatastoreCore
import DatastoreSQL
import DatastoreSQLite
import DatastoreTestSupport
import Foundation
import Testing

@Suite("Third-party files")
struct ReflectionTests {
  private func entity(_ store: SQLiteStore, _ name: String) throws -> EntityDescription {
    try #require(store.schema.entity(named: name)).description
  }

  private func comparison(
    _ path: [String], _ comparator: Predicate.Comparator, _ value: Value
  ) -> Predicate {
    .comparison(.init(.keyPath(path), comparator, .value(value)))
  }

  @Test("Foreign keys become relationships with inverses; their columns become aliases")
  func foreignKeys() throws {
    let file = try ForeignFile(
      """
      CREATE TABLE department (id INTEGER PRIMARY KEY, name TEXT NOT NULL);
      CREATE TABLE employee (id INTEGER PRIMARY KEY, name TEXT,
        department_id INTEGER REFERENCES department(id) ON DELETE CASCADE,
        bossId INTEGER REFERENCES employee);
      INSERT INTO department VALUES (1, 'IT'), (2, 'HR');
      INSERT INTO employee VALUES (10, 'Ann', 1, NULL), (11, 'Bob', 2, 10);
      """)
    let store = try file.open()
    let employee = try entity(store, "employee")
    #expect(employee.properties.map(\.name) == ["id", "name", "department", "boss", "employee"])
    #expect(
      employee.aliases == ["department_id": ["department"], "bossId": ["boss"]])
    let inverse = try #require(
      try entity(store, "department").properties.last?.relationship)
    #expect(inverse.name == "employee" && inverse.inverse == "department")
    #expect(inverse.deleteRule == .cascade)
    #expect(
      try store.names("employee", comparison(["department", "name"], .equal, "IT")) == ["Ann"])
    #expect(try store.names("employee", comparison(["department_id"], .equal, 2)) == ["Bob"])
    #expect(try store.names("employee", comparison(["boss", "name"], .equal, "Ann")) == ["Bob"])
    #expect(try store.related("department", "employee", 1) == [10])
    var changes = Changes(store)
    try changes.update("employee", 11, from: ["department": 2], to: ["department": 1])
    let key = try changes.insert("employee", ["name": "Cyd", "department": 1])
    try changes.save()
    #expect(key == 12)
    #expect(
      try file.query("SELECT id, department_id FROM employee ORDER BY id")
        == [["10", "1"], ["11", "1"], ["12", "1"]])
  }

  @Test("Several foreign keys to one table have inverses of their own")
  func severalForeignKeys() throws {
    let file = try ForeignFile(
      """
      CREATE TABLE city (id INTEGER PRIMARY KEY, flight TEXT);
      CREATE TABLE flight (id INTEGER PRIMARY KEY, origin_id INTEGER REFERENCES city,
        target_id INTEGER REFERENCES city, origin TEXT);
      """)
    let store = try file.open()
    #expect(
      try entity(store, "city").properties.map(\.name)
        == ["id", "flight", "flight_origin_id", "flight_target"])
    #expect(
      try entity(store, "flight").properties.map(\.name) == ["id", "origin_id", "target", "origin"])
  }

  @Test("A table of two foreign keys is a many-to-many relationship")
  func manyToMany() throws {
    let file = try ForeignFile(
      """
      CREATE TABLE student (id INTEGER PRIMARY KEY, name TEXT);
      CREATE TABLE course (code TEXT PRIMARY KEY, name TEXT) WITHOUT ROWID;
      CREATE TABLE attends (student_id INTEGER REFERENCES student, code TEXT REFERENCES course);
      INSERT INTO student VALUES (1, 'Ann'), (2, 'Bob');
      INSERT INTO course VALUES ('M', 'Maths'), ('A', 'Art');
      INSERT INTO attends VALUES (1, 'M'), (1, 'A'), (2, 'A');
      """)
    let store = try file.open()
    #expect(store.schema.entities.map(\.name) == ["student", "course"])
    let course = try #require(store.schema.entity(named: "course"))
    let names = try store.rows(
      entity: course.index, keys: store.related("student", "course", 1)
    ).map { $0.value(row: 0, slot: 1) }
    #expect(names.count == 1 || names.count == 2)
    #expect(
      try store.names(
        "student",
        .comparison(
          .init(.keyPath(["course", "name"]), .equal, .value("Maths"), quantifier: .any)))
        == ["Ann"])
    let maths = try #require(
      try store.fetchKeys(
        FetchRequest(entity: "course", predicate: comparison(["code"], .equal, "M"))
      ).first)
    #expect(try store.related("course", "student", maths) == [1])
    var changes = Changes(store)
    try changes.link("student", "course", 2, maths)
    try changes.save()
    #expect(
      try file.query("SELECT count(*) FROM attends WHERE student_id = 2 AND code = 'M'") == [["1"]])
  }

  @Test("WITHOUT ROWID and composite keys: read, follow, insert, update, delete")
  func compositeKeys() throws {
    let file = try ForeignFile(
      """
      CREATE TABLE orders (region TEXT, number INTEGER, note TEXT,
        PRIMARY KEY (region, number)) WITHOUT ROWID;
      CREATE TABLE item (region TEXT, number INTEGER, line INTEGER, what TEXT,
        PRIMARY KEY (region, number, line),
        FOREIGN KEY (region, number) REFERENCES orders(region, number)) WITHOUT ROWID;
      INSERT INTO orders VALUES ('EU', 1, 'a'), ('EU', 2, 'b'), ('US', 1, 'c');
      INSERT INTO item VALUES ('EU', 1, 1, 'pen'), ('EU', 1, 2, 'ink'), ('US', 1, 1, 'cup');
      """)
    let store = try file.open()
    #expect(
      try entity(store, "item").properties.map(\.name) == ["orders", "line", "what"])
    let request = FetchRequest(
      entity: "orders", predicate: comparison(["note"], .equal, "a"))
    let order = try #require(try store.fetchKeys(request).first)
    #expect(try store.related("orders", "item", order).count == 2)
    #expect(
      try store.values(
        FetchRequest(
          entity: "item", predicate: comparison(["orders", "note"], .equal, "c")), "what")
        == [["cup"]])
    #expect(
      try store.values(
        FetchRequest(
          entity: "item", predicate: comparison(["orders"], .equal, .key(order)),
          sortDescriptors: [SortDescriptor(["line"])]), "what") == [["pen"], ["ink"]])
    var changes = Changes(store)
    let new = try changes.insert("orders", ["region": "EU", "number": 3, "note": "n"])
    try changes.insert("item", ["orders": .key(new), "line": 1, "what": "nib"])
    try changes.update("orders", order, from: ["note": "a"], to: ["note": "A"])
    try changes.save()
    #expect(
      try file.query("SELECT * FROM item WHERE number = 3") == [["\"EU\"", "3", "1", "\"nib\""]])
    #expect(try store.row("orders", new)?["note"] == "n")
    var deletion = Changes(store)
    for item in try store.related("orders", "item", order) { try deletion.delete("item", item) }
    try deletion.delete("orders", order)
    try deletion.save()
    #expect(try file.query("SELECT count(*) FROM orders") == [["3"]])
    #expect(try store.row("orders", order) == nil)
  }

  @Test("Foreign keys to unique columns that are no key, text and number affinities mixed")
  func uniqueColumnReferences() throws {
    let file = try ForeignFile(
      """
      CREATE TABLE country (id INTEGER PRIMARY KEY, code TEXT UNIQUE COLLATE NOCASE, name TEXT);
      CREATE TABLE city (id INTEGER PRIMARY KEY, name TEXT, code TEXT REFERENCES country(code),
        ref TEXT REFERENCES country(id));
      INSERT INTO country VALUES (1, 'DE', 'Germany'), (2, 'FR', 'France');
      INSERT INTO city VALUES (1, 'Bonn', 'de', '2'), (2, 'Nice', 'FR', NULL);
      """)
    let store = try file.open()
    #expect(
      try store.values(FetchRequest(entity: "city"), "code", "ref") == [[1, 2], [2, .null]])
    #expect(try store.related("country", "city_code", 1) == [1])
    #expect(try store.names("city", comparison(["code", "name"], .equal, "Germany")) == ["Bonn"])
    var changes = Changes(store)
    let spain = try changes.insert("country", ["code": "ES", "name": "Spain"])
    try changes.insert("city", ["name": "Jaén", "code": .key(spain), "ref": .key(spain)])
    try changes.update("city", 1, from: ["code": 1], to: ["code": .key(spain)])
    try changes.save()
    let cities = try file.query("SELECT name, code, ref FROM city")
    #expect(
      cities
        == [
          ["\"Bonn\"", "\"ES\"", "\"2\""], ["\"Nice\"", "\"FR\"", "NULL"],
          ["\"Jaén\"", "\"ES\"", "\"3\""],
        ])
  }

  @Test("Foreign keys to missing tables stay attributes")
  func missingTables() throws {
    let file = try ForeignFile(
      "CREATE TABLE a (id INTEGER PRIMARY KEY, other_id INTEGER REFERENCES gone(id), n REFERENCES a(n))"
    )
    let store = try file.open()
    #expect(try entity(store, "a").properties.map(\.name) == ["id", "other_id", "n"])
    #expect(try entity(store, "a").properties.allSatisfy { $0.attribute != nil })
  }

  @Test("A key that is also a foreign key stays an attribute, its relationship is read-only")
  func keyThatRefers() throws {
    let file = try ForeignFile(
      """
      CREATE TABLE base (id INTEGER PRIMARY KEY, name TEXT);
      CREATE TABLE detail (id INTEGER PRIMARY KEY REFERENCES base(id), more TEXT);
      INSERT INTO base VALUES (5, 'five');
      INSERT INTO detail VALUES (5, 'x');
      """)
    let store = try file.open()
    let detail = try entity(store, "detail")
    #expect(detail.properties.map(\.name) == ["id", "more", "base"])
    #expect(detail.properties[2].relationship?.isReadOnly == true)
    #expect(
      try store.values(
        FetchRequest(entity: "detail", predicate: comparison(["base", "name"], .equal, "five")),
        "id", "base") == [[5, 5]])
  }

  @Test("What columns declare: types, NOT NULL, defaults, uniqueness, indexes, generated values")
  func columns() throws {
    let file = try ForeignFile(
      """
      CREATE TABLE t (id INTEGER PRIMARY KEY AUTOINCREMENT, a INT NOT NULL DEFAULT 5,
        b VARCHAR(10) DEFAULT 'it''s', c, d DECIMAL(5,2), e BOOLEAN DEFAULT TRUE, f DOUBLE,
        g DATETIME NOT NULL DEFAULT CURRENT_TIMESTAMP, h BLOB DEFAULT x'00ff', u TEXT UNIQUE,
        s GENERATED ALWAYS AS (a + 1) STORED, UNIQUE (a, b));
      CREATE INDEX t_f ON t(f);
      INSERT INTO t (a) VALUES (1);
      DELETE FROM t;
      """)
    let store = try file.open()
    let attributes = try entity(store, "t").properties.compactMap(\.attribute)
    let byName = Dictionary(uniqueKeysWithValues: attributes.map { ($0.name, $0) })
    #expect(
      attributes.map(\.type) == [
        .integer64, .integer64, .string, .undefined, .undefined, .boolean, .double, .string, .data,
        .string, .undefined,
      ])
    #expect(byName["id"]?.isOptional == true && byName["a"]?.isOptional == false)
    #expect(byName["g"]?.isOptional == true, "the file fills it in")
    #expect(byName["a"]?.defaultValue == 5 && byName["b"]?.defaultValue == "it's")
    #expect(byName["e"]?.defaultValue == 1 && byName["h"]?.defaultValue == .blob(Data([0, 255])))
    #expect(byName["u"]?.isUnique == true && byName["f"]?.isIndexed == true)
    #expect(byName["s"]?.isReadOnly == true && byName["b"]?.declaredType == "VARCHAR(10)")
    #expect(try entity(store, "t").uniqueness == [["a", "b"]])
    var changes = Changes(store)
    let made = try changes.insert("t", ["a": 7])
    let given = try changes.insert("t", ["id": 40, "a": 8])
    let result = try changes.save()
    #expect(made == 2, "AUTOINCREMENT never gives a key twice")
    #expect(result.rekeyed == [0: [given: 40]])
    let row = try #require(try store.row("t", made))
    #expect(row["s"] == 8 && row["id"] == 2 && row["g"]?.isNull == false)
  }

  @Test("STRICT tables, tables without primary key, odd names")
  func oddTables() throws {
    let file = try ForeignFile(
      """
      CREATE TABLE "select" ("a b" TEXT, "q""uote" ANY, "dot.ted" INTEGER, "Größe" REAL, "order" TEXT) STRICT;
      CREATE TABLE shadow (rowid TEXT, _rowid_ TEXT, oid TEXT);
      CREATE TABLE half (rowid TEXT, name TEXT);
      INSERT INTO "select" VALUES ('x', '5', 5, 1.5, 'o');
      INSERT INTO shadow VALUES ('a', 'b', 'c'), ('a', 'b', 'c'), ('d', 'e', 'f');
      INSERT INTO half VALUES ('r', 'n');
      """)
    let store = try file.open()
    #expect(
      try store.values(
        FetchRequest(entity: "select", predicate: comparison(["q\"uote"], .equal, "5")), "a b",
        "q\"uote", "dot.ted", "Größe", "order") == [["x", "5", 5, 1.5, "o"]])
    #expect(try store.names("half") == ["n"])
    #expect(try entity(store, "shadow").isReadOnly)
    let keys = try store.fetchKeys(FetchRequest(entity: "shadow"))
    #expect(Set(keys).count == 3)
    let index = try #require(store.schema.entity(named: "shadow")?.index)
    #expect(try store.rows(entity: index, keys: keys).map(\.rowCount) == [3])
    var changes = Changes(store)
    try changes.update("select", 1, from: ["dot.ted": 5], to: ["dot.ted": 6])
    let half = try changes.insert("half", ["rowid": "s", "name": "m"])
    try changes.save()
    #expect(try store.row("half", half)?["rowid"] == "s")
    #expect(try file.query("SELECT \"dot.ted\" FROM \"select\"") == [["6"]])
  }

  @Test("Views and virtual tables can be read and not written; broken ones only fail when read")
  func views() throws {
    let file = try ForeignFile(
      """
      CREATE TABLE t (id INTEGER PRIMARY KEY, n TEXT);
      INSERT INTO t VALUES (1, 'a'), (2, 'b'), (3, 'a');
      CREATE VIEW v AS SELECT n FROM t;
      CREATE VIEW broken AS SELECT no_such_function(n) AS x FROM t;
      CREATE VIEW missing AS SELECT * FROM nowhere;
      CREATE VIRTUAL TABLE ft USING fts5(body);
      INSERT INTO ft VALUES ('hello world');
      """)
    let store = try file.open()
    #expect(store.schema.entities.map(\.name) == ["t", "v", "broken", "missing", "ft"])
    let view = try #require(store.schema.entity(named: "v"))
    #expect(view.isReadOnly && store.information(about: view).kind == .view)
    let pages = try store.fetch(FetchRequest(entity: "v", sortDescriptors: [SortDescriptor(["n"])]))
    let keys = pages.flatMap { page in (0..<page.rowCount).map { page.key(ofRow: $0) } }
    #expect(Set(keys).count == 3)
    #expect(
      try store.rows(entity: view.index, keys: [keys[1]]).first?.value(row: 0, slot: 0) == "a")
    #expect(try store.values(FetchRequest(entity: "ft"), "body") == [["hello world"]])
    for name in ["broken", "missing"] {
      let error = try #require(throws: StoreError.self) {
        try store.fetch(FetchRequest(entity: name))
      }
      guard case .unreadable(let entity, _) = error else {
        Issue.record("\(error)")
        continue
      }
      #expect(entity == name)
    }
    var changes = Changes(store)
    try changes.insert("ft", ["body": "x"])
    #expect(throws: StoreError.readOnlyEntity("ft")) { try changes.save() }
  }

  @Test("Looking at a file changes no byte of it and leaves nothing beside it")
  func untouched() throws {
    let file = try ForeignFile(
      "CREATE TABLE t (id INTEGER PRIMARY KEY, n TEXT); INSERT INTO t VALUES (1, 'a')")
    let before = try Data(contentsOf: file.url)
    let store = try file.open()
    _ = try store.fetch(FetchRequest(entity: "t"))
    _ = try store.count(FetchRequest(entity: "t"))
    _ = try store.makeKey(entity: 0)
    #expect(try file.folder.names() == ["foreign.db"])
    try store.close()
    #expect(try file.folder.names() == ["foreign.db"])
    #expect(try Data(contentsOf: file.url) == before)
    let again = try file.open()
    var changes = Changes(again)
    try changes.insert("t", ["n": "b"])
    try changes.save()
    try again.close()
    #expect(try file.folder.names() == ["foreign.db"])
    #expect(try file.query("PRAGMA journal_mode") == [["\"delete\""]])
  }

  @Test("A native file without a model opens with its own types")
  func nativeWithoutModel() throws {
    let folder = try TemporaryDirectory()
    let first = try SQLiteStore(CompanySchema.schema, at: folder.file("a.db"))
    var changes = Changes(first)
    let key = try changes.insert("Employee", ["name": "Ann", "bonus": 1.5])
    try changes.save()
    try first.close()
    let store = try SQLiteStore(existing: folder.file("a.db"))
    #expect(store.isNative)
    #expect(store.schema.entities.map(\.description) == CompanySchema.descriptions)
    #expect(try store.row("Employee", key)?["bonus"] == 1.5)
  }
}
