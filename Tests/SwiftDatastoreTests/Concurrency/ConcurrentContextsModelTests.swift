import DatastoreCore
import DatastoreSQLite
import DatastoreTestSupport
import Foundation
import SwiftDatastore
import Testing

// Promise: contexts count, move, insert and delete at the same time → the file is the ledger of successful
// saves, every context and list shows it.
/// Contexts that count, move, delete and insert at the same time, by a random schedule; and another process
/// beside them.
///
/// At every quiet moment the file has the results of all successful saves, each list equals a fetch, and
/// every context shows the stored rows. No read ever traps.
@MainActor
@Suite("Concurrent contexts against a ledger", .serialized)
struct ConcurrentContextsModelTests {
  /// The rounds: `DATASTORE_FAULT_ROUNDS` for the long run, otherwise as many as the cases allow.
  private nonisolated static let rounds: Range<Int> = {
    let rounds = ProcessInfo.processInfo.environment["DATASTORE_FAULT_ROUNDS"].flatMap { Int($0) }
    return rounds.map { 0..<max(1, $0) } ?? RandomCases.rounds(of: 1_000)
  }()

  @Test(arguments: rounds, [false, true])
  func theFileIsTheLedger(round: Int, besideAnotherProcess: Bool) async throws {
    let seed = RandomCases.seed(round)
    var random = SeededRandom(seed: seed)
    let world = try await World(seed: seed, besideAnotherProcess: besideAnotherProcess)
    for burst in 0..<4 {
      let seeds = (0..<World.workers).map { _ in random.next() }
      try await world.work(seeds, in: &random)
      try await world.expectQuiet("seed \(seed), burst \(burst)")
    }
  }
}

/// One worker in its context, step by step.
private struct Worker {
  let name: String
  let ledger: Ledger
  /// The staged changes.
  var staged: [Ledger.Entry] = []
  var count = 0

  mutating func step(
    in context: some ObjectContext, saves: Bool, _ random: inout SeededRandom
  ) throws {
    let all: [Employee] = try context.fetch()
    guard !all.isEmpty else { return try insert(in: context, &random) }
    switch random.below(14) {
    case 0...5:
      for _ in 0..<1 + random.below(3) {
        let employee = all[random.below(all.count)]
        guard !employee.isDeleted else { continue }
        employee.age += 1
        staged.append(.counted(employee.id))
      }
    case 6, 7:
      let employee = all[random.below(all.count)]
      guard !employee.isDeleted else { break }
      let to = random.below(4) == 0 ? nil : Position.allCases[random.below(3)]
      guard to != employee.position else { break }
      staged.append(.moved(employee.id, from: employee.position, to: to))
      employee.position = to
    case 8: try insert(in: context, &random)
    case 9 where all.count > 20:
      let employee = all[random.below(all.count)]
      staged.append(.deleted(employee.id))
      context.deleteObject(employee)
    case 10:
      let employee = all[random.below(all.count)]
      let boss = all[random.below(all.count)]
      guard !employee.isDeleted, !boss.isDeleted else { break }
      employee.manager = random.below(3) == 0 ? nil : boss
    case 11:
      // Renames many at once, so that lists are read again.
      for employee in all where !employee.isDeleted && random.below(2) == 0 {
        count += 1
        employee.name = "\(random.below(100)) \(name) \(count)"
      }
    default: try read(all)
    }
    if saves { save(context) }
  }

  private mutating func insert(
    in context: some ObjectContext, _ random: inout SeededRandom
  ) throws {
    for _ in 0..<1 + random.below(4) {
      count += 1
      let employee: Employee = try context.createObject()
      employee.name = "\(random.below(100)) \(name) \(count)"
      employee.age = random.below(100)
      employee.position = Position.allCases[random.below(3)]
      staged.append(
        .inserted(employee.id, employee.key, age: employee.age, position: employee.position))
    }
  }

  /// Looks at everything that can be reached, as a user would.
  private func read(_ all: [Employee]) throws {
    for employee in all where !employee.isDeleted {
      #expect(!employee.name.isEmpty && employee.age >= 0)
      if let boss = employee.manager {
        #expect(!boss.name.isEmpty)
        for colleague in boss.reports { #expect(!colleague.name.isEmpty) }
      }
      for job in employee.tasks { #expect(!job.title.isEmpty) }
    }
  }

  /// Saves all staged changes, or reverts them.
  mutating func save(_ context: some ObjectContext) {
    do {
      let saved = try context.saveChanges()
      let keys = saved.rekeyed.values.reduce(into: [:]) { $0.merge($1) { key, _ in key } }
      ledger.add(staged.map { $0.renamed(keys) })
    } catch is ConflictError {
      context.revertChanges()
    } catch StoreError.brokenReference {
      // Someone else has deleted the manager.
      context.revertChanges()
    } catch {
      Issue.record(error)
      context.revertChanges()
    }
    staged = []
  }
}

/// A datastore with lists in the view context, and contexts that work beside it.
@MainActor
private final class World {
  static let workers = 3

  private let seed: UInt64
  private let datastore: SwiftDatastore
  private let contexts: [SwiftDatastoreContext]
  private let ledger = Ledger()
  private let program: OtherWriter?
  private let bySection: FetchedObjectsController<Employee>
  private let byManager: FetchedObjectsController<Employee>
  private var tokens: [ObserverToken] = []
  private var paid = 0.0
  private var view: SwiftDatastoreViewContext { datastore.sharedViewContext }

  init(seed: UInt64, besideAnotherProcess: Bool) async throws {
    self.seed = seed
    datastore = try TestModel.file()
    program = besideAnotherProcess ? try OtherWriter(#require(datastore.url), ledger) : nil
    contexts = (0..<Self.workers).map { [datastore] _ in datastore.newContext() }
    let view = datastore.sharedViewContext
    bySection = FetchedObjectsController(
      viewContext: view, orderBy: [.asc(\.$name)], groupBy: \.$position)
    byManager = FetchedObjectsController(
      viewContext: view, where: \.$age > 40, orderBy: [.asc(\.$manager ~ \.$name), .desc(\.$age)])
    let entries = try await datastore.write { context in
      try (0..<90).map { number in
        let employee: Employee = try context.createObject()
        employee.name = "\(number)"
        employee.age = number
        employee.position = Position.allCases[number % 3]
        return Entry(
          id: employee.id, key: employee.key, age: number, position: employee.position)
      }
    }
    ledger.add(entries.map { .inserted($0.id, $0.key, age: $0.age, position: $0.position) })
    try await bySection.performFetch()
    try await byManager.performFetch()
    for controller in [bySection, byManager] {
      controller.fetchFailed = { Issue.record($0, "seed \(seed)") }
      // Observers may read the objects that they receive.
      tokens.append(
        controller.observeChanges { change in
          switch change {
          case .inserted(let object, _), .updated(let object, _), .moved(let object, _, _):
            #expect(!object.name.isEmpty)
          case .deleted: break
          }
        })
    }
  }

  private struct Entry: Sendable {
    let id: UUID
    let key: RowKey
    let age: Int
    let position: Position?
  }

  /// Has all work at the same time until each has done its steps.
  func work(_ seeds: [UInt64], in random: inout SeededRandom) async throws {
    let ledger = ledger
    let last = paid
    try await withThrowingTaskGroup(of: Void.self) { group in
      for (index, context) in contexts.enumerated() {
        let seed = seeds[index]
        group.addTask {
          var random = SeededRandom(seed: seed)
          for step in 0..<25 {
            let own = random.next()
            try await context.perform { context in
              var random = SeededRandom(seed: own)
              var worker = Worker(name: "w\(index)", ledger: ledger, count: step * 1_000)
              if index == 0, random.below(8) == 0 {
                _ = try context.updateMany(
                  Employee.self,
                  propertiesToUpdate: [.init(\.$salary, last + Double(step + 1))])
              }
              try worker.step(in: context, saves: true, &random)
            }
          }
        }
      }
      if let program {
        let seed = random.next()
        group.addTask {
          var random = SeededRandom(seed: seed)
          for _ in 0..<25 {
            let own = random.next()
            await BlockingWork.run { program.step(SeededRandom(seed: own)) }
          }
        }
      }
      var worker = Worker(name: "view", ledger: ledger)
      for _ in 0..<25 {
        try worker.step(in: view, saves: random.below(3) == 0, &random)
        for controller in [bySection, byManager] where controller.numberOfFetchedObjects > 0 {
          let place = random.below(controller.numberOfFetchedObjects)
          if let object = controller.object(at: place) { #expect(!object.name.isEmpty) }
        }
        if program != nil, random.below(3) == 0 { try datastore.checkForExternalChanges() }
        await drainMainQueue()
      }
      worker.save(view)
      try await group.waitForAll()
    }
    paid += 100
  }

  /// Everything is saved and merged: all that can be compared must be equal.
  func expectQuiet(_ note: String) async throws {
    if program != nil { try datastore.checkForExternalChanges() }
    for _ in 0..<4 {
      await drainMainQueue()
      for controller in [bySection, byManager] { await controller.settled() }
    }
    #expect(!view.hasChanges, "\(note)")
    let stored = try await datastore.newContext().perform { try Self.values($0) }
    let sharing = ledger.sharingKeys
    let expected = ledger.rows
    let unknown = Set(stored.keys).symmetricDifference(expected.keys)
    #expect(unknown.subtracting(sharing) == [], "\(note): rows of the file or of the ledger only")
    for (key, row) in expected where !sharing.contains(key) {
      guard let values = stored[key] else { continue }
      #expect(values.age == row.age, "\(note): the count of \(key)")
      let positions = row.positions.filter { $0.value != 0 }
      #expect(positions == [values.position: 1], "\(note): the position of \(key)")
    }
    #expect(try Self.values(view) == stored, "\(note): the view context")
    for context in contexts {
      let shown = try await context.perform { try Self.values($0) }
      #expect(shown == stored, "\(note): a background context")
    }
    for controller in [bySection, byManager] {
      let fresh = try FetchedObjectsController<Employee>(
        viewContext: view, same: controller)
      try await fresh.performFetch()
      #expect(controller.list == fresh.list, "\(note)")
      for place in 0..<controller.numberOfFetchedObjects {
        #expect(controller.object(at: place) != nil, "\(note)")
      }
    }
    #expect(view.core.graph.brokenInvariants() == [], "\(note)")
  }

  private struct Values: Hashable, Sendable {
    let name: String
    let age: Int
    let position: Int
    let salary: Double
    let manager: UUID?
  }

  private nonisolated static func values(_ context: some ObjectContext) throws -> [UUID: Values] {
    let employees: [Employee] = try context.fetch()
    return Dictionary(
      uniqueKeysWithValues: employees.map { employee in
        (
          employee.id,
          Values(
            name: employee.name, age: employee.age, position: Ledger.number(employee.position),
            salary: employee.salary, manager: employee.manager?.id)
        )
      })
  }
}

extension FetchedObjectsController where T == Employee {
  /// Another controller for the same list.
  fileprivate convenience init(
    viewContext: SwiftDatastoreViewContext, same other: FetchedObjectsController<Employee>
  ) throws {
    if other.groupKeyPath != nil {
      self.init(viewContext: viewContext, orderBy: [.asc(\.$name)], groupBy: \.$position)
    } else {
      self.init(
        viewContext: viewContext, where: \.$age > 40,
        orderBy: [.asc(\.$manager ~ \.$name), .desc(\.$age)])
    }
  }
}
