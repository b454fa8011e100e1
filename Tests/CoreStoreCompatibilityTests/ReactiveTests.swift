import CoreStoreCombine
import CoreStoreCompatibility
import DatastoreTestSupport
import Foundation
import OpenCombine
import SwiftDatastoreCombine
import Testing

private final class Friend: CoreStoreObject, ImportableUniqueObject {
  typealias ImportSource = [String: String]
  struct Nowhere: Error {}

  @Field.Stored("name") var name: String = ""
  @Field.Stored("city") var city: String?

  class var uniqueIDKeyPath: UniqueIDKeyPath<String> { UniqueIDKeyPath(\Friend.$name) }

  static func uniqueID(from source: ImportSource, in transaction: BaseDataTransaction) -> String? {
    source["name"]
  }

  func update(from source: ImportSource, in transaction: BaseDataTransaction) throws {
    guard source["city"] != "nowhere" else { throw Nowhere() }
    city = source["city"]
  }
}

/// The chapter on Combine of CoreStore's document. The line of a block is that of its first fence.
@MainActor
@Suite struct ReactiveTests {
  private let dataStack = DataStack(
    CoreStoreSchema(modelVersion: "V1", entities: [Entity<Friend>("Friend")]))

  /// Returns the values that a publisher sends, and how it ends.
  private func outcome<Output>(
    of publisher: AnyPublisher<Output, CoreStoreError>
  ) async -> (values: [Output], error: CoreStoreError?) {
    var values: [Output] = []
    var cancellables: Set<AnyCancellable> = []
    let (ends, end) = AsyncStream<CoreStoreError?>.makeStream()
    publisher
      .sink(
        receiveCompletion: { result in
          if case .failure(let error) = result { end.yield(error) } else { end.yield(nil) }
        },
        receiveValue: { value in
          MainActor.preconditionIsolated()
          values.append(value)
        }
      )
      .store(in: &cancellables)
    for await error in ends { return (values, error) }
    return (values, nil)
  }

  @Test("CoreStore.md:2018: a storage is added, and how far its migration is, is published")
  func storages() async throws {
    let folder = try TemporaryDirectory()
    let url = folder.file("core_data.sqlite")
    let old = DataStack(V1.schema)
    let first = await outcome(of: old.reactive.addStorage(SQLiteStore(fileURL: url)))
    guard case .finished(let storage, migrationRequired: false) = first.values.last else {
      Issue.record("\(first)")
      return
    }
    #expect(first.error == nil && first.values.count == 1 && storage.fileURL == url)
    try await old.datastore.write { transaction in
      for age in 0..<2_000 { try transaction.create(Into<V1.Person>()).age = age }
    }
    try old.datastore.close()

    let dataStack = DataStack(V1.schema, V4.removing, migrationChain: ["V1", "V4"])
    let second = await outcome(
      of: dataStack.reactive
        .addStorage(
          SQLiteStore(fileURL: url)
        ))
    #expect(second.error == nil)
    for progress in second.values {
      #expect((0...1).contains(round(progress.fractionCompleted * 100) / 100))
    }
    guard case .finished(_, migrationRequired: true) = second.values.last,
      case .migrating(_, let progress) = second.values.first
    else {
      Issue.record("\(second)")
      return
    }
    #expect(progress.isFinished)
    #expect(try dataStack.fetchCount(From<V4.Person>()) == 2_000)
    // It is there already; each subscription detects that again.
    let again = await outcome(of: dataStack.reactive.addStorage(SQLiteStore(fileURL: url)))
    #expect(again.error == nil && again.values.count == 1)
    try dataStack.datastore.close()

    let text = folder.file("notes.txt")
    try "no database".write(to: text, atomically: true, encoding: .utf8)
    let refused = await outcome(
      of: DataStack(V1.schema).reactive.addStorage(SQLiteStore(fileURL: text)))
    guard refused.values.isEmpty, case .internalError(is StoreError) = refused.error else {
      Issue.record("\(refused)")
      return
    }
  }

  @Test(
    "CoreStore.md:2041: a transaction begins with the subscription, and its result is published")
  func transactions() async throws {
    let unset = await outcome(of: dataStack.reactive.perform(asynchronous: { _ in }))
    guard case .persistentStoreNotFound = unset.error else {
      Issue.record("\(unset)")
      return
    }
    try dataStack.addStorageAndWait(InMemoryStore())
    let publisher = dataStack.reactive
      .perform(
        asynchronous: { (transaction) -> DatastoreObjectID in
          let friend = try transaction.create(Into<Friend>())
          friend.name = "John"
          return friend.objectID
        }
      )
    #expect(try dataStack.fetchCount(From<Friend>()) == 0)
    let value = await outcome(of: publisher)
    let inserted: Friend? = try dataStack.fetchExisting(try #require(value.values.first))
    #expect(inserted?.name == "John")
    #expect(value.error == nil && value.values.count == 1)

    struct Refused: Error {}
    let failed = await outcome(
      of: dataStack.reactive.perform(asynchronous: { transaction -> Int in
        try transaction.create(Into<Friend>()).name = "Jane"
        throw Refused()
      }))
    guard failed.values.isEmpty, case .userError(is Refused) = failed.error else {
      Issue.record("\(failed)")
      return
    }
    #expect(try dataStack.fetchCount(From<Friend>()) == 1)
  }

  @Test("CoreStore.md:2067: objects of the view context are published that were imported")
  func imports() async throws {
    try dataStack.addStorageAndWait(InMemoryStore())
    let people = await outcome(
      of: dataStack.reactive
        .importUniqueObjects(
          Into<Friend>(),
          sourceArray: [
            ["name": "John"],
            ["name": "Bob"],
            ["name": "Joe"],
          ]
        ))
    #expect(people.values.map(\.count) == [3])
    let one = await outcome(
      of: dataStack.reactive.importUniqueObject(
        Into<Friend>(), source: ["name": "Bob", "city": "Umeå"]))
    #expect(one.values.map { $0?.city } == ["Umeå"])
    #expect(try dataStack.fetchCount(From<Friend>()) == 3)
    let failed = await outcome(
      of: dataStack.reactive.importUniqueObjects(
        Into<Friend>(), sourceArray: [["name": "Eve"], ["name": "Mallory", "city": "nowhere"]]))
    guard case .userError(is Friend.Nowhere) = failed.error else {
      Issue.record("\(failed)")
      return
    }
    #expect(try dataStack.fetchCount(From<Friend>()) == 3)
  }

  @Test("CoreStore.md:2092, 2112: snapshots of a list and of an object are published")
  func snapshots() throws {
    try dataStack.addStorageAndWait(InMemoryStore())
    let listPublisher = try dataStack.publishList(From<Friend>().orderBy(.ascending(\.$name)))
    var cancellables: Set<AnyCancellable> = []
    var counts: [Int] = []
    listPublisher.reactive
      .snapshot(emitInitialValue: true)
      .sink(
        receiveCompletion: { _ in },
        receiveValue: { (listSnapshot) in counts.append(listSnapshot.count) }
      )
      .store(in: &cancellables)
    let id = try dataStack.perform(synchronous: { transaction in
      let friend = try transaction.create(Into<Friend>())
      friend.name = "Ann"
      return friend.objectID
    })
    #expect(counts == [0, 1])

    let friend: Friend = try #require(try dataStack.fetchExisting(id))
    let objectPublisher = try friend.asPublisher(in: dataStack)
    var names: [String?] = []
    objectPublisher.reactive
      .snapshot(emitInitialValue: true)
      .sink(
        receiveCompletion: { _ in },
        receiveValue: { (objectSnapshot) in names.append(objectSnapshot?.$name) }
      )
      .store(in: &cancellables)
    var own: [String?] = []
    objectPublisher.reactive.$name.sink { own.append($0) }.store(in: &cancellables)
    try dataStack.perform(synchronous: { transaction in
      try transaction.edit(Into<Friend>(), id)?.name = "Anne"
    })
    #expect(names == ["Ann", "Anne"])
    try dataStack.perform(synchronous: { transaction in
      _ = try transaction.delete(transaction.edit(Into<Friend>(), id)?.asSnapshot(in: transaction))
    })
    #expect(own == ["Ann", "Anne", nil])
    #expect(objectPublisher.reactive.base === objectPublisher)
  }
}
