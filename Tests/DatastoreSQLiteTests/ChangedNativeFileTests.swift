import DatastoreCore
import DatastoreSQL
import DatastoreSQLite
import DatastoreTestSupport
import Foundation
import Testing

// Promise: another tool alters, makes or drops a table of a native store → the file's tables are shown,
// read and written; differences are told.
// Also: `ChangedTablesOnTerminalTests`
/// Native files whose tables other tools have changed.
@Suite("Native files that other tools have changed")
struct ChangedNativeFileTests {
  private let folder: TemporaryDirectory
  private var url: URL { folder.file("store.db") }

  init() throws {
    folder = try TemporaryDirectory()
    let store = try SQLiteStore(CompanySchema.schema, at: url)
    var changes = Changes(store)
    let company = try changes.insert("Company", ["name": "Acme"])
    try changes.insert("Employee", ["name": "Ann", "age": 30, "company": .key(company)])
    try changes.insert("Task", ["title": "Plan", "owner": 1])
    try changes.save()
    try store.close()
  }

  private func names(_ store: SQLiteStore, _ entity: String) throws -> [String] {
    try #require(store.schema.entity(named: entity)).properties.map(\.name)
  }

  @Test("A file that nobody has changed is what it says")
  func unchanged() throws {
    let store = try SQLiteStore(existing: url)
    #expect(store.isNative)
    #expect(store.schemaDifferences.isEmpty)
    #expect(try !store.haveTablesChanged())
    try store.close()
  }

  @Test("A column that was added is shown and can be written; the others keep their meaning")
  func addedColumn() throws {
    try SQLiteFile.make(at: url, "ALTER TABLE Employee ADD COLUMN city TEXT DEFAULT 'Oslo'")
    let store = try SQLiteStore(existing: url)
    #expect(
      try names(store, "Employee") == [
        "name", "age", "salary", "email", "photo", "bonus", "company", "tasks", "tags", "city",
      ])
    #expect(store.schemaDifferences == ["the column “city” of “Employee” is new"])
    let employee = try #require(store.schema.entity(named: "Employee"))
    #expect(employee.properties[5].attribute?.type == .decimal)
    #expect(employee.links[7]?.kind == .orderedToMany)
    #expect(try store.related("Employee", "tasks", 1) == [1])
    var changes = Changes(store)
    try changes.update("Employee", 1, from: ["city": "Oslo"], to: ["city": "Rome"])
    try changes.insert("Employee", ["name": "Bob", "company": 1, "city": "Bern"])
    try changes.save()
    try store.close()
    #expect(
      try SQLiteFile.values("SELECT name || city || company FROM Employee ORDER BY _id", in: url)
        == ["AnnRome1", "BobBern1"])
  }

  @Test("A table that was made is an entity; its foreign keys lead to the others, and back")
  func addedTable() throws {
    try SQLiteFile.make(
      at: url,
      """
      CREATE TABLE badge (id INTEGER PRIMARY KEY, code TEXT,
        employee_id INTEGER REFERENCES Employee (_id));
      CREATE TABLE badge_company (badge_id INTEGER REFERENCES badge,
        company_id INTEGER REFERENCES Company (_id), PRIMARY KEY (badge_id, company_id));
      CREATE VIEW rich AS SELECT name FROM Employee WHERE salary > 100;
      INSERT INTO badge VALUES (7, 'A7', 1);
      INSERT INTO badge_company VALUES (7, 1);
      """)
    let store = try SQLiteStore(existing: url)
    #expect(
      store.schema.entities.map(\.name) == [
        "Company", "Employee", "Task", "Tag", "badge", "rich",
      ])
    #expect(try names(store, "badge") == ["id", "code", "employee", "Company"])
    #expect(try store.related("Employee", "badge", 1) == [7])
    #expect(try store.related("Company", "badge", 1) == [7])
    #expect(
      store.schemaDifferences == [
        "the table “badge” is new", "the table “badge_company” is new", "the view “rich” is new",
      ])
    try store.close()
  }

  @Test("A table and a column that are gone are left out, with what needs them")
  func gone() throws {
    try SQLiteFile.make(
      at: url, "DROP TABLE Task; ALTER TABLE Employee DROP COLUMN age; DROP TABLE Employee_tags")
    let store = try SQLiteStore(existing: url)
    #expect(store.schema.entities.map(\.name) == ["Company", "Employee", "Tag"])
    #expect(
      try names(store, "Employee") == ["name", "salary", "email", "photo", "bonus", "company"])
    #expect(try names(store, "Tag") == ["label"])
    #expect(
      store.schemaDifferences == [
        "the column “age” of “Employee” is gone", "the table “Employee_tags” is gone",
        "the table “Task” is gone",
      ])
    #expect(try store.count(FetchRequest(entity: "Employee")) == 1)
    try store.close()
  }

  @Test("A column that was declared otherwise is shown as it is declared")
  func declaredOtherwise() throws {
    try SQLiteFile.make(
      at: url,
      """
      ALTER TABLE Employee DROP COLUMN age;
      ALTER TABLE Employee ADD COLUMN age TEXT;
      UPDATE Employee SET age = 'thirty';
      """)
    let store = try SQLiteStore(existing: url)
    let employee = try #require(store.schema.entity(named: "Employee"))
    let slot = try #require(employee.slot(named: "age"))
    #expect(employee.properties[slot].attribute?.type == .string)
    #expect(store.schemaDifferences == ["the column “age” of “Employee” is declared TEXT"])
    try store.close()
  }

  @Test("A change is noticed while the store is open")
  func noticed() throws {
    let store = try SQLiteStore(existing: url)
    try SQLiteFile.make(at: url, "CREATE INDEX more ON Employee (name, age)")
    #expect(try !store.haveTablesChanged())
    try SQLiteFile.make(at: url, "CREATE TABLE extra (x)")
    #expect(try store.haveTablesChanged())
    try store.close()
    let again = try SQLiteStore(existing: url)
    #expect(try !again.haveTablesChanged())
    try SQLiteFile.make(at: url, "DROP TABLE extra")
    #expect(try again.haveTablesChanged())
    try again.close()
  }

  @Test("A column in the table of a family belongs to all of it")
  func families() throws {
    let name = PropertyDescription.attribute(AttributeDescription(name: "name", type: .string))
    let schema = try Schema([
      EntityDescription(name: "Person", properties: [name]),
      EntityDescription(
        name: "Boss",
        properties: [name, .attribute(AttributeDescription(name: "car", type: .string))],
        parent: "Person"),
    ])
    let url = folder.file("family.db")
    let made = try SQLiteStore(schema, at: url)
    var changes = Changes(made)
    try changes.insert("Boss", ["name": "Eva", "car": "red"])
    try changes.save()
    try made.close()
    try SQLiteFile.make(at: url, "ALTER TABLE Person ADD COLUMN age INTEGER DEFAULT 5")
    let store = try SQLiteStore(existing: url)
    #expect(try names(store, "Person") == ["name", "age"])
    #expect(try names(store, "Boss") == ["name", "age", "car"])
    var more = Changes(store)
    try more.update("Boss", 1, from: ["age": 5], to: ["age": 6])
    try more.save()
    #expect(try store.names("Boss", nil) == ["Eva"])
    try store.close()
    #expect(try SQLiteFile.values("SELECT name || age || car FROM Person", in: url) == ["Eva6red"])
  }
}
