import DatastoreTestSupport
import Foundation
import SwiftDatastore

// A model that two stores divide between them. The classes of each are not neighbours, so that every one has another
// place in its file than in the model.

class Entry: DatastoreObject {
  @Attribute.NotOptional var text: String = ""
  @Attribute.NotOptional var visits: Int = 0
  @Relationship.ToOne(inverse: \.$entries) var sheet: Sheet?
}

final class Photo: Entry {
  @Attribute.NotOptional var width: Int = 0
}

final class Author: DatastoreObject {
  @Attribute.NotOptional(unique: true) var name: String
  @Attribute.NotOptional var age: Int = 0
  @Relationship.ToMany(deleteRule: .cascade) var books: Set<Book>
}

final class Book: DatastoreObject {
  @Attribute.NotOptional(searchable: true) var title: String = ""
  @Relationship.ToOne(inverse: \.$books) var author: Author?
  @Relationship.ToMany.Ordered var sequels: [Book]
  @Relationship.ToMany(inverse: \.$sequels) var prequels: Set<Book>
}

final class Sheet: DatastoreObject {
  @Attribute.NotOptional(unique: true) var number: Int = 0
  @Relationship.ToMany.Ordered var entries: [Entry]
}

/// The two files, with the names `kept.sqlite` and `cache.sqlite`.
struct DividedFiles: Sendable {
  let folder: TemporaryDirectory
  var kept: URL { folder.file("kept.sqlite") }
  var cache: URL { folder.file("cache.sqlite") }

  init() throws { folder = try TemporaryDirectory() }

  static func model() throws -> SwiftDatastoreModel {
    try SwiftDatastoreModel(
      from: Entry.self, Author.self, Photo.self, Book.self, Sheet.self,
      configurations: [
        "Kept": [Author.self, Book.self], "Cache": [Photo.self, Sheet.self, Entry.self],
      ])
  }

  var stores: [StoreDescription] {
    [.file(kept, configuration: "Kept"), .file(cache, configuration: "Cache")]
  }

  func open(_ options: SwiftDatastore.Options = .init()) throws -> SwiftDatastore {
    try SwiftDatastore(dataModel: Self.model(), stores: stores, options: options)
  }
}
