import DatastoreCore
import Foundation
import SwiftDatastore
import Testing

/// Changes by triggers of a file to other rows are reported like the save itself.
@MainActor
@Suite("Side changes of triggers")
struct TriggerTests {
  private func makeFile() throws -> ForeignDatabase {
    try ForeignDatabase(
      """
      CREATE TABLE item (id INTEGER PRIMARY KEY, name TEXT, stock INTEGER);
      CREATE TABLE booking (id INTEGER PRIMARY KEY, item_no INTEGER, count INTEGER);
      CREATE TABLE log (id INTEGER PRIMARY KEY, line TEXT);
      CREATE TABLE setting (name TEXT PRIMARY KEY, value INTEGER) WITHOUT ROWID;
      INSERT INTO item VALUES (1, 'nail', 10), (2, 'screw', 20), (3, 'glue', 0);
      INSERT INTO setting VALUES ('bookings', 0);
      CREATE TRIGGER booked AFTER INSERT ON booking BEGIN
        UPDATE item SET stock = stock - new.count WHERE id = new.item_no;
        INSERT INTO log (line) VALUES ('booked ' || new.count);
        DELETE FROM item WHERE stock < 0;
      END;
      CREATE TRIGGER counted AFTER DELETE ON booking BEGIN
        UPDATE setting SET value = value + 1;
      END;
      """)
  }

  private func book(
    _ count: Int64, of item: Int64, _ datastore: SwiftDatastore
  ) async throws -> DatastoreObjectID {
    try await datastore.inContext { context in
      context.transactionAuthor = "booking"
      let nail = try context.one("item", "id", .integer(item))
      #expect(nail["stock"] != .null)
      let booking = try context.createObject(entityName: "booking")
      booking["item_no"] = .integer(item)
      booking["count"] = .integer(count)
      try context.saveChanges()
      // The context that saved knows it at once.
      if !nail.isDeleted {
        #expect(nail["stock"] == (try context.one("item", "id", .integer(item))["stock"]))
      }
      return booking.objectID
    }
  }

  @Test("Updated, inserted and deleted rows reach contexts, observers and controllers")
  func saves() async throws {
    let file = try makeFile()
    let datastore = try file.open()
    let view = datastore.sharedViewContext
    let items = try FetchedObjectsController<DynamicObject>(
      viewContext: view,
      request: FetchRequest(entity: "item", sortDescriptors: [SortDescriptor(["stock"])]))
    let log = try FetchedObjectsController<DynamicObject>(
      viewContext: view,
      request: FetchRequest(entity: "log", sortDescriptors: [SortDescriptor(["line"])]))
    try await items.performFetch()
    try await log.performFetch()
    func stocks() -> [Value] {
      (0..<items.numberOfFetchedObjects).compactMap { items.object(at: $0)?["stock"] }
    }
    #expect(stocks() == [0, 10, 20])
    let screw = try #require(items.object(at: 2))
    let glue = try #require(items.object(at: 0))
    var heard: [ChangeSource] = []
    let token: PropertyObservation = screw.observeChanges { _ in heard.append(view.changeSource) }
    _ = try await book(15, of: 2, datastore)
    await drainMainQueue()
    await items.settled()
    await log.settled()
    #expect(stocks() == [0, 5, 10] && screw["stock"] == 5)
    #expect(heard == [.otherContext(author: "booking")])
    #expect(log.numberOfFetchedObjects == 1 && log.object(at: 0)?["line"] == "booked 15")
    _ = try await book(1, of: 3, datastore)
    await drainMainQueue()
    await items.settled()
    #expect(stocks() == [5, 10] && glue.isDeleted)
    withExtendedLifetime(token) {}
  }

  @Test("The view context's own save, and batch operations")
  func ownSaves() async throws {
    let file = try makeFile()
    let datastore = try file.open()
    let view = datastore.sharedViewContext
    let items: [DynamicObject] = try view.fetch(FetchRequest(entity: "item"))
    let settings: [DynamicObject] = try view.fetch(FetchRequest(entity: "setting"))
    #expect(items.map { $0["stock"] } == [10, 20, 0] && settings.first?["value"] == 0)
    let booking = try view.createObject(entityName: "booking")
    booking["item_no"] = 1
    booking["count"] = 3
    try view.saveChanges()
    #expect(items[0]["stock"] == 7)
    try view.insertMany(
      entityName: "booking", properties: ["item_no", "count"], [[2, 5], [2, 6]])
    #expect(items[1]["stock"] == 9)
    // SQLite does not report rows of tables without rowids: then everything is read again.
    #expect(try view.deleteMany(entityName: "booking", where: nil) == 3)
    #expect(settings.first?["value"] == 3)
  }
}
