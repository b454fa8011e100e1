// A first program for readers of README.md and the tour it links to. `FirstProgramTests` runs it.
import Foundation
import SwiftDatastore

enum Genre: Int16 { case novel, essay, play }
final class Author: DatastoreObject {
  @Attribute.NotOptional(unique: true) var name: String
  @Relationship.ToMany(deleteRule: .cascade) var books: Set<Book>
}
final class Book: DatastoreObject {
  @Attribute.NotOptional(indexed: true) var title: String
  @Attribute.NotOptional var pages: Int = 0
  @Attribute.Enum var genre: Genre?
  @Relationship.ToOne(inverse: \.$books) var author: Author?
}

let model = try SwiftDatastoreModel(from: Author.self, Book.self)
let datastore = try SwiftDatastore(dataModel: model, storeName: "books", storingType: .test)
try await datastore.write { context in
  let author: Author = try context.createObject()
  author.name = "Le Guin"
  for (title, pages) in [("The Dispossessed", 341), ("The Lathe of Heaven", 184)] {
    let book: Book = try context.createObject()
    (book.title, book.pages, book.genre, book.author) = (title, pages, .novel, author)
  }
}

let view = datastore.sharedViewContext
let long: [Book] = try view.fetch(where: \.$pages > 200, orderBy: [.asc(\.$title)])
print("long:", long.map(\.title))
let controller = FetchedObjectsController<Book>(
  viewContext: view, orderBy: [.asc(\.$title)], groupBy: \.$genre)
controller.observeChanges { change in
  switch change {
  case .inserted(let book, let path): print("new:", book.title, "at", path.section, path.row)
  case .updated(let book, _): print("changed:", book.title, "has", book.pages, "pages")
  case .deleted(let path): print("gone:", path.section, path.row)
  case .moved(let book, _, let path): print("moved:", book.title, "to", path.section, path.row)
  }
}
try controller.performFetch()
print("sections:", controller.numberOfSections)
let id = try await datastore.write { context in
  let essay: Book = try context.createObject()
  (essay.title, essay.genre) = ("The Carrier Bag Theory of Fiction", .essay)
  essay.author = try context.fetchFirst(where: \.$name == "Le Guin")
  return essay.objectID
}
let essay: Book = try view.object(with: id)
essay.$pages.observe { pages in print("pages:", pages) }
essay.pages = 38
try view.saveChanges()
print(essay.author?.name ?? "nobody", "has", essay.author?.books.count ?? 0, "books")
do {
  try await datastore.write { context in
    let author: Author = try context.createObject()
    author.name = "Le Guin"
  }
} catch { print(error) }
