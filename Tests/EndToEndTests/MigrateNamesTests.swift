import DatastoreCore
import DatastoreSQLite
import DatastoreTestSupport
import Foundation
import Testing

/// The names, copies and schemas that `datastore migrate` is given.
@Suite("datastore migrate: names")
struct MigrateNamesTests {
  @Test("A copy that cannot be made is told in a sentence, and the store stays")
  func copies() async throws {
    let program = try Program()
    let store = program.directory.file("old.sqlite")
    for (name, properties) in [("old", ["name", "fax"]), ("new", ["name"])] {
      let person = EntityDescription(name: "Person", properties: properties.map { attribute($0) })
      try SQLiteStore(try Schema([person]), at: program.directory.file("\(name).sqlite")).close()
    }
    try SQLiteFile.make(
      at: store,
      """
      WITH RECURSIVE n (x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n LIMIT 20000)
      INSERT INTO Person (name, fax) SELECT 'Ann the ' || x, x FROM n;
      """)
    let before = try SQLiteCommand.run(".dump", on: store)
    let migrate = "datastore migrate old.sqlite --to new.sqlite --allow-losses -q"
    let cases: [(String, Int32, String)] = [
      ("\(migrate) --backup ''", 64, "--backup needs the name of a file"),
      ("\(migrate) --backup none/x", 74, "none/x could not be opened: there is no folder "),
      ("ulimit -f 200; \(migrate)", 74, "it cannot be written; the disk is full, or "),
    ]
    for (command, status, sentence) in cases {
      let outcome = try await program.shell(command)
      #expect(outcome.status == status && outcome.errors.contains(sentence), "\(outcome)")
      #expect(!outcome.errors.contains("NSCocoaErrorDomain"), "\(outcome)")
      #expect(try SQLiteCommand.run(".dump", on: store) == before)
    }
  }

  @Test("What is wrong in a schema as JSON is told with its place")
  func misreadSchema() async throws {
    let program = try Program()
    for (name, attribute, sentence) in [
      (
        "type", #""name": "tel", "type": "decimall", "optional": true"#,
        #"at entities[0].attributes[0].type (Person.tel) it says "decimall", which"#
      ),
      (
        "rule", #""name": "tel", "type": "string", "optional": true, "rules": [{"rule": "odd"}]"#,
        #"at entities[0].attributes[0].rules[0].rule (Person.tel) it says "odd", which"#
      ),
      (
        "missing", #""name": "tel", "type": "string""#,
        "entities[0].attributes[0] (Person.tel) has no “optional”"
      ),
    ] {
      try program.directory.write(
        #"{"entities": [{"name": "Person", "attributes": [{\#(attribute)}], "relationships": []}]}"#,
        to: "\(name).json")
      let outcome = try await program.run(
        "schema", "\(name).json", "--compare", "\(name).json")
      #expect(outcome.status == 65 && outcome.output.isEmpty, "\(outcome)")
      #expect(outcome.errors.contains("\(name).json is not read as a schema: "), "\(outcome)")
      #expect(outcome.errors.contains(sentence), "\(outcome)")
    }
  }

  @Test("Names with dots and equals signs are found by what the store has")
  func signs() async throws {
    let program = try Program()
    let store = program.directory.file("dots.sqlite")
    let entities = ["orders.2024", "old=ones", "old.ones"].map {
      EntityDescription(name: $0, properties: [attribute("name"), attribute("a.b")])
    }
    try SQLiteStore(try Schema(entities), at: store).close()
    let new = ["orders", "ones"].map {
      EntityDescription(name: $0, properties: [attribute("name"), attribute("c.d")])
    }
    try SQLiteStore(try Schema(new), at: program.directory.file("new.sqlite")).close()
    try SQLiteFile.make(
      at: store,
      """
      INSERT INTO "orders.2024" (name, "a.b") VALUES ('Ann', '1');
      INSERT INTO "old=ones" (name, "a.b") VALUES ('Bob', '2');
      INSERT INTO "old.ones" (name, "a.b") VALUES ('Cid', '3');
      """)
    // The second time, the store has none of the former names.
    for sentence in ["Migrated dots.sqlite", "dots.sqlite is of that version already."] {
      let outcome = try await program.run(
        "migrate", "dots.sqlite", "--to", "new.sqlite", "--rename", "orders.2024=orders",
        "--rename", "orders.2024.a.b=c.d", "--rename", "old=ones=ones", "--remove", "old.ones",
        "--remove", "old=ones.a.b", "--no-backup")
      #expect(outcome.status == 0, "\(outcome)")
      #expect(outcome.output.hasPrefix(sentence), "\(outcome)")
    }
    #expect(
      try SQLiteCommand.run(
        #"SELECT name, "c.d" FROM orders; SELECT name, "c.d" FROM ones"#, on: store)
        == "Ann|1\nBob|")
  }
}
