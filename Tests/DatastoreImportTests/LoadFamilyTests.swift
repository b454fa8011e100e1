import DatastoreCore
import DatastoreImport
import DatastoreTestSupport
import Foundation
import SwiftDatastore
import Testing

/// Files that fill entities of a family, and refer to them.
@Suite("Loading families")
struct LoadFamilyTests {
  /// A fixture whose store has vehicles of two kinds, and trips with one.
  private func makeFixture() throws -> LoadFixture {
    let label = PropertyDescription.attribute(
      AttributeDescription(name: "label", type: .string, isOptional: false, isUnique: true))
    let trips = PropertyDescription.relationship(
      RelationshipDescription(
        name: "trips", kind: .toMany, destination: "Trip", inverse: "vehicle"))
    let schema = try Schema([
      EntityDescription(name: "Vehicle", properties: [label, trips], isAbstract: true),
      EntityDescription(
        name: "Car",
        properties: [
          label, trips, .attribute(AttributeDescription(name: "seats", type: .integer64)),
        ], parent: "Vehicle"),
      EntityDescription(
        name: "Truck",
        properties: [
          label, trips, .attribute(AttributeDescription(name: "load", type: .double)),
        ], parent: "Vehicle"),
      EntityDescription(
        name: "Trip",
        properties: [
          .attribute(AttributeDescription(name: "day", type: .integer64)),
          .relationship(
            RelationshipDescription(
              name: "vehicle", kind: .toOne, destination: "Vehicle", inverse: "trips")),
        ]),
    ])
    let fixture = try LoadFixture()
    try SwiftDatastore(schema: schema, url: fixture.store).close()
    return fixture
  }

  @Test(
    "Rows of children update and insert, and references to the parent find them",
    arguments: [1, 100])
  func children(batchSize: Int) async throws {
    let fixture = try makeFixture()
    try fixture.directory.write("label,seats\na,4\nb,2\n", to: "cars.csv")
    try fixture.directory.write("label,load\nt,7.5\n", to: "trucks.csv")
    try fixture.directory.write("day,vehicle\n1,t\n2,a\n3,old\n4,\n", to: "trips.csv")
    let manifest = try fixture.directory.write(
      """
      files:
        - { file: trips.csv, entity: Trip }
        - { file: cars.csv, entity: Car, key: label }
        - { file: trucks.csv, entity: Truck, key: label }
      """, to: "manifest.yaml")
    let old = try fixture.directory.write("label,load\nold,1\n", to: "old.csv")
    try await fixture.load([old], entity: "Truck", key: "label")
    try await fixture.load([manifest], batchSize: batchSize)
    let again = try fixture.directory.write("label,seats\nb,3\nc,1\n", to: "more.csv")
    let (report, _) = try await fixture.load(
      [again], entity: "Car", key: "label", batchSize: batchSize)
    #expect(report.updated == 1 && report.inserted == 1)
    let contents = try await fixture.contents()
    #expect(contents["Car"].map { $0["label"] } == ["a", "b", "c"])
    #expect(contents["Car"].map { $0["seats"] } == [4, 3, 1])
    #expect(contents["Truck"].map { $0["label"] } == ["old", "t"])
    #expect(contents["Vehicle"].count == 5)
    let keys = Dictionary(
      uniqueKeysWithValues: contents["Vehicle"].map { ($0["label"], $0.key) })
    let expected = ["t", "a", "old"].map { Value.key(keys[.text($0)] ?? 0) } + [.null]
    #expect(contents["Trip"].map { $0["vehicle"] } == expected)
  }

  @Test("A parent without objects of its own cannot be filled")
  func abstractParent() async throws {
    let fixture = try makeFixture()
    let path = try fixture.directory.write("label\na\n", to: "vehicles.csv")
    let sentence = try await fixture.failure([path], entity: "Vehicle", key: "label")
    #expect(sentence.contains("Vehicle is abstract; create an object of Car or Truck instead."))
    #expect(try await fixture.contents()["Vehicle"].isEmpty)
  }
}
