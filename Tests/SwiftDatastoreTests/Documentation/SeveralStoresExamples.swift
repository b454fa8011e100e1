import DatastoreTestSupport
import Foundation
import SwiftDatastore
import Testing

// The code of SeveralStores.md, to the letter.

@Suite struct SeveralStoresExamples {
  final class Folder: DatastoreObject {
    @Attribute.NotOptional var name: String
    @Relationship.ToMany var notes: Set<Note>
  }

  final class Note: DatastoreObject {
    @Attribute.NotOptional(initial: { UUID() }) var id: UUID
    @Attribute.NotOptional var text: String
    @Relationship.ToOne(inverse: \.$notes) var folder: Folder?
  }

  final class Preview: DatastoreObject {
    @Attribute.NotOptional(unique: true, initial: { UUID() }) var noteID: UUID
  }

  final class Draft: DatastoreObject {
    @Attribute.NotOptional var text: String = ""
  }

  @Test func dividing() async throws {
    let folder = try TemporaryDirectory()
    let (notes, previews) = (folder.file("notes.sqlite"), folder.file("previews.sqlite"))
    let model = try SwiftDatastoreModel(
      from: Note.self, Folder.self, Preview.self,
      configurations: ["Kept": [Note.self, Folder.self], "Cache": [Preview.self]])
    let datastore = try SwiftDatastore(
      dataModel: model,
      stores: [
        .file(notes, configuration: "Kept"),
        .file(previews, configuration: "Cache"),
      ])
    try await datastore.write { context in
      let note: Note = try context.createObject()
      note.text = "Buy milk"
      let preview: Preview = try context.createObject()
      preview.noteID = note.id
    }
    for save in try datastore.incompleteSaves() {
      print("\(save.lacking.lastPathComponent) lacks the last save over both files.")
    }
    #expect(try datastore.incompleteSaves().isEmpty)
    #expect(try SQLiteFile.output(of: "SELECT text FROM Note", at: notes) == "Buy milk\n")
    #expect(try SQLiteFile.output(of: "SELECT count(*) FROM Preview", at: previews) == "1\n")
  }

  @Test func severalTimes() throws {
    let files = try TemporaryDirectory()
    let (thisYear, earlier) = (files.file("this.sqlite"), files.file("earlier.sqlite"))
    let model = try SwiftDatastoreModel(
      from: Note.self, Folder.self,
      configurations: ["Present": [Note.self, Folder.self], "Past": [Note.self, Folder.self]])
    let present = StoreDescription.file(thisYear, configuration: "Present")
    let past = StoreDescription.file(earlier, configuration: "Past")
    let datastore = try SwiftDatastore(dataModel: model, stores: [present, past])
    let context = datastore.newLocalContext()
    let note: Note = try context.createObject(in: present)
    note.text = "Buy milk"
    try context.assigning(to: past) {
      let folder: Folder = try context.createObject()
      folder.name = "Done"
    }
    try context.saveChanges()
    let all = try context.fetch(From<Note>().orderBy(.asc(\.$text)))
    let old = try context.count(From<Note>().affectedStores([past]))
    if let first = all.first {
      print(datastore.store(of: first.objectID) == present)
    }
    #expect(all.map(\.text) == ["Buy milk"] && old == 0)
    #expect(try SQLiteFile.output(of: "SELECT name FROM Folder", at: earlier) == "Done\n")
  }

  @Test func addingLater() throws {
    let model = try SwiftDatastoreModel(
      from: Note.self, Folder.self, Draft.self, configurations: ["Drafts": [Draft.self]])
    let datastore = try SwiftDatastore(dataModel: model, stores: [])
    try datastore.addStore(.inMemory(configuration: "Drafts"))
    let drafts: [Draft] = try datastore.newLocalContext().fetch()
    #expect(drafts.isEmpty)
  }
}
