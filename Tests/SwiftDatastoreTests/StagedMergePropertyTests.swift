import DatastoreCore
import DatastoreTestSupport
import Foundation
import SwiftDatastore
import Testing

/// Relationships that are staged in one context and changed in the store by others at the same time.
@MainActor
@Suite("Merging under staged relationships")
struct StagedMergePropertyTests {
  private struct Objects {
    let employees: [Employee]
    let companies: [Company]
    let jobs: [Job]

    @MainActor
    init(_ view: SwiftDatastoreViewContext) throws {
      employees = try view.fetch(orderBy: [.asc(\.$name)])
      companies = try view.fetch(orderBy: [.asc(\.$name)])
      jobs = try view.fetch(orderBy: [.asc(\.$title)])
    }
  }

  private func makeDatastore(_ engine: TestEngine) async throws -> SwiftDatastore {
    // In memory, nothing reads while others write.
    let datastore =
      try engine == .sqlite ? TestModel.file() : engine.makeDatastore(TestModel.make())
    try await datastore.write { context in
      let companies = try (0..<3).map { number in
        let company: Company = try context.createObject()
        company.name = "c\(number)"
        return company
      }
      let employees = try (0..<4).map { number in
        let employee: Employee = try context.createObject()
        employee.name = "e\(number)"
        employee.company = companies[number % 3]
        return employee
      }
      for number in 0..<4 {
        let job: Job = try context.createObject()
        job.title = "j\(number)"
        job.owner = employees[number]
      }
    }
    return datastore
  }

  /// A case is a run of operations, after each of which both sides of every relationship agree; in the end,
  /// reverting everything leaves the stored state.
  @Test(arguments: TestEngine.rounds(of: 40))
  func bothSidesStayTrue(engine: TestEngine, round: Int) async throws {
    let seed = RandomCases.seed(round)
    var random = SeededRandom(seed: seed)
    let datastore = try await makeDatastore(engine)
    let view = datastore.sharedViewContext
    let other = datastore.newContext()
    view.isUndoEnabled = true
    let objects = try Objects(view)
    for step in 0..<40 {
      let what = try await operate(view, objects, other, &random)
      await drainMainQueue()
      view.processPendingChanges()
      let note = "\(engine), seed \(seed), step \(step): \(what)"
      // Objects must not are in an expectation: one that fails looks into all they lead to.
      let broken = view.core.graph.brokenInvariants() + Self.disagreements(objects)
      try #require(broken == [], "\(note)")
    }
    if random.below(2) == 0 {
      while view.canUndo { view.undo() }
      let left = view.core.graph.stagedObjects().map { "\($0)" }
      #expect(left == [], "\(engine), seed \(seed): undone \(left)")
    }
    view.revertChanges()
    let mine = try Self.read(view)
    let stored = try await datastore.newContext().perform { try Self.read($0) }
    #expect(mine == stored, "\(engine), seed \(seed)")
  }

  /// The relationships whose two sides disagree.
  private static func disagreements(_ objects: Objects) -> [String] {
    var found: [String] = []
    for company in objects.companies {
      let led = objects.employees.filter { $0.company === company }.map(\.name).sorted()
      let members = company.employees.map(\.name).sorted()
      if members != led { found.append("\(company.name) has \(members), not \(led)") }
    }
    for employee in objects.employees {
      let led = objects.jobs.filter { $0.owner === employee }.map(\.title).sorted()
      let members = employee.tasks.map(\.title).sorted()
      if members != led { found.append("\(employee.name) has \(members), not \(led)") }
    }
    return found
  }

  private func operate(
    _ view: SwiftDatastoreViewContext, _ objects: Objects, _ other: SwiftDatastoreContext,
    _ random: inout SeededRandom
  ) async throws -> String {
    let employee = random.below(4)
    let company = random.below(4)
    let job = random.below(4)
    switch random.below(12) {
    case 0...3:
      view.undoGroup {
        objects.employees[employee].company = company < 3 ? objects.companies[company] : nil
      }
      return "e\(employee) to c\(company)"
    case 4:
      view.undoGroup { objects.jobs[job].owner = objects.employees[employee] }
      return "j\(job) to e\(employee)"
    case 5, 6:
      try await other.perform { context in
        let moved: Employee = try #require(
          try context.fetchFirst(where: \.$name == "e\(employee)"))
        moved.company = try context.fetchFirst(where: \.$name == "c\(company)")
        try context.saveChanges()
      }
      return "others: e\(employee) to c\(company)"
    case 7:
      try await other.perform { context in
        let moved: Job = try #require(try context.fetchFirst(where: \.$title == "j\(job)"))
        moved.owner = try context.fetchFirst(where: \.$name == "e\(employee)")
        try context.saveChanges()
      }
      return "others: j\(job) to e\(employee)"
    case 8:
      let key = company < 3 ? Value.key(objects.companies[company].key) : .null
      try await other.perform { context in
        _ = try context.updateMany(
          entityName: "Employee",
          where: .comparison(
            Predicate.Comparison(.keyPath(["name"]), .equal, .value(.text("e\(employee)")))),
          values: ["company": key])
      }
      return "batch: e\(employee) to c\(company)"
    case 9:
      view.undo()
      return "undo"
    case 10:
      view.redo()
      return "redo"
    default:
      view.revertChanges(of: objects.employees[employee])
      return "revert e\(employee)"
    }
  }

  private nonisolated static func read(_ context: some ObjectContext) throws -> [String] {
    let employees: [Employee] = try context.fetch(orderBy: [.asc(\.$name)])
    let jobs: [Job] = try context.fetch(orderBy: [.asc(\.$title)])
    return employees.map { "\($0.name) \($0.company?.name ?? "-")" }
      + jobs.map { "\($0.title) \($0.owner?.name ?? "-")" }
  }
}
