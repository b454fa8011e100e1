import CoreStoreCompatibility
import DatastoreTestSupport
import Foundation
import SwiftDatastore
import Testing

/// Several storages of one stack. The line of a block is that of its first fence in CoreStore's document.
@MainActor
@Suite struct ConfigurationTests {
  private let folder: TemporaryDirectory
  private let dataStack = DataStack(
    CoreStoreSchema(
      modelVersion: "V1",
      entityConfigurations: [
        Entity<V1.Draft>("Draft"): ["Config1"],
        Entity<V1.Person>("Person"): ["Config2"],
      ]))

  init() throws {
    folder = try TemporaryDirectory()
  }

  private func addBoth() throws -> URL {
    let sqliteFileURL = folder.file("a/MyStore.sqlite")
    try dataStack.addStorageAndWait(InMemoryStore(configuration: "Config1"))
    try dataStack.addStorageAndWait(
      SQLiteStore(
        fileURL: sqliteFileURL,  // set the target file URL for the sqlite file
        configuration: "Config2",
        localStorageOptions: .recreateStoreOnModelMismatch
      ))
    return sqliteFileURL
  }

  @Test("CoreStore.md:242, 294, 302, 317, 490: each entity is kept in its storage")
  func parts() throws {
    let url = try addBoth()
    try dataStack.perform(synchronous: { transaction in
      try transaction.create(Into<V1.Person>()).name = "Ann"
      try transaction.create(Into<V1.Draft>()).text = "a draft"
    })
    #expect(try dataStack.fetchAll(From<V1.Person>()).map(\.name) == ["Ann"])
    #expect(try dataStack.fetchAll(From<V1.Draft>()).map(\.text) == ["a draft"])
    #expect(try SQLiteCommand.run("SELECT name FROM Person", on: url) == "Ann")
    #expect(
      try SQLiteCommand.run("SELECT count(*) FROM sqlite_master WHERE name = 'Draft'", on: url)
        == "0")
    try dataStack.datastore.close()
  }

  @Test("A storage that is added in the background joins the others")
  func background() async throws {
    try dataStack.addStorageAndWait(InMemoryStore(configuration: "Config1"))
    #expect(throws: (any Error).self) { try dataStack.fetchCount(From<V1.Person>()) }
    let store = SQLiteStore(fileURL: folder.file("MyStore.sqlite"), configuration: "Config2")
    let result = await withCheckedContinuation { continuation in
      _ = dataStack.addStorage(store, completion: { continuation.resume(returning: $0) })
    }
    #expect(try result.get() === store)
    #expect(try dataStack.fetchCount(From<V1.Person>()) == 0)
  }

  @Test("The same storage twice is one, and one that does not fit is refused")
  func storagesThatAreThere() throws {
    let url = try addBoth()
    try dataStack.addStorageAndWait(SQLiteStore(fileURL: url, configuration: "Config2"))
    #expect(try dataStack.datastore.stores.count == 2)
    let other = #expect(throws: CoreStoreError.self) {
      try dataStack.addStorageAndWait(SQLiteStore(fileURL: url, configuration: "Config1"))
    }
    guard case .differentStorageExistsAtURL(let place) = other else {
      Issue.record("\(String(describing: other))")
      return
    }
    #expect(place.standardizedFileURL == url.standardizedFileURL)
    // Another storage of the same classes, and one of all, stand beside them.
    try dataStack.addStorageAndWait(InMemoryStore())
    #expect(try dataStack.datastore.stores.count == 3)
  }

  @Test("Without configurations a stack has one storage")
  func severalStorages() throws {
    let stack = DataStack(V1.schema)
    try stack.addStorageAndWait(InMemoryStore())
    let error = #expect(throws: CoreStoreError.self) {
      try stack.addStorageAndWait(InMemoryStore())
    }
    guard case .severalStorages = error else {
      Issue.record("\(String(describing: error))")
      return
    }
  }
}
