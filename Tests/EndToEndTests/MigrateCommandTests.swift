import DatastoreCore
import DatastoreSQLite
import DatastoreTestSupport
import Foundation
import Testing

/// `datastore migrate`, and `datastore schema --compare`, which lists the differences of two versions.
@Suite("datastore migrate")
struct MigrateCommandTests {
  private let program: Program

  private static func person(
    _ properties: PropertyDescription..., indexes: [IndexDescription] = []
  ) -> EntityDescription {
    EntityDescription(name: "Person", properties: properties, indexes: indexes)
  }

  /// `old.sqlite` with three people.
  init() throws {
    program = try Program()
    try make(
      "old.sqlite",
      Self.person(
        attribute("name", isOptional: false), attribute("tel"), attribute("fax")))
    try SQLiteFile.make(
      at: url("old.sqlite"),
      """
      INSERT INTO Person (_id, name, tel, fax) VALUES (1, 'Ann', '12', '34'), (2, 'Bob', NULL, NULL), \
      (3, 'Cid', '7', '8')
      """)
  }

  private func url(_ name: String) -> URL { program.directory.file(name) }

  private func dump(_ name: String) throws -> String {
    try SQLiteCommand.run(".dump", on: url(name))
  }

  private func make(_ name: String, version: String? = nil, _ entities: EntityDescription...) throws
  {
    try SQLiteStore(try Schema(entities, version: version), at: url(name)).close()
  }

  /// Writes the output of `datastore schema` for a store of those entities into a file.
  private func writeModel(
    _ name: String, version: String? = nil, _ entity: EntityDescription
  ) async throws {
    try make("\(name).model.sqlite", version: version, entity)
    let outcome = try await program.run(
      "schema", "\(name).model.sqlite", "--format", "json", "--output", name)
    #expect(outcome == Program.Outcome(status: 0, output: "", errors: ""))
  }

  /// The files, without those of the streams of its runs.
  private func names() throws -> [String] {
    try program.directory.names().filter { $0 != "streams" }
  }

  /// A run that changes nothing, and leaves no file.
  private func refuse(_ arguments: String...) async throws -> Program.Outcome {
    let before = try dump("old.sqlite")
    let names = try self.names()
    let outcome = try await program.start(["migrate"] + arguments).outcome()
    #expect(try dump("old.sqlite") == before)
    #expect(try self.names() == names, "\(arguments)")
    return outcome
  }

  @Test("A store becomes what a schema as JSON says, with its former names, indexes and version")
  func migrate() async throws {
    try await writeModel(
      "model.json", version: "V2",
      Self.person(
        attribute("name", isOptional: false), attribute("phone", from: "tel"),
        attribute("fax"), attribute("email"),
        indexes: [IndexDescription([.init("name"), .init("phone", isDescending: true)])]))
    let outcome = try await program.run("migrate", "old.sqlite", "--to", "model.json")
    #expect(
      outcome
        == Program.Outcome(
          status: 0, output: "Migrated old.sqlite: 0 rows written.\n", errors: ""))
    #expect(
      try SQLiteCommand.run(
        "SELECT _id, name, phone, fax, email FROM Person ORDER BY _id", on: url("old.sqlite"))
        == "1|Ann|12|34|\n2|Bob|||\n3|Cid|7|8|")
    #expect(
      try Declarations.of(url("old.sqlite")) == Declarations.of(url("model.json.model.sqlite")))
    #expect(
      try SQLiteCommand.run(
        "SELECT value FROM _datastore WHERE key = 'version'", on: url("old.sqlite")) == "V2")
    let compared = try await program.run(
      "schema", "old.sqlite", "--compare", "model.json.model.sqlite")
    #expect(compared == Program.Outcome(status: 0, output: "", errors: ""))
    let shown = try await program.run("schema", "old.sqlite")
    #expect(shown.output.contains("\nmigrations\n"), "\(shown.output)")
    #expect(
      shown.output.contains("Z  a version without a name → V2, 0 rows written in "),
      "\(shown.output)")
    #expect(shown.output.contains(" s by datastore\n"), "\(shown.output)")
    // Once more is nothing.
    for arguments in [["--forecast"], []] {
      let again = try await program.start(
        ["migrate", "old.sqlite", "--to", "model.json"] + arguments
      ).outcome()
      #expect(
        again
          == Program.Outcome(
            status: 0, output: "old.sqlite is of that version already.\n", errors: ""))
    }
  }

  @Test("Another store can be the new version, and rows are written where its types say so")
  func otherStore() async throws {
    try make(
      "new.sqlite",
      Self.person(
        attribute("name", isOptional: false), attribute("tel", .integer64),
        attribute("fax")))
    #expect(
      try await refuse("old.sqlite", "--to", "new.sqlite", "--dry-run")
        == Program.Outcome(
          status: 1,
          output: """
            Person  checked   3 objects, 3 rows to write
              Person.tel changes from string to integer64
            Disk: about 4 kB for the log.

            """, errors: ""))
    let outcome = try await program.run("migrate", "old.sqlite", "--to", "new.sqlite")
    #expect(
      outcome
        == Program.Outcome(
          status: 0, output: "Migrated old.sqlite: 3 rows written.\n", errors: ""))
    #expect(
      try SQLiteCommand.run(
        "SELECT name, tel, typeof(tel), fax FROM Person ORDER BY _id", on: url("old.sqlite"))
        == "Ann|12|integer|34\nBob||null|\nCid|7|integer|8")
    #expect(try SQLiteCommand.run("SELECT count(*) FROM Person", on: url("new.sqlite")) == "0")
  }

  @Test("A new name keeps the values; without it they would be lost, as the forecast says")
  func rename() async throws {
    try await writeModel(
      "model.json",
      Self.person(
        attribute("name", isOptional: false), attribute("phone"), attribute("fax")))
    #expect(
      try await refuse("old.sqlite", "--to", "model.json", "--forecast")
        == Program.Outcome(
          status: 2,
          output: """
            Person  loss      3 objects, 3 rows to write
              Person.phone is new
              Person.tel is removed
            Disk: about 4 kB for the log and 12.2 kB for the copy of the old file.
            Losses:
              2 values of Person.tel would be lost, since the model does not have it (--remove Person.tel)

            """, errors: ""))
    #expect(
      try await refuse(
        "old.sqlite", "--to", "model.json", "--rename", "Person.tel=phone", "-n")
        == Program.Outcome(
          status: 1,
          output: """
            Person  instant   3 objects, 0 rows to write
              Person.tel becomes Person.phone

            """, errors: ""))
    for output in [
      "Migrated old.sqlite: 0 rows written.\n", "old.sqlite is of that version already.\n",
    ] {
      #expect(
        try await program.run(
          "migrate", "old.sqlite", "--to", "model.json", "--rename", "Person.tel=phone")
          == Program.Outcome(status: 0, output: output, errors: ""))
    }
    #expect(
      try SQLiteCommand.run("SELECT phone FROM Person ORDER BY _id", on: url("old.sqlite"))
        == "12\n\n7")
  }

  @Test("Nothing that holds a value goes unless one says so, and the old store is kept")
  func losses() async throws {
    try await writeModel("model.json", Self.person(attribute("name", isOptional: false)))
    let path = url("old.sqlite").path
    #expect(
      try await refuse("old.sqlite", "--to", "model.json")
        == Program.Outcome(
          status: 2, output: "",
          errors: """
            datastore: \(path) was made from another version of the model and was not migrated. Nothing was \
            changed.
              - 2 values of Person.tel would be lost, since the model does not have it; give --remove \
            Person.tel to allow it
              - 2 values of Person.fax would be lost, since the model does not have it; give --remove \
            Person.fax to allow it

            """))
    #expect(
      try await refuse("old.sqlite", "--to", "model.json", "--remove", "Person.tel")
        == Program.Outcome(
          status: 2, output: "",
          errors: """
            datastore: \(path) was made from another version of the model and was not migrated: 2 values of \
            Person.fax would be lost, since the model does not have it; give --remove Person.fax to allow \
            it. Nothing was changed.

            """))
    for name in ["a", "b", "c"] {
      try FileManager.default.copyItem(at: url("old.sqlite"), to: url("\(name).sqlite"))
    }
    let before = try dump("old.sqlite")
    let declared = try await program.run(
      "migrate", "a.sqlite", "--to", "model.json", "--remove", "Person.tel", "--remove",
      "Person.fax")
    let beside = url("a.before-migration.sqlite")
    #expect(
      declared
        == Program.Outcome(
          status: 0,
          output: "Migrated a.sqlite: 3 rows written; the old store is kept as \(beside.path).\n",
          errors: ""))
    #expect(try dump("a.before-migration.sqlite") == before)
    #expect(
      try SQLiteCommand.run("SELECT * FROM Person ORDER BY _id", on: url("a.sqlite"))
        == "1|Ann\n2|Bob\n3|Cid")
    let allowed = try await program.run(
      "migrate", "b.sqlite", "--to", "model.json", "--allow-losses", "--backup", "kept.sqlite")
    #expect(
      allowed
        == Program.Outcome(
          status: 0,
          output: "Migrated b.sqlite: 3 rows written; the old store is kept as kept.sqlite.\n",
          errors: ""))
    #expect(try dump("kept.sqlite") == before)
    // That file exists now.
    let taken = try await program.run(
      "migrate", "c.sqlite", "--to", "model.json", "--allow-losses", "--backup", "kept.sqlite")
    #expect(taken.status == 73 && taken.errors.contains("There already is a file at kept.sqlite"))
    #expect(try dump("c.sqlite") == before)
    let names = try self.names()
    let unkept = try await program.run(
      "migrate", "c.sqlite", "--to", "model.json", "--allow-losses", "--no-backup")
    #expect(
      unkept
        == Program.Outcome(
          status: 0, output: "Migrated c.sqlite: 3 rows written.\n", errors: ""))
    #expect(try self.names() == names)
  }

  @Test("What cannot be is told in a sentence, in the forecast and in earnest")
  func impossible() async throws {
    try await writeModel(
      "model.json",
      Self.person(
        attribute("name", isOptional: false), attribute("tel", isOptional: false),
        attribute("fax")))
    let sentence =
      "1 of 3 Persons has no tel; give it a default value or an `initial:` closure, or leave it optional"
    let forecast = try await refuse("old.sqlite", "--to", "model.json", "--forecast")
    #expect(forecast.status == 2)
    #expect(forecast.output.hasSuffix("In the way:\n  \(sentence)\n"))
    let outcome = try await refuse("old.sqlite", "--to", "model.json", "--allow-losses")
    #expect(outcome.status == 2 && outcome.errors.contains(sentence))
  }

  @Test("Names that are misspelt are told, not passed over")
  func misspelt() async throws {
    try await writeModel(
      "model.json",
      Self.person(
        attribute("name", isOptional: false), attribute("phone"), attribute("fax")))
    let cases: [([String], String)] = [
      (["--rename", "Person.tle=phone"], "old.sqlite has no property “tle” in Person."),
      (["--rename", "Person.tel=fone"], "Person has no property “fone” in the new version."),
      (["--rename", "Person=Human"], "The new version has no entity “Human”."),
      (
        ["--rename", "tel"],
        "“tel” is not a renaming; write --rename Employee.tel=phone or Employee=Person."
      ),
      (["--remove", "Person.tle"], "old.sqlite has no “Person.tle” that could be removed."),
      (["--remove", "Visit"], "old.sqlite has no “Visit” that could be removed."),
    ]
    for (arguments, sentence) in cases {
      let outcome = try await program.start(
        ["migrate", "old.sqlite", "--to", "model.json", "--forecast"] + arguments
      ).outcome()
      #expect(
        outcome == Program.Outcome(status: 64, output: "", errors: "datastore: \(sentence)\n"))
    }
  }

  @Test("Files that are none of it are told in a sentence")
  func wrongFiles() async throws {
    try await writeModel("model.json", Self.person(attribute("name", isOptional: false)))
    try SQLiteFile.make(at: url("third.db"), "CREATE TABLE a (x)")
    try program.directory.write("{\"entities\": 7", to: "garbage.json")
    try program.directory.write("name\nAnn\n", to: "people.csv")
    let cases: [(String, String, Int32, String)] = [
      (
        "none.sqlite", "model.json", 66,
        "There is no file at \(url("none.sqlite").path); check the path."
      ),
      ("old.sqlite", "none.json", 66, "none.json cannot be read: No such file or directory."),
      (
        "third.db", "model.json", 65,
        "third.db was not made by SwiftDatastore, so it has no model; change its tables with SQL."
      ),
      (
        "people.csv", "model.json", 65,
        "\(url("people.csv").path) is not a SQLite database: it looks like a text file."
      ),
      (
        "old.sqlite", "garbage.json", 65,
        "garbage.json is neither a SQLite file nor a schema as JSON, nor a model of Core Data (.momd, .mom, "
          + ".xcdatamodeld, .xcdatamodel); “datastore schema FILE --format json” writes one."
      ),
    ]
    for (store, model, status, sentence) in cases {
      #expect(
        try await refuse(store, "--to", model)
          == Program.Outcome(status: status, output: "", errors: "datastore: \(sentence)\n"))
    }
    let both = try await refuse(
      "old.sqlite", "--to", "model.json", "--backup", "b.sqlite", "--no-backup")
    #expect(both.status == 64 && both.errors.contains("exclude each other"))
  }

  @Test("Two schemas are compared as text and as JSON, stores or not")
  func compare() async throws {
    try await writeModel(
      "model.json",
      Self.person(
        attribute("name", isOptional: false), attribute("phone", from: "tel"),
        attribute("email")))
    let text = try await program.run("schema", "old.sqlite", "--compare", "model.json")
    #expect(
      text
        == Program.Outcome(
          status: 1,
          output: """
            Person.tel becomes Person.phone
            Person.email is new
            Person.fax is removed

            """, errors: ""))
    let json = try await program.run(
      "schema", "old.sqlite", "--compare", "model.json.model.sqlite", "--format", "json")
    #expect(json.status == 1 && json.errors.isEmpty)
    let changes = try JSONDecoder().decode([[String: String]].self, from: Data(json.output.utf8))
    #expect(
      changes == [
        [
          "entity": "Person", "property": "phone", "kind": "instant",
          "change": "Person.tel becomes Person.phone",
        ],
        [
          "entity": "Person", "property": "email", "kind": "instant",
          "change": "Person.email is new",
        ],
        [
          "entity": "Person", "property": "fax", "kind": "loss", "change": "Person.fax is removed",
        ],
      ])
    let same = try await program.run(
      "schema", "model.json", "--compare", "model.json.model.sqlite", "--format", "json")
    #expect(same == Program.Outcome(status: 0, output: "[\n\n]\n", errors: ""))
    let picture = try await program.run(
      "schema", "old.sqlite", "--compare", "model.json", "--format", "dot")
    #expect(picture.status == 64)
    let missing = try await program.run("schema", "old.sqlite", "--compare", "none.json")
    #expect(
      missing
        == Program.Outcome(
          status: 66, output: "",
          errors: "datastore: none.json cannot be read: No such file or directory.\n"))
  }

  @Test("What is written of a store is that version, in whatever order it lists the properties")
  func own() async throws {
    let world = Program.sampleData.appending(path: "world").path
    _ = try await program.run("load", world, "--into", "world.sqlite", "--quiet")
    _ = try await program.run(
      "schema", "world.sqlite", "--format", "json", "--output", "world.json")
    let outcome = try await program.run(
      "migrate", "world.sqlite", "--to", "world.json", "--forecast")
    #expect(
      outcome
        == Program.Outcome(
          status: 0, output: "world.sqlite is of that version already.\n", errors: ""))
  }

  @Test("Its help names what it takes")
  func help() async throws {
    let outcome = try await program.run("migrate", "--help")
    #expect(outcome.output.contains("USAGE: datastore migrate <store> --to <model> "))
    #expect(outcome.output.contains("--backup <file>"))
  }
}
