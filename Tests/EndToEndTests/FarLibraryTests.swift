import DatastoreTestSupport
import Foundation
import SwiftDatastore
import SwiftDatastoreFar
import Testing

/// A program with classes of its own, and its file at the other end of a pipe.
@Suite("A program and its file elsewhere") struct FarLibraryTests {
  final class Shelf: DatastoreObject {
    @Attribute.NotOptional var name: String
    @Relationship.ToMany var books: Set<Book>
  }

  final class Book: DatastoreObject {
    @Attribute.NotOptional var title: String
    @Attribute.Optional var year: Int?
    @Relationship.ToOne(inverse: \.$books) var shelf: Shelf?
  }

  // Promise: a program opens a file elsewhere with its classes → objects, relationships, conflicts and rules
  // are those of a file here
  @Test("Objects are made, read, changed and saved as in a file here")
  func objects() async throws {
    try BuiltProgram.require(BuiltProgram.datastore)
    let directory = try TemporaryDirectory()
    let url = directory.url.appending(path: "library.sqlite")
    let model = try SwiftDatastoreModel(from: Shelf.self, Book.self)
    let place = FarLocation.command("env", path: url.path, program: BuiltProgram.datastore.path)
    let far = try SwiftDatastore(dataModel: model, far: place)
    let context = far.newContext()
    try await context.perform { context in
      let shelf: Shelf = try context.createObject()
      shelf.name = "Novels"
      for year in [1847, 1851] {
        let book: Book = try context.createObject()
        book.title = "Book of \(year)"
        book.year = year
        book.shelf = shelf
      }
      try context.saveChanges()
    }
    try await context.perform { context in
      let shelves: [Shelf] = try context.fetch(From<Shelf>())
      shelves[0].name = "New novels"
    }
    // Somebody here, at the same file.
    let here = try SwiftDatastore(dataModel: model, url: url)
    try await here.newContext().perform { context in
      let shelves: [Shelf] = try context.fetch(From<Shelf>())
      #expect(shelves.map(\.name) == ["Novels"])
      #expect(shelves[0].books.map(\.year).compactMap(\.self).sorted() == [1847, 1851])
      shelves[0].name = "Old novels"
      try context.saveChanges()
    }
    await #expect(throws: ConflictError.self) {
      try await context.perform { try $0.saveChanges() }
    }
    try here.close()
    try far.close()
    #expect(throws: StoreError.self) {
      try SwiftDatastore(
        dataModel: model,
        far: .command("env", path: url.path, program: directory.path("no-datastore")))
    }
  }
}
