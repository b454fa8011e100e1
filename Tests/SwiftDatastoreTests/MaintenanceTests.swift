import DatastoreCore
import DatastoreTestSupport
import Foundation
import GRDB
import SwiftDatastore
import Testing

@Suite struct MaintenanceTests {
  private let directory: TemporaryDirectory
  private var folder: URL { directory.url }

  init() throws {
    directory = try TemporaryDirectory()
  }

  private func open(_ name: String = "a.db", readOnly: Bool = false) throws -> SwiftDatastore {
    try SwiftDatastore(
      dataModel: TestModel.make(), url: folder.appendingPathComponent(name), readOnly: readOnly)
  }

  private func insert(_ name: String, in datastore: SwiftDatastore) async throws {
    try await datastore.write { context in
      let employee: Employee = try context.createObject()
      employee.name = name
    }
  }

  @Test func aBackupIsOneFileOfWhatIsSaved() async throws {
    let datastore = try open()
    try await insert("Ann", in: datastore)
    let copy = folder.appendingPathComponent("copy.db")
    try datastore.backUp(to: copy)
    try await insert("Bob", in: datastore)
    #expect(throws: StoreError.fileExists(path: copy.path)) { try datastore.backUp(to: copy) }
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    #expect(!names.contains { $0.hasSuffix(".partial") })
    let other = try open("copy.db")
    let count = try await other.newContext().perform { try $0.count(Employee.self) }
    #expect(count == 1)
    #expect(try datastore.integrityFaults().isEmpty && other.integrityFaults().isEmpty)
    #expect(try datastore.checkpoint())
    try other.close()
    try datastore.close()
  }

  @Test func integrityFaultsAreTold() throws {
    let file = try OtherDatabase(
      """
      PRAGMA foreign_keys = OFF;
      CREATE TABLE p (id INTEGER PRIMARY KEY);
      CREATE TABLE c (id INTEGER PRIMARY KEY, p INTEGER REFERENCES p(id));
      INSERT INTO c VALUES (7, 99);
      """)
    let faults = try SwiftDatastore(opening: file.url).integrityFaults()
    #expect(faults == ["row 7 of c refers to a row of p that does not exist"])
  }

  @Test func aReadOnlyDatastoreReadsAndRefusesToSave() async throws {
    let datastore = try open()
    try await insert("Ann", in: datastore)
    try datastore.close()
    let looking = try open(readOnly: true)
    try await looking.newContext().perform { context in
      let ann: Employee = try #require(try context.fetchFirst())
      ann.age = 50
      #expect(throws: StoreError.self) { try context.saveChanges() }
      #expect(throws: StoreError.self) { try context.deleteMany(Employee.self, where: \.$age > 0) }
    }
    try looking.close()
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    #expect(names == ["a.db"])
  }

  @Test @MainActor func whatAnotherProcessWritesIsNoticed() async throws {
    let datastore = try open()
    try await insert("Ann", in: datastore)
    let controller = FetchedObjectsController<Employee>(
      viewContext: datastore.sharedViewContext, orderBy: [.asc(\.$name)])
    try await controller.performFetch()
    let ann = try #require(controller.object(at: 0))
    #expect(ann.age == 18)
    // Our own saves are not foreign ones.
    try await insert("Bob", in: datastore)
    #expect(try !datastore.checkForExternalChanges())
    let other = try DatabaseQueue(path: folder.appendingPathComponent("a.db").path)
    try await other.write { database in
      try database.execute(
        sql: """
          UPDATE Employee SET age = 77 WHERE name = 'Ann'; DELETE FROM Employee WHERE name = 'Bob';
          INSERT INTO Employee (id, name, salary, age) VALUES (zeroblob(16), 'Cid', 1, 2);
          INSERT INTO Employee (id, name, salary, age) VALUES (zeroblob(16), 'Dan', 1, 2);
          """)
    }
    #expect(try datastore.checkForExternalChanges())
    #expect(try !datastore.checkForExternalChanges())
    await drainMainQueue()
    await controller.settled()
    #expect(ann.age == 77)
    let names = (0..<controller.numberOfFetchedObjects).map { controller.object(at: $0)?.name }
    #expect(names == ["Ann", "Cid", "Dan"])
    try other.close()
  }

  @Test func foreignFilesAreWatchedBeforeAndAfterTheFirstSave() async throws {
    let file = try OtherDatabase(
      "CREATE TABLE t (id INTEGER PRIMARY KEY, n INT); INSERT INTO t VALUES (1, 1)")
    let datastore = try SwiftDatastore(opening: file.url)
    #expect(try !datastore.checkForExternalChanges())
    try file.execute("UPDATE t SET n = 2")
    #expect(try datastore.checkForExternalChanges())
    try await datastore.write { context in
      let new: DynamicObject = try context.createObject(entityName: "t")
      new["n"] = 5
    }
    // A save by this process is not an external change, though the connection that saves is new.
    #expect(try !datastore.checkForExternalChanges())
    try file.execute("UPDATE t SET n = 3")
    #expect(try datastore.checkForExternalChanges())
    #expect(try !datastore.checkForExternalChanges())
  }

  @Test func aForeignChangeJustBeforeTheFirstSaveIsNotMissed() async throws {
    let file = try OtherDatabase(
      "CREATE TABLE t (id INTEGER PRIMARY KEY, n INT); INSERT INTO t VALUES (1, 1)")
    let datastore = try SwiftDatastore(opening: file.url)
    try file.execute("UPDATE t SET n = 2")
    try await datastore.write { context in
      let new: DynamicObject = try context.createObject(entityName: "t")
      new["n"] = 5
    }
    #expect(try datastore.checkForExternalChanges())
    #expect(try !datastore.checkForExternalChanges())
  }

  @Test func watchingTellsContextsByItself() async throws {
    let datastore = try open()
    try await insert("Ann", in: datastore)
    let context = datastore.newContext()
    let (stream, continuation) = AsyncStream.makeStream(of: Int.self)
    let token = try await context.perform { context in
      let ann: Employee = try #require(try context.fetchFirst())
      let observation: PropertyObservation = ann.$age.observe { continuation.yield($0) }
      return KeptObservation(observation)
    }
    let watch = datastore.watchForExternalChanges(every: 0.01)
    let other = try DatabaseQueue(path: folder.appendingPathComponent("a.db").path)
    try await other.write { try $0.execute(sql: "UPDATE Employee SET age = 77") }
    var ages = stream.makeAsyncIterator()
    #expect(await ages.next() == 77)
    watch.cancel()
    try await context.perform { _ in token.observation.cancel() }
    try other.close()
  }
}

/// Carries an observation to its context's queue, where it is cancelled.
///
/// Unchecked: the value has no other use.
struct KeptObservation: @unchecked Sendable {
  let observation: PropertyObservation

  init(_ observation: PropertyObservation) {
    self.observation = observation
  }
}
