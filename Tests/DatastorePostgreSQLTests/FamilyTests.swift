#if PostgreSQL
import DatastoreCore
import DatastorePostgreSQL
import DatastoreTestSupport
import Foundation
import Testing

@Suite("Entities that inherit, in a server")
struct FamilyTests {
  @Test("Rows of a family share a table, and come back as what they are")
  func family() throws {
    let inherited: [PropertyDescription] = [
      .attribute(AttributeDescription(name: "name", type: .string, isOptional: false)),
      .attribute(AttributeDescription(name: "plate", type: .string)),
    ]
    let load = AttributeDescription(name: "load", type: .integer32)
    let seats = AttributeDescription(name: "seats", type: .integer16)
    let schema = try Schema([
      EntityDescription(name: "Vehicle", properties: inherited),
      EntityDescription(
        name: "Truck", properties: inherited + [.attribute(load)], uniqueness: [["plate"]],
        parent: "Vehicle"),
      EntityDescription(
        name: "Car", properties: inherited + [.attribute(seats)], parent: "Vehicle"),
    ])
    let server = try PostgreSQLServer.shared()
    let database = try server.makeDatabase()
    let store = try PostgreSQLStore(
      schema, at: PostgreSQLAddress(server.address(of: database)), named: "fleet")
    var changes = Changes(store)
    let truck = try changes.insert("Truck", ["name": "T", "plate": "1", "load": 40_000])
    let car = try changes.insert("Car", ["name": "C", "plate": "1", "seats": 5])
    try changes.save()
    #expect(try store.names("Vehicle") == ["C", "T"])
    #expect(try store.names("Truck") == ["T"])
    #expect(try store.row("Truck", truck)?["load"] == 40_000)
    let vehicles = try #require(schema.entity(named: "Vehicle"))
    let cars = try #require(schema.entity(named: "Car"))
    let page = try #require(try store.rows(entity: vehicles.index, keys: [car]).first)
    #expect(
      page.integer(row: 0, column: page.columnCount - 1) == Int64(cars.index.rawValue))
    #expect(
      try store.rows(entity: try #require(schema.entity(named: "Truck")).index, keys: [car]).isEmpty
    )
    var edit = Changes(store)
    try edit.update("Car", car, from: [:], to: ["seats": 7])
    try edit.delete("Truck", truck)
    try edit.save()
    #expect(
      try server.psql(database, #"SELECT "name", "seats", "load" FROM fleet."Vehicle""#) == "C|7|")
    // Only trucks must have plates of their own.
    var more = Changes(store)
    try more.insert("Truck", ["name": "A", "plate": "1"])
    let second = try more.insert("Truck", ["name": "B", "plate": "1"])
    #expect(throws: StoreError.notUnique(entity: "Truck", properties: ["plate"], key: second)) {
      try more.save()
    }
  }
}
#endif
