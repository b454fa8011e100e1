import DatastoreCore
import DatastoreSQLite
import DatastoreTestSupport
import Foundation
import Testing

/// `datastore migrate --forecast --format json`.
@Suite("datastore migrate --forecast for programs")
struct MigrateForecastTests {
  private let program: Program

  /// `old.sqlite` with a person who has a fax, and `new.sqlite` without faxes.
  init() throws {
    program = try Program()
    func make(_ name: String, _ properties: [PropertyDescription]) throws {
      let person = EntityDescription(name: "Person", properties: properties)
      try SQLiteStore(try Schema([person]), at: program.directory.file(name)).close()
    }
    try make("old.sqlite", [attribute("name", isOptional: false), attribute("fax")])
    try make("new.sqlite", [attribute("name", isOptional: false)])
    try SQLiteFile.make(
      at: program.directory.file("old.sqlite"),
      "INSERT INTO Person (_id, name, fax) VALUES (1, 'Ann', '12')")
  }

  @Test("It has the changes, the losses and what is needed of the disk")
  func forecast() async throws {
    let file = program.directory.file("old.sqlite")
    let before = try SQLiteCommand.run(".dump", on: file)
    let outcome = try await program.start(
      ["migrate", "old.sqlite", "--to", "new.sqlite", "--forecast", "--format", "json"]
    ).outcome()
    #expect(outcome.status == 2)
    #expect(try SQLiteCommand.run(".dump", on: file) == before)
    let object = try #require(
      JSONSerialization.jsonObject(with: Data(outcome.output.utf8)) as? [String: Any])
    #expect(object["kind"] as? String == "loss")
    #expect(object["steps"] as? Int == 1)
    let entities = try #require(object["entities"] as? [[String: Any]])
    #expect(entities.first?["changes"] as? [String] == ["Person.fax is removed"])
    let losses = try #require(object["losses"] as? [[String: Any]])
    #expect(losses.map { $0["name"] as? String } == ["Person.fax"])
    let space = try #require(object["space"] as? [String: Any])
    #expect(space["copyBytes"] as? Int == 12_288)
    #expect(space["isEnough"] as? Bool == true)
    #expect(space["freeBytes"] as? Int ?? 0 > 12_288)
  }

  @Test("What the user lets go will be removed, and needs no option any more")
  func asked() async throws {
    let loss = "1 value of Person.fax "
    for (arguments, sentence) in [
      ([], "\(loss)would be lost, since the model does not have it (--remove Person.fax)"),
      (["--remove", "Person.fax"], "\(loss)will be removed as asked, since the model "),
      (["--allow-losses"], "\(loss)will be removed as asked, since the model "),
    ] as [([String], String)] {
      let outcome = try await program.start(
        ["migrate", "old.sqlite", "--to", "new.sqlite", "--forecast"] + arguments
      ).outcome()
      #expect(outcome.status == 2, "\(outcome)")
      #expect(outcome.output.contains("Losses:\n  \(sentence)"), "\(outcome)")
      #expect(outcome.output.contains("--remove") == arguments.isEmpty, "\(outcome)")
    }
  }

  @Test("What other programs have added to either store is not of the model")
  func additions() async throws {
    for name in ["old.sqlite", "new.sqlite"] {
      try SQLiteFile.make(
        at: program.directory.file(name),
        "CREATE VIEW names AS SELECT name FROM Person; CREATE TABLE notes (text TEXT)")
    }
    let outcome = try await program.start(
      ["migrate", "old.sqlite", "--to", "new.sqlite", "--remove", "Person.fax"]
    ).outcome()
    #expect(outcome.status == 0, "\(outcome)")
    #expect(
      try SQLiteCommand.run(
        "SELECT * FROM names; SELECT count(*) FROM notes; SELECT sql LIKE '%fax%' FROM sqlite_master "
          + "WHERE name = 'Person'", on: program.directory.file("old.sqlite")) == "Ann\n0\n0")
  }

  @Test("Without --forecast there is nothing to write so")
  func misuse() async throws {
    let outcome = try await program.start(
      ["migrate", "old.sqlite", "--to", "new.sqlite", "--format", "json"]
    ).outcome()
    #expect(outcome.status != 0)
    #expect(outcome.errors.contains("--format applies to --forecast only."))
  }
}
