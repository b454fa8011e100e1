import Foundation
import SwiftDatastore
import Testing

// The code of TestingYourProgram.md, to the letter.

enum TestingYourProgramArticle {
  final class Shelf: DatastoreObject {
    @Attribute.NotOptional var name: String
    @Relationship.ToMany var books: Set<Book>
  }

  final class Book: DatastoreObject {
    @Attribute.NotOptional(unique: true) var title: String
    @Attribute.NotOptional var isLent: Bool = false
    @Relationship.ToOne(inverse: \.$books) var shelf: Shelf?
  }

  enum LendingError: Error, Equatable { case notThere(String) }

  @MainActor
  @Suite struct LibraryTests {
    let datastore: SwiftDatastore

    init() throws {
      datastore = try SwiftDatastore(inMemory: SwiftDatastoreModel(from: Shelf.self, Book.self))
    }

    @Test func aBookIsLent() async throws {
      try await datastore.write { context in
        let book: Book = try context.createObject()
        book.title = "Kindred"
      }
      try await lend("Kindred", in: datastore)
      let book: Book? = try datastore.sharedViewContext.fetchFirst(where: \.$isLent == true)
      #expect(book?.title == "Kindred")
    }
  }

  @MainActor
  @Suite struct TestingYourProgramExamples {
    @Test func files() throws {
      let model = try SwiftDatastoreModel(from: Shelf.self, Book.self)
      let onDisk = try SwiftDatastore(dataModel: model, storeName: "library", storingType: .test)
      print(onDisk.url?.lastPathComponent ?? "")  // library.sqlite
      #expect(onDisk.url?.lastPathComponent == "library.sqlite")
    }

    @Test func waitingForNothing() async throws {
      let datastore = try SwiftDatastore(
        inMemory: SwiftDatastoreModel(from: Shelf.self, Book.self))
      let controller = FetchedObjectsController<Book>(
        viewContext: datastore.sharedViewContext, orderBy: [.asc(\.$title)])
      try await controller.performFetch()
      var batches = controller.batches.makeAsyncIterator()
      try await datastore.write { context in
        let book: Book = try context.createObject()
        book.title = "Solaris"
      }
      let batch = await batches.next()
      print(batch?.inserted.count ?? 0)  // 1
      #expect(batch?.inserted.count == 1)
    }

    @Test func someoneElseWasFaster() async throws {
      let datastore = try SwiftDatastore(
        inMemory: SwiftDatastoreModel(from: Shelf.self, Book.self))
      try await datastore.write { context in
        let book: Book = try context.createObject()
        book.title = "Solaris"
      }
      await #expect(throws: LendingError.notThere("Kindred")) {
        try await LibraryTests().lend("Kindred", in: datastore)
      }

      let context = datastore.newContext()
      let id = try await context.perform { context in
        let books: [Book] = try context.fetch()
        books[0].title = "Mine"
        return books[0].objectID
      }
      try await datastore.write { context in
        let book: Book = try context.object(with: id)
        book.title = "Theirs"
      }
      await #expect(throws: ConflictError.self) {
        try await context.perform { context in try context.saveChanges() }
      }
    }
  }
}

extension TestingYourProgramArticle.LibraryTests {
  private typealias Book = TestingYourProgramArticle.Book
  private typealias LendingError = TestingYourProgramArticle.LendingError

  func lend(_ title: String, in datastore: SwiftDatastore) async throws {
    try await datastore.write { context in
      let book: Book? = try context.fetchFirst(where: \.$title == title && \.$isLent == false)
      guard let book else { throw LendingError.notThere(title) }
      book.isLent = true
    }
  }
}
