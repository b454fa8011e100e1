import DatastoreTestSupport
import Foundation
import SwiftDatastore
import Testing

// The code of FromSwiftDataAndFluent.md, to the letter.

enum FromSwiftDataAndFluentArticle {
  final class Star: DatastoreObject {
    @Attribute.NotOptional(unique: true) var name: String
    @Relationship.ToMany(deleteRule: .cascade) var planets: Set<Planet>
  }

  final class Planet: DatastoreObject {
    @Attribute.NotOptional var name: String
    @Attribute.NotOptional var mass: Double
    @Relationship.ToOne(inverse: \.$planets) var star: Star?
  }

  @MainActor
  @Suite struct FromSwiftDataAndFluentExamples {
    @Test func heavyPlanets() async throws {
      let folder = try TemporaryDirectory()
      let url = folder.file("planets.sqlite")
      let datastore = try SwiftDatastore(
        dataModel: SwiftDatastoreModel(from: Star.self, Planet.self), url: url)

      try await datastore.write { context in
        let sun: Star = try context.createObject()
        sun.name = "Sun"
        for (name, mass) in [("Earth", 1.0), ("Jupiter", 318)] {
          let planet: Planet = try context.createObject()
          (planet.name, planet.mass, planet.star) = (name, mass, sun)
        }
      }

      let heavy: [Planet] = try datastore.sharedViewContext.fetch(
        where: \.$mass > 10 && \.$star ~ \.$name == "Sun", orderBy: [.desc(\.$mass)])
      print(heavy.map(\.name))  // ["Jupiter"]
      #expect(heavy.map(\.name) == ["Jupiter"])
      try datastore.close()
      withExtendedLifetime(folder) {}
    }
  }
}
