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

  @Test func stagedFamiliesAreRecovered() async throws {
    let (first, second) = (try await makeFile(), try await makeFile())
    let original = try SwiftDatastore(opening: first.url)
    let view = original.sharedViewContext
    let depots: [DynamicObject] = try view.fetch(FetchRequest(entity: "Depot"))
    let vehicles: [DynamicObject] = try view.fetch(
      FetchRequest(entity: "Vehicle", sortDescriptors: [SortDescriptor(["label"])]))
    let car = try view.createObject(entityName: "Car")
    car["label"] = "new"
    car["seats"] = 2
    car.set(depots[0], for: "depot")
    let depot = try view.createObject(entityName: "Depot")
    depot["name"] = "South"
    // Both are reached by relationships to the parent of their entities.
    depot.set([car, vehicles[1]], for: "vehicles")
    vehicles[1]["load"] = 5.5
    view.deleteObject(vehicles[2])
    let document = RecoveryDocument(
      view.stagedObjects(), schema: original.schema, store: first.url.path,
      keyValues: { view.keyValues(entity: $0, key: $1) })
    let restored = try SwiftDatastore(opening: second.url)
    let runner = EffectRunner(restored)
    let report = try await Restaging(runner, mayBeSaved: true).run(
      RecoveryDocument(document.encoded()).objects)
    #expect(report.conflicts.isEmpty && report.losses.isEmpty)
    _ = try await view.save()
    _ = try await restored.sharedViewContext.save()
    let query = """
      SELECT _id || _entity || label || coalesce(seats, '-') || coalesce(load, '-') || depot
      FROM Vehicle ORDER BY _id
      """
    #expect(try first.values(query).count == 3)
    #expect(try second.values(query) == first.values(query))
  }

  @Test func childrenAreEditedAndFoundInTheTableOfTheParent() async throws {
    let file = try await makeFile()
    let browser = try await BrowserDriver(file) { _ in BrowserOptions(entity: "Vehicle") }
    await browser.press("a")
    #expect(browser.status.contains("Vehicle is abstract"))
    await browser.press("e")
    await browser.type("z")
    await browser.press("enter")
    #expect(browser.toolbar.contains("1 changed"))
    await browser.press("ctrl-s")
    #expect(
      try file.values("SELECT _entity || label FROM Vehicle ORDER BY _id") == [
        "Caraz", "Truckb", "Carc",
      ])
  }

  @Test func aParentShowsTheRowsOfItsChildren() async throws {
    let file = try await makeFile()
    let browser = try await BrowserDriver(file)
    browser.expect(
      browser.entities,
      """
      Depot           1
      Vehicle         3
        Car           2
        Truck         1
      """)
    await browser.press("shift-tab", "down", "enter")
    let rows = browser.table.dropFirst()
    #expect(rows.count { $0.contains("North") } == 3)
    #expect(browser.table.contains { $0.contains(" b ") })
    await browser.press("down", "enter")
    #expect(browser.picture.contains { $0.contains("Truck ") })
    let cars = try await BrowserDriver(file) { _ in BrowserOptions(entity: "Car") }
    #expect(cars.table[0].contains("seats"))
    #expect(cars.table.dropFirst().count { $0.contains("North") } == 2)
  }
}
