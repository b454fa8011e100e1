import DatastoreCore
import DatastoreTestSupport
import Foundation

extension GoldenFile {
  /// A native file with two companies, five employees, their tasks in an order of their own, and tags.
  static func company() throws -> GoldenFile {
    try GoldenFile(CompanySchema.schema) { changes in
      try changes.insert("Company", key: 1, ["name": "Acme"])
      try changes.insert("Company", key: 2, ["name": "Zeta"])
      try changes.insert(
        "Employee", key: 1,
        [
          "name": "Ann", "age": 30, "salary": 10.5, "email": "ann@acme", "bonus": 9.5,
          "photo": .blob(Data([0xCA, 0xFE])), "company": 1,
        ])
      try changes.insert(
        "Employee", key: 2, ["name": "bob", "age": 40, "bonus": 10.25, "company": 1])
      try changes.insert("Employee", key: 3, ["name": "Cyd", "salary": 7.0, "company": 2])
      try changes.insert("Employee", key: 4, ["name": "Dee", "age": 30])
      try changes.insert("Employee", key: 5, ["name": "Élodie", "age": 25, "company": 2])
      for (key, title, done, estimate, owner) in [
        (1, "plan", 1, 5, 1), (2, "build", 0, 3, 1), (3, "test", 1, 8, 2),
      ] as [(RowKey, String, Int64, Int64, RowKey)] {
        try changes.insert(
          "Task", key: key,
          [
            "title": .text(title), "done": .integer(done), "estimate": .integer(estimate),
            "owner": .key(owner),
          ])
      }
      try changes.order("Employee", "tasks", 1, [2, 1])
      try changes.insert("Tag", key: 1, ["label": "red"])
      try changes.insert("Tag", key: 2, ["label": "blue"])
      for (employee, tag) in [(1, 1), (3, 1), (3, 2)] as [(RowKey, RowKey)] {
        try changes.link("Employee", "tags", employee, tag)
      }
    }
  }

  /// A file of another program: rowids, text keys and composite ones without rowids, references to other
  /// unique columns, some of which lead nowhere, a table of pairs, a view, and collations.
  static func shop() throws -> GoldenFile {
    try GoldenFile(
      """
      PRAGMA foreign_keys = OFF;
      CREATE TABLE country (code TEXT PRIMARY KEY COLLATE NOCASE, name TEXT) WITHOUT ROWID;
      CREATE TABLE customer (id INTEGER PRIMARY KEY, name TEXT COLLATE NOCASE, age,
        card TEXT UNIQUE, country TEXT REFERENCES country (code));
      CREATE TABLE item (region TEXT, number INTEGER, title TEXT, price REAL,
        PRIMARY KEY (region, number)) WITHOUT ROWID;
      CREATE TABLE sale (id INTEGER PRIMARY KEY, region TEXT, number INTEGER, amount INTEGER,
        card TEXT REFERENCES customer (card),
        FOREIGN KEY (region, number) REFERENCES item (region, number));
      CREATE TABLE label (id INTEGER PRIMARY KEY, word TEXT);
      CREATE TABLE customer_label (customer_id INTEGER REFERENCES customer (id),
        label_id INTEGER REFERENCES label (id), PRIMARY KEY (customer_id, label_id));
      CREATE TABLE note (body TEXT);
      CREATE VIEW total AS SELECT region, sum(amount) AS amount FROM sale GROUP BY region;
      INSERT INTO country VALUES ('fr', 'France'), ('no', 'Norway');
      INSERT INTO customer VALUES (1, 'Ann', 30, 'c1', 'FR'), (2, 'bob', 'old', 'c2', 'no'),
        (3, 'Cyd', NULL, NULL, 'xx');
      INSERT INTO item VALUES ('east', 1, 'lamp', 20.5), ('east', 2, 'desk', 99.0),
        ('west', 1, 'vase', 5.0);
      INSERT INTO sale VALUES (1, 'east', 1, 2, 'c1'), (2, 'east', 2, 1, 'c2'),
        (3, 'west', 1, 7, 'c1'), (4, NULL, NULL, 1, 'lost');
      INSERT INTO label VALUES (1, 'new'), (2, 'dear');
      INSERT INTO customer_label VALUES (1, 1), (1, 2), (2, 2);
      INSERT INTO note VALUES ('first'), ('second');
      """)
  }

  /// A native file with a family of entities.
  static func family() throws -> GoldenFile {
    func attribute(_ name: String, _ type: AttributeType) -> PropertyDescription {
      CompanySchema.attribute(name, type)
    }
    let schema = try Schema([
      EntityDescription(
        name: "Asset", properties: [attribute("name", .string)], isAbstract: true),
      EntityDescription(
        name: "Car", properties: [attribute("name", .string), attribute("doors", .integer64)],
        parent: "Asset"),
      EntityDescription(
        name: "Laptop",
        properties: [attribute("name", .string), attribute("memory", .integer64)],
        parent: "Asset"),
    ])
    return try GoldenFile(schema) { changes in
      try changes.insert("Car", key: 1, ["name": "van", "doors": 4])
      try changes.insert("Laptop", key: 2, ["name": "thin", "memory": 16])
      try changes.insert("Laptop", key: 3, ["name": "old", "memory": 4])
    }
  }
}
