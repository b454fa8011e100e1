import DatastoreCore
import DatastoreTestSupport
import Foundation
import SwiftDatastore
import Testing

/// A file of another program as one of several stores, with keys that are texts.
@Suite("Several stores: a file of another program among them")
struct ForeignPartTests {
  private final class Label: DatastoreObject {
    @Attribute.NotOptional(unique: true) var name: String
    @Relationship.ToMany var tracks: Set<Track>
  }

  private final class Track: DatastoreObject {
    @Attribute.NotOptional var title: String
    @Relationship.ToOne(inverse: \.$tracks) var label: Label?
  }

  private let files: DividedFiles
  private let music: URL
  private let datastore: SwiftDatastore

  init() throws {
    files = try DividedFiles()
    music = files.folder.file("music.db")
    _ = try SQLiteFile.output(
      of: """
        CREATE TABLE Label (name TEXT PRIMARY KEY) WITHOUT ROWID;
        CREATE TABLE Track (id INTEGER PRIMARY KEY, title TEXT NOT NULL, label TEXT REFERENCES Label);
        INSERT INTO Label VALUES ('Mute'), ('4AD');
        INSERT INTO Track (title, label) VALUES ('Ice', 'Mute'), ('Song', '4AD'), ('Tinderbox', '4AD');
        """, at: music)
    let model = try SwiftDatastoreModel(
      from: Poet.self, Label.self, Poem.self, Track.self,
      configurations: ["Kept": [Poet.self, Poem.self], "Music": [Track.self, Label.self]])
    datastore = try SwiftDatastore(
      dataModel: model,
      stores: [.file(files.kept, configuration: "Kept"), .file(music, configuration: "Music")])
  }

  @Test("Its objects are read, changed and named beside those of a native file")
  func together() throws {
    let context = datastore.newLocalContext()
    let labels: [Label] = try context.fetch(orderBy: [.asc(\.$name)])
    #expect(labels.map { "\($0.name) \($0.tracks.count)" } == ["4AD 2", "Mute 1"])
    let tracks: [Track] = try context.fetch(where: \.$label ~ \.$name == "4AD")
    #expect(Set(tracks.map(\.title)) == ["Song", "Tinderbox"])
    tracks[0].label = labels[1]
    let label: Label = try context.createObject()
    label.name = "Warp"
    let track: Track = try context.createObject()
    (track.title, track.label) = ("Xtal", label)
    let author: Poet = try context.createObject()
    author.name = "Ann"
    try context.saveChanges()
    #expect(
      try SQLiteFile.output(of: "SELECT label, count(*) FROM Track GROUP BY 1", at: music)
        == "4AD|1\nMute|2\nWarp|1\n")
    #expect(try SQLiteFile.output(of: "SELECT name FROM Poet", at: files.kept) == "Ann\n")
    let name = try label.objectID.uriRepresentation
    #expect(name.absoluteString.contains("path/"))
    #expect(try datastore.objectID(forURIRepresentation: name) == label.objectID)
    // It has no native table in which it could record the save.
    #expect(
      try SQLiteFile.output(of: "SELECT name FROM sqlite_master ORDER BY 1", at: music)
        == "Label\nTrack\n")
    #expect(try datastore.incompleteSaves().isEmpty)
  }

  @Test("What it refuses leaves the native file as it was")
  func refused() throws {
    let context = datastore.newLocalContext()
    let author: Poet = try context.createObject()
    author.name = "Ann"
    let label: Label = try context.createObject()
    label.name = "Mute"
    let before = try SQLiteFile.output(of: ".dump", at: files.kept)
    #expect(throws: StoreError.self) { try context.saveChanges() }
    #expect(try SQLiteFile.output(of: ".dump", at: files.kept) == before)
    label.name = "Other"
    try context.saveChanges()
    #expect(try SQLiteFile.output(of: "SELECT count(*) FROM Label", at: music) == "3\n")
  }
}
