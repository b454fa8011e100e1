import DatastoreCore
import DatastoreTestSupport
import Foundation
import SwiftDatastore
import Testing

@Suite("Several stores: contexts, lists, queries, identifiers")
struct DividedWorkTests {
  private let files: DividedFiles
  private let datastore: SwiftDatastore

  init() async throws {
    files = try DividedFiles()
    datastore = try files.open()
    try await datastore.write { context in
      for number in 1...3 {
        let sheet: Sheet = try context.createObject()
        sheet.number = number
        let photo: Photo = try context.createObject()
        (photo.text, photo.width, photo.sheet) = ("photo \(number)", number * 10, sheet)
        let entry: Clipping = try context.createObject()
        (entry.text, entry.sheet) = ("entry \(number)", sheet)
        let author: Poet = try context.createObject()
        (author.name, author.age) = ("author \(number)", number)
        let book: Poem = try context.createObject()
        (book.title, book.author) = ("the great book \(number)", author)
      }
    }
  }

  @Test("Queries, values, batches, SQL of an entity and searching go to the store of the entity")
  func queries() async throws {
    try await datastore.newContext().perform { context in
      let later: [Clipping] = try context.fetch(where: \.$sheet ~ \.$number >= 3)
      #expect(later.map(\.text).sorted() == ["entry 3", "photo 3"])
      let entries: [Clipping] = try context.fetch()
      #expect(entries.filter { $0 is Photo }.count == 3)
      #expect(entries.count == 6)
      #expect(try context.count(From<Poet>().where(\.$age > 1)) == 2)
      #expect(try context.aggregate(.maximum(\Photo.$width)) == 30)
      #expect(try context.updateMany(Photo.self, propertiesToUpdate: [.init(\.$visits, 5)]) == 3)
      #expect(try context.deleteMany(Poet.self, where: \.$age == 3) == 1)
      #expect(try context.count(From<Poem>()) == 2)
      let found: [Poem] = try context.fetch(where: .search(\.$title, "great 2"))
      #expect(found.map(\.title) == ["the great book 2"])
      #expect(
        try context.insertMany(Poet.self, from: 4...8) { [.init(\.$name, "author \($0)")] } == 5)
      let first: [Sheet] = try context.fetch(sql: "SELECT _id FROM Sheet WHERE number = 1")
      #expect(first.first?.entries.map(\.text) == ["photo 1", "entry 1"])
    }
    #expect(
      try SQLiteFile.output(of: "SELECT sum(visits) FROM Clipping", at: files.cache) == "15\n")
    #expect(try SQLiteFile.output(of: "SELECT count(*) FROM Poet", at: files.kept) == "7\n")
  }

  @Test("Lists of either store hear of what is saved in both")
  @MainActor
  func lists() async throws {
    let view = datastore.sharedViewContext
    let photos = ListPublisher(viewContext: view, From<Photo>().orderBy(.asc(\.$text)))
    let authors = ListPublisher(viewContext: view, From<Poet>().orderBy(.desc(\.$name)))
    try await photos.performFetch()
    try await authors.performFetch()
    #expect(photos.snapshot.count == 3 && authors.snapshot.count == 3)
    try await datastore.write { context in
      let photo: Photo = try context.createObject()
      photo.text = "a photo"
      let author: Poet = try context.createObject()
      author.name = "zoe"
    }
    await drainMainQueue()
    #expect(photos.snapshot.count == 4 && authors.snapshot.count == 4)
  }

  @Test("Undo, child contexts and reverting know no difference between stores")
  func staging() throws {
    let context = datastore.newLocalContext()
    let child = context.createNewChildContext()
    let author: Poet = try child.createObject()
    author.name = "child"
    let sheet: Sheet = try child.createObject()
    sheet.number = 9
    try child.saveChanges()
    #expect(try context.count(From<Poet>()) == 4)
    #expect(try context.count(From<Sheet>()) == 4)
    context.revertChanges()
    #expect(try context.count(From<Poet>()) == 3)
    let first: Poet = try #require(try context.fetchFirst(where: \.$age == 1))
    let one: Sheet = try #require(try context.fetchFirst(where: \.$number == 1))
    context.isUndoEnabled = true
    context.undoGroup {
      first.name = "other"
      one.number = 100
    }
    context.undo()
    #expect(first.name == "author 1" && one.number == 1)
    #expect(!context.hasChanges)
  }

  @Test("A context that is pinned keeps one state of every store")
  func pinned() async throws {
    let context = datastore.newContext()
    try await context.perform { try $0.pinQueryGeneration() }
    let other = datastore.newLocalContext()
    let sheet: Sheet = try #require(try other.fetchFirst(where: \.$number == 1))
    sheet.number = 50
    let author: Poet = try #require(try other.fetchFirst(where: \.$age == 1))
    author.age = 50
    try other.saveChanges()
    let after = try await context.perform { context in
      (
        try context.count(From<Sheet>().where(\.$number == 50)),
        try context.count(From<Poet>().where(\.$age == 50))
      )
    }
    #expect(after == (0, 0) || after == (1, 1))
    try await context.perform { $0.unpinQueryGeneration() }
    let unpinned = try await context.perform { context in
      try context.count(From<Sheet>().where(\.$number == 50))
    }
    #expect(unpinned == 1)
  }

  // Promise: another process writes one of several files → noticed whichever it is.
  @Test("Another process that writes one of the files is noticed, whichever it is")
  func externalChanges() async throws {
    let context = datastore.newContext()
    let sheet: DatastoreObjectID = try await context.perform { context in
      let sheet: Sheet = try #require(try context.fetchFirst(where: \.$number == 1))
      return sheet.objectID
    }
    _ = try datastore.checkForExternalChanges()
    for (url, sql) in [
      (files.cache, "UPDATE Sheet SET number = 70 WHERE number = 1"),
      (files.kept, "UPDATE Poet SET age = 70 WHERE age = 1"),
    ] {
      try SQLiteCommand.run(sql, on: url)
      #expect(try datastore.checkForExternalChanges())
      #expect(try !datastore.checkForExternalChanges())
    }
    #expect(try await context.perform { (try $0.object(with: sheet) as Sheet).number } == 70)
  }

  @Test("The name of an object says which of the files it is in")
  func identifiers() async throws {
    let (sheet, author) = try await datastore.newContext().perform { context in
      let sheet: Sheet = try #require(try context.fetchFirst(where: \.$number == 2))
      let author: Poet = try #require(try context.fetchFirst(where: \.$age == 2))
      return (sheet.objectID, author.objectID)
    }
    let names = try (sheet.uriRepresentation, author.uriRepresentation)
    for (name, url) in [(names.0, files.cache), (names.1, files.kept)] {
      let uuid = try SQLiteFile.values("SELECT value FROM _datastore WHERE key = 'uuid'", in: url)
      #expect(name.host()?.uppercased() == uuid.first)
    }
    #expect(try datastore.objectID(forURIRepresentation: names.0) == sheet)
    #expect(try datastore.objectID(forURIRepresentation: names.1) == author)
    let decoded = try JSONDecoder().decode(
      [DatastoreObjectID].self, from: JSONEncoder().encode([sheet, author]))
    #expect(decoded == [sheet, author])
    // The same name in the file of the other entity is no name of this datastore.
    let host = try #require(names.1.host())
    let own = try #require(names.0.host())
    let swapped = try #require(
      URL(string: names.0.absoluteString.replacingOccurrences(of: own, with: host)))
    #expect(throws: ObjectURIError.self) { try datastore.objectID(forURIRepresentation: swapped) }
  }

  @Test("Each file is migrated by itself, and says so")
  func migration() async throws {
    try datastore.close()
    let model = try SwiftDatastoreModel(
      version: "2", from: Newer.Clipping.self, Poet.self, Newer.Photo.self, Poem.self,
      Newer.Sheet.self,
      configurations: [
        "Kept": [Poet.self, Poem.self],
        "Cache": [Newer.Photo.self, Newer.Sheet.self, Newer.Clipping.self],
      ])
    let newer = try SwiftDatastore(dataModel: model, stores: files.stores)
    #expect(try newer.migrationHistory().map(\.toVersion) == ["2"])
    let texts = try await newer.newContext().perform { context in
      let photos: [Newer.Photo] = try context.fetch(orderBy: [.asc(\.$caption)])
      return photos.map { "\($0.caption) \($0.width) \($0.note ?? "none")" }
    }
    #expect(texts == ["photo 1 10 none", "photo 2 20 none", "photo 3 30 none"])
  }

  private enum Newer {
    class Clipping: DatastoreObject {
      @Attribute.NotOptional(renamedFrom: "text") var caption: String = ""
      @Attribute.NotOptional var visits: Int = 0
      @Relationship.ToOne(inverse: \.$entries) var sheet: Sheet?
      @Attribute.Optional var note: String?
    }

    final class Photo: Clipping {
      @Attribute.NotOptional var width: Int = 0
    }

    final class Sheet: DatastoreObject {
      @Attribute.NotOptional(unique: true) var number: Int = 0
      @Relationship.ToMany.Ordered var entries: [Clipping]
    }
  }
}
