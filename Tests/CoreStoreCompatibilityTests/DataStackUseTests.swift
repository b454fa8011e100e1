import CoreStoreCompatibility
import DatastoreCore
import DatastoreTestSupport
import Foundation
import SwiftDatastore
import Testing

/// Calls that a stack forwards to its datastore. The line of a block is that of its first fence.
@MainActor
@Suite struct DataStackUseTests {
  typealias Person = V1.Person

  private let folder: TemporaryDirectory

  init() throws {
    folder = try TemporaryDirectory()
  }

  @Test("CoreStore.md:136, 153, 270: from the model to the objects")
  func use() async throws {
    CoreStoreDefaults.dataStack = DataStack(V1.schema)
    let dataStack = CoreStoreDefaults.dataStack
    let url = folder.file("MyStore.sqlite")
    try dataStack.addStorageAndWait(SQLiteStore(fileURL: url))
    let id = await withCheckedContinuation { continuation in
      dataStack.perform(
        asynchronous: { (transaction) -> DatastoreObjectID in
          let person = try transaction.create(Into<Person>())
          person.name = "John Smith"
          person.age = 42
          return person.objectID
        },
        success: { continuation.resume(returning: Optional($0)) },
        failure: { _ in continuation.resume(returning: nil) })
    }
    let objectID = try #require(id)
    let people = try dataStack.fetchAll(From<Person>())
    #expect(people.map(\.name) == ["John Smith"])
    let person: Person? = try dataStack.fetchExisting(objectID)
    #expect(person === people.first)
    let john = try #require(person)
    let result = await withCheckedContinuation { continuation in
      dataStack.perform(
        asynchronous: { (transaction) -> Void in
          let john: Person? = try transaction.fetchExisting(objectID)
          john?.age += 1
        },
        completion: { continuation.resume(returning: $0) })
    }
    try result.get()
    #expect(john.age == 43)
    #expect(try dataStack.fetchExisting(john) === john)
    let all: [Person] = try dataStack.fetchExisting([objectID])
    #expect(all == [john])
    #expect(try dataStack.fetchExisting(people) == [john])
    #expect(try dataStack.fetchOne(From<Person>().where(\.$name == "John Smith")) === john)
    #expect(try dataStack.fetchObjectID(From<Person>()) == objectID)
    #expect(try dataStack.fetchObjectIDs(From<Person>().where(\.$age < 40)).isEmpty)
    #expect(
      try SQLiteCommand.run("SELECT name, age FROM Person", on: url) == "John Smith|43")
  }

  @Test(
    "CoreStore.md:232, 331: the default storage of the default stack is a file of the program's name"
  )
  func defaultStorage() async {
    await #expect(processExitsWith: .success) { @MainActor in
      let folder = try TemporaryDirectory()
      setenv("XDG_DATA_HOME", folder.url.path, 1)
      CoreStoreDefaults.dataStack = DataStack(V1.schema)
      try CoreStoreDefaults.dataStack.addStorageAndWait()
      let program = ProcessInfo.processInfo.processName
      let url = folder.file("\(program)/\(program).sqlite")
      let tables = "SELECT count(*) FROM sqlite_master WHERE name IN ('Person', 'Draft')"
      #expect(try SQLiteCommand.run(tables, on: url) == "2")
      #expect(try CoreStoreDefaults.dataStack.datastore.url == url)
    }
  }

  private final class Recorder: DatastoreLogger {
    private let lines = Lock<[String]>([])

    func log(_ event: DatastoreEvent) {
      lines.withLock { $0.append(event.description) }
    }

    var text: String { lines.withLock { $0.joined(separator: "\n") } }
  }

  // Promise: the logger of stacks is set or taken away → storages added from then on have it, or have not.
  @Test func theDefaultLoggerIsToldOfStoragesAddedFromNowOn() throws {
    // Other tests of the process add storages meanwhile: this one's are known by their paths.
    let (before, with, after) = (
      folder.file("before.sqlite"), folder.file("with.sqlite"), folder.file("after.sqlite")
    )
    let recorder = Recorder()
    try DataStack(V1.schema).addStorageAndWait(SQLiteStore(fileURL: before))
    CoreStoreDefaults.logger = recorder
    try DataStack(V1.schema).addStorageAndWait(SQLiteStore(fileURL: with))
    CoreStoreDefaults.logger = nil
    try DataStack(V1.schema).addStorageAndWait(SQLiteStore(fileURL: after))
    #expect(recorder.text.contains(with.path))
    #expect(!recorder.text.contains(before.path) && !recorder.text.contains(after.path))
  }

  // Promise: a stack is used without a storage, the default stack before it is set, versions do not fit →
  // each with a sentence.
  // Also: `DataStackUseTests.theDefaultStackIsSetBeforeItIsRead`,
  // `DataStackUseTests.whatIsWrongWithVersionsTrapsAtOnce`
  @Test func withoutAStorageEverythingFailsAndSaysWhy() async throws {
    let dataStack = DataStack(V1.schema)
    let result = await withCheckedContinuation { continuation in
      dataStack.perform(
        asynchronous: { _ in }, completion: { continuation.resume(returning: $0) })
    }
    let waiting = #expect(throws: CoreStoreError.self) { try waitingTransaction(dataStack) }
    let fetching = #expect(throws: CoreStoreError.self) {
      try dataStack.fetchAll(From<Person>())
    }
    guard case .failure(let error) = result else {
      Issue.record("\(result)")
      return
    }
    for error in [error, try #require(waiting), try #require(fetching)] {
      #expect(
        "\(error)"
          == "The stack has no storage; add one with `addStorage` or `addStorageAndWait` first.")
    }
  }

  private func waitingTransaction(_ dataStack: DataStack) throws {
    try dataStack.perform(synchronous: { _ in })
  }

  @Test func objectsOfAStackAreChangedInTransactionsOnly() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      @MainActor in
      let dataStack = DataStack(V1.schema)
      try dataStack.addStorageAndWait(InMemoryStore())
      let person: V1.Person = try dataStack.datastore.sharedViewContext.createObject()
      person.name = "John"
    }
    let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(text.contains("in the view context, which is read-only"), "\(text)")
  }

  @Test func theDefaultStackIsSetBeforeItIsRead() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = CoreStoreDefaults.dataStack
    }
    let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(text.contains("CoreStoreDefaults.dataStack was read before it was set"), "\(text)")
  }

  @Test func whatIsWrongWithVersionsTrapsAtOnce() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = DataStack(V1.schema, V2.schema, V1.schema, migrationChain: ["V1", "V2", "V3"])
    }
    let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    for sentence in [
      "DataStack: ", "Two versions of the history are called “V1”",
      "names the version “V3”, which is not in the history",
    ] {
      #expect(text.contains(sentence), "\(text)")
    }
  }
}
