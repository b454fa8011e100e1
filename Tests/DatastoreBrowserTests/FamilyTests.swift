import DatastoreCore
import Foundation
import SwiftDatastore
import TerminalUI
import Testing

@testable import DatastoreBrowser

/// Entities that inherit from each other, in a file of the library.
@MainActor
@Suite struct FamilyTests {
  /// Two cars and a truck, and a depot that all of them belong to.
  private func makeFile() async throws -> TemporaryFile {
    func attribute(_ name: String, _ type: AttributeType) -> PropertyDescription {
      .attribute(AttributeDescription(name: name, type: type))
    }
    let vehicle = [
      attribute("label", .string),
      .relationship(
        RelationshipDescription(
          name: "depot", kind: .toOne, destination: "Depot", inverse: "vehicles")),
    ]
    let schema = try Schema([
      EntityDescription(
        name: "Car", properties: vehicle + [attribute("seats", .integer64)], parent: "Vehicle"),
      EntityDescription(
        name: "Depot",
        properties: [
          attribute("name", .string),
          .relationship(
            RelationshipDescription(
              name: "vehicles", kind: .toMany, destination: "Vehicle", inverse: "depot")),
        ]),
      EntityDescription(name: "Vehicle", properties: vehicle, isAbstract: true),
      EntityDescription(
        name: "Truck", properties: vehicle + [attribute("load", .double)], parent: "Vehicle"),
    ])
    let file = try TemporaryFile("", name: "family.sqlite")
    let datastore = try SwiftDatastore(schema: schema, url: file.url)
    try await datastore.newContext().perform { context in
      let depot = try context.createObject(entityName: "Depot")
      depot["name"] = "North"
      for (entity, label) in [("Car", "a"), ("Truck", "b"), ("Car", "c")] {
        let object = try context.createObject(entityName: entity)
        object["label"] = .text(label)
        object.set(depot, for: "depot")
      }
      try context.saveChanges()
    }
    try datastore.close()
    return file
  }

  @Test func aParentShowsTheRowsOfItsChildren() async throws {
    let browser = try await BrowserDriver(makeFile())
    browser.expect(
      browser.entities,
      """
      Depot            1
      Vehicle          3
        Car            2
        Truck          1
      """)
    await browser.press("shift-tab", "down", "enter")
    let rows = browser.table.dropFirst()
    #expect(rows.count { $0.contains("North") } == 3)
    #expect(browser.table.contains { $0.contains(" b ") })
    await browser.press("down", "enter")
    #expect(browser.picture.contains { $0.contains("Truck ") })
    // Back to the entities, and on to the cars alone.
    await browser.press("escape", "shift-tab", "down", "enter")
    #expect(browser.table[0].contains("seats"))
    #expect(browser.table.dropFirst().count { $0.contains("North") } == 2)
  }
}
