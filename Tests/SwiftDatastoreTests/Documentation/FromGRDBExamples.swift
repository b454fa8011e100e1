import DatastoreTestSupport
import Foundation
import GRDB
import SwiftDatastore
import Testing

// The code of FromGRDB.md, to the letter.

private enum WithGRDB {
  struct Team: Codable, FetchableRecord, MutablePersistableRecord {
    var id: Int64?
    var name: String

    mutating func didInsert(_ inserted: InsertionSuccess) { id = inserted.rowID }
  }

  struct Player: Codable, FetchableRecord, MutablePersistableRecord {
    var id: Int64?
    var name: String
    var score: Int
    var teamId: Int64?

    static let team = belongsTo(Team.self)

    enum Columns {
      static let score = Column(CodingKeys.score)
    }

    mutating func didInsert(_ inserted: InsertionSuccess) { id = inserted.rowID }
  }

  static func run(path: String) throws {
    let queue = try DatabaseQueue(path: path)
    var migrator = DatabaseMigrator()
    migrator.registerMigration("v1") { db in
      try db.create(table: "team") { t in
        t.autoIncrementedPrimaryKey("id")
        t.column("name", .text).notNull().unique()
      }
      try db.create(table: "player") { t in
        t.autoIncrementedPrimaryKey("id")
        t.column("name", .text).notNull()
        t.column("score", .integer).notNull()
        t.belongsTo("team", onDelete: .setNull)
      }
    }
    try migrator.migrate(queue)

    try queue.write { db in
      var red = Team(name: "Red")
      try red.insert(db)
      for (name, score) in [("Arthur", 100), ("Barbara", 1000)] {
        var player = Player(name: name, score: score, teamId: red.id)
        try player.insert(db)
      }
    }

    let best = try queue.read { db in
      try Player
        .filter(Player.Columns.score >= 500)
        .joining(required: Player.team.filter(Column("name") == "Red"))
        .order(Player.Columns.score.desc)
        .fetchAll(db)
    }
    print(best.map(\.name))  // ["Barbara"]
    #expect(best.map(\.name) == ["Barbara"])
  }
}

private enum WithSwiftDatastore {
  final class Team: DatastoreObject {
    @Attribute.NotOptional(unique: true) var name: String
    @Relationship.ToMany var players: Set<Player>
  }

  final class Player: DatastoreObject {
    @Attribute.NotOptional var name: String
    @Attribute.NotOptional var score: Int
    @Relationship.ToOne(inverse: \.$players) var team: Team?
  }
}

extension WithSwiftDatastore {
  // Promise: the documents for people who come from elsewhere get out of step → each of our programs is
  // compiled and run; GRDB's program, too, and both on one file.
  // Also: `FromCoreDataExamples`, `FromCoreStoreExamples`, `FromCoreValueExamples`, `DocumentationTests`
  @Suite struct FromGRDBExamples {
    @Test func theSameProgram() async throws {
      let folder = try TemporaryDirectory()
      let url = folder.file("league.sqlite")
      let model = try SwiftDatastoreModel(from: Team.self, Player.self)
      let datastore = try SwiftDatastore(dataModel: model, url: url)

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

      let best = try await datastore.newContext().perform { context in
        let query = From<Player>()
          .where(\.$score >= 500 && \.$team ~ \.$name == "Red")
          .orderBy(.desc(\.$score))
        return try context.fetch(query).map(\.name)
      }
      print(best)  // ["Barbara"]
      #expect(best == ["Barbara"])
    }

    @Test func theSameFile() async throws {
      let folder = try TemporaryDirectory()
      let path = folder.path("league.sqlite")
      try WithGRDB.run(path: path)
      let model = try SwiftDatastoreModel(from: Team.self, Player.self)
      let datastore = try SwiftDatastore(dataModel: model, url: URL(filePath: path))
      try await datastore.write { context in
        let barbara: Player? = try context.fetchFirst(where: \.$name == "Barbara")
        barbara?.score += 1
      }
      let teams = try await datastore.newContext().perform { context in
        let players: [Player] = try context.fetch(orderBy: [.asc(\.$name)])
        return players.map { $0.team?.name }
      }
      #expect(teams == ["Red", "Red"])
      let scores = try await DatabaseQueue(path: path).read { db in
        try WithGRDB.Player.order(WithGRDB.Player.Columns.score).fetchAll(db).map(\.score)
      }
      #expect(scores == [100, 1001])
    }

    @Test func whatMeansSomethingElse() async throws {
      let folder = try TemporaryDirectory()
      let path = folder.path("league.sqlite")
      try WithGRDB.run(path: path)
      let other = "INSERT INTO player (name, score, teamId) VALUES ('Eve', 1, NULL)"
      try await DatabaseQueue(path: path).write { db in try db.execute(sql: other) }
      // `!=` and NULL.
      let grdb = try await DatabaseQueue(path: path).read { db in
        try WithGRDB.Player.filter(Column("teamId") != 7).fetchCount(db)
      }
      let model = try SwiftDatastoreModel(from: Team.self, Player.self)
      let datastore = try SwiftDatastore(dataModel: model, url: URL(filePath: path))
      let ours = try await datastore.newContext().perform { context in
        try context.count(Player.self, where: \.$team ~ \.$name != "Blue")
      }
      #expect(grdb == 2 && ours == 3)
    }
  }
}
