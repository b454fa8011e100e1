import DatastoreTestSupport
import Foundation
import SwiftDatastore
import Testing

// The code of FromCoreStore.md that is ours, to the letter.

private enum League {
  final class Team: DatastoreObject {
    @Attribute.NotOptional var name: String = ""
    @Relationship.ToMany var players: Set<Player>
  }

  final class Player: DatastoreObject {
    @Attribute.NotOptional var name: String = ""
    @Attribute.NotOptional var score: Int = 0
    @Relationship.ToOne(inverse: \.$players) var team: Team?
  }
}

extension League {
  @MainActor
  @Suite struct FromCoreStoreExamples {
    @Test func theSameProgram() async throws {
      let folder = try TemporaryDirectory()
      let url = folder.file("league.sqlite")
      let datastore = try SwiftDatastore(
        dataModel: SwiftDatastoreModel(version: "V1", from: Team.self, Player.self), url: url)

      try await datastore.write { context in
        let red: Team = try context.createObject()
        red.name = "Red"
        for (name, score) in [("Arthur", 100), ("Barbara", 1000)] {
          let player: Player = try context.createObject()
          player.name = name
          player.score = score
          player.team = red
        }
      }

      let best = try datastore.sharedViewContext.fetch(
        From<Player>()
          .where(\.$score >= 500 && \.$team ~ \.$name == "Red")
          .orderBy(.desc(\.$score)))
      print(best.map(\.name))  // ["Barbara"]
      #expect(best.map(\.name) == ["Barbara"])
    }
  }
}
