#if PostgreSQL
import DatastoreCore
import DatastorePostgreSQL
import DatastoreTestSupport
import Foundation
import SampleModel
import SwiftDatastore
import SwiftDatastorePostgreSQL
import Testing

private typealias Task = _Concurrency.Task

/// Saves of other processes reach contexts and controllers automatically. To the server, each datastore here
/// is another process.
@MainActor
@Suite("Listening to others", .timeLimit(.minutes(20)))
struct ChangeListenerTests {
  let server: PostgreSQLServer
  let database: String

  init() throws {
    server = try PostgreSQLServer.shared()
    database = try server.makeDatabase()
  }

  private func datastore() throws -> SwiftDatastore {
    try SwiftDatastore(
      dataModel: .sampleCompanies(), postgreSQL: server.address(of: database), storeName: "work")
  }

  /// Nothing is found by asking now and then.
  private static let never = 100_000.0

  private func makeOffice(_ id: Int, _ datastore: SwiftDatastore) async throws {
    try await datastore.write { context in
      context.transactionAuthor = "importer"
      let office: Office = try context.createObject()
      (office.id, office.name, office.city, office.country) = (id, "O\(id)", "Oslo", "NO")
    }
  }

  @Test("A controller is told which objects others have made, changed and deleted, and who it was")
  func controllers() async throws {
    let (mine, other) = (try datastore(), try datastore())
    let controller = FetchedObjectsController<Office>(
      viewContext: mine.sharedViewContext, orderBy: [.asc(\.$id)])
    try await controller.performFetch()
    var everything: [Bool] = []
    let token: ObserverToken = mine.sharedViewContext.observeObjectChanges {
      everything.append($0.isEverything)
    }
    var batches = controller.batches.makeAsyncIterator()
    let watch = mine.watchForExternalChanges(every: Self.never)
    try await makeOffice(1, other)
    let first = try #require(await batches.next())
    #expect(first.sources == [.otherProcess(author: "importer")] && first.inserted.count == 1)
    try await other.write { context in
      let offices: [Office] = try context.fetch()
      offices[0].city = "Bergen"
    }
    let second = try #require(await batches.next())
    #expect(second.sources == [.otherProcess] && second.updated == [IndexPath(indexes: [0, 0])])
    #expect(controller.object(at: 0)?.city == "Bergen")
    try await other.write { context in
      let offices: [Office] = try context.fetch()
      for office in offices { context.deleteObject(office) }
    }
    let third = try #require(await batches.next())
    #expect(third.deleted.count == 1 && controller.numberOfFetchedObjects == 0)
    #expect(!everything.isEmpty && !everything.contains(true))
    // Its own saves wake no listener here: the next notification is again of the other one.
    try await makeOffice(2, mine)
    try await makeOffice(3, other)
    var sources: [Set<ChangeSource>] = []
    while controller.numberOfFetchedObjects < 2 {
      sources.append(try #require(await batches.next()).sources)
    }
    #expect(sources.allSatisfy { $0 != [.otherProcess] })
    withExtendedLifetime((token, watch)) {}
  }

  // Promise: the connection that listens is ended while others save → opened again; what was saved before
  // the server listened again is looked for: nothing is missed, nothing told twice.
  // Also: (terminated 6 times)
  @Test("A listener whose connection the server ends again and again misses nothing that is saved")
  func lostConnections() async throws {
    let mine = try PostgreSQLStore(
      CompanySchema.schema, at: PostgreSQLAddress(server.address(of: database)), named: "company")
    let other = try PostgreSQLStore(
      CompanySchema.schema, at: PostgreSQLAddress(server.address(of: database)), named: "company")
    let (told, continuation) = AsyncStream.makeStream(of: Void.self)
    let listener = mine.listen { continuation.yield() }
    var looks = told.makeAsyncIterator()
    var saved: Set<RowKey> = []
    var seen: Set<RowKey> = []
    let tag = try #require(CompanySchema.schema.entity(named: "Tag")).index
    for round in 0..<12 {
      if round.isMultiple(of: 2) {
        _ = try server.psql(
          database,
          """
          SELECT pg_terminate_backend(pid) FROM pg_stat_activity
          WHERE query LIKE 'LISTEN %' AND datname = current_database()
          """)
      }
      for _ in 0..<3 {
        var changes = Changes(other)
        saved.insert(try changes.insert("Tag", ["label": "x"]))
        try changes.save()
      }
      // It hears of them, or looks when it has come back.
      while seen != saved {
        await looks.next()
        for change in try mine.externalChanges() {
          #expect(!change.keys.isEverything)
          let keys = change.keys.inserted[tag] ?? []
          #expect(seen.isDisjoint(with: keys))
          seen.formUnion(keys)
        }
      }
    }
    #expect(saved.count == 36)
    withExtendedLifetime(listener) {}
  }

  @Test("What a listener holds goes with it, and with its store")
  func ending() async throws {
    let store = try PostgreSQLStore(
      CompanySchema.schema, at: PostgreSQLAddress(server.address(of: database)), named: "company")
    let (told, continuation) = AsyncStream.makeStream(of: Void.self)
    var listener = store.listen { continuation.yield() }
    var looks = told.makeAsyncIterator()
    await looks.next()
    func count() throws -> String {
      try server.psql(
        database,
        """
        SELECT count(*) FROM pg_stat_activity
        WHERE query LIKE 'LISTEN %' AND datname = current_database()
        """)
    }
    #expect(try count() == "1")
    withExtendedLifetime(listener) {}
    listener = nil
    var remaining = try count()
    for _ in 0..<200 where remaining != "0" { remaining = try count() }
    #expect(remaining == "0")
  }

  @Test("Each save of another process brings one batch to the controller of this one")
  func batches() async throws {
    let (mine, other) = (try datastore(), try datastore())
    let controller = FetchedObjectsController<Office>(
      viewContext: mine.sharedViewContext, orderBy: [.asc(\.$id)])
    try await controller.performFetch()
    var batches = controller.batches.makeAsyncIterator()
    let watch = mine.watchForExternalChanges(every: Self.never)
    for id in 0...60 {
      try await makeOffice(id, other)
      _ = await batches.next()
    }
    #expect(controller.numberOfFetchedObjects == 61)
    withExtendedLifetime(watch) {}
  }
}
#endif
