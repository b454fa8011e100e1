import DatastoreCore
import DatastoreSQLite
import DatastoreTestSupport
import Foundation
import Testing

/// The names in `--rename` and `--remove` of `datastore migrate`.
@Suite("datastore migrate: names")
struct MigrateNamesTests {
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
    // Once more is nothing.
    for output in ["Migrated dots.sqlite", "dots.sqlite is of that version already."] {
      let outcome = try await program.run(
        "migrate", "dots.sqlite", "--to", "new.sqlite", "--rename", "orders.2024=orders",
        "--rename", "orders.2024.a.b=c.d", "--rename", "old=ones=ones", "--remove", "old.ones",
        "--remove", "old=ones.a.b", "--no-backup")
      #expect(outcome.status == 0 && outcome.output.hasPrefix(output), "\(outcome)")
    }
    #expect(
      try SQLiteCommand.run(
        #"SELECT name, "c.d" FROM orders; SELECT name, "c.d" FROM ones"#, on: store)
        == "Ann|1\nBob|")
  }
}
