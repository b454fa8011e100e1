import DatastoreCore
import DatastoreTestSupport
import Foundation
import GRDB
import SwiftDatastore
import Testing

/// A file made by another program, gone with the value that made it.
final class OtherDatabase: Sendable {
  private let directory: TemporaryDirectory
  let url: URL

  init(_ sql: String) throws {
    directory = try TemporaryDirectory()
    url = directory.file("foreign.db")
    try execute(sql)
  }

  func execute(_ sql: String) throws {
    let queue = try DatabaseQueue(path: url.path)
    try queue.writeWithoutTransaction { try $0.execute(sql: sql) }
    try queue.close()
  }
}

@Suite struct ForeignStoreTests {
  @Test func valuesThatTheFileChangesAreReadAgain() async throws {
    let file = try OtherDatabase(
      """
      CREATE TABLE t (id INTEGER PRIMARY KEY, n INTEGER, made TEXT DEFAULT CURRENT_TIMESTAMP,
        double INTEGER AS (n * 2));
      """)
    let datastore = try SwiftDatastore(opening: file.url)
    let writer = datastore.newContext()
    let other = datastore.newContext()
    let id = try await writer.perform { context in
      let object: DynamicObject = try context.createObject(entityName: "t")
      object["n"] = "12"
      try context.saveChanges()
      #expect(object.isFault)
      #expect(object["n"] == 12 && object["double"] == 24)
      #expect(!object["made"].isNull && object["id"] == .key(object.key))
      #expect(!object.isWritable(at: try #require(object.entity.slot(named: "id"))))
      return object.objectID
    }
    let seen = try await other.perform { context in
      let object: DynamicObject = try context.object(with: id)
      #expect(object["double"] == 24)
      return Kept(object)
    }
    try await writer.perform { context in
      let object: DynamicObject = try context.object(with: id)
      object["n"] = 20
      try context.saveChanges()
      #expect(object["double"] == 40)
    }
    try await other.perform { _ in #expect(seen.object["double"] == 40) }
  }

  @Test func aliasesMeanTheSameForUnsavedObjects() async throws {
    let file = try OtherDatabase(
      """
      CREATE TABLE department (id INTEGER PRIMARY KEY, code TEXT UNIQUE, name TEXT);
      CREATE TABLE employee (id INTEGER PRIMARY KEY, name TEXT,
        department_id INTEGER REFERENCES department(id),
        office TEXT REFERENCES department(code));
      INSERT INTO department VALUES (3, 'd', 'Sales'), (4, 'e', 'IT');
      INSERT INTO employee VALUES (1, 'Ann', 3, 'e'), (2, 'Bob', 4, 'd');
      """)
    let datastore = try SwiftDatastore(opening: file.url)
    try await datastore.newContext().perform { context in
      func found(_ predicate: DatastoreCore.Predicate) throws -> [String] {
        let employees: [DynamicObject] = try context.fetch(
          FetchRequest(
            entity: "employee", predicate: predicate,
            sortDescriptors: [SortDescriptor(["department_id"], ascending: false)]))
        return employees.map { $0["name"].description }
      }
      let three = DatastoreCore.Predicate.comparison(
        .init(.keyPath(["department_id"]), .equal, .value(3)))
      #expect(try found(three) == ["“Ann”"])
      let new: DynamicObject = try context.createObject(entityName: "employee")
      new["name"] = "Eve"
      let departments: [DynamicObject] = try context.fetch(FetchRequest(entity: "department"))
      let sales = try #require(departments.first)
      new.set(sales, for: "department")
      #expect(try found(three) == ["“Ann”", "“Eve”"])
      #expect(try found(.constant(true)) == ["“Bob”", "“Ann”", "“Eve”"])
      let schema = context.core.graph.schema
      try three.validate(for: try #require(schema.entity(named: "employee")), in: schema)
      try context.saveChanges()
      #expect(try found(three) == ["“Ann”", "“Eve”"])
    }
  }

  @Test func referencesAreComparedByStoredValuesInUnsavedObjects() async throws {
    let file = try OtherDatabase(
      """
      PRAGMA foreign_keys = OFF;
      CREATE TABLE department (id INTEGER PRIMARY KEY, code TEXT UNIQUE, name TEXT);
      CREATE TABLE employee (id INTEGER PRIMARY KEY, name TEXT,
        office TEXT REFERENCES department(code));
      INSERT INTO department VALUES (3, 'd', 'Sales'), (4, 'e', 'IT');
      INSERT INTO employee VALUES (1, 'Ann', 'e'), (2, 'Bob', 'x');
      """)
    let datastore = try SwiftDatastore(opening: file.url)
    try await datastore.newContext().perform { context in
      let schema = context.core.graph.schema
      let entity = try #require(schema.entity(named: "employee"))
      let order = try DatastoreCore.SortDescriptor.parse("office", entity: entity, in: schema)
      func found(_ condition: String) throws -> [String] {
        let predicate = try DatastoreCore.Predicate.parse(condition, entity: entity, in: schema)
        let employees: [DynamicObject] = try context.fetch(
          FetchRequest(entity: "employee", predicate: predicate, sortDescriptors: order))
        return employees.map { $0["name"].description }
      }
      #expect(try found(#"office == "e""#) == ["“Ann”"])
      #expect(try found(#"office == "x""#) == ["“Bob”"])
      let new: DynamicObject = try context.createObject(entityName: "employee")
      new["name"] = "Eve"
      let departments: [DynamicObject] = try context.fetch(FetchRequest(entity: "department"))
      new.set(try #require(departments.first), for: "office")
      let employees: [DynamicObject] = try context.fetch(FetchRequest(entity: "employee"))
      for employee in employees where employee["name"] == "Bob" { employee["name"] = "Bo" }
      #expect(try found(#"office == "d""#) == ["“Eve”"])
      #expect(try found(#"office == "x""#) == ["“Bo”"])
      #expect(try found("office != NULL") == ["“Eve”", "“Ann”", "“Bo”"])
    }
  }
}

/// Carries an object out of its context's queue and back onto it.
///
/// Unchecked: the tests touch the object only inside `perform` of its own context.
struct Kept: @unchecked Sendable {
  let object: DynamicObject

  init(_ object: DynamicObject) {
    self.object = object
  }
}
