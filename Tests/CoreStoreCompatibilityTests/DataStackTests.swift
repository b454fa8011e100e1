import CoreStoreCompatibility
import DatastoreTestSupport
import Foundation
import SwiftDatastore
import Testing

/// The chapters on setting up and on migrations of CoreStore's document. The line of a block is that of its
/// first fence.
@MainActor
@Suite struct DataStackTests {
  private let folder: TemporaryDirectory

  init() throws {
    folder = try TemporaryDirectory()
  }

  private static let chain: MigrationChain = ["V1", "V2", "V3"]

  private func makeStack() -> DataStack {
    DataStack(V1.schema, V2.schema, V3.schema, migrationChain: Self.chain)
  }

  private let v2ToV3 = CustomSchemaMappingProvider(
    from: "V2", to: "V3", entityMappings: [.deleteEntity("Draft")])

  /// A file of the first version with three people and a draft.
  private func makeFile(_ name: String = "MyStore.sqlite") throws -> URL {
    let url = folder.file(name)
    let dataStack = DataStack(V1.schema)
    try dataStack.addStorageAndWait(SQLiteStore(fileURL: url))
    try dataStack.perform(synchronous: { transaction in
      for age in [20, 31, 42] {
        let person = try transaction.create(Into<V1.Person>())
        (person.name, person.age) = ("Person \(age)", age)
      }
      try transaction.create(Into<V1.Draft>()).text = "a draft"
    })
    try dataStack.datastore.close()
    return url
  }

  /// Adds a storage, and returns the result that the completion receives and the progress at that moment.
  private func add<Storage: LocalStorage>(
    _ storage: Storage, to dataStack: DataStack
  ) async -> (result: SetupResult<Storage>, progress: Progress?) {
    var progress: Progress?
    let result = await withCheckedContinuation { continuation in
      progress = dataStack.addStorage(
        storage, completion: { continuation.resume(returning: $0) })
    }
    return (result, progress)
  }

  private func count(_ url: URL) throws -> String {
    try SQLiteCommand.run("SELECT count(*) FROM Person", on: url)
  }

  @Test("CoreStore.md:126, 428, 490, 597: a file goes the whole chain in the background")
  func migratedInTheBackground() async throws {
    let url = try makeFile()
    let dataStack = makeStack()
    let store = SQLiteStore(fileURL: url, migrationMappingProviders: [v2ToV3])
    let added = await add(store, to: dataStack)
    #expect(try added.result.get() === store)
    #expect(try #require(added.progress).fractionCompleted == 1)
    let people = try dataStack.fetchAll(From<V3.Person>().orderBy(.ascending(\.$age)))
    #expect(people.map(\.age) == [20, 31, 42])
    #expect(dataStack.modelVersion == "V3")
    #expect(try dataStack.datastore.migrationHistory().map(\.toVersion).last == "V3")
    try dataStack.datastore.close()
    #expect(try SQLiteCommand.run("PRAGMA integrity_check", on: url) == "ok")
    #expect(
      try SQLiteCommand.run("SELECT name FROM sqlite_master WHERE name = 'Draft'", on: url) == "")
    // Nothing is left to be done.
    let again = await add(SQLiteStore(fileURL: url), to: makeStack())
    #expect(try again.result.get().fileURL == url)
    #expect(again.progress == nil)
  }

  // Promise: a file of an older version is added by a caller that waits → it is not written (byte for
  // byte); the error says to add it in the background, and with `.allowSynchronousLightweightMigration`
  // only what writes no row is done.
  @Test("CoreStore.md:479: a caller that waits gets what takes no time, and only if it says so")
  func migratedForACallerThatWaits() throws {
    let url = try makeFile()
    let before = try Data(contentsOf: url)
    let toV2 = DataStack(V1.schema, V2.schema, migrationChain: ["V1", "V2"])
    let allowing = SQLiteStore(
      fileURL: url, migrationMappingProviders: [v2ToV3],
      localStorageOptions: .allowSynchronousLightweightMigration)
    for (dataStack, storage) in [(toV2, SQLiteStore(fileURL: url)), (makeStack(), allowing)] {
      let error = #expect(throws: CoreStoreError.self) {
        try dataStack.addStorageAndWait(storage)
      }
      guard case .asynchronousMigrationRequired(let place) = error else {
        Issue.record("\(String(describing: error))")
        continue
      }
      #expect(place == url)
      #expect("\(try #require(error))".contains("addStorage(_:completion:)"))
      #expect(throws: CoreStoreError.self) { try dataStack.datastore }
    }
    #expect(try Data(contentsOf: url) == before)
    try toV2.addStorageAndWait(
      SQLiteStore(fileURL: url, localStorageOptions: .allowSynchronousLightweightMigration))
    #expect(try toV2.fetchCount(From<V2.Person>().where(\.$nickname == nil)) == 3)
  }

  @Test("CoreStore.md:560, 581: the steps are known before they are done")
  func forecast() throws {
    let url = try makeFile()
    let before = try Data(contentsOf: url)
    let dataStack = makeStack()
    let storage = SQLiteStore(fileURL: url, migrationMappingProviders: [v2ToV3])
    let migrationTypes: [MigrationType] = try dataStack.requiredMigrationsForStorage(storage)
    #expect(
      migrationTypes == [
        .lightweight(sourceVersion: "V1", destinationVersion: "V2"),
        .heavyweight(sourceVersion: "V2", destinationVersion: "V3"),
      ])
    #expect(migrationTypes.filter { $0.isHeavyweightMigration }.count == 1)
    #expect(
      try DataStack(V1.schema).requiredMigrationsForStorage(SQLiteStore(fileURL: url)).isEmpty)
    let missing = SQLiteStore(fileURL: folder.file("missing.sqlite"))
    #expect(try dataStack.requiredMigrationsForStorage(missing).isEmpty)
    // Without the mapping the draft would be lost, and no declaration allows that.
    let error = #expect(throws: MigrationError.self) {
      try dataStack.requiredMigrationsForStorage(SQLiteStore(fileURL: url))
    }
    #expect(try #require(error).obstacles.map(\.isLoss) == [true])
    #expect(try Data(contentsOf: url) == before)
  }

  @Test("CoreStore.md:532: a chain that branches gives each file its way")
  func branches() throws {
    let url = try makeFile()
    let dataStack = DataStack(
      V1.schema, V2.schema, V3.schema, V4.removing,
      migrationChain: ["V1": "V3", "V2": "V4", "V3": "V4"])
    let steps = try dataStack.requiredMigrationsForStorage(
      SQLiteStore(
        fileURL: url,
        migrationMappingProviders: [
          CustomSchemaMappingProvider(
            from: "V1", to: "V3", entityMappings: [.deleteEntity("Draft")])
        ]))
    #expect(
      steps == [
        .heavyweight(sourceVersion: "V1", destinationVersion: "V3"),
        .lightweight(sourceVersion: "V3", destinationVersion: "V4"),
      ])
  }

  @Test func severalStepsAreRefusedWhereTheOptionsSaySo() async throws {
    let url = try makeFile()
    let storage = SQLiteStore(
      fileURL: url, migrationMappingProviders: [v2ToV3],
      localStorageOptions: .preventProgressiveMigration)
    let result = await add(storage, to: makeStack()).result
    guard case .failure(.progressiveMigrationRequired(let place)) = result else {
      Issue.record("\(result)")
      return
    }
    #expect(place == url)
    #expect(try count(url) == "3")
  }

  // Promise: a version of a CoreStore model drops something → the file stays until the schema says
  // `removes:` or a mapping does it.
  // Also: `DataStackTests.whatAVersionGivesUpIsNoMismatch`, `DataStackTests.forecast`
  // Promise: `.recreateStoreOnModelMismatch` meets a file that could be migrated → it is never erased:
  // migrated in the background, refused to a caller that waits; erased only where the forecast has an
  // obstacle or an undeclared loss.
  @Test(
    "CoreStore.md:242, 317: a file is erased only where no way leads to the model, and only if that is said"
  )
  func recreated() async throws {
    let url = try makeFile()
    let before = try Data(contentsOf: url)
    let dataStack = DataStack(V4.schema)
    let refused = await add(SQLiteStore(fileURL: url), to: dataStack).result
    guard case .failure(.internalError(let error)) = refused, error is MigrationError else {
      Issue.record("\(refused)")
      return
    }
    #expect(try Data(contentsOf: url) == before)
    let recreating = SQLiteStore(
      fileURL: url, localStorageOptions: .recreateStoreOnModelMismatch)
    // There is a way to the second version; a caller that waits only cannot go it.
    let second = DataStack(V2.schema)
    let waiting = #expect(throws: CoreStoreError.self) {
      try second.addStorageAndWait(recreating)
    }
    guard case .asynchronousMigrationRequired = waiting else {
      Issue.record("\(String(describing: waiting))")
      return
    }
    #expect(try count(url) == "3")
    let migrated = await add(recreating, to: second)
    #expect(try migrated.result.get() === recreating)
    #expect(try second.fetchCount(From<V2.Person>()) == 3)
    try second.datastore.close()
    let erased = await add(recreating, to: dataStack)
    #expect(try erased.result.get() === recreating)
    #expect(try dataStack.fetchCount(From<V4.Person>()) == 0)
    try dataStack.datastore.close()
    // The same for a caller that waits, here with a file that is newer than the model.
    let older = DataStack(
      schemaHistory: try SchemaHistory(
        V1.schema, V4.schema, migrationChain: ["V1", "V4"], exactCurrentModelVersion: "V1"))
    let newer = #expect(throws: CoreStoreError.self) {
      try older.addStorageAndWait(SQLiteStore(fileURL: url))
    }
    guard case .internalError(let error) = newer, error is MigrationError else {
      Issue.record("\(String(describing: newer))")
      return
    }
    try older.addStorageAndWait(recreating)
    #expect(try older.fetchCount(From<V1.Person>()) == 0)
    #expect(try SQLiteCommand.run("PRAGMA integrity_check", on: url) == "ok")
  }

  @Test func whatAVersionGivesUpIsNoMismatch() async throws {
    let url = try makeFile()
    let dataStack = DataStack(V1.schema, V4.removing, migrationChain: ["V1", "V4"])
    let added = await add(SQLiteStore(fileURL: url), to: dataStack)
    _ = try added.result.get()
    #expect(try dataStack.fetchCount(From<V4.Person>()) == 3)
  }

  @Test("CoreStore.md:294, 302: storages in memory begin empty")
  func inMemory() async throws {
    let dataStack = DataStack(V1.schema)
    try dataStack.addStorageAndWait(InMemoryStore())
    #expect(try dataStack.fetchCount(From<V1.Person>()) == 0)
    let other = DataStack(V1.schema)
    let storage = InMemoryStore()
    let result = await withCheckedContinuation { continuation in
      other.addStorage(storage, completion: { continuation.resume(returning: $0) })
    }
    #expect(try result.get() === storage)
    #expect(try other.datastore.url == nil)
  }

  // Promise: storages are added to one stack from two places → one after the other; the same file gives the
  // storage that is there, another one a sentence.
  @Test func aStackHasOneStorage() async throws {
    let url = try makeFile()
    let dataStack = DataStack(V1.schema)
    let first = SQLiteStore(fileURL: url)
    // Asked for one after the other, they are added one after the other.
    async let background = add(first, to: dataStack).result
    await Task.yield()
    let same = try dataStack.addStorageAndWait(SQLiteStore(fileURL: url))
    let added = try await background.get()
    #expect(added === same)
    #expect(try dataStack.addStorageAndWait(same) === same)
    let error = #expect(throws: CoreStoreError.self) {
      try dataStack.addStorageAndWait(InMemoryStore())
    }
    #expect(
      "\(try #require(error))"
        == "The stack has a storage already, \(url.path); the store in memory can only stand beside it "
        + "where each has a `configuration:` of its own.")
    #expect(try dataStack.fetchCount(From<V1.Person>()) == 3)
  }

  @Test func storagesHaveTheirPlaces() throws {
    let named = SQLiteStore(fileName: "MyStore.sqlite")
    let unnamed = SQLiteStore()
    let program = ProcessInfo.processInfo.processName
    #expect(named.fileURL.path.hasSuffix("/\(program)/MyStore.sqlite"))
    #expect(
      unnamed.fileURL
        == named.fileURL.deletingLastPathComponent()
        .appendingPathComponent("\(program).sqlite"))
    // The directory is made when it is needed.
    let deep = SQLiteStore(fileURL: folder.file("a/b/c.sqlite"))
    #expect(deep.fileSize() == nil)
    try DataStack(V1.schema).addStorageAndWait(deep)
    #expect(try #require(deep.fileSize()) > 0)
  }
}

extension DataStackTests {
  // Promise: the progress of a migration → rises from 0 to 1, in steps of every table, and is never less
  // than before.
  // Also: `HistoryOpeningTests.progress`
  @Test(
    "CoreStore.md:511: how far a migration is comes to the handler, from the first call to the last"
  )
  func progressHandler() async throws {
    let url = try makeFile()
    let dataStack = makeStack()
    var fractions: [Double] = []
    let result = await withCheckedContinuation { continuation in
      let migrationProgress = dataStack.addStorage(
        SQLiteStore(fileURL: url, migrationMappingProviders: [v2ToV3]),
        completion: { continuation.resume(returning: $0) })
      migrationProgress?.setProgressHandler { (progress) -> Void in
        fractions.append(progress.fractionCompleted)
      }
    }
    _ = try result.get()
    #expect(fractions.filter { $0 > 0 && $0 < 1 }.count >= 3, "\(fractions)")
    #expect(fractions.last == 1 && fractions == fractions.sorted(), "\(fractions)")
  }

  @Test("CoreStore.md:616: objects that a closure makes, or does not")
  func transformed() async throws {
    let url = try makeFile()
    let mapping = CustomSchemaMappingProvider(
      from: "V1",
      to: "V2",
      entityMappings: [
        .transformEntity(
          sourceEntity: "Person",
          destinationEntity: "Person",
          transformer: {
            (
              sourceObject: CustomSchemaMappingProvider.UnsafeSourceObject,
              createDestinationObject:
                () throws -> CustomSchemaMappingProvider.UnsafeDestinationObject
            ) in

            if sourceObject["age"] as? Int == 42 {
              return  // this account is too old, don't migrate
            }
            // migrate the rest
            let destinationObject = try createDestinationObject()
            destinationObject.enumerateAttributes { (attribute, sourceAttribute) in

              if let sourceAttribute = sourceAttribute {
                destinationObject[attribute] = sourceObject[sourceAttribute]
              }
            }
          }
        )
      ]
    )
    let dataStack = DataStack(V1.schema, V2.schema, migrationChain: ["V1", "V2"])
    let added = await add(
      SQLiteStore(fileURL: url, migrationMappingProviders: [mapping]), to: dataStack
    )
    _ = try added.result.get()
    let people = try dataStack.fetchAll(From<V2.Person>().orderBy(.ascending(\.$age)))
    #expect(people.map(\.age) == [20, 31] && people.map(\.name) == ["Person 20", "Person 31"])
  }

  @Test("CoreStore.md:525, 545: chains as literals")
  func chains() {
    let dataStack = DataStack(V1.schema, V2.schema, migrationChain: ["V1", "V2"])
    #expect(dataStack.modelVersion == "V2")
    #expect(DataStack(V2.schema, migrationChain: nil).modelVersion == "V2")
  }

  @Test("CoreStore.md:338: what a storage says of its file")
  func localStorage() {
    let storage: any LocalStorage = SQLiteStore(
      fileURL: folder.file("a.sqlite"), migrationMappingProviders: [v2ToV3],
      localStorageOptions: .recreateStoreOnModelMismatch)
    #expect(storage.fileURL == folder.file("a.sqlite"))
    #expect(storage.migrationMappingProviders.count == 1)
    #expect(storage.localStorageOptions == .recreateStoreOnModelMismatch)
  }

  @Test("CoreStore.md:1982, 1998: a schema prints itself with its lock, as code")
  func printedSchema() throws {
    let dataStack = DataStack(V1.schema)
    let text = dataStack.modelSchema.printCoreStoreSchema()
    print(text)
    #expect(text.hasPrefix("CoreStoreSchema(\n  modelVersion: \"V1\",\n  entities: [\n"))
    #expect(text.contains("    Entity<Person>(\"Person\"),\n    Entity<Draft>(\"Draft\"),\n"))
    #expect(text.contains("attribute age integer64 required"))
  }
}

extension MigrationObstacle {
  fileprivate var isLoss: Bool {
    if case .loss = self { true } else { false }
  }
}
