import CoreStoreCompatibility
import DatastoreCore
import Foundation
import SwiftDatastore
import Testing

private final class Person: CoreStoreObject {
  @Attribute.NotOptional var name: String = ""
  @Attribute.NotOptional(validate: .range(0...150)) var age: Int = 0
  @Relationship.ToMany(isSymmetric: true) var friends: Set<Person>
}

// Promise: transactions of CoreStore's form are asked for from one place → they run in that order, and
// completions see what was saved.
/// The chapters on transactions, objects and fetching of CoreStore's document. The line of a block is that of
/// its first fence.
@MainActor
@Suite struct TransactionTests {
  private func makeStack() throws -> DataStack {
    let dataStack = DataStack(
      CoreStoreSchema(modelVersion: "V1", entities: [Entity<Person>("Person")]))
    try dataStack.addStorageAndWait(InMemoryStore())
    return dataStack
  }

  private func makePeople(_ dataStack: DataStack) throws {
    try dataStack.perform(synchronous: { transaction in
      for (name, age) in [("Jane", 31), ("John", 42), ("Kim", 20)] {
        let person = try transaction.create(Into<Person>())
        person.name = name
        person.age = age
      }
    })
  }

  /// Returns the result that the completion receives.
  private func result<Value: Sendable>(
    _ dataStack: DataStack,
    _ task: @escaping @Sendable (AsynchronousDataTransaction) throws -> Value
  ) async -> Result<Value, CoreStoreError> {
    await withCheckedContinuation { continuation in
      dataStack.perform(
        asynchronous: task, completion: { continuation.resume(returning: $0) })
    }
  }

  @Test("CoreStore.md:650, 686: what was saved is in the view context when the completion runs")
  func asynchronous() async throws {
    let dataStack = try makeStack()
    let hasChanges = await result(dataStack) { transaction -> Bool in
      try transaction.create(Into<Person>()).name = "Jane"
      return transaction.hasChanges
    }
    #expect(try hasChanges.get())
    #expect(try dataStack.datastore.sharedViewContext.fetchCount(From<Person>()) == 1)
  }

  @Test("CoreStore.md:662: a transaction that is cancelled saves nothing")
  func cancelled() async throws {
    let dataStack = try makeStack()
    let cancelled = await result(dataStack) { transaction -> Void in
      _ = try transaction.create(Into<Person>())
      try transaction.cancel()
    }
    guard case .failure(.userCancelled) = cancelled else {
      Issue.record("\(cancelled)")
      return
    }
    #expect(try dataStack.datastore.sharedViewContext.fetchCount(From<Person>()) == 0)
  }

  private struct Mishap: Error {}

  @Test func whatAClosureThrowsAndWhatCannotBeSavedAreTwoErrors() async throws {
    let dataStack = try makeStack()
    let thrown = await result(dataStack) { _ -> Void in throw Mishap() }
    guard case .failure(.userError(let error)) = thrown, error is Mishap else {
      Issue.record("\(thrown)")
      return
    }
    let invalid = await result(dataStack) { transaction -> Void in
      try transaction.create(Into<Person>()).age = 151
    }
    guard case .failure(.internalError(let error)) = invalid, error is ValidationError else {
      Issue.record("\(invalid)")
      return
    }
    #expect(try dataStack.datastore.sharedViewContext.fetchCount(From<Person>()) == 0)
  }

  @Test("CoreStore.md:701: two closures in place of one")
  func successAndFailure() async throws {
    let dataStack = try makeStack()
    try makePeople(dataStack)
    let count = await withCheckedContinuation { continuation in
      dataStack.perform(
        asynchronous: { transaction in
          try transaction.deleteAll(From<Person>().where(\.$age > 30))
        },
        success: { continuation.resume(returning: $0) },
        failure: { _ in continuation.resume(returning: -1) })
    }
    #expect(count == 2)
    #expect(try dataStack.datastore.sharedViewContext.fetchOne(From<Person>())?.name == "Kim")
  }

  @Test func transactionsRunInTheOrderOfTheCalls() async throws {
    let dataStack = try makeStack()
    try makePeople(dataStack)
    let order = Lock<[Int]>([])
    for number in 0..<100 {
      dataStack.perform(
        asynchronous: { transaction in
          order.withLock { $0.append(number) }
          try transaction.fetchOne(From<Person>().where(\.$name == "Kim"))?.age += 1
        }, completion: { _ in })
    }
    _ = await result(dataStack) { _ -> Void in }
    #expect(order.withLock { $0 } == Array(0..<100))
    #expect(
      try dataStack.datastore.sharedViewContext.fetchOne(From<Person>().where(\.$name == "Kim"))?
        .age == 120)
  }

  // Promise: a completion is late, and the main actor waits for a transaction meanwhile → the completion
  // sees the store as its transaction has left it; a writer never waits for a main actor that waits for it.
  // Also: `TransactionTests.waitingWithCompletionsDue`
  @Test(
    "A completion sees the store as its transaction has left it, however late the main actor comes to it"
  )
  func completionsSeeNoLaterTransaction() async throws {
    let dataStack = try makeStack()
    let seen = Lock<[Int]>([])
    let view = try dataStack.datastore.sharedViewContext
    for number in 1...3 {
      dataStack.perform(
        asynchronous: { try $0.create(Into<Person>()).name = "\(number)" },
        completion: { _ in
          let count = (try? view.fetchCount(From<Person>())) ?? -1
          seen.withLock { $0.append(count) }
        })
    }
    // The main actor is kept busy until the first transaction is saved, and then as long as a second one
    // would take.
    let reader = try dataStack.datastore.newLocalContext()
    while try reader.fetchCount(From<Person>()) == 0 {}
    for _ in 0..<2000 where try reader.fetchCount(From<Person>()) == 1 {}
    #expect(try reader.fetchCount(From<Person>()) == 1)
    _ = await result(dataStack) { _ -> Void in }
    #expect(seen.withLock { $0 } == [1, 2, 3])
  }

  @Test("The main actor may wait for a transaction, whatever completions are due")
  func waitingWithCompletionsDue() async throws {
    let dataStack = try makeStack()
    try makePeople(dataStack)
    let completed = Lock(0)
    for round in 1...200 {
      for _ in 0..<(round % 4) {
        dataStack.perform(
          asynchronous: { try $0.fetchOne(From<Person>().where(\.$name == "Kim"))?.age = 1 },
          completion: { _ in
            completed.withLock { $0 += 1 }
            // Also from within a completion, while the queue waits for that.
            try? dataStack.perform(synchronous: { _ in })
          })
      }
      try waitForTransaction(dataStack)
      // Completions run while the main actor goes on elsewhere.
      if round.isMultiple(of: 3) { _ = await result(dataStack) { _ -> Void in } }
    }
    _ = await result(dataStack) { _ -> Void in }
    #expect(completed.withLock { $0 } == 300)
  }

  private func waitForTransaction(_ dataStack: DataStack) throws {
    try dataStack.perform(synchronous: { transaction in
      try transaction.fetchOne(From<Person>().where(\.$name == "Kim"))?.age += 1
    })
  }

  @Test("CoreStore.md:722, 735: the view context has what was saved when the call returns")
  func synchronous() throws {
    let dataStack = try makeStack()
    try dataStack.perform(
      synchronous: { transaction in
        let person = try transaction.create(Into<Person>())
        person.name = "John"
      })
    let newPerson = try dataStack.datastore.sharedViewContext.fetchOne(
      From<Person>().where(\.$name == "John"))
    #expect(newPerson != nil)
    #expect(throws: CoreStoreError.self) {
      try dataStack.perform(synchronous: { transaction -> Void in try transaction.cancel() })
    }
  }

  @Test("Objects of other contexts")
  func objectsOfOtherContexts() async throws {
    let dataStack = try makeStack()
    try makePeople(dataStack)
    let people = From<Person>().orderBy(.ascending(\.$name))
    let ids = try dataStack.datastore.sharedViewContext.fetchObjectIDs(people)
    let missing = await result(dataStack) { transaction -> Int in
      let (jane, john) = (
        try transaction.edit(Into<Person>(), ids[0]), try transaction.edit(Into<Person>(), ids[1])
      )
      jane?.age += 1
      if let john { jane?.friends = [john] }
      try transaction.delete(try transaction.fetchExisting(ids[2]) as Person?, nil)
      let left: [Person] = try transaction.fetchExisting([ids[2], ids[0]])
      return left.count
    }
    #expect(try missing.get() == 2, "what is deleted in the transaction is still known there")
    let view = try dataStack.datastore.sharedViewContext
    #expect(try view.fetchAll(people).map(\.age) == [32, 42])
    #expect(try view.fetchAll(people)[1].friends.map(\.name) == ["Jane"])
    let gone: Person? = try view.fetchExisting(ids[2])
    #expect(gone == nil)
    #expect(try view.fetchObjectID(From<Person>().orderBy(.descending(\.$age))) == ids[1])
  }
}
