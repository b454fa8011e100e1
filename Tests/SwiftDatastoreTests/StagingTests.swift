import DatastoreCore
import DatastoreTestSupport
import Foundation
import SwiftDatastore
import Testing

/// Requests of an editing user interface to the view context.
@MainActor
@Suite struct StagingTests {
  private func file(_ sql: String) throws -> (TemporaryDirectory, SwiftDatastore) {
    let directory = try TemporaryDirectory()
    let url = directory.url.appending(path: "f.sqlite")
    try SQLiteFile.make(at: url, sql)
    return (directory, try SwiftDatastore(opening: url))
  }

  private let people = """
    CREATE TABLE Person (id INTEGER PRIMARY KEY, name TEXT NOT NULL, age INTEGER);
    INSERT INTO Person VALUES (1, 'Ann', 30), (2, 'Bob', 40), (3, 'Cid', 50);
    """

  @Test func savingOffTheMainActorSettlesTheContext() async throws {
    let (directory, datastore) = try file(people)
    defer { withExtendedLifetime(directory) {} }
    let view = datastore.sharedViewContext
    let all: [DynamicObject] = try view.fetch(FetchRequest(entity: "Person"))
    all[0]["name"] = "Anne"
    view.deleteObject(all[1])
    let new = try view.createObject(entityName: "Person")
    new["name"] = "Neo"
    #expect(view.core.graph.stagedObjects().map(\.kind) == [.updated, .deleted, .inserted])
    #expect(view.core.graph.stagedObjects()[0].changes == [.init(slot: 1, old: "Ann", new: "Anne")])
    let saved = try await view.save()
    #expect(saved.updatedCount == 1 && saved.deletedCount == 1 && saved.insertedCount == 1)
    #expect(view.core.graph.stagedObjects().isEmpty)
    #expect(!view.hasChanges)
    let names = try view.query("SELECT name FROM Person ORDER BY id").map { $0[0] }
    #expect(names == ["Anne", "Cid", "Neo"])
  }

  @Test func whatIsMergedWhileAContextSavesIsNotLost() async throws {
    let (directory, datastore) = try file(people)
    defer { withExtendedLifetime(directory) {} }
    let view = datastore.sharedViewContext
    let all: [DynamicObject] = try view.fetch(FetchRequest(entity: "Person"))
    all[0]["name"] = "Anne"
    // Both saves are under way at the same time, in either order.
    async let mine = view.save()
    async let theirs: Void = datastore.write { context in
      let found: [DynamicObject] = try context.fetch(FetchRequest(entity: "Person", limit: 1))
      found[0]["age"] = 31
    }
    _ = try await (mine, theirs)
    await withCheckedContinuation { done in DispatchQueue.main.async { done.resume() } }
    #expect(all[0]["name"] == "Anne")
    #expect(all[0]["age"] == 31)
  }

  @Test func aFailedSaveLeavesEverythingStaged() async throws {
    let (directory, datastore) = try file(people)
    defer { withExtendedLifetime(directory) {} }
    let view = datastore.sharedViewContext
    let all: [DynamicObject] = try view.fetch(FetchRequest(entity: "Person"))
    all[0]["name"] = .null
    await #expect(throws: ValidationError.self) { _ = try await view.save() }
    all[0]["name"] = "Anne"
    all[0]["age"] = 1
    try SQLiteFile.make(
      at: directory.url.appending(path: "f.sqlite"), "UPDATE Person SET name = 'Anna' WHERE id = 1")
    let error = await #expect(throws: ConflictError.self) { _ = try await view.save() }
    #expect(view.core.graph.stagedObjects().count == 1)
    let conflict = try #require(error?.conflicts.first)
    #expect(conflict.properties.map(\.name) == ["name"])
    let stored = try view.store.rows(entity: all[0].entity.index, keys: [conflict.key])
    view.core.graph.settle(conflict, stored: stored.first, keeping: [])
    #expect(all[0]["name"] == "Anna")
    #expect(all[0]["age"] == 1)
    _ = try await view.save()
    #expect(try view.query("SELECT name, age FROM Person WHERE id = 1")[0].values == ["Anna", 1])
  }

  @Test func onePropertyIsTakenBackAlone() throws {
    let (directory, datastore) = try file(people)
    defer { withExtendedLifetime(directory) {} }
    let view = datastore.sharedViewContext
    view.isUndoEnabled = true
    let all: [DynamicObject] = try view.fetch(FetchRequest(entity: "Person"))
    all[0]["name"] = "Anne"
    all[0]["age"] = 1
    view.processPendingChanges()
    view.core.graph.revert(all[0], slot: 1)
    view.processPendingChanges()
    #expect(all[0].changedValues() == ["age": 1])
    view.undo()
    #expect(all[0]["name"] == "Anne")
    view.undo()
    #expect(!view.hasChanges)
  }

  @Test func aListMayKeepWhatIsToBeDeleted() async throws {
    let (directory, datastore) = try file(people)
    defer { withExtendedLifetime(directory) {} }
    let view = datastore.sharedViewContext
    let controller = try FetchedObjectsController<DynamicObject>(
      viewContext: view,
      request: FetchRequest(entity: "Person", sortDescriptors: [SortDescriptor(["name"])]))
    controller.keepsDeletedObjects = true
    try await controller.performFetch()
    let bob = try #require(controller.object(at: 1))
    view.deleteObject(bob)
    view.processPendingChanges()
    #expect(controller.numberOfFetchedObjects == 3)
    try await controller.performFetch()
    #expect(controller.numberOfFetchedObjects == 3)
    _ = try await view.save()
    #expect(controller.numberOfFetchedObjects == 2)
  }

  @Test func valuesThatTheFileAllowsAreKnown() throws {
    let (directory, datastore) = try file(
      """
      CREATE TABLE T (
        id INTEGER PRIMARY KEY, -- CHECK (size IN ('no'))
        size TEXT NOT NULL DEFAULT 'a' CHECK (size IN ('a', 'it''s', 'c')),
        "level" INTEGER CHECK ("level" IN (-1, 0, 2.5)),
        other TEXT CHECK (length(other) > 2 AND other IN ('x')),
        both INTEGER, CHECK (both IN (1, 2)));
      """)
    defer { withExtendedLifetime(directory) {} }
    let view = datastore.sharedViewContext
    let entity = datastore.schema.entities[0]
    func allowed(_ name: String) -> [Value]? {
      entity.slot(named: name).flatMap { view.store.allowedValues(of: $0, in: entity) }
    }
    #expect(allowed("size") == ["a", "it's", "c"])
    #expect(allowed("level") == [-1, 0, 2.5])
    #expect(allowed("both") == [1, 2])
    #expect(allowed("other") == nil)
    #expect(allowed("id") == nil)
  }
}
