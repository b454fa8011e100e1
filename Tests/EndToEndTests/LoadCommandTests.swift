import DatastoreCore
import DatastoreTestSupport
import Foundation
import Testing

@Suite("datastore load")
struct LoadCommandTests {
  private static let people = "id,name,age\n1,Ada,36\n2,Grace,45\n3,Zoë,\n"

  @Test("A file becomes a store, and loading it again updates it")
  func load() async throws {
    let program = try Program()
    try program.directory.write(Self.people, to: "people.csv")
    let first = try await program.run("load", "people.csv", "--into", "p.sqlite", "--key", "id")
    #expect(
      first
        == Program.Outcome(
          status: 0, output: "Loaded 3 rows into p.sqlite: 3 inserted.\n",
          errors: "Looking at people.csv\nLoading people.csv\nWriting\n"))
    let second = try await program.run(
      "load", "people.csv", "--into", "p.sqlite", "--key", "id", "--quiet")
    #expect(
      second
        == Program.Outcome(
          status: 0, output: "Loaded 3 rows into p.sqlite: 3 updated.\n", errors: ""))
    let contents = try await StoreContents(of: program.directory.url.appending(path: "p.sqlite"))
    #expect(contents["people"].map { $0["name"] } == [.text("Ada"), .text("Grace"), .text("Zoë")])
  }

  @Test("Both sample folders load", arguments: [("company", "8,052"), ("world", "")])
  func samples(folder: String, rows: String) async throws {
    let program = try Program()
    let path = Program.sampleData.appending(path: folder).path
    let outcome = try await program.run("load", path, "--into", "s.sqlite", "--quiet")
    #expect(outcome.status == 0)
    #expect(outcome.errors == "")
    #expect(outcome.output.hasPrefix("Loaded \(rows)"))
  }

  @Test("What query writes of a store is loaded with the same relationships")
  func queriedRows() async throws {
    let program = try Program()
    let world = Program.sampleData.appending(path: "world").path
    let made = try await program.run("load", world, "--into", "world.sqlite", "--quiet")
    #expect(made.status == 0, "\(made)")
    let empty = program.directory.url.appending(path: "empty.sqlite")
    try FileManager.default.copyItem(
      at: program.directory.url.appending(path: "world.sqlite"), to: empty)
    let entities = ["Continent", "Currency", "Country", "City"]
    try SQLiteFile.make(
      at: empty,
      "PRAGMA foreign_keys = OFF;"
        + (["Country_languages"] + entities).map { "DELETE FROM \($0);" }.joined())
    for entity in entities {
      let written = try await program.run(
        "query", "world.sqlite", entity, "--order-by", "name desc", "--output", "\(entity).csv")
      #expect(written.status == 0, "\(written)")
    }
    func references(in store: String) async throws -> String {
      let countries = try await program.run(
        "query", store, "Country", "--order-by", "code", "--columns",
        "code, continent.code, capital.name, currency.code")
      let cities = try await program.run(
        "query", store, "City", "--order-by", "name", "--columns", "name, country.code")
      return countries.output + cities.output
    }
    let before = try await references(in: "world.sqlite")
    #expect(before.contains("\nFR,EU,Paris,EUR\n"))
    let loaded = try await program.start(
      ["load"] + entities.map { "\($0).csv" } + ["--into", "empty.sqlite", "--quiet"]
    ).outcome()
    #expect(loaded.status == 0 && loaded.errors == "", "\(loaded)")
    #expect(try await references(in: "empty.sqlite") == before)
    let updated = try await program.run(
      "load", "Country.csv", "--into", "world.sqlite", "--key", "code", "--quiet")
    #expect(updated.status == 0 && updated.output.contains("195 updated"), "\(updated)")
    #expect(try await references(in: "world.sqlite") == before)
    // What only names the relationship is written like all columns; INSERT statements have what is stored.
    let city = ["query", "world.sqlite", "City", "--columns", "name, country AS land, country"]
    let csv = try await program.start(city + ["--limit", "1", "--format", "csv"]).outcome()
    #expect(csv.output == "name,land,country.code\nAarhus,DK,DK\n")
    let sql = try await program.start(city + ["--limit", "1", "--format", "sql"]).outcome()
    #expect(sql.output.contains("(\"name\", \"land\", \"country\")"), "\(sql)")
    #expect(!sql.output.contains("DK"), "\(sql)")
  }

  @Test("Standard input becomes a store")
  func standardInput() async throws {
    let program = try Program()
    let outcome = try await program.run(
      "load", "-", "--entity", "person", "--into", "p.sqlite", input: Self.people)
    #expect(outcome.status == 0)
    #expect(outcome.output == "Loaded 3 rows into p.sqlite: 3 inserted.\n")
    #expect(try program.directory.names() == ["p.sqlite", "streams"])
  }

  @Test("A malformed row stops the load, with its place")
  func stop() async throws {
    let program = try Program()
    try program.directory.write(Self.people, to: "people.csv")
    _ = try await program.run("load", "people.csv", "--into", "p.sqlite", "--key", "id")
    try program.directory.write("id,age\n1,40\n2,old\n9,1\n", to: "more.csv")
    let outcome = try await program.run(
      "load", "more.csv", "--into", "p.sqlite", "--key", "id", "--entity", "people")
    #expect(
      outcome
        == Program.Outcome(
          status: 65, output: "",
          errors: """
            datastore: more.csv, line 3, column 3: age: “old” is not an integer. Nothing was \
            loaded; correct it, or skip invalid records with --on-error skip.

            """))
    let contents = try await StoreContents(of: program.directory.url.appending(path: "p.sqlite"))
    #expect(contents["people"].map { $0["age"] } == [.integer(36), .integer(45), .null])
  }

  @Test("Malformed rows are skipped and reported when that is wanted")
  func skip() async throws {
    let program = try Program()
    try program.directory.write(Self.people, to: "people.csv")
    _ = try await program.run("load", "people.csv", "--into", "p.sqlite", "--key", "id")
    try program.directory.write("id,age\n1,40\n2,old\n9,1\n,7\n", to: "more.csv")
    let outcome = try await program.run(
      "load", "more.csv", "--into", "p.sqlite", "--key", "id", "--entity", "people", "--on-error",
      "skip")
    #expect(
      outcome
        == Program.Outcome(
          status: 1,
          output: "Loaded 2 of 4 rows into p.sqlite: 1 inserted, 1 updated, 2 skipped.\n",
          errors: """
            datastore: more.csv, line 3, column 3: age: “old” is not an integer.
            datastore: more.csv, line 5, column 1: the key “id” has no value.
            Loading more.csv
            Writing

            """))
  }

  @Test("What cannot be read or made is told in a sentence")
  func unreadable() async throws {
    let program = try Program()
    #expect(
      try await program.run("load", "no.csv", "--into", "p.sqlite")
        == Program.Outcome(
          status: 66, output: "",
          errors: "datastore: no.csv cannot be read: No such file or directory.\n"))
    try program.directory.write("a\n1\n", to: "a.csv")
    let place = program.directory.path("none/p.sqlite")
    #expect(
      try await program.run("load", "a.csv", "--into", "none/p.sqlite")
        == Program.Outcome(
          status: 73, output: "",
          errors: "datastore: \(place) could not be created: No such file or directory.\n"))
    #expect(
      try await program.run("load", "a.csv", "--into", "p.sqlite", "--store-name", "company")
        == Program.Outcome(
          status: 64, output: "",
          errors: "datastore: --store-name names a store in a server; a file has one store.\n"))
    try program.directory.write("x\n", to: "folder/x.csv")
    #expect(
      try await program.run("load", "folder", "--into", "p.sqlite")
        == Program.Outcome(
          status: 66, output: "",
          errors: """
            datastore: folder is a folder without a manifest.yaml, which would say what its files \
            hold; name the files one by one.

            """))
    try program.directory.write("files: [{ file: x.csv }]\n", to: "folder/manifest.yaml")
    let manifest = try await program.run("load", "folder", "--into", "p.sqlite")
    #expect(manifest.status == 78)
    #expect(manifest.errors.hasPrefix("datastore: folder/manifest.yaml has a fault; nothing"))
    #expect(try program.directory.names() == ["a.csv", "folder", "streams"])
  }

  @Test("Invalid arguments end with the code for wrong usage")
  func usage() async throws {
    let program = try Program()
    let lacking = try await program.run("load", "a.csv")
    #expect(lacking.status == 64)
    #expect(lacking.errors.hasPrefix("Error: Missing expected argument '--into <into>'\n"))
    let word = try await program.run("load", "a.csv", "--into", "p.sqlite", "--on-error", "hope")
    #expect(word.status == 64)
    #expect(word.errors.contains("'hope' is invalid for '--on-error <on-error>'"))
    let unnamed = try await program.run("load", "-", "--into", "p.sqlite", input: "a\n1\n")
    #expect(
      unnamed
        == Program.Outcome(
          status: 64, output: "",
          errors: """
            datastore: Standard input has no name that could be the entity's; say which with \
            --entity.

            """))
  }

  @Test(
    "A load that is killed or ended leaves the store as it was, and its status says by what",
    arguments: [SIGKILL, SIGTERM, SIGHUP, SIGINT])
  func killed(signal: Int32) async throws {
    let program = try Program()
    try program.directory.write(Self.people, to: "people.csv")
    _ = try await program.run("load", "people.csv", "--into", "p.sqlite", "--key", "id")
    let store = program.directory.url.appending(path: "p.sqlite")
    let before = try await StoreContents(of: store)
    // More than a batch arrives, and then the input stays open: the load is in its middle.
    let rows = (1...20_000).map { "\($0),new,1\n" }.joined()
    let running = try program.start(
      ["load", "-", "--entity", "people", "--key", "id", "--into", "p.sqlite"],
      input: "id,name,age\n" + rows, keepsInputOpen: true)
    try await running.wait(forError: "Loading")
    running.send(signal: signal)
    let outcome = try await running.outcome()
    if signal != SIGKILL {
      #expect(outcome.status == 128 + signal)
      #expect(
        outcome.errors
          == "Loading standard input\ndatastore: The load was interrupted. Nothing was loaded.\n")
    }
    #expect(outcome.output == "")
    #expect(try await StoreContents(of: store) == before)
  }
}
