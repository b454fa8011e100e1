import Foundation
import SwiftDatastore
import Testing

// The code of OpeningAnySQLiteFile.md, to the letter.

@MainActor
@Suite struct OpeningAnySQLiteFileExamples {
  private func makeFile() throws -> OtherDatabase {
    try OtherDatabase(
      """
      CREATE TABLE department (id INTEGER PRIMARY KEY, title TEXT);
      CREATE TABLE employee (id INTEGER PRIMARY KEY, name TEXT, age INTEGER,
        department INTEGER REFERENCES department(id));
      INSERT INTO department VALUES (1, 'Roads');
      INSERT INTO employee VALUES (1, 'Tom', 65, 1), (2, 'Åsa', 30, NULL);
      """)
  }

  @Test func looking() throws {
    let other = try makeFile()
    let url = other.url

    let datastore = try SwiftDatastore(opening: url, readOnly: true)
    for entity in datastore.schema.entities {
      print(entity.name, entity.properties.map(\.name))
    }
    #expect(Set(datastore.schema.entities.map(\.name)) == ["department", "employee"])

    let view = datastore.sharedViewContext
    let rows: [DynamicObject] = try view.fetch(
      FetchRequest(entity: "employee", sortDescriptors: [SortDescriptor(["name"])], limit: 50))
    for row in rows {
      print(row["name"], row.object("department")?["title"] ?? "no department")
    }
    #expect(rows.map { $0["name"] } == ["Tom", "Åsa"])
    #expect(rows.map { $0.object("department")?["title"] } == ["Roads", nil])

    if let employee = datastore.schema.entity(named: "employee") {
      let old = try Predicate.parse(
        "age > 60 AND department.title BEGINSWITH \"R\"", entity: employee, in: datastore.schema)
      print(try view.count(FetchRequest(entity: "employee", predicate: old)))
      #expect(try view.count(FetchRequest(entity: "employee", predicate: old)) == 1)
    }

    let byAge: [SwiftDatastore.SortDescriptor] = [.init(["age"], ascending: false)]
    let oldestFirst = FetchRequest(entity: "employee", sortDescriptors: byAge)
    let oldest: [DynamicObject] = try view.fetch(oldestFirst)
    #expect(oldest.map { $0["name"] } == ["Tom", "Åsa"])
    let none: SwiftDatastore.Predicate? = nil
    #expect(try view.count(FetchRequest(entity: "employee", predicate: none)) == 2)
    try datastore.close()
  }

  @Test func changing() async throws {
    let other = try makeFile()
    let datastore = try SwiftDatastore(opening: other.url)

    let id = try await datastore.write { context in
      let department = try context.createObject(entityName: "department")
      department["title"] = "Research"
      let employee = try context.createObject(entityName: "employee")
      employee["name"] = "Kim"
      employee["age"] = 61
      employee.set(department, for: "department")
      return employee.objectID
    }
    let kim: DynamicObject = try datastore.sharedViewContext.object(with: id)
    #expect(kim.object("department")?["title"] == "Research")
    try datastore.close()
  }
}
