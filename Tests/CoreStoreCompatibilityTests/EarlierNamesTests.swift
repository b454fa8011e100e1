import CoreStoreCompatibility
import DatastoreCore
import DatastoreTestSupport
import Foundation
import Testing

/// The words of the first CoreStore, of 2015. The line of a block is that of its first fence.
@MainActor
@Suite struct EarlierNamesTests {
  private let folder: TemporaryDirectory

  init() throws {
    folder = try TemporaryDirectory()
  }

  private static let schema = CoreStoreSchema(
    modelVersion: "V1", entities: [Entity<Member>("Member")])

  @Test("CoreStore-2015.md:89: storages of configurations")
  func configurations() throws {
    let dataStack = DataStack(
      CoreStoreSchema(
        modelVersion: "V1",
        entityConfigurations: [
          Entity<V1.Draft>("Draft"): ["Config1"], Entity<V1.Person>("Person"): ["Config2"],
        ]))
    let url = folder.file("Config2.sqlite")
    let first = try dataStack.addInMemoryStore(configuration: "Config1").get()
    let second = try dataStack.addSQLiteStore(
      fileURL: url, configuration: "Config2", automigrating: true,
      resetStoreOnMigrationFailure: true
    ).get()
    #expect(first.configuration == "Config1" && second.configuration == "Config2")
    try dataStack.perform(synchronous: { transaction in
      try transaction.create(Into<V1.Person>()).name = "Ann"
      try transaction.create(Into<V1.Draft>()).text = "a draft"
    })
    #expect(try SQLiteCommand.run("SELECT name FROM Person", on: url) == "Ann")
    #expect(try dataStack.fetchCount(From<V1.Draft>("Config1")) == 1)
  }

  @Test("CoreStore-2015.md:19, 23, 37, 40, 51, 80, 124: the default stack")
  func defaultStack() async {
    await #expect(processExitsWith: .success) { @MainActor in
      let folder = try TemporaryDirectory()
      setenv("XDG_DATA_HOME", folder.url.path, 1)
      CoreStoreDefaults.dataStack = DataStack(Self.schema)
      _ = try CoreStore.addSQLiteStore("MyStore.sqlite").get()
      let committed = await withCheckedContinuation { continuation in
        CoreStore.beginAsynchronous { (transaction) -> Void in
          let object = try? transaction.create(Member.self)
          object?.age = 1
          object?.name = "test entity"
          transaction.commit { (result) -> Void in
            object?.name = "not committed"
            switch result {
            case .success(let hasChanges): continuation.resume(returning: hasChanges)
            case .failure: continuation.resume(returning: false)
            }
          }
        }
      }
      #expect(committed)
      await withCheckedContinuation { continuation in
        CoreStore.defaultStack.perform(
          asynchronous: { _ in }, completion: { _ in continuation.resume() })
      }
      let objects = try CoreStore.fetchAll(From(Member.self))
      #expect(objects.map(\.name) == ["test entity"])
      let found = try CoreStore.fetchAll(
        From(Member.self),
        Where<Member>("age", isEqualTo: 1),
        OrderBy<Member>(.ascending("age"), .descending("name")),
        Tweak { (fetchRequest) -> Void in
          fetchRequest.includesPendingChanges = true
        }
      )
      #expect(found == objects)
      let count = try CoreStore.queryValue(
        From(Member.self),
        Select<Int>(.count("age"))
      )
      #expect(count == 1)
      let program = ProcessInfo.processInfo.processName
      #expect(
        try SQLiteCommand.run(
          "SELECT name FROM Member", on: folder.file("\(program)/MyStore.sqlite")) == "test entity")
    }
  }

  @Test("CoreStore-2015.md:89, 110: stacks and their storages")
  func storages() throws {
    let dataStack = DataStack(Self.schema)
    let sqliteFileURL = folder.file("MyStore.sqlite")
    switch dataStack.addSQLiteStore(
      fileURL: sqliteFileURL,  // set the target file URL for the sqlite file
      automigrating: true,  // automatically run lightweight migrations when needed
      resetStoreOnMigrationFailure: true
    ) {
    case .success(let persistentStore): #expect(persistentStore.fileURL == sqliteFileURL)
    case .failure(let error): Issue.record(error)
    }
    switch DataStack(Self.schema).addInMemoryStore() {
    case .success: break
    case .failure(let error): Issue.record(error)
    }
    #expect(try dataStack.fetchAll(From(Member.self)).isEmpty)
    // A second storage with the same objects is an error, which is not thrown here.
    guard case .failure = dataStack.addInMemoryStore() else {
      Issue.record("two storages")
      return
    }
  }

  @Test("A transaction that commits nothing saves nothing, and its closure may throw")
  func withoutCommit() async throws {
    let dataStack = DataStack(Self.schema)
    _ = dataStack.addInMemoryStore()
    dataStack.beginAsynchronous { transaction in _ = try transaction.create(Member.self) }
    dataStack.beginAsynchronous { transaction in
      _ = try transaction.create(Member.self)
      throw CancellationError()
    }
    await withCheckedContinuation { continuation in
      dataStack.perform(asynchronous: { _ in }, completion: { _ in continuation.resume() })
    }
    #expect(try dataStack.fetchCount(From<Member>()) == 0)
  }
}
