import DatastoreCore
import Foundation
import SwiftDatastore
import Testing

private final class Artist: DatastoreObject {
  @Attribute.NotOptional(renamedFrom: "ArtistId", initial: { Int.random(in: 1000...9999) })
  var id: Int
  @Attribute.NotOptional var name: String
  @Relationship.ToMany var albums: Set<Album>
}

private final class Album: DatastoreObject {
  @Attribute.NotOptional var title: String
  @Attribute.Optional var year: Int16?
  @Attribute.Optional var cover: Data?
  @Attribute.Optional var extra: Value?
  @Attribute.Optional var artistID: Int?
  @Relationship.ToOne(inverse: \.$albums) var artist: Artist?
  @Relationship.ToMany(inverse: \.$albums) var tags: Set<Word>
}

private final class Word: DatastoreObject {
  @Attribute.NotOptional(unique: true) var word: String
  @Relationship.ToMany var albums: Set<Album>

  override class var entityName: String { "tag words" }
}

private let tables = """
  CREATE TABLE Artist (ArtistId INTEGER PRIMARY KEY, Name TEXT NOT NULL, born TEXT);
  CREATE TABLE ALBUM (id INTEGER PRIMARY KEY, Title NVARCHAR(160) NOT NULL, year INTEGER, cover BLOB, extra,
    ArtistId INTEGER REFERENCES Artist ON DELETE CASCADE, price REAL DEFAULT 9.5);
  CREATE TABLE "tag words" (word TEXT PRIMARY KEY);
  CREATE TABLE album_tag (album INTEGER REFERENCES ALBUM, word TEXT REFERENCES "tag words",
    PRIMARY KEY (album, word));
  INSERT INTO Artist VALUES (1, 'Abba', '1972'), (2, 'Blur', NULL);
  INSERT INTO ALBUM VALUES (1, 'Arrival', 1976, x'00ff', 'x', 1, 5), (2, 'Parklife', 1994, NULL, 4.5, 2, 6);
  INSERT INTO "tag words" VALUES ('pop'), ('brit');
  INSERT INTO album_tag VALUES (1, 'pop'), (2, 'pop'), (2, 'brit');
  """

/// Classes over the tables of another program: the way in which people use the library with an existing
/// database.
@Suite("Classes over files of other programs")
struct FittedModelTests {
  private func open(_ file: ForeignDatabase) throws -> SwiftDatastore {
    try SwiftDatastore(
      dataModel: SwiftDatastoreModel(from: Artist.self, Album.self, Word.self), url: file.url)
  }

  private func differences(_ file: ForeignDatabase, _ model: SwiftDatastoreModel) throws -> [String]
  {
    do {
      _ = try SwiftDatastore(dataModel: model, url: file.url)
    } catch StoreError.modelDoesNotFit(let path, let differences) {
      #expect(path == file.url.path)
      return differences
    }
    return []
  }

  @Test("Reading, walking, editing, creating and deleting change the tables of the file")
  func work() async throws {
    let file = try ForeignDatabase(tables)
    let schema = try file.run(".schema")
    let datastore = try open(file)
    try await datastore.inContext { context in
      let albums: [Album] = try context.fetch(orderBy: [.asc(\.$title)])
      #expect(albums.map(\.title) == ["Arrival", "Parklife"])
      #expect(albums.map(\.year) == [1976, 1994])
      #expect(albums[0].cover == Data([0, 255]) && albums[1].cover == nil)
      #expect(albums.map(\.extra) == [.text("x"), .real(4.5)])
      #expect(albums[0].artist?.name == "Abba" && albums[0].artistID == 1)
      #expect(albums[0].artist?.albums == [albums[0]])
      #expect(Set(albums[1].tags.map(\.word)) == ["pop", "brit"])
      let brit: Word? = try context.fetchFirst(where: \.$word == "brit")
      #expect(brit?.albums == [albums[1]])
      let new: Album = try context.createObject()
      new.title = "Gold"
      new.artist = albums[0].artist
      new.tags = [try #require(brit)]
      albums[1].year = 1995
      albums[1].extra = .integer(7)
      albums[1].tags = []
      let artist: Artist = try context.createObject()
      artist.id = 77
      artist.name = "Cher"
      try context.saveChanges()
      #expect(new.artistID == 1)
    }
    #expect(
      try file.run("SELECT Title, year, quote(extra), ArtistId, price FROM ALBUM ORDER BY id")
        == "Arrival|1976|'x'|1|5.0\nParklife|1995|7|2|6.0\nGold||NULL|1|9.5")
    #expect(try file.run("SELECT * FROM album_tag ORDER BY album") == "1|pop\n3|brit")
    #expect(try file.run("SELECT * FROM Artist") == "1|Abba|1972\n2|Blur|\n77|Cher|")
    try await datastore.inContext { context in
      let abba: Artist? = try context.fetchFirst(where: \.$name == "Abba")
      for album in try #require(abba).albums { context.deleteObject(album) }
      context.deleteObject(try #require(abba))
      try context.saveChanges()
    }
    try datastore.close()
    #expect(try file.run("SELECT Title FROM ALBUM") == "Parklife")
    #expect(try file.run(".schema") == schema)
    #expect(try file.run("PRAGMA journal_mode; PRAGMA integrity_check") == "delete\nok")
    #expect(try file.run("SELECT count(*) FROM sqlite_master WHERE name = '_datastore'") == "0")
  }

  @Test("A value that a property cannot be read from is an error of the read, which names the cell")
  func unfitValues() async throws {
    for (sql, name, detail) in [
      (
        "UPDATE ALBUM SET year = 'old' WHERE id = 2", "year",
        "holds “old”, which is not a whole number"
      ),
      ("UPDATE ALBUM SET year = 40000 WHERE id = 2", "year", "32767"),
      ("UPDATE ALBUM SET Title = x'41' WHERE id = 2", "title", "not text"),
    ] {
      let file = try ForeignDatabase(tables)
      try file.run(sql)
      let datastore = try open(file)
      let error = await #expect(throws: StoreError.self) {
        try await datastore.inContext { context in
          let _: [Album] = try context.fetch()
        }
      }
      guard case .unfitValue("Album", name, 2, _)? = error, let text = error?.description else {
        Issue.record("\(String(describing: error))")
        continue
      }
      #expect(text.contains(detail), "\(text)")
      let titles = try await datastore.inContext { context in
        try (context.fetch(where: \.$title == "Arrival") as [Album]).map(\.title)
      }
      #expect(titles == ["Arrival"])
      try datastore.close()
    }
    let file = try ForeignDatabase(
      tables.replacing("Title NVARCHAR(160) NOT NULL", with: "Title NVARCHAR(160)"))
    try file.run("UPDATE ALBUM SET Title = NULL WHERE id = 1")
    let datastore = try open(file)
    await #expect(
      throws: StoreError.noStoredValue(entity: "Album", property: "title", key: 1)
    ) {
      try await datastore.inContext { context in
        let _: Album? = try context.fetchFirst(where: \.$year == 1976)
      }
    }
  }

  @Test("Every difference is told by table and column, and the file is left as it is")
  func everyDifference() throws {
    final class Artist: DatastoreObject {
      @Attribute.NotOptional var name: Date
      @Attribute.NotOptional(unique: true) var born: String
      @Attribute.Optional var nickname: String?
      @Relationship.ToMany.Ordered var albums: [Album]
    }
    final class Album: DatastoreObject {
      @Attribute.NotOptional var year: String
      @Relationship.ToOne(inverse: \.$albums) var composer: Artist?
      @Relationship.ToMany var labels: Set<Label>
    }
    final class Label: DatastoreObject {
      @Attribute.NotOptional var name: String
    }
    let file = try ForeignDatabase(tables)
    let before = try Data(contentsOf: file.url)
    let found = try differences(
      file, SwiftDatastoreModel(from: Artist.self, Album.self, Label.self))
    #expect(
      found == [
        "column “Name” of table “Artist” turns what is stored into text, but Artist.name is a number "
          + "of seconds since 2001",
        "table “Artist” has no column “nickname”, which Artist.nickname needs",
        "column “born” of table “Artist” is not unique, but Artist.born is",
        "column “year” of table “ALBUM” turns what is stored into whole numbers, but Album.year is text",
        "table “ALBUM” has no foreign key “composer”, which Album.composer needs",
        "there is no table “Label”",
        "Artist.albums is ordered, and no column of the file keeps its order",
      ])
    #expect(try Data(contentsOf: file.url) == before)
    let files = try FileManager.default.contentsOfDirectory(atPath: file.folder.path)
    #expect(files == ["foreign.db"])
  }

  @Test("Views and tables without a key are read, and nothing of them is assigned")
  func views() async throws {
    final class Count: DatastoreObject {
      @Attribute.Optional var name: String?
      @Attribute.Optional var albums: Int?

      override class var entityName: String { "albums by artist" }
    }
    let file = try ForeignDatabase(
      tables + """
        CREATE VIEW "albums by artist" AS SELECT Name AS name, count(*) AS albums
          FROM Artist JOIN ALBUM USING (ArtistId) GROUP BY Name;
        """)
    let datastore = try SwiftDatastore(
      dataModel: SwiftDatastoreModel(from: Count.self), url: file.url)
    let lines = try await datastore.inContext { context in
      try (context.fetch(orderBy: [.asc(\.$name)]) as [Count]).map {
        "\($0.name ?? "") \($0.albums ?? 0)"
      }
    }
    #expect(lines == ["Abba 1", "Blur 1"])
    #expect(datastore.schema.entities[0].isReadOnly)
    #expect(
      datastore.schema.entities[0].properties.allSatisfy { $0.attribute?.isReadOnly ?? false })
  }

  @Test("What another program writes reaches objects of the classes")
  func externalChange() async throws {
    let file = try ForeignDatabase(tables)
    let datastore = try open(file)
    let context = datastore.newContext()
    let id = try await context.perform { context in
      let album: Album? = try context.fetchFirst(where: \.$title == "Arrival")
      return try #require(album).objectID
    }
    try file.run("UPDATE ALBUM SET year = 1977, ArtistId = 2 WHERE id = 1")
    #expect(try datastore.checkForExternalChanges())
    try await context.perform { context in
      let album: Album = try context.object(with: id)
      #expect(album.year == 1977 && album.artist?.name == "Blur")
    }
  }
}
