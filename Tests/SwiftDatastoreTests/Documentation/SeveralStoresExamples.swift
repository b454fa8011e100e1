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

  @Test func addingLater() throws {
    let model = try SwiftDatastoreModel(
      from: Note.self, Folder.self, Draft.self, configurations: ["Drafts": [Draft.self]])
    let datastore = try SwiftDatastore(dataModel: model, stores: [])
    try datastore.addStore(.inMemory(configuration: "Drafts"))
    let drafts: [Draft] = try datastore.newLocalContext().fetch()
    #expect(drafts.isEmpty)
  }
}
