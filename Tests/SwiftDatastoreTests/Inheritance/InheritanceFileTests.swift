import DatastoreCore
import DatastoreSQLite
import DatastoreTestSupport
import Foundation
import GRDB
import SwiftDatastore
import Testing

/// The form of a family in its file, and the effect of writes by someone else.
@Suite struct InheritanceFileTests {
  private let folder: TemporaryDirectory
  private var url: URL { folder.url.appendingPathComponent("family.sqlite") }

  init() throws {
    folder = try TemporaryDirectory()
  }

  private func make() async throws {
    let datastore = try SwiftDatastore(dataModel: FamilyModel.make(), url: url)
    try await datastore.newContext().perform { try FamilyModel.fill($0) }
    try datastore.close()
  }

  private func rows(_ sql: String) throws -> [[String]] {
    let queue = try DatabaseQueue(path: url.path)
    defer { try? queue.close() }
    return try queue.read { database in
      try Row.fetchAll(database, sql: sql).map { row in
        row.map { "\($0.1.storage.value.map { "\($0)" } ?? "NULL")" }
      }
    }
  }

  @Test func oneTableHoldsTheFamily() async throws {
    try await make()
    #expect(
      try rows("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name").joined()
        .elementsEqual(["Cargo", "Depot", "Route", "Route_vehicles", "Vehicle", "_datastore"]))
    #expect(
      try rows(#"SELECT _entity, label, seats, code, code_2, load, ladder FROM "Vehicle""#) == [
        ["Car", "a", "5", "C-1", "NULL", "NULL", "NULL"],
        ["Truck", "b", "NULL", "NULL", "7", "2.5", "NULL"],
        ["FireTruck", "c", "NULL", "NULL", "NULL", "1.0", "30.0"],
      ])
    let schema = try rows("SELECT value FROM _datastore WHERE key = 'schema'").joined().first ?? ""
    #expect(schema.contains(#""parent":"Vehicle""#) && schema.contains(#""isAbstract":true"#))
  }

  @Test func theTableRefusesWhatTheModelDoes() async throws {
    try await make()
    for sql in [
      #"INSERT INTO "Vehicle" (_entity, label, wheels) VALUES ('Car', 'x', 4)"#,
      #"INSERT INTO "Vehicle" (_entity, label, wheels) VALUES ('Boat', 'x', 4)"#,
      #"INSERT INTO "Vehicle" (_entity, label, wheels) VALUES ('Vehicle', 'x', 4)"#,
      #"INSERT INTO "Vehicle" (_entity, label, wheels, seats) VALUES ('Car', 'a', 4, 1)"#,
      #"INSERT INTO "Vehicle" (label, wheels, seats) VALUES ('x', 4, 1)"#,
      #"UPDATE "Vehicle" SET load = NULL WHERE _entity = 'FireTruck'"#,
    ] {
      #expect(throws: DatabaseError.self) { try SQLiteFile.make(at: url, sql) }
    }
    try SQLiteFile.make(
      at: url, #"INSERT INTO "Vehicle" (_entity, label, wheels, seats) VALUES ('Car', 'x', 4, 1)"#)
    let datastore = try SwiftDatastore(dataModel: FamilyModel.make(), url: url)
    try await datastore.newContext().perform { context in
      let cars: [Car] = try context.fetch(orderBy: [.asc(\.$label)])
      #expect(cars.map(\.label) == ["a", "x"])
    }
    try datastore.close()
  }

  @Test func aRowOfAnUnknownEntityIsTold() async throws {
    try await make()
    try SQLiteFile.make(
      at: url,
      """
      PRAGMA ignore_check_constraints = ON;
      UPDATE "Vehicle" SET _entity = 'Boat' WHERE label = 'b';
      """)
    let datastore = try SwiftDatastore(dataModel: FamilyModel.make(), url: url)
    try await datastore.newContext().perform { context in
      let error = #expect(throws: StoreError.self) { let _: [Vehicle] = try context.fetch() }
      #expect(
        error
          == .unknownMember(
            name: "Boat", key: 2, known: ["Vehicle", "Car", "Truck", "FireTruck"]))
      let cars: [Car] = try context.fetch()
      #expect(cars.count == 1)
    }
    try datastore.close()
  }

  @Test func anotherProcessMayUseAKeyForAnotherClass() async throws {
    try await make()
    let datastore = try SwiftDatastore(dataModel: FamilyModel.make(), url: url)
    let url = url
    try await datastore.newContext().perform { context in
      let fire: FireTruck = try #require(try context.fetchFirst())
      try SQLiteFile.make(
        at: url,
        """
        DELETE FROM "Vehicle" WHERE _id = \(fire.key);
        INSERT INTO "Vehicle" (_id, _entity, label, wheels, seats)
        VALUES (\(fire.key), 'Car', 'z', 4, 2);
        """)
      let cars: [Car] = try context.fetch(orderBy: [.asc(\.$label)])
      #expect(cars.map(\.label) == ["a", "z"])
      #expect(cars[1].seats == 2)
      #expect(fire.isDeleted)
      #expect(context.core.graph.brokenInvariants() == [])
    }
    try datastore.close()
  }

  @Test func keysAreUniqueInTheFamilyAlsoAgainstOtherProcesses() async throws {
    try await make()
    let datastore = try SwiftDatastore(dataModel: FamilyModel.make(), url: url)
    let url = url
    try await datastore.newContext().perform { context in
      let car: Car = try context.createObject()
      car.label = "new"
      car.seats = 1
      let fire: FireTruck = try context.createObject()
      fire.label = "newer"
      car.towing = fire
      #expect(car.key != fire.key)
      try SQLiteFile.make(
        at: url,
        """
        INSERT INTO "Vehicle" (_id, _entity, label, wheels, load)
        VALUES (\(fire.key), 'Truck', 'taken', 4, 2);
        """)
      try context.saveChanges()
      #expect(car.towing === fire && fire.towedBy === car)
      let taken: Truck = try #require(try context.fetchFirst(where: \.$label == "taken"))
      #expect(taken.key != fire.key && type(of: taken) == Truck.self)
      #expect(context.core.graph.brokenInvariants() == [])
      let all: [Vehicle] = try context.fetch(orderBy: [.asc(\.$label)])
      #expect(all.map(\.label) == ["a", "b", "c", "new", "newer", "taken"])
    }
    try datastore.close()
  }

  @Test func parentsAndAbstractnessArePartOfTheModelThatAFileIsMadeFrom() async throws {
    func entity(parent: String?, isAbstract: Bool) throws -> Schema {
      try Schema([
        EntityDescription(name: "A", properties: [], isAbstract: isAbstract),
        EntityDescription(name: "B", properties: [], parent: parent),
        EntityDescription(name: "C", properties: [], parent: "A"),
      ])
    }
    try SQLiteStore(entity(parent: "A", isAbstract: true), at: url).close()
    try SQLiteStore(entity(parent: "A", isAbstract: true), at: url).close()
    #expect(throws: StoreError.self) {
      try SQLiteStore(entity(parent: "A", isAbstract: false), at: url)
    }
    #expect(throws: StoreError.self) {
      try SQLiteStore(entity(parent: nil, isAbstract: true), at: url)
    }
    let more =
      try entity(parent: "A", isAbstract: true).entities.map(\.description)
      + [EntityDescription(name: "D", properties: [], parent: "B")]
    let error = #expect(throws: StoreError.self) { try SQLiteStore(Schema(more), at: url) }
    #expect(error == .schemaMismatch(path: url.path, differences: ["D is not in the file"]))
  }
}
