import CoreStoreCompatibility
import Foundation
import Testing

private final class Guest: CoreStoreObject, ImportableUniqueObject {
  typealias ImportSource = (Int, String)

  @Field.Stored("id") var id: Int = 0
  @Field.Stored("name") var name: String = ""

  class var uniqueIDKeyPath: UniqueIDKeyPath<Int> { UniqueIDKeyPath(\Guest.$id) }

  static func uniqueID(
    from source: (Int, String), in transaction: BaseDataTransaction
  ) throws -> Int? { source.0 }

  func didInsert(from source: (Int, String), in transaction: BaseDataTransaction) throws {
    (id, name) = source
  }

  func update(from source: (Int, String), in transaction: BaseDataTransaction) throws {
    name = source.1
  }
}

/// CoreStore's public names, a line for each, by the file that declares them there: transactions, also
/// those that are awaited.
@MainActor
@Suite struct NamesOfTransactionsTests {
  private let dataStack = DataStack(
    CoreStoreSchema(
      modelVersion: "V1", entities: [Entity<Member>("Member"), Entity<Guest>("Guest")]))

  init() throws { try dataStack.addStorageAndWait(InMemoryStore()) }

  @Test(
    "BaseDataTransaction.swift, SynchronousDataTransaction.swift, AsynchronousDataTransaction.swift"
  )
  func transactions() throws {
    try dataStack.perform(
      synchronous: { transaction in
        #expect(!transaction.hasChanges && transaction.sourceIdentifier as? String == "test")
        let member = try transaction.create(Into<Member>())
        #expect(transaction.insertedObjects() == [member] && transaction.updatedObjects().isEmpty)
        let inserted: Set<Member> = transaction.insertedObjects(Member.self)
        #expect(inserted == [member])
        #expect(transaction.insertedObjectIDs(Member.self) == [member.objectID()])
        #expect(transaction.updatedObjectIDs().isEmpty && transaction.deletedObjects().isEmpty)
        #expect(transaction.deletedObjectIDs(Member.self).isEmpty)
        #expect(transaction.objectHasPersistentChangedValues(member))
        transaction.refreshAndMergeAllObjects()
        transaction.userInfo["key"] = 1
        #expect(transaction.unsafeContext().userInfo["key"] as? Int == 1)
        let result: AsynchronousDataTransaction.Result<Int> = .success(1)
        #expect(try result.get() == 1)
        let source: any FetchableSource = transaction
        #expect(try source.fetchCount(From<Member>()) == 1)
      }, sourceIdentifier: "test")
    #expect(throws: CoreStoreError.userCancelled) {
      try dataStack.perform(synchronous: { (transaction) -> Void in try transaction.cancel() })
    }
  }

  // Promise: undo in an unsafe transaction → one group from `flush`/`commit`/`undoGroup` to the next.
  // Also: `UndoTests.beginningAndEnding`
  @Test("UnsafeDataTransaction.swift: `flush` ends what is undone at once, and so does `commit`")
  func unsafe() throws {
    let transaction = try dataStack.beginUnsafe(supportsUndo: true)
    let member = try transaction.create(Into<Member>())
    member.name = "A"
    transaction.flush()
    member.name = "B"
    member.title = "B"
    transaction.flush { member.name = "C" }
    member.name = "D"
    transaction.undo()
    #expect(member.name == "C")
    transaction.undo()
    #expect(member.name == "A" && member.title == "Engineer")
    transaction.redo()
    #expect(member.name == "C" && member.title == "B")
    try transaction.commitAndWait()
    member.name = "E"
    transaction.undo()
    #expect(member.name == "C")
    transaction.commit { #expect($0 == nil) }
    transaction.rollback()
    let child = transaction.beginUnsafe(supportsUndo: false, sourceIdentifier: "child")
    #expect(child.sourceIdentifier as? String == "child" && !child.hasChanges)
  }

  @Test("DataStack+Concurrency.swift")
  func awaited() async throws {
    let other = DataStack(V1.schema)
    let storage = InMemoryStore()
    #expect(try await other.async.addStorage(storage) === storage && other.async.base === other)
    let count = try await dataStack.async.perform { transaction -> Int in
      let member = try transaction.create(Into<Member>())
      member.name = "Ann"
      return try transaction.fetchCount(From<Member>())
    }
    #expect(count == 1)
    #expect(try dataStack.fetchCount(From<Member>()) == 1)
    await #expect(throws: CoreStoreError.userCancelled) {
      try await dataStack.async.perform { (transaction) -> Void in try transaction.cancel() }
    }
    let guest = try await dataStack.async.importObject(Into<Guest>(), source: (1, "Ann"))
    #expect(guest?.name == "Ann")
    let same = try await dataStack.async.importUniqueObject(Into<Guest>(), source: (1, "Bob"))
    #expect(same === guest && guest?.name == "Bob")
    let both = try await dataStack.async.importUniqueObjects(
      Into<Guest>(), sourceArray: [(1, "Cyd"), (2, "Dan")],
      preProcess: { sources in sources.filter { $0.key == 2 } })
    #expect(both.map(\.name) == ["Dan"])
    let changed = try await dataStack.async.importObject(try #require(guest), source: (1, "Eve"))
    #expect(changed === guest && guest?.name == "Eve")
    #expect(
      try await dataStack.async.importObjects(Into<Guest>(), sourceArray: [(5, "Fay")]).count == 1)
  }
}
