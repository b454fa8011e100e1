import DatastoreCore
import DatastoreImport
import DatastoreTestSupport
import Foundation
import Testing

/// A file as other programs make them: integer and text keys, a foreign key, a rule, a view.
enum ForeignFile {
  static let sql = """
    CREATE TABLE department (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
    CREATE TABLE employee (
      id INTEGER PRIMARY KEY, name TEXT, salary REAL CHECK (salary >= 0),
      department_id INTEGER REFERENCES department(id));
    CREATE TABLE country (code TEXT PRIMARY KEY, name TEXT) WITHOUT ROWID;
    CREATE VIEW staff AS SELECT name FROM employee;
    INSERT INTO department VALUES (1, 'Research'), (2, 'Sales');
    INSERT INTO employee VALUES (10, 'Ada', 100.5, 1);
    INSERT INTO country VALUES ('PL', 'Poland');
    """
}

@Suite("Loading into third-party files")
struct LoadForeignFileTests {
  private func fixture() throws -> LoadFixture {
    let fixture = try LoadFixture()
    try SQLiteFile.make(at: fixture.store, ForeignFile.sql)
    return fixture
  }

  @Test("Rows are updated and added by their key, and foreign keys are followed")
  func employees() async throws {
    let fixture = try fixture()
    let path = try fixture.directory.write(
      "id,name,salary,department_id\n10,Ada L.,120,2\n11,Grace,90,1\n12,Lin,,\n", to: "e.csv")
    let (report, _) = try await fixture.load([path], entity: "employee", key: "id")
    #expect(report.updated == 1)
    #expect(report.inserted == 2)
    let employees = try await fixture.contents()["employee"]
    #expect(employees.map { $0["name"] } == [.text("Ada L."), .text("Grace"), .text("Lin")])
    #expect(employees.map(\.key) == [10, 11, 12])
    #expect(employees.map { $0["department"] } == [.integer(2), .integer(1), .null])
  }

  @Test(
    "A first record of names of columns is a header row, and what is missing without one is told")
  func header() async throws {
    let fixture = try LoadFixture()
    try SQLiteFile.make(at: fixture.store, "CREATE TABLE w (k TEXT, v TEXT)")
    var reading = ReadingOptions()
    reading.csv.header = .detect
    let named = try fixture.directory.write("k,v\nx,y\nz,w\n", to: "named.csv")
    let report = try await fixture.load(
      LoadPlan(paths: [named], entity: "w", reading: reading)
    ).report
    #expect(report.inserted == 2)
    #expect(try await fixture.contents()["w"].map { $0["k"] } == [.text("x"), .text("z")])
    let other = try fixture.directory.write("a,b\nx,y\nz,w\n", to: "other.csv")
    let plan = try LoadPlan(paths: [other], entity: "w", reading: reading)
    let error = await #expect(throws: LoadError.self) { try await fixture.load(plan) }
    #expect(error?.description.contains("--header") == true)
  }

  @Test("Foreign keys lead to rows that the same load adds, even by another key of their own")
  func newDestinations() async throws {
    let fixture = try fixture()
    try fixture.directory.write("id,name\n7,Press\n", to: "d.csv")
    try fixture.directory.write("id,department_id\n20,7\n", to: "e.csv")
    let manifest = try fixture.directory.write(
      """
      files:
        - { file: e.csv, entity: employee, key: id }
        - { file: d.csv, entity: department, key: name }
      """, to: "manifest.yaml")
    try await fixture.load([manifest])
    let contents = try await fixture.contents()
    #expect(contents["department"].map(\.key) == [1, 2, 7])
    #expect(contents["employee"].last?["department"] == .integer(7))
  }

  @Test("Text keys identify rows")
  func textKeys() async throws {
    let fixture = try fixture()
    let path = try fixture.directory.write("code,name\nPL,Polska\nDE,Deutschland\n", to: "c.csv")
    let (report, _) = try await fixture.load([path], entity: "country", key: "code")
    #expect(report.updated == 1)
    #expect(report.inserted == 1)
    let countries = try await fixture.contents()["country"]
    #expect(Set(countries.map { $0["name"] }) == [.text("Polska"), .text("Deutschland")])
  }

  @Test("A rule of the file that is broken undoes the whole load")
  func checkConstraint() async throws {
    let fixture = try fixture()
    let before = try await fixture.contents()
    let path = try fixture.directory.write("id,salary\n10,5\n11,-1\n", to: "e.csv")
    let told = try await fixture.failure([path], entity: "employee", key: "id")
    #expect(told.contains("it breaks the rule"))
    #expect(try await fixture.contents() == before)
  }

  @Test("A foreign key that leads nowhere is told with its place")
  func danglingForeignKey() async throws {
    let fixture = try fixture()
    let path = try fixture.directory.write("id,department_id\n10,2\n11,7\n", to: "e.csv")
    let told = try await fixture.failure([path], entity: "employee", key: "id")
    #expect(told.hasPrefix("e.csv, line 3, column 4: there is no department with the id “7”."))
  }

  @Test("A foreign key to a unique column beside the primary key has the values of that column")
  func referredColumns() async throws {
    let fixture = try LoadFixture()
    try SQLiteFile.make(
      at: fixture.store,
      """
      CREATE TABLE par (id INTEGER PRIMARY KEY, code INT UNIQUE, name TEXT UNIQUE);
      INSERT INTO par VALUES (1, 100, 'one'), (100, 1, 'two');
      CREATE TABLE chi (
        id INTEGER PRIMARY KEY, code INT REFERENCES par(code), pname TEXT REFERENCES par(name));
      INSERT INTO chi VALUES (1, 100, 'one'), (2, 1, NULL);
      """)
    let path = try fixture.directory.write(
      "id,code,pname\n1,100,one\n2,1,\n3,1,two\n", to: "chi.csv")
    let (report, _) = try await fixture.load([path], entity: "chi", key: "id")
    #expect(report.updated == 2 && report.inserted == 1)
    #expect(
      try SQLiteCommand.run("SELECT * FROM chi; PRAGMA foreign_key_check", on: fixture.store)
        == "1|100|one\n2|1|\n3|1|two")
    try fixture.directory.write("id,code\n4,7\n", to: "chi.csv")
    let told = try await fixture.failure([path], entity: "chi", key: "id")
    #expect(told.contains("there is no par with the code “7”"), "\(told)")
  }

  @Test("The records for a table of pairs link the rows that its columns refer to")
  func pairs() async throws {
    let fixture = try LoadFixture()
    try SQLiteFile.make(
      at: fixture.store,
      """
      CREATE TABLE a (id INTEGER PRIMARY KEY, code TEXT UNIQUE);
      CREATE TABLE b (id INTEGER PRIMARY KEY);
      CREATE TABLE a_b (
        a_code TEXT REFERENCES a (code), b_id INTEGER REFERENCES b, PRIMARY KEY (a_code, b_id));
      INSERT INTO a VALUES (1, 'x'), (2, 'y');
      INSERT INTO b VALUES (7), (8);
      INSERT INTO a_b VALUES ('x', 7);
      """)
    let path = try fixture.directory.write("a_code,b_id\nx,8\ny,7\n", to: "a_b.csv")
    var trial = LoadOptions()
    trial.isTrial = true
    let tried = try await StoreLoader(LoadPlan(paths: [path]), into: fixture.store, options: trial)
      .run { _ in }
    #expect(tried.linked == 2)
    let pairs = "SELECT * FROM a_b ORDER BY 1, 2"
    #expect(try SQLiteCommand.run(pairs, on: fixture.store) == "x|7")
    try fixture.directory.write("A_CODE,b_id\nx,8\ny,7\n", to: "a_b.csv")
    #expect(try await fixture.load([path]).report.linked == 2)
    #expect(try SQLiteCommand.run(pairs, on: fixture.store) == "x|7\nx|8\ny|7")
    try fixture.directory.write("a_code,b_id\nz,7\n", to: "a_b.csv")
    let told = try await fixture.failure([path])
    #expect(told.contains("there is no a with the code “z”"), "\(told)")
  }

  @Test("Columns that the store computes are left out, and told", arguments: [nil, "id"])
  func computed(key: String?) async throws {
    let fixture = try LoadFixture()
    try SQLiteFile.make(
      at: fixture.store,
      "CREATE TABLE g (id INTEGER PRIMARY KEY, a INT, b INT GENERATED ALWAYS AS (a * 2) VIRTUAL)")
    let path = try fixture.directory.write("id,a,b\n1,5,10\n", to: "g.csv")
    let report = try await fixture.load([path], key: key).report
    #expect(report.inserted == 1)
    #expect(report.notes.contains { $0.contains("left out “b”, which the store computes") })
    #expect(try SQLiteCommand.run("SELECT * FROM g", on: fixture.store) == "1|5|10")
  }

  @Test("Case makes no difference in the names of columns, unless two of the table are alike")
  func caseOfColumns() async throws {
    let fixture = try fixture()
    let path = try fixture.directory.write(
      "ID,Name,Department_ID\n10,Ada L.,2\n11,Grace,1\n", to: "e.csv")
    for key in ["id", "ID"] {
      let report = try await fixture.load([path], entity: "employee", key: key).report
      #expect(report.updated == (key == "id" ? 1 : 2))
      let rows = "SELECT id, name, department_id FROM employee"
      #expect(
        try SQLiteCommand.run(rows, on: fixture.store) == "10|Ada L.|2\n11|Grace|1")
    }
    try fixture.directory.write("ID,id\n12,13\n", to: "e.csv")
    let told = try await fixture.failure([path], entity: "employee")
    #expect(told.contains("both fill “employee.id”"), "\(told)")
  }

  @Test("Two columns that fill one property end the load")
  func sameProperty() async throws {
    let fixture = try fixture()
    let path = try fixture.directory.write(
      "name,department,department_id\nLin,1,2\n", to: "e.csv")
    let told = try await fixture.failure([path], entity: "employee")
    #expect(
      told.contains("“department” and “department_id” both fill “employee.department”"), "\(told)")
  }

  @Test("Nothing can be loaded into a view")
  func view() async throws {
    let fixture = try fixture()
    let path = try fixture.directory.write("name\nx\n", to: "v.csv")
    let told = try await fixture.failure([path], entity: "staff")
    #expect(told.contains("which is a view"))
  }
}
