import CoreStoreCompatibility
import DatastoreTestSupport
import Foundation
import Testing

/// CoreStore's public names, a line for each, by the file that declares them there: stacks, storages,
/// schemas and errors.
@MainActor
@Suite struct NamesOfStacksTests {
  private let folder: TemporaryDirectory

  init() throws { folder = try TemporaryDirectory() }

  private func makeStack() throws -> DataStack {
    let dataStack = DataStack(V1.schema)
    try dataStack.addStorageAndWait(SQLiteStore(fileURL: folder.file("names.sqlite")))
    return dataStack
  }

  private func makeDraft(_ dataStack: DataStack) throws -> V1.Draft {
    try dataStack.perform(synchronous: { try $0.create(Into<V1.Draft>()).text = "a" })
    return try #require(try dataStack.fetchOne(From<V1.Draft>()))
  }

  @Test("DataStack.swift, DataStack+Transaction.swift, UserInfo.swift")
  func stacks() async throws {
    let dataStack = try makeStack()
    #expect(!DataStack.applicationName.isEmpty)
    #expect(DataStack(schemaHistory: [V1.schema]).modelVersion == "V1")
    #expect(dataStack.modelSchema.modelVersion == "V1")
    let types = dataStack.entityTypesByName(for: CoreStoreObject.self)
    #expect(types.keys.sorted() == ["Draft", "Person"] && types["Person"] == V1.Person.self)
    #expect(dataStack.entityTypesByName(for: V1.Draft.self).count == 1)
    #expect(dataStack.entityDescription(for: V1.Person.self)?.name == "Person")
    #expect(dataStack.entityDescription(for: V2.Draft.self) != nil)
    let draft = try makeDraft(dataStack)
    let uri = try draft.objectID.uriRepresentation
    #expect(dataStack.objectID(forURIRepresentation: uri) == draft.objectID)
    #expect(dataStack.objectID(forURIRepresentation: folder.url) == nil)
    #expect(try dataStack.unsafeContext().fetchCount(From<V1.Draft>()) == 1)
    // Another program changes the file without the stack's knowledge.
    _ = try SQLiteCommand.run(
      "UPDATE Draft SET text = 'b'", on: folder.file("names.sqlite"))
    #expect(draft.text == "a")
    try dataStack.refreshAndMergeAllObjects()
    #expect(draft.text == "b")
    let key = try #require(UnsafeRawPointer(bitPattern: 8))
    dataStack.userInfo[key] = 1
    #expect(dataStack.userInfo[key, lazyInit: { 2 }] as? Int == 1)
    dataStack.userInfo[key] = nil
    #expect(dataStack.userInfo[key, lazyInit: { 2 }] as? Int == 2)
    #expect(dataStack == dataStack && dataStack.coreStoreDumpString == dataStack.debugDescription)
    try dataStack.unsafeRemoveAllPersistentStoresAndWait()
    #expect(throws: CoreStoreError.persistentStoreNotFound(entity: CoreStoreObject.self)) {
      try dataStack.fetchCount(From<V1.Draft>())
    }
    try dataStack.addStorageAndWait(InMemoryStore())
    await withCheckedContinuation { continuation in
      dataStack.unsafeRemoveAllPersistentStores(completion: { continuation.resume() })
    }
    #expect(throws: CoreStoreError.self) { try dataStack.datastore }
  }

  @Test("SQLiteStore.swift, InMemoryStore.swift, StorageInterface.swift")
  func storages() throws {
    #expect(SQLiteStore.storeType == "SQLite" && InMemoryStore.storeType == "InMemory")
    #expect(SQLiteStore.legacy().fileURL.lastPathComponent.hasSuffix(".sqlite"))
    let (legacy, usual) = (
      SQLiteStore.legacy(fileName: "a.sqlite"), SQLiteStore(fileName: "a.sqlite")
    )
    #expect(
      legacy.fileURL.deletingLastPathComponent()
        == usual.fileURL.deletingLastPathComponent().deletingLastPathComponent())
    let options: LocalStorageOptions = nil
    #expect(options == .none && InMemoryStore(configuration: nil).configuration == nil)
    #expect(usual.configuration == nil && usual.migrationMappingProviders.isEmpty)
  }

  @Test("SchemaHistory.swift, DynamicSchema.swift, Entity.swift")
  func schemas() {
    let history = SchemaHistory(
      allSchema: [V1.schema, V2.schema], migrationChain: ["V1", "V2"],
      exactCurrentModelVersion: "V1")
    #expect(history.currentModelVersion == "V1" && history.currentSchema.modelVersion == "V1")
    #expect(history.migrationChain == ["V1", "V2"])
    let only: SchemaHistory = [V2.schema]
    #expect(only.currentModelVersion == "V2")
    let entity = Entity<V1.Person>("Person", isAbstract: true, versionHashModifier: "a")
    #expect(entity.isAbstract && entity.versionHashModifier == "a" && entity.entityName == "Person")
    #expect(entity.type == V1.Person.self)
  }

  @Test("CoreStoreError.swift")
  func errors() throws {
    struct Mishap: Error {}
    let url = folder.file("a.sqlite")
    let errors: [CoreStoreError] = [
      .unknown, .differentStorageExistsAtURL(existingPersistentStoreURL: url),
      .mappingModelNotFound(localStoreURL: url, targetModelVersion: "V2"),
      .progressiveMigrationRequired(localStoreURL: url),
      .asynchronousMigrationRequired(localStoreURL: url), .internalError(error: Mishap()),
      .userError(error: Mishap()), .userCancelled,
      .persistentStoreNotFound(entity: V1.Person.self),
    ]
    #expect(errors.map(\.errorCode) == Array(0..<9))
    #expect(CoreStoreErrorCode(rawValue: 8) == .persistentStoreNotFound)
    #expect(Set(errors).count == 9 && errors[8] != .persistentStoreNotFound(entity: V1.Draft.self))
    let bridged = errors[7] as NSError
    #expect(bridged.domain == CoreStoreErrorDomain && bridged.code == 7)
    #expect(CoreStoreError.errorDomain == CoreStoreErrorDomain && !errors[0].errorUserInfo.isEmpty)
    #expect(CoreStoreError(nil) == .unknown && CoreStoreError(errors[7]) == .userCancelled)
    #expect(CoreStoreError(Mishap()) == .internalError(error: Mishap()))
    if case .persistentStoreNotFound(let entity) = errors[8] {
      #expect(entity == V1.Person.self && "\(errors[8])".contains("objects of Person"))
    }
  }

  @Test("CoreStoreLogger.swift, DefaultLogger.swift")
  func loggers() async {
    let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
      @MainActor in
      CoreStoreDefaults.logger = DefaultLogger()
      try DataStack(V1.schema).addStorageAndWait(InMemoryStore())
      let levels: [LogLevel] = [.trace, .notice, .warning, .fatal]
      for level in levels {
        switch level {
        case .trace, .notice, .warning, .fatal: continue
        }
      }
    }
    let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(text.contains("notice: Opened a store in memory"), "\(text)")
  }
}
