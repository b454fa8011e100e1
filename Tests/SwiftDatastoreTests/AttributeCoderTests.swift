import DatastoreCore
import DatastoreTestSupport
import Foundation
import SwiftDatastore
import Testing

/// `coder:` of coded attributes.
@Suite("Coders of attributes")
struct AttributeCoderTests {
  struct Point: Codable, Sendable, Equatable {
    var x: Int
    var y: Int
  }

  enum V1 {
    final class Place: DatastoreObject {
      @Attribute.NotOptional var name: String
      @Attribute.Coded var point: Point?
    }

    static func model() throws -> SwiftDatastoreModel {
      try SwiftDatastoreModel(version: "V1", from: Place.self)
    }
  }

  enum V2 {
    final class Place: DatastoreObject {
      @Attribute.NotOptional var name: String
      @Attribute.Coded(coder: .propertyList) var point: Point? = Point(x: 1, y: 2)
      @Attribute.Coded(
        coder: .custom(
          "two bytes",
          encode: { Data([UInt8($0.x), UInt8($0.y)]) },
          decode: { data in
            guard data.count == 2 else { throw CocoaError(.coderReadCorrupt) }
            return Point(x: Int(data[data.startIndex]), y: Int(data[data.startIndex + 1]))
          })) var corner: Point?
      @Attribute.Coded(coder: .propertyList) var number: Int?
    }

    static func model() throws -> SwiftDatastoreModel {
      try SwiftDatastoreModel(version: "V2", from: Place.self)
    }
  }

  private let folder: TemporaryDirectory
  private let url: URL

  init() throws {
    folder = try TemporaryDirectory()
    url = folder.file("places.sqlite")
  }

  @Test("Values go through their coders, and conditions compare what those make")
  func values() async throws {
    let datastore = try SwiftDatastore(dataModel: V2.model(), url: url)
    let id = try await datastore.write { context in
      let place: V2.Place = try context.createObject()
      place.name = "a"
      #expect(place.point == Point(x: 1, y: 2))
      place.corner = Point(x: 3, y: 4)
      place.number = 7
      return place.objectID
    }
    try await datastore.newContext().perform { context in
      let place: V2.Place = try context.object(with: id)
      #expect(place.point == Point(x: 1, y: 2))
      #expect(place.corner == Point(x: 3, y: 4))
      #expect(place.number == 7)
      place.corner?.x = 9
      try context.saveChanges()
      let found: V2.Place? = try context.fetchFirst(where: \.$corner == Point(x: 9, y: 4))
      #expect(found === place)
      let none: V2.Place? = try context.fetchFirst(where: \.$corner == Point(x: 3, y: 4))
      #expect(none == nil)
      let rows = try context.fetch(
        V2.Place.self, properties: [PropertyToFetch(\.$corner), PropertyToFetch(\.$point)])
      #expect(rows.count == 1)
    }
    try datastore.close()
    let stored = try SQLiteCommand.run(
      "SELECT hex(corner), CAST(substr(point, 1, 6) AS TEXT) FROM Place", on: url)
    #expect(stored == "0904|bplist")
  }

  // Promise: a model changes a coder → stored bytes are never read by another one: obstacle with count, or
  // a mapping converts.
  @Test("Another coder is another version as soon as there are values; a mapping converts them")
  func changed() async throws {
    let old = try SwiftDatastore(dataModel: V1.model(), url: url)
    try await old.write { context in
      for (name, point) in [("a", Point(x: 5, y: 6)), ("b", nil)] as [(String, Point?)] {
        let place: V1.Place = try context.createObject()
        (place.name, place.point) = (name, point)
      }
    }
    try old.close()
    let forecast = try SwiftDatastore.requiredMigrations(of: url, dataModel: V2.model())
    let sentence =
      "1 of 2 Places has a point that was written by the coder “json”, which “propertyList” cannot read; make "
      + "the objects by a mapping (`transformEntity`) between two versions, or keep the coder"
    #expect(forecast.obstacles.map(\.description) == [sentence])
    let history = try SchemaHistory(V1.model(), V2.model(), migrationChain: ["V1", "V2"])
    let mapping = CustomSchemaMappingProvider(
      from: "V1", to: "V2",
      entityMappings: [
        .transformEntity(V1.Place.self, into: V2.Place.self) { old, createPlace in
          let place = try createPlace()
          (place.name, place.point) = (old.name, old.point)
        }
      ])
    let datastore = try await SwiftDatastore.open(history: history, url: url, mappings: [mapping])
    try await datastore.newContext().perform { context in
      let places: [V2.Place] = try context.fetch(orderBy: [.asc(\.$name)])
      #expect(places.map(\.point) == [Point(x: 5, y: 6), nil])
    }
    try datastore.close()
  }

  @Test("Without values nothing stands in the way")
  func empty() async throws {
    try SwiftDatastore(dataModel: V1.model(), url: url).close()
    try await SwiftDatastore.open(dataModel: V2.model(), url: url).close()
    let store = try SwiftDatastore(opening: url, readOnly: true)
    #expect(store.schema.entity(named: "Place")?.properties[1].attribute?.coder == "propertyList")
    try store.close()
  }
}
