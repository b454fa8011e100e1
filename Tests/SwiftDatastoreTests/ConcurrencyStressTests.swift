import DatastoreCore
import DatastoreTestSupport
import Foundation
import SwiftDatastore
import Testing

/// Writers that run in any order; the final rules do not depend on it.
@MainActor
@Suite("Many writers")
struct ConcurrencyStressTests {
  /// All that a context shows of a datastore.
  private struct Snapshot: Equatable {
    var employees: [RowKey: [String?]] = [:]
    var companies: [RowKey: [RowKey]] = [:]

    init(_ context: some ObjectContext) throws {
      for employee in try context.fetch() as [Employee] {
        employees[employee.key] = [
          employee.name, "\(employee.age)", employee.phone, employee.company?.name,
          employee.tasks.map(\.title).joined(separator: ","),
        ]
      }
      for company in try context.fetch() as [Company] {
        companies[company.key] = company.employees.map(\.key).sorted()
      }
    }
  }

  private func fill(_ datastore: SwiftDatastore) async throws {
    try await datastore.write { context in
      for index in 0..<4 {
        let company: Company = try context.createObject()
        company.name = "company \(index)"
      }
      for index in 0..<30 {
        let employee: Employee = try context.createObject()
        employee.name = "employee \(index)"
        employee.age = index
      }
    }
  }

  /// One random change of shared rows. Reverts a conflict with another writer.
  ///
  /// - Returns: whether it was saved.
  private nonisolated static func change(
    _ context: SwiftDatastoreContext.Closure, _ random: inout SeededRandom
  ) throws -> Bool {
    let employees: [Employee] = try context.fetch(orderBy: [.asc(\.$name)])
    guard let employee = employees.randomElement(using: &random) else { return false }
    switch random.below(10) {
    case 0:
      let new: Employee = try context.createObject()
      new.name = "new \(random.next())"
      new.age = random.below(60)
    case 1 where employees.count > 20: context.deleteObject(employee)
    case 2, 3:
      employee.company = try (context.fetch() as [Company]).randomElement(using: &random)
    case 4:
      let job: Job = try context.createObject()
      job.title = "\(random.below(1000))"
      job.owner = employee
    case 5: employee.phone = "\(random.next())"
    case 6: employee.tasks = employee.tasks.reversed()
    default: employee.age = random.below(60)
    }
    do {
      return try !context.saveChanges().isEmpty
    } catch is ConflictError {
      context.revertChanges()
      return false
    } catch let error as StoreError {
      // The employee or the company was deleted by another writer.
      guard case .brokenReference = error else { throw error }
      context.revertChanges()
      return false
    }
  }

  /// Lets `count` writers make `saves` changes each, at the same time.
  private nonisolated static func write(
    _ datastore: SwiftDatastore, writers count: Int, saves: Int, seed: UInt64
  ) async throws -> [SwiftDatastoreContext] {
    let writers = (0..<count).map { _ in datastore.newContext() }
    let saved = try await withThrowingTaskGroup(of: Int.self) { group in
      for (index, writer) in writers.enumerated() {
        group.addTask {
          var saved = 0
          for save in 0..<saves {
            let isSaved = try await writer.perform { context in
              var random = SeededRandom(seed: seed &+ UInt64(index * 100_003 + save))
              return try change(context, &random)
            }
            if isSaved { saved += 1 }
          }
          return saved
        }
      }
      return try await group.reduce(0, +)
    }
    #expect(saved > count * saves / 2, "too few of the changes were saved to tell anything")
    return writers
  }

  @Test("After 4 writers with 200 saves each, every context shows what a new one reads")
  func mergeOrder() async throws {
    let seed: UInt64 = 20_240_611
    let datastore = try TestModel.file()
    try await fill(datastore)
    await drainMainQueue()
    let view = datastore.sharedViewContext
    // Held, so that merges have something to keep up to date.
    let held: [Employee] = try view.fetch()
    let companies: [Company] = try view.fetch()
    for company in companies { #expect(company.employees.isEmpty) }
    let writers = try await Self.write(datastore, writers: 4, saves: 200, seed: seed)
    await drainMainQueue()
    let fresh = try await datastore.newContext().perform { try Snapshot($0) }
    let shown = try Snapshot(view)
    #expect(shown.employees == fresh.employees, "seed \(seed)")
    #expect(shown.companies == fresh.companies, "seed \(seed)")
    #expect(view.core.graph.brokenInvariants() == [], "seed \(seed)")
    for writer in writers {
      let snapshot = try await writer.perform { context in
        #expect(context.core.graph.brokenInvariants() == [], "seed \(seed)")
        return try Snapshot(context)
      }
      #expect(snapshot == fresh, "seed \(seed)")
    }
    withExtendedLifetime((held, companies)) {}
  }

  @Test("A controller under 4 writers ends with the list that a new one fetches")
  func controller() async throws {
    let seed: UInt64 = 77
    let datastore = try TestModel.file()
    try await fill(datastore)
    await drainMainQueue()
    func makeController() -> FetchedObjectsController<Employee> {
      FetchedObjectsController<Employee>(
        viewContext: datastore.sharedViewContext, where: \.$age > 15,
        orderBy: [.desc(\.$age), .asc(\.$name)], groupBy: \.$phone)
    }
    func names(_ controller: FetchedObjectsController<Employee>) -> [[String]] {
      (0..<controller.numberOfSections).map { section in
        (0..<controller.numberOfObjects(inSection: section)).compactMap { row in
          controller.getObject(at: IndexPath(row: row, section: section))?.name
        }
      }
    }
    let controller = makeController()
    controller.fetchFailed = { Issue.record($0) }
    try await controller.performFetch()
    _ = try await Self.write(datastore, writers: 4, saves: 100, seed: seed)
    await drainMainQueue()
    await controller.settled()
    let new = makeController()
    try await new.performFetch()
    #expect(names(controller) == names(new), "seed \(seed)")
    #expect(
      (0..<controller.numberOfSections).map { controller.sectionName(inSection: $0) }
        == (0..<new.numberOfSections).map { new.sectionName(inSection: $0) })
  }
}
