import CoreStoreCompatibility
import Foundation
import Testing

private final class MyPersonEntity: CoreStoreObject {
  @Field.Stored("name") var name: String = ""
  @Field.Stored("age") var age: Int = 30
  @Field.Relationship("friends", inverse: \MyPersonEntity.$friendOf) var friends:
    Set<MyPersonEntity>
  @Field.Relationship("friendOf") var friendOf: Set<MyPersonEntity>
}

/// The chapters on creating, changing and deleting objects of CoreStore's document. Objects do not leave
/// their context, which the compiler sees to: an asynchronous closure is handed their identifiers. The line
/// of a block is that of its first fence.
@MainActor
@Suite struct ObjectTests {
  private let dataStack = DataStack(
    CoreStoreSchema(modelVersion: "V1", entities: [Entity<MyPersonEntity>("MyPersonEntity")]))

  init() throws {
    try dataStack.addStorageAndWait(InMemoryStore())
    try dataStack.perform(synchronous: { transaction in
      for name in ["Jane Smith", "John", "Kim"] {
        // CoreStore.md:775
        let person = try transaction.create(Into<MyPersonEntity>())
        person.name = name
      }
    })
  }

  private func person(_ name: String) throws -> MyPersonEntity {
    try #require(try dataStack.fetchOne(From<MyPersonEntity>().where(\.$name == name)))
  }

  private func perform(
    _ task: @escaping @Sendable (AsynchronousDataTransaction) throws -> Void
  ) async throws {
    try await withCheckedThrowingContinuation { continuation in
      dataStack.perform(
        asynchronous: task, completion: { continuation.resume(with: $0.map { _ in }) })
    }
  }

  @Test("CoreStore.md:797, 808: an object is made, and changed where it was fetched")
  func updating() async throws {
    try await perform { (transaction) -> Void in
      let person = try transaction.create(Into<MyPersonEntity>())
      person.name = "John Smith"
      person.age = 30
    }
    try await perform { (transaction) -> Void in
      let person = try transaction.fetchOne(
        From<MyPersonEntity>()
          .where(\.$name == "Jane Smith")
      )
      if let person { person.age = person.age + 1 }
    }
    #expect(try person("Jane Smith").age == 31 && person("John Smith").age == 30)
  }

  @Test("CoreStore.md:823, 837, 895: what is changed is the transaction's own object")
  func editing() async throws {
    let (janeID, johnID) = (try person("Jane Smith").objectID, try person("John").objectID)
    try await perform { (transaction) -> Void in
      guard let jane = try transaction.edit(Into<MyPersonEntity>(), janeID),
        let john = try transaction.edit(Into<MyPersonEntity>(), johnID)
      else { return }
      jane.age = jane.age + 1
      jane.friends = [john]
    }
    #expect(try person("John").friendOf.map(\.age) == [31])
    try editingWhileWaiting()
  }

  private func editingWhileWaiting() throws {
    let jane = try person("Jane Smith")
    let outside = jane
    try dataStack.perform(
      synchronous: { (transaction) -> Void in
        // WRONG: jane.age = jane.age + 1
        // RIGHT:
        let jane = try #require(try transaction.edit(jane))  // another object
        #expect(jane !== outside)
        jane.age = jane.age + 1
      })
    #expect(jane.age == 32)
  }

  @Test("CoreStore.md:856, 867: objects of the stack are deleted by a transaction")
  func deleting() throws {
    try deletingOne()
    let (jane, kim) = (try person("Jane Smith"), try person("Kim"))
    try dataStack.perform(
      synchronous: { (transaction) -> Void in
        try transaction.delete(jane, kim)
        // try transaction.delete([john, jane]) is also allowed
        try transaction.delete([jane, kim])
      })
    #expect(try dataStack.fetchCount(From<MyPersonEntity>()) == 0)
  }

  private func deletingOne() throws {
    let john = try person("John")
    try dataStack.perform(
      synchronous: { (transaction) -> Void in
        try transaction.delete(john)
      })
    #expect(john.isDeleted)
  }

  @Test("CoreStore.md:880: all objects of a query")
  func deletingAll() async throws {
    let objectID = try person("Kim").objectID
    try await perform { (transaction) -> Void in
      try transaction.edit(Into<MyPersonEntity>(), objectID)?.age = 31
    }
    try await perform { (transaction) -> Void in
      try transaction.deleteAll(
        From<MyPersonEntity>()
          .where(\.$age > 30)
      )
    }
    #expect(try dataStack.fetchCount(From<MyPersonEntity>()) == 2)
  }

  @Test("CoreStore.md:907: an object goes back and forth by its identifier")
  func passing() async throws {
    let janeID = try person("Jane Smith").objectID
    let id: DatastoreObjectID? = await withCheckedContinuation { continuation in
      dataStack.perform(
        asynchronous: { (transaction) -> DatastoreObjectID in
          // instance for transaction
          let jane: MyPersonEntity? = try transaction.fetchExisting(janeID)
          guard let jane else { throw CancellationError() }
          jane.age = jane.age + 1
          return jane.objectID
        },
        success: { (transactionJane) in continuation.resume(returning: transactionJane) },
        failure: { (error) in continuation.resume(returning: nil) })
    }
    // instance for DataStack
    let jane: MyPersonEntity? = try dataStack.fetchExisting(#require(id))
    #expect(jane?.age == 31)
  }

  @Test("CoreStore.md:926: several objects by their identifiers")
  func passingMany() async throws {
    let peopleIDs: [DatastoreObjectID] = [try person("John").objectID, try person("Kim").objectID]
    try await perform { (transaction) -> Void in
      let jane = try transaction.fetchOne(
        From<MyPersonEntity>()
          .where(\.$name == "Jane Smith")
      )
      jane?.friends = Set(try transaction.fetchExisting(peopleIDs))
    }
    #expect(Set(try person("Jane Smith").friends.map(\.name)) == ["John", "Kim"])
  }
}
