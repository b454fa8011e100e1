import DatastoreTestSupport
import Foundation
import SwiftDatastore

// A model that two stores divide between them. The classes of each are not neighbours, so that every one has
// another place in its file than in the model.

class Clipping: DatastoreObject {
  @Attribute.NotOptional var text: String = ""
  @Attribute.NotOptional var visits: Int = 0
  @Relationship.ToOne(inverse: \.$entries) var sheet: Sheet?
}

final class Photo: Clipping {
  @Attribute.NotOptional var width: Int = 0
}

final class Poet: DatastoreObject {
  @Attribute.NotOptional(unique: true) var name: String
  @Attribute.NotOptional var age: Int = 0
  @Relationship.ToMany(deleteRule: .cascade) var books: Set<Poem>
}

final class Poem: DatastoreObject {
  @Attribute.NotOptional(searchable: true) var title: String = ""
  @Relationship.ToOne(inverse: \.$books) var author: Poet?
  @Relationship.ToMany.Ordered var sequels: [Poem]
  @Relationship.ToMany(inverse: \.$sequels) var prequels: Set<Poem>
}

final class Sheet: DatastoreObject {
  @Attribute.NotOptional(unique: true) var number: Int = 0
  @Relationship.ToMany.Ordered var entries: [Clipping]
}

/// The two files, with the names `kept.sqlite` and `cache.sqlite`.
struct DividedFiles: Sendable {
  let folder: TemporaryDirectory
  var kept: URL { folder.file("kept.sqlite") }
  var cache: URL { folder.file("cache.sqlite") }
  var stores: [StoreDescription] { Self.stores(in: folder.url) }

  init() throws { folder = try TemporaryDirectory() }

  static func model() throws -> SwiftDatastoreModel {
    try SwiftDatastoreModel(
      from: Clipping.self, Poet.self, Photo.self, Poem.self, Sheet.self,
      configurations: [
        "Kept": [Poet.self, Poem.self], "Cache": [Photo.self, Sheet.self, Clipping.self],
      ])
  }

  /// In that order; the second one is the first by its path, and so the last to be committed.
  static func stores(in folder: URL) -> [StoreDescription] {
    [
      .file(folder.appendingPathComponent("kept.sqlite"), configuration: "Kept"),
      .file(folder.appendingPathComponent("cache.sqlite"), configuration: "Cache"),
    ]
  }

  func open(_ options: SwiftDatastore.Options = .init()) throws -> SwiftDatastore {
    try SwiftDatastore(dataModel: Self.model(), stores: stores, options: options)
  }

  /// All that the sqlite3 program finds in both files, but for the notes about saves over both.
  func contents() throws -> [String] {
    try [kept, cache].map { url in
      try SQLiteFile.output(of: ".dump", at: url).split(separator: "\n")
        .filter { !$0.contains("'joint:") }.joined(separator: "\n")
    }
  }

  /// The record in each file of the last save over both.
  func notes() throws -> [String] {
    try [kept, cache].map {
      try SQLiteFile.output(
        of: "SELECT value FROM _datastore WHERE key LIKE 'joint:%'", at: $0)
    }
  }
}
