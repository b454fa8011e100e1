import DatastoreCore
import DatastoreTestSupport
import Dispatch
import Foundation
import SwiftDatastore
import Testing

/// Transactions run one after the other, and run again if someone else has changed the same objects.
@Suite("Transactions")
struct TransactionTests {
  private let datastore: SwiftDatastore
  private let id: DatastoreObjectID

  init() async throws {
    datastore = try TestModel.file()
    id = try await datastore.write { context in
      let employee: Employee = try context.createObject()
      employee.name = "Ann"
      employee.age = 0
      return employee.objectID
    }
  }

  private func age() async throws -> Int {
    try await datastore.newContext().perform { [id] context in
      (try context.object(with: id) as Employee).age
    }
  }

  /// Adds to the age in another context, which is saved at once.
  private static func add(
    _ years: Int, to id: DatastoreObjectID, in datastore: SwiftDatastore
  ) throws {
    let other = datastore.newLocalContext()
    (try other.object(with: id) as Employee).age += years
    try other.saveChanges()
  }

  // Promise: eight tasks count by `write`, or another process counts as well → every count is there; a
  // block that met a conflict ran again from the start.
  // Also: `TransactionTests.anotherProcess`
  @Test("Tasks that count side by side lose nothing", arguments: 1...5)
  func counting(round: Int) async throws {
    let seed = UInt64.random(in: .min ... .max)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for task in 0..<8 {
        group.addTask { [datastore, id] in
          var random = SeededRandom(seed: seed &+ UInt64(task))
          for _ in 0..<100 {
            for _ in 0..<random.below(4) { await Swift.Task.yield() }
            try await datastore.write { context in
              (try context.object(with: id) as Employee).age += 1
            }
          }
        }
      }
      try await group.waitForAll()
    }
    #expect(try await age() == 800, "seed \(seed)")
  }

  @Test("A transaction reads what the one before it has left, in the order of the calls")
  func order() async throws {
    let seen = Lock<[Int]>([])
    let done = DispatchGroup()
    for _ in 0..<100 {
      done.enter()
      // Each is requested before the next, and the test waits for none.
      await withCheckedContinuation { asked in
        Swift.Task.detached { [datastore, id] in
          asked.resume()
          try await datastore.write { context in
            let employee: Employee = try context.object(with: id)
            seen.withLock { $0.append(employee.age) }
            employee.age += 1
          }
          done.leave()
        }
      }
    }
    await withCheckedContinuation { ended in done.notify(queue: .global()) { ended.resume() } }
    #expect(seen.withLock { $0 } == Array(0..<100))
  }

  @Test("A change by a context in between makes the block run again", arguments: [1, 10])
  func conflict(years: Int) async throws {
    let runs = Lock(0)
    let seen = try await datastore.write { [datastore, id] context in
      let employee: Employee = try context.object(with: id)
      let before = employee.age
      let run = runs.withLock { runs in
        runs += 1
        return runs
      }
      // By 1 it is the same value as this block is about to save.
      if run == 1 { try Self.add(years, to: id, in: datastore) }
      employee.age = before + 1
      return before
    }
    #expect(runs.withLock { $0 } == 2)
    #expect(seen == years)
    #expect(try await age() == years + 1)
  }

  @Test(
    "What is in conflict every time is told after as many runs as were allowed", arguments: [0, 3])
  func exhausted(retries: Int) async throws {
    let runs = Lock(0)
    let error = await #expect(throws: ConflictError.self) {
      try await datastore.write(retries: retries) { [datastore, id] context in
        let employee: Employee = try context.object(with: id)
        runs.withLock { $0 += 1 }
        employee.age -= 100
        try Self.add(1, to: id, in: datastore)
      }
    }
    #expect(error?.conflicts.map(\.entity) == ["Employee"])
    #expect(runs.withLock { $0 } == retries + 1)
    #expect(try await age() == retries + 1)
  }

  // Promise: a block of `write` has saved something itself and then meets a conflict → it does not run
  // again; the conflict is thrown.
  @Test("A block that has saved something itself does not run again", arguments: [false, true])
  func partlyWritten(byBatch: Bool) async throws {
    let runs = Lock(0)
    await #expect(throws: ConflictError.self) {
      try await datastore.write { [datastore, id] context in
        runs.withLock { $0 += 1 }
        if byBatch {
          try context.insertMany(Job.self, from: [1]) { _ in [PropertyToUpdate(\.$title, "Plan")] }
        } else {
          let job: Job = try context.createObject()
          job.title = "Plan"
          try context.saveChanges()
        }
        let employee: Employee = try context.object(with: id)
        employee.age += 1
        try Self.add(5, to: id, in: datastore)
      }
    }
    #expect(runs.withLock { $0 } == 1)
    #expect(try await datastore.newContext().perform { try $0.count(Job.self) } == 1)
    #expect(try await age() == 5)
  }

  @Test("Cancelling inside the block discards everything, and says so")
  func cancelled() async throws {
    await #expect(throws: CancellationError.self) {
      try await datastore.write { [id] context in
        (try context.object(with: id) as Employee).age = 7
        let _: Job = try context.createObject()
        try context.cancel()
      }
    }
    #expect(throws: CancellationError.self) { try cancelAndWait() }
    #expect(try await age() == 0)
    #expect(try await datastore.newContext().perform { try $0.count(Job.self) } == 0)
  }

  private func cancelAndWait() throws {
    try datastore.writeAndWait { context in
      (try context.object(with: id) as Employee).age = 7
      try context.cancel()
    }
  }

  @Test("A transaction that is cancelled while it waits for its turn never begins")
  func cancelledInTheQueue() async throws {
    let begun = DispatchSemaphore(value: 0)
    let proceed = DispatchSemaphore(value: 0)
    let first = Swift.Task { [datastore] in
      try await datastore.write { _ in
        begun.signal()
        proceed.wait()
      }
    }
    await withCheckedContinuation { continuation in
      DispatchQueue.global().async {
        begun.wait()
        continuation.resume()
      }
    }
    let second = Swift.Task { [datastore, id] in
      try await datastore.write { context in
        (try context.object(with: id) as Employee).age = 7
      }
    }
    second.cancel()
    proceed.signal()
    try await first.value
    await #expect(throws: CancellationError.self) { try await second.value }
    #expect(try await age() == 0)
  }

  @Test(
    "Another process that counts as well loses nothing, and takes nothing",
    .enabled(if: SQLiteCommand.isPresent, "\(SQLiteCommand.absence)"))
  func anotherProcess() async throws {
    let url = try #require(datastore.url)
    let key = id.key
    let theirs = Swift.Task.detached {
      let program = try SQLiteProgram(url)
      _ = program.run(".timeout 60000")
      return (0..<500).count { _ in
        program.run("UPDATE Employee SET age = age + 1 WHERE _id = \(key)").isEmpty
      }
    }
    var ours = 0
    for _ in 0..<500 {
      do {
        try await datastore.write { [id] context in
          (try context.object(with: id) as Employee).age += 1
        }
        ours += 1
      } catch is ConflictError {
        // Nine conflicts one after the other: it was not counted.
      }
    }
    let counted = try await theirs.value
    #expect(counted == 500)
    #expect(
      try SQLiteCommand.run("SELECT age FROM Employee WHERE _id = \(key)", on: url)
        == "\(ours + counted)")
    #expect(ours > 450)
  }

  // Promise: two programs change one row by `write` without a break → both get through, every count is
  // there; after 16 repetitions, at most 0.8 s of pauses, `ConflictError`.
  // Also: (no clock), `TwoWritersTests` (two processes; in `make fault-tests`)
  @Test("Repetitions pause for longer and longer, at random, and not for ever")
  func pauses() async throws {
    let pauses = Lock<[Duration]>([])
    var options = SwiftDatastore.Options()
    options.pause = { pause in pauses.withLock { $0.append(pause) } }
    let other = try SwiftDatastore(
      dataModel: TestModel.make(), url: #require(datastore.url), options: options)
    let begun = Lock(0)
    // Someone else counts between each reading and saving.
    func count(retries: Int, conflicts: Int) async throws {
      begun.withLock { $0 = 0 }
      pauses.withLock { $0 = [] }
      try await other.write(retries: retries) { [datastore, id] context in
        let employee: Employee? = try context.fetchFirst(where: \.$name == "Ann")
        employee?.age += 1
        let run = begun.withLock { count in
          count += 1
          return count
        }
        if run <= conflicts { try Self.add(1, to: id, in: datastore) }
      }
    }
    await #expect(throws: ConflictError.self) {
      try await count(retries: SwiftDatastore.defaultRetries, conflicts: .max)
    }
    let drawn = pauses.withLock { $0 }
    #expect(begun.withLock { $0 } == 17 && drawn.count == 16)
    for (index, pause) in drawn.enumerated() {
      let longest = Duration.milliseconds(min(1 << index, 64))
      #expect(pause <= longest && pause >= longest / 2, "\(index)")
    }
    #expect(drawn.reduce(.zero, +) <= .milliseconds(800))
    #expect(Set(drawn).count > 8, "they differ")
    try await count(retries: 16, conflicts: 3)
    #expect(begun.withLock { $0 } == 4 && pauses.withLock { $0.count } == 3)
    await #expect(throws: ConflictError.self) { try await count(retries: 0, conflicts: 1) }
    #expect(pauses.withLock { $0 } == [])
  }
}
