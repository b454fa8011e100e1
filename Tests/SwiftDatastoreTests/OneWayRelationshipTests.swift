import DatastoreCore
import Foundation
import SwiftDatastore
import Testing

final class Reader: DatastoreObject {
  @Attribute.NotOptional var name: String
  @Relationship.ToOne var favourite: Novel?
  @Relationship.ToMany var shelf: Set<Novel>
}

final class Novel: DatastoreObject {
  @Attribute.NotOptional var title: String
}

private final class Post: DatastoreObject {
  @Attribute.NotOptional var text: String
  @Relationship.ToMany var comments: Set<Comment>
  @Relationship.ToOne var pinned: Comment?
}

private final class Comment: DatastoreObject {
  @Attribute.NotOptional var text: String
  @Relationship.ToOne var post: Post?
}

private final class Country: DatastoreObject {
  @Relationship.ToOne var capital: City?
}

private final class City: DatastoreObject {
  @Relationship.ToOne var country: Country?
}

private final class Node: DatastoreObject {
  @Relationship.ToOne var next: Node?
}

// Promise: what a one-way relationship leads to is deleted → it leads there no longer, in memory and in the
// file.
/// Relationships without an inverse, when their destinations are deleted.
@MainActor
@Suite("Relationships without an inverse")
struct OneWayRelationshipTests {
  private let datastore: SwiftDatastore
  private var view: SwiftDatastoreViewContext { datastore.sharedViewContext }

  init() async throws {
    datastore = try SwiftDatastore(
      dataModel: SwiftDatastoreModel(from: Reader.self, Novel.self), storeName: UUID().uuidString,
      storingType: .test)
    try await datastore.write { context in
      let novels = try ["a", "b"].map { title in
        let novel: Novel = try context.createObject()
        novel.title = title
        return novel
      }
      for name in ["Ann", "Bob"] {
        let reader: Reader = try context.createObject()
        reader.name = name
        reader.favourite = novels[0]
        reader.shelf = Set(novels)
      }
    }
    await drainMainQueue()
  }

  private func read(_ context: some ObjectContext) throws -> [String] {
    (try context.fetch(orderBy: [.asc(\.$name)]) as [Reader]).map { reader in
      "\(reader.name) \(reader.favourite?.title ?? "-") \(reader.shelf.map(\.title).sorted())"
    }
  }

  @Test func theOwnersForgetWhatIsDeleted() async throws {
    let other = datastore.newContext()
    let before = try await other.perform { try self.readAll($0) }
    #expect(before == ["Ann a [\"a\", \"b\"]", "Bob a [\"a\", \"b\"]"])
    view.isUndoEnabled = true
    let ann: Reader = try #require(try view.fetchFirst(where: \.$name == "Ann"))
    let novel: Novel = try #require(try view.fetchFirst(where: \.$title == "a"))
    #expect(ann.favourite === novel)
    let without = ["Ann - [\"b\"]", "Bob - [\"b\"]"]
    view.undoGroup { view.deleteObject(novel) }
    #expect(try read(view) == without, "staged")
    #expect(try view.count(Reader.self, where: \Reader.$favourite == nil) == 2)
    view.undo()
    #expect(try read(view) == before)
    view.redo()
    try view.saveChanges()
    #expect(try read(view) == without && !view.hasChanges)
    let elsewhere = try await other.perform { try self.readAll($0) }
    #expect(elsewhere == without)
    #expect(try await datastore.newContext().perform { try self.readAll($0) } == without)
    #expect(view.core.graph.brokenInvariants() == [])
  }

  private nonisolated func readAll(_ context: SwiftDatastoreContext.Closure) throws -> [String] {
    (try context.fetch(orderBy: [.asc(\.$name)]) as [Reader]).map { reader in
      "\(reader.name) \(reader.favourite?.title ?? "-") \(reader.shelf.map(\.title).sorted())"
    }
  }

  @Test func newObjectsForgetOneThatWasNeverSaved() throws {
    let novel: Novel = try view.createObject()
    novel.title = "c"
    let reader: Reader = try view.createObject()
    reader.name = "Cid"
    reader.favourite = novel
    reader.shelf = [novel]
    view.deleteObject(novel)
    #expect(reader.favourite == nil && reader.shelf.isEmpty)
    try view.saveChanges()
  }

  @Test("A batch deletion tells the owners")
  func batchDeletion() async throws {
    let ann: Reader = try #require(try view.fetchFirst(where: \.$name == "Ann"))
    #expect(ann.favourite?.title == "a" && ann.shelf.count == 2)
    let controller = FetchedObjectsController<Reader>(
      viewContext: view, where: \.$favourite != nil, orderBy: [.asc(\.$name)])
    try await controller.performFetch()
    #expect(controller.numberOfFetchedObjects == 2)
    try await datastore.newContext().perform { context in
      _ = try context.deleteMany(where: \Novel.$title == "a")
    }
    await drainMainQueue()
    await controller.settled()
    #expect(controller.numberOfFetchedObjects == 0)
    #expect(try read(view) == ["Ann - [\"b\"]", "Bob - [\"b\"]"])
    #expect(ann.favourite == nil && ann.shelf.map(\.title) == ["b"])
  }

  @Test("A reference that another context adds while the object is deleted reads as nothing")
  func addedMeanwhile() async throws {
    let novel: Novel = try #require(try view.fetchFirst(where: \.$title == "b"))
    view.deleteObject(novel)
    whileMainWaits(datastore.newContext()) { context in
      let reader: Reader = try context.createObject()
      reader.name = "Cid"
      reader.favourite = try context.fetchFirst(where: \.$title == "b")
      try context.saveChanges()
    }
    try view.saveChanges()
    await drainMainQueue()
    let cid: Reader = try #require(try view.fetchFirst(where: \.$name == "Cid"))
    #expect(cid.favourite == nil && cid.favourite?.title == nil)
  }

  @Test func aModelWithAForgottenInverseIsTold() throws {
    let warnings = try SwiftDatastoreModel(from: Country.self, City.self).warnings
    #expect(warnings.count == 1)
    #expect(warnings[0].contains("Country.capital and City.country lead to each other"))
    #expect(warnings[0].contains(#"write `inverse: \.$country` at Country.capital"#))
    // With more than one way, the intended inverse is unknown.
    #expect(try SwiftDatastoreModel(from: Post.self, Comment.self).warnings == [])
    #expect(try SwiftDatastoreModel(from: Node.self).warnings == [])
    #expect(try SwiftDatastoreModel(from: Reader.self, Novel.self).warnings == [])
    #expect(try TestModel.make().warnings == [])
  }
}
