import DatastoreCore
import DatastoreTestSupport
import Foundation
import SwiftDatastore
import Testing

@Suite("Several stores: which there are, and what they hold")
struct StoresTests {
  private let files: DividedFiles

  init() throws { files = try DividedFiles() }

  private func tables(of url: URL) throws -> String {
    try SQLiteFile.output(
      of: """
        SELECT group_concat(name) FROM (SELECT name FROM sqlite_master WHERE type = 'table'
        AND name NOT LIKE '%words%' AND name NOT LIKE 'sqlite%' ORDER BY name)
        """, at: url
    ).trimmingCharacters(in: .whitespacesAndNewlines)
  }

  @Test("Each entity is in the file of its configuration, and in no other one")
  func filesOfTheirOwn() async throws {
    let datastore = try files.open()
    try await datastore.write { context in
      let author: Poet = try context.createObject()
      author.name = "Ann"
      let book: Poem = try context.createObject()
      book.author = author
      let photo: Photo = try context.createObject()
      photo.text = "Lake"
      photo.width = 7
    }
    #expect(try tables(of: files.kept) == "Poem,Poem_prequels,Poet,_datastore")
    #expect(try tables(of: files.cache) == "Clipping,Sheet,_datastore")
    #expect(
      try SQLiteFile.output(
        of: "SELECT name FROM Poet JOIN Poem ON author = Poet._id", at: files.kept) == "Ann\n")
    #expect(
      try SQLiteFile.output(of: "SELECT _entity, text, width FROM Clipping", at: files.cache)
        == "Photo|Lake|7\n")
    #expect(
      "\(datastore.debugDescription)"
        == "SwiftDatastore (\(files.kept.path) (Kept), \(files.cache.path) (Cache), 5 entities)")
  }

  @Test("What was saved is there when the files are opened again, and others see no difference")
  func openedAgain() async throws {
    try await files.open().write { context in
      let photo: Photo = try context.createObject()
      photo.text = "Lake"
      let sheet: Sheet = try context.createObject()
      sheet.number = 1
      sheet.entries = [photo]
      let author: Poet = try context.createObject()
      author.name = "Ann"
    }
    let found = try await files.open().newContext().perform { context in
      let entries: [Clipping] = try context.fetch()
      let authors: [Poet] = try context.fetch()
      return (entries.map { "\(type(of: $0)) \($0.sheet?.number ?? 0)" }, authors.map(\.name))
    }
    #expect(found.0 == ["Photo 1"])
    #expect(found.1 == ["Ann"])
    // A file that is one of several is a file like any other.
    let cache = try SwiftDatastore(opening: files.cache)
    let names = try await cache.newContext().perform { context in
      try context.fetch(FetchRequest(entity: "Clipping")).map { (entry: DynamicObject) in
        entry.entity.name
      }
    }
    #expect(names == ["Photo"])
  }

  @Test("A store that is added twice is added once; the same file for other entities is refused")
  func twice() throws {
    let datastore = try files.open()
    try datastore.addStore(.file(files.cache, configuration: "Cache"))
    #expect(datastore.stores == files.stores)
    let error = #expect(throws: StoreError.self) {
      try datastore.addStore(.file(files.cache, configuration: "Kept"))
    }
    #expect(
      "\(try #require(error))"
        == "\(files.cache.path) was added for the configuration “Cache”, and cannot be added for the "
        + "configuration “Kept”; one file is one store.")
    #expect(datastore.stores == files.stores)
  }

  // Promise: a second store beside one that was opened alone; one file twice with two configurations; a
  // relationship or a family over two stores → refused before a file is touched, all at once.
  // Also: `StoresTests.twice`, `StoresTests.faults`
  @Test("A datastore that was opened with one store gets no second one")
  func onlyStore() throws {
    let other = files.folder.file("other.sqlite")
    let one = try SwiftDatastore(dataModel: DividedFiles.model(), url: other)
    let error = #expect(throws: StoreError.self) {
      try one.addStore(.file(files.cache, configuration: "Cache"))
    }
    #expect(
      "\(try #require(error))".hasSuffix(
        "and was opened as the only store; open both with `stores:`."))
    #expect(!FileManager.default.fileExists(atPath: files.cache.path))
  }

  // Promise: an entity is asked for that no store of several holds → a sentence names its configuration.
  @Test("An entity that no store holds is told in a sentence; a store added later holds it at once")
  func addedLater() async throws {
    let datastore = try SwiftDatastore(
      dataModel: DividedFiles.model(), stores: [.file(files.kept, configuration: "Kept")])
    let context = datastore.newContext()
    let sentence =
      "No store that was opened holds Sheet; add one of the configuration “Cache”, or without one."
    try await context.perform { context in
      let creating = #expect(throws: StoreError.self) { _ = try context.createObject() as Sheet }
      let fetching = #expect(throws: StoreError.self) {
        _ = try context.fetch(where: \.$number > 0) as [Sheet]
      }
      let counting = #expect(throws: StoreError.self) { _ = try context.count(From<Sheet>()) }
      let deleting = #expect(throws: StoreError.self) {
        try context.deleteMany(Sheet.self, where: \.$number > 0)
      }
      for error in [creating, fetching, counting, deleting] {
        #expect("\(try #require(error))" == sentence)
      }
      let author: Poet = try context.createObject()
      author.name = "Ann"
    }
    try await datastore.openStore(.file(files.cache, configuration: "Cache"))
    try await context.perform { context in
      let sheet: Sheet = try context.createObject()
      sheet.number = 3
      try context.saveChanges()
    }
    #expect(try SQLiteFile.output(of: "SELECT number FROM Sheet", at: files.cache) == "3\n")
    #expect(try SQLiteFile.output(of: "SELECT name FROM Poet", at: files.kept) == "Ann\n")
  }

  @Test("A datastore may begin without a store")
  func none() throws {
    let datastore = try SwiftDatastore(dataModel: DividedFiles.model(), stores: [])
    #expect(throws: StoreError.self) { try datastore.newLocalContext().fetch() as [Poet] }
    try datastore.addStore(.inMemory())
    #expect(try (datastore.newLocalContext().fetch() as [Poet]).isEmpty)
  }

  @Test("What keeps a model from being divided is told all at once, and nothing is made")
  func faults() throws {
    let model = try SwiftDatastoreModel(
      from: Clipping.self, Poet.self, Photo.self, Poem.self, Sheet.self,
      configurations: ["A": [Poet.self, Photo.self], "B": [Poem.self, Clipping.self, Sheet.self]])
    let error = try #require(
      #expect(throws: SchemaError.self) {
        _ = try SwiftDatastore(
          dataModel: model,
          stores: [
            .file(files.kept, configuration: "A"), .file(files.cache, configuration: "B"),
            .inMemory(configuration: "C"),
          ])
      })
    let relationships = ["Poet.books leads to Poem", "Poem.author leads to Poet"]
    for part in relationships + [
      "Photo is in the configuration “A” without Clipping",
      "Clipping is in the configuration “B” without Photo",
      "The model has no configuration “C”; it has “A”, “B”.",
    ] {
      #expect("\(error)".contains(part), "\(error)")
    }
    #expect(try files.folder.names().isEmpty)
    let unknown = #expect(throws: SchemaError.self) {
      _ = try SwiftDatastoreModel(
        from: Sheet.self, Clipping.self, configurations: ["A": [Poet.self]])
    }
    #expect("\(try #require(unknown))".contains("“A” names Poet, which is not part of the model"))
  }

  // Promise: one of several stores cannot be opened → none is, the others are closed.
  @Test("Where one store cannot be opened, none is: the others are closed again")
  func openingFails() throws {
    try Data("This is no database, and it is long enough to be seen as none.".utf8)
      .write(to: files.cache)
    #expect(throws: StoreError.self) { _ = try files.open() }
    // The first was made, and no process has it open: its log is gone.
    #expect(try files.folder.names() == ["cache.sqlite", "kept.sqlite"])
  }

  @Test("What is done in one file is refused in a sentence where there are several")
  func oneFileOnly() throws {
    let datastore = try files.open()
    let context = datastore.newLocalContext()
    let other = files.folder.file("copy.sqlite")
    for task in [
      { _ = try context.query("SELECT 1") }, { _ = try context.execute("DELETE FROM Sheet") },
      { try datastore.backUp(to: other) },
    ] as [() throws -> Void] {
      let error = #expect(throws: StoreError.self) { try task() }
      #expect("\(try #require(error))".contains("this datastore has several, or none"))
    }
    // A statement goes to the store that holds the entity of its keys.
    let sheets: [Sheet] = try context.fetch(sql: "SELECT _id FROM Sheet")
    #expect(sheets.isEmpty)
    #expect(try datastore.integrityFaults().isEmpty)
    #expect(try datastore.checkpoint())
  }
}
