import DatastoreCore
import DatastoreSQL
import DatastoreSQLite
import DatastoreTestSupport
import Foundation
import GRDB
import Testing

// Promise: a save would call functions that only another program has → known at opening: the first key says
// so and nothing is staged; what needs none of them is edited.
// Also: `SpatialFileTests`
/// What keeps a table from being saved is known when the file is opened.
@Suite("Writes that are known to be refused")
struct RefusedWritesTests {
  private func refused(_ entity: String, in store: SQLiteStore) throws -> RefusedWrites {
    store.information(about: try #require(store.schema.entity(named: entity))).refusedWrites
  }

  /// A file of a program that has a function and a collation of its own.
  private func fileOfProgram(_ sql: String) throws -> ForeignFile {
    let file = try ForeignFile("")
    let queue = try DatabaseQueue(path: file.url.path)
    try queue.inDatabase { database in
      database.add(function: DatabaseFunction("soundOf", argumentCount: 1, pure: true) { $0[0] })
      database.add(collation: DatabaseCollation("phonebook") { $0.compare($1) })
      try database.execute(sql: sql)
    }
    try queue.close()
    return file
  }

  @Test("GeoPackage: features can be deleted, neither made nor changed; other tables are free")
  func geoPackage() throws {
    let store = try ForeignFile(SpatialFiles.geoPackage).open()
    let places = try refused("places", in: store)
    #expect(places.inserting?.contains("ST_IsEmpty()") == true)
    #expect(places.deleting == nil)
    #expect(Set(places.updating.keys) == ["fid", "geom", "name"])
    #expect(try refused("notes", in: store) == RefusedWrites())
    #expect(try refused("gpkg_contents", in: store) == RefusedWrites())
    try store.close()
  }

  @Test("SpatiaLite: only the geometry cannot be changed")
  func spatiaLite() throws {
    let store = try ForeignFile(SpatialFiles.spatiaLite).open()
    let towns = try refused("towns", in: store)
    #expect(towns.inserting != nil && towns.deleting == nil)
    #expect(Array(towns.updating.keys) == ["geometry"])
    try store.close()
  }

  @Test("Indexes, collations, modules and tables that are not there")
  func others() throws {
    let file = try fileOfProgram(
      """
      CREATE TABLE indexed (id INTEGER PRIMARY KEY, a TEXT, b TEXT);
      CREATE INDEX by_sound ON indexed (soundOf(a));
      CREATE TABLE partly (id INTEGER PRIMARY KEY, a TEXT, b TEXT);
      CREATE INDEX some ON partly (b) WHERE soundOf(a) > 'm';
      CREATE TABLE sorted (id INTEGER PRIMARY KEY, a TEXT COLLATE phonebook, b TEXT);
      CREATE INDEX by_book ON sorted (a);
      CREATE TABLE noted (id INTEGER PRIMARY KEY, a TEXT);
      CREATE TRIGGER lost AFTER UPDATE OF a ON noted BEGIN INSERT INTO nowhere VALUES (1); END;
      CREATE TABLE parent (id INTEGER PRIMARY KEY);
      CREATE TABLE child (id INTEGER PRIMARY KEY, parent_id INTEGER REFERENCES parent ON DELETE CASCADE);
      CREATE TRIGGER counted AFTER DELETE ON child BEGIN SELECT soundOf(old.id); END;
      CREATE TABLE fine (id INTEGER PRIMARY KEY, a TEXT CHECK (length(a) < 9) COLLATE NOCASE, b AS (upper(a)));
      CREATE INDEX upper_a ON fine (upper(a)) WHERE a > 'b';
      """)
    let store = try file.open()
    let indexed = try refused("indexed", in: store)
    #expect(indexed.inserting?.contains("soundOf()") == true && indexed.deleting != nil)
    // Entries of an index have the key of their row.
    #expect(Set(indexed.updating.keys) == ["id", "a"])
    let partly = try refused("partly", in: store)
    #expect(partly.inserting != nil && Set(partly.updating.keys) == ["id", "a", "b"])
    let sorted = try refused("sorted", in: store)
    #expect(sorted.inserting?.contains("phonebook") == true)
    #expect(Set(sorted.updating.keys) == ["id", "a"])
    let noted = try refused("noted", in: store)
    #expect(noted.inserting == nil && noted.updating["a"]?.contains("nowhere") == true)
    #expect(try refused("child", in: store).deleting != nil)
    #expect(try refused("parent", in: store).deleting != nil)
    #expect(try refused("fine", in: store) == RefusedWrites())
    // Members of a relationship are written in the table that holds the reference.
    #expect(try refused("parent", in: store).updating.isEmpty)
    try store.close()
  }

  // Promise: a save would call a function that is not here, from a CHECK → known at opening, refused at the
  // first key.
  @Test("Checks that call functions: only what a save would check is refused")
  func checks() throws {
    let file = try fileOfProgram(
      """
      CREATE TABLE heard (id INTEGER PRIMARY KEY, a TEXT CHECK (soundOf(a) > 'm'), b TEXT,
        c AS (length(a)), CHECK (length(b) < 9));
      CREATE TABLE other (id INTEGER PRIMARY KEY, a TEXT CHECK (length(a) < 9));
      INSERT INTO heard VALUES (1, 'zoo', 'x');
      """)
    let store = try file.open()
    let heard = try refused("heard", in: store)
    #expect(heard.inserting?.contains("soundOf()") == true && heard.deleting == nil)
    #expect(Array(heard.updating.keys) == ["a"])
    #expect(try refused("other", in: store) == RefusedWrites())
    var changes = Changes(store)
    try changes.update("heard", 1, from: ["b": "x"], to: ["b": "y"])
    try changes.save()
    changes = Changes(store)
    try changes.update("heard", 1, from: ["a": "zoo"], to: ["a": "zebra"])
    #expect(throws: (any Error).self) { try changes.save() }
    try store.close()
  }

  @Test("A check of rows that refer to a key which an index makes unique is found, too")
  func checksBehindIndexes() throws {
    let file = try fileOfProgram(
      """
      CREATE TABLE parent (id INTEGER PRIMARY KEY, code TEXT);
      CREATE UNIQUE INDEX parent_code ON parent (code);
      CREATE TABLE child (id INTEGER PRIMARY KEY,
        code TEXT REFERENCES parent (code) ON UPDATE CASCADE CHECK (soundOf(code) > 'm'));
      INSERT INTO parent VALUES (1, 'zoo');
      """)
    let store = try file.open()
    let parent = try refused("parent", in: store)
    #expect(parent.updating["code"]?.contains("soundOf()") == true)
    #expect(parent.inserting == nil && parent.updating["id"] == nil)
    #expect(try refused("child", in: store).inserting?.contains("soundOf()") == true)
    try store.close()
  }

  @Test("What is refused fails when it is saved, and what is not is saved")
  func truth() throws {
    let file = try ForeignFile(SpatialFiles.spatiaLite)
    let store = try file.open()
    var changes = Changes(store)
    try changes.update("towns", 1, from: ["name": "Arezzo"], to: ["name": "Lucca"])
    try changes.save()
    changes = Changes(store)
    try changes.update(
      "towns", 1, from: ["geometry": .blob(Data([0, 1]))], to: ["geometry": .blob(Data([9]))])
    #expect(throws: (any Error).self) { try changes.save() }
    try store.close()
    #expect(try file.query("SELECT name FROM towns WHERE id = 1") == [["\"Lucca\""]])
  }
}
