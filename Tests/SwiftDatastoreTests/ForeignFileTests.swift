import DatastoreCore
import Foundation
import SwiftDatastore
import Testing

/// Files of other programs, through the front door: read, walk, edit, create, delete, save, reopen.
@Suite("Files of other programs")
struct ForeignFileTests {
  @Test("Rowid tables: a to-one, its to-many inverse and a self reference")
  func relationships() async throws {
    let file = try ForeignDatabase(
      """
      CREATE TABLE department (id INTEGER PRIMARY KEY, name TEXT NOT NULL);
      CREATE TABLE employee (id INTEGER PRIMARY KEY, name TEXT,
        department_id INTEGER REFERENCES department(id), boss_id INTEGER REFERENCES employee(id));
      INSERT INTO department VALUES (1, 'IT'), (2, 'HR');
      INSERT INTO employee VALUES (1, 'Ann', 1, NULL), (2, 'Bob', 1, 1), (3, 'Cyd', 2, 1);
      """)
    let datastore = try file.open()
    try await datastore.inContext { context in
      let it = try context.one("department", "name", "IT")
      #expect(it.objects("employee").map { $0["name"] } == ["Ann", "Bob"])
      let ann = try context.one("employee", "name", "Ann")
      #expect(ann.object("boss") == nil)
      #expect(ann.objects("employee").map { $0["name"] } == ["Bob", "Cyd"])
      let cyd = try context.one("employee", "name", "Cyd")
      #expect(cyd.object("boss") === ann && cyd.object("department")?["name"] == "HR")
      cyd.set(it, for: "department")
      #expect(Set(it.objects("employee")) == Set(try context.all("employee")))
      let dee = try context.createObject(entityName: "employee")
      dee["name"] = "Dee"
      dee.set(cyd, for: "boss")
      context.deleteObject(try context.one("employee", "name", "Bob"))
      try context.saveChanges()
      #expect(dee["id"] == .key(dee.key))
      #expect(dee.objects("employee").isEmpty && cyd.objects("employee") == [dee])
    }
    try datastore.close()
    #expect(try file.run("SELECT * FROM employee") == "1|Ann|1|\n3|Cyd|1|1\n4|Dee||3")
    let names = try await file.open().inContext { context in
      try context.all("employee", by: "name").map { [$0["name"], $0.object("boss")?["name"]] }
    }
    #expect(names == [["Ann", nil], ["Cyd", "Ann"], ["Dee", "Cyd"]])
  }

  // Promise: a row is deleted to which others refer by a key with `ON DELETE SET DEFAULT` → they refer to the
  // default at once, in every context; without a default, to nothing.
  @Test("Keys that get their default when the row is deleted that they refer to")
  func defaultedKeys() async throws {
    let file = try ForeignDatabase(
      """
      CREATE TABLE department (id INTEGER PRIMARY KEY, name TEXT);
      CREATE TABLE employee (id INTEGER PRIMARY KEY, name TEXT,
        department_id INTEGER DEFAULT 1 REFERENCES department ON DELETE SET DEFAULT,
        office_id INTEGER DEFAULT NULL REFERENCES department ON DELETE SET DEFAULT);
      INSERT INTO department VALUES (1, 'IT'), (2, 'HR'), (3, 'PR');
      INSERT INTO employee VALUES (1, 'Ann', 2, 2), (2, 'Bob', 3, 1);
      """)
    let datastore = try file.open()
    try await datastore.inContext { context in
      let it = try context.one("department", "name", "IT")
      let ann = try context.one("employee", "name", "Ann")
      let bob = try context.one("employee", "name", "Bob")
      let hr = try #require(ann.object("department"))
      #expect(hr["name"] == "HR" && ann.object("office") === hr)
      #expect(bob.object("department")?["name"] == "PR")
      context.deleteObject(hr)
      #expect(ann.object("office") == nil)
      try context.saveChanges()
      #expect(ann.object("department") === it)
      let isPR = Predicate.comparison(.init(.keyPath(["name"]), .equal, .value("PR")))
      #expect(try context.deleteMany(entityName: "department", where: isPR) == 1)
      #expect(bob.object("department") === it && bob.object("office") === it)
    }
    try datastore.close()
    #expect(try file.run("SELECT department_id, office_id FROM employee") == "1|\n1|1")
  }

  @Test("Composite keys and WITHOUT ROWID")
  func compositeKeys() async throws {
    let file = try ForeignDatabase(
      """
      CREATE TABLE orders (region TEXT, number INTEGER, note TEXT, PRIMARY KEY (region, number))
        WITHOUT ROWID;
      CREATE TABLE line (region TEXT, number INTEGER, line INTEGER, what TEXT,
        PRIMARY KEY (region, number, line),
        FOREIGN KEY (region, number) REFERENCES orders(region, number));
      INSERT INTO orders VALUES ('EU', 1, 'a'), ('US', 1, 'b');
      INSERT INTO line VALUES ('EU', 1, 1, 'pen'), ('EU', 1, 2, 'ink');
      """)
    let datastore = try file.open()
    try await datastore.inContext { context in
      let a = try context.one("orders", "note", "a")
      #expect(Set(a.objects("line").map { $0["what"] }) == ["pen", "ink"])
      let new = try context.createObject(entityName: "orders")
      new["region"] = "EU"
      new["number"] = 2
      new["note"] = "new"
      let nib = try context.createObject(entityName: "line")
      nib.set(new, for: "orders")
      nib["line"] = 1
      nib["what"] = "nib"
      let pen = try context.one("line", "what", "pen")
      pen["what"] = "quill"
      context.deleteObject(try context.one("line", "what", "ink"))
      context.deleteObject(try context.one("orders", "note", "b"))
      try context.saveChanges()
      #expect(new.objects("line") == [nib] && nib.object("orders") === new)
      #expect(new["note"] == "new")
    }
    #expect(try file.run("SELECT * FROM orders") == "EU|1|a\nEU|2|new")
    #expect(
      try file.run("SELECT * FROM line ORDER BY number") == "EU|1|1|quill\nEU|2|1|nib")
    try datastore.close()
    let lines = try await file.open().inContext { context in
      try context.one("orders", "note", "new").objects("line").map { $0["what"] }
    }
    #expect(lines == ["nib"])
  }

  @Test("STRICT and generated columns, defaults that the file computes, values it converts")
  func columns() async throws {
    let file = try ForeignDatabase(
      """
      CREATE TABLE item (id INTEGER PRIMARY KEY, price INTEGER NOT NULL DEFAULT 5, count INTEGER,
        total INTEGER GENERATED ALWAYS AS (price * count) STORED, twice INTEGER AS (price * 2),
        made TEXT DEFAULT (lower('NOW'))) STRICT;
      CREATE TABLE loose (id INTEGER PRIMARY KEY, i INTEGER, t TEXT);
      INSERT INTO item (price, count) VALUES (2, 3);
      INSERT INTO loose VALUES (1, 1, 'x');
      """)
    let datastore = try file.open()
    let other = datastore.newContext()
    let seen = try await other.perform { context in
      let item = try context.one("item", "id", 1)
      #expect(item["total"] == 6 && item["twice"] == 4)
      let loose = try context.one("loose", "id", 1)
      #expect(loose["i"] == 1)
      return (item.objectID, loose.objectID)
    }
    try await datastore.inContext { context in
      let item = try context.one("item", "id", 1)
      item["count"] = 10
      let new = try context.createObject(entityName: "item")
      new["count"] = 2
      let loose = try context.one("loose", "id", 1)
      loose["i"] = "12"
      loose["t"] = 7
      try context.saveChanges()
      #expect(item["total"] == 20)
      #expect(new["price"] == 5 && new["total"] == 10 && new["made"] == "now")
      #expect(loose["i"] == 12 && loose["t"] == "7", "as the file has stored them")
      new["made"] = "later"
      loose["i"] = 13
      try context.saveChanges()
      item["count"] = "many"
      #expect(throws: StoreError.self) { try context.saveChanges() }
      context.revertChanges()
      #expect(item["count"] == 10)
    }
    try await other.perform { context in
      let item: DynamicObject = try context.object(with: seen.0)
      let loose: DynamicObject = try context.object(with: seen.1)
      #expect(item["count"] == 10 && item["total"] == 20)
      #expect(loose["i"] == 13 && loose["t"] == "7")
    }
    #expect(try file.run("SELECT made FROM item") == "now\nlater")
  }

  @Test("No primary key, names with spaces, quotes, dots and reserved words")
  func oddNames() async throws {
    let file = try ForeignDatabase(
      """
      CREATE TABLE "order" ("select" TEXT, "a b" TEXT, "q""uote" INTEGER, "dot.ted" TEXT, 'it''s' TEXT);
      CREATE TABLE "two words" (id INTEGER PRIMARY KEY, [group] TEXT, Größe REAL);
      INSERT INTO "order" VALUES ('s', 'ab', 1, 'd', 'i');
      INSERT INTO "two words" VALUES (1, 'g', 1.5);
      """)
    let datastore = try file.open()
    try await datastore.inContext { context in
      let order = try context.one("order", "q\"uote", 1)
      #expect(order["select"] == "s" && order["a b"] == "ab" && order["it's"] == "i")
      order["dot.ted"] = "dd"
      let new = try context.createObject(entityName: "order")
      new["select"] = "new"
      let words = try context.one("two words", "group", "g")
      words["Größe"] = 2.5
      words["group"] = "h'\"h"
      try context.saveChanges()
      #expect(try context.one("two words", "group", "h'\"h") === words)
      context.deleteObject(order)
      try context.saveChanges()
    }
    #expect(try file.run("SELECT \"select\", \"a b\" FROM \"order\"") == "new|")
    #expect(try file.run("SELECT * FROM \"two words\"") == "1|h'\"h|2.5")
  }

  @Test("A table of pairs is a relationship, also when pairs stand twice or lead nowhere")
  func joinTable() async throws {
    let file = try ForeignDatabase(
      """
      CREATE TABLE student (id INTEGER PRIMARY KEY, name TEXT);
      CREATE TABLE course (id INTEGER PRIMARY KEY, name TEXT);
      CREATE TABLE attends (student INTEGER REFERENCES student(id), course INTEGER REFERENCES course(id));
      INSERT INTO student VALUES (1, 'Ann'), (2, 'Bob');
      INSERT INTO course VALUES (1, 'Art'), (2, 'Maths');
      INSERT INTO attends VALUES (1, 1), (1, 1), (1, 9), (1, NULL), (2, 2);
      """)
    let datastore = try file.open()
    try await datastore.inContext { context in
      let ann = try context.one("student", "name", "Ann")
      let bob = try context.one("student", "name", "Bob")
      let art = try context.one("course", "name", "Art")
      #expect(ann.objects("course") == [art])
      #expect(
        try context.count(
          FetchRequest(
            entity: "student",
            predicate: .comparison(.init(.count(["course"]), .equal, .value(1))))) == 2)
      bob.set([art], for: "course")
      #expect(Set(art.objects("student")) == [ann, bob])
      ann.set([], for: "course")
      try context.saveChanges()
      #expect(art.objects("student") == [bob])
    }
    try datastore.close()
    #expect(
      try file.run("SELECT * FROM attends ORDER BY student, course") == "1|\n1|9\n2|1")
  }

  @Test("FTS5 tables and views are read; what cannot be written is refused")
  func readOnlyTables() async throws {
    let file = try ForeignDatabase(
      """
      CREATE TABLE note (id INTEGER PRIMARY KEY, body TEXT);
      CREATE VIEW short AS SELECT body FROM note WHERE length(body) < 5;
      CREATE VIRTUAL TABLE search USING fts5(body);
      INSERT INTO note VALUES (1, 'abc'), (2, 'abc'), (3, 'longer');
      INSERT INTO search VALUES ('hello world');
      """)
    let datastore = try file.open()
    try await datastore.inContext { context in
      #expect(try context.all("short").map { $0["body"] } == ["abc", "abc"])
      #expect(try context.all("search").map { $0["body"] } == ["hello world"])
      #expect(try context.all("short").allSatisfy { !$0.isWritable(at: 0) })
      let note = try context.one("note", "id", 3)
      note["body"] = "xyz"
      try context.saveChanges()
      #expect(try context.all("short").count == 3)
    }
  }

  @Test("Assigning to a view's object traps with the name of the property")
  func viewsRefuseEdits() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let file = try ForeignDatabase("CREATE VIEW v AS SELECT 1 AS one")
      try await file.open().inContext { context in
        try context.all("v").first?["one"] = 2
      }
    }
    let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(text.contains("v.one is read-only"))
  }
}
