import DatastoreTestSupport
import Foundation
import SwiftDatastore
import Testing

@Suite struct UndoTests {
  @Test func undoAndRedoRestoreValuesRelationshipsAndObjects() async throws {
    let datastore = try TestModel.inMemory()
    try await datastore.newContext().perform { context in
      let company: Company = try context.createObject()
      company.name = "A"
      let tom: Employee = try context.createObject()
      tom.name = "Tom"
      tom.company = company
      try context.saveChanges()
      context.isUndoEnabled = true

      context.undoGroup { tom.name = "Tim" }
      context.undoGroup { tom.company = nil }
      context.undoGroup { context.deleteObject(company) }
      #expect(company.isDeleted)
      context.undo()
      #expect(!company.isDeleted)
      #expect(company.employees.isEmpty)
      context.undo()
      #expect(tom.company === company)
      #expect(company.employees == [tom])
      #expect(tom.name == "Tim")
      context.undo()
      #expect(tom.name == "Tom")
      #expect(!context.canUndo)
      #expect(!context.hasChanges)
      context.redo()
      context.redo()
      context.redo()
      #expect(tom.name == "Tim")
      #expect(tom.company == nil)
      #expect(company.isDeleted)
      #expect(!context.canRedo)
      #expect(context.core.graph.brokenInvariants() == [])
    }
  }

  @Test func undoAfterASaveStagesTheOpposite() async throws {
    let datastore = try TestModel.inMemory()
    let context = datastore.newContext()
    try await context.perform { context in
      context.isUndoEnabled = true
      let tom: Employee = try context.undoGroup {
        let tom: Employee = try context.createObject()
        tom.name = "Tom"
        tom.phone = "1"
        return tom
      }
      try context.saveChanges()
      context.undo()
      #expect(tom.isDeleted)
      try context.saveChanges()
      context.redo()
      #expect(tom.isInserted)
      #expect(tom.name == "Tom")
      try context.saveChanges()
    }
    try await datastore.newContext().perform { context in
      let all: [Employee] = try context.fetch()
      #expect(all.map(\.name) == ["Tom"])
      #expect(all.first?.phone == "1")
    }
  }

  /// Undoing group by group gives every state again, backwards, and redoing forwards. A case is one
  /// group of random staging, with the states before and after it.
  @Test(arguments: RandomCases.rounds(of: 20))
  func undoingStepByStepGivesEveryStateAgain(round: Int) async throws {
    let seed = RandomCases.seed(round)
    let datastore = try TestModel.inMemory()
    try await datastore.newContext().perform { context in
      var random = SeededRandom(seed: seed)
      for index in 0..<6 {
        let employee: Employee = try context.createObject()
        employee.name = "e\(index)"
        let company: Company = try context.createObject()
        company.name = "c\(index)"
        let job: Job = try context.createObject()
        job.title = "j\(index)"
      }
      try context.saveChanges()
      context.isUndoEnabled = true
      var states = [try describe(context)]
      /// Adds the current state, unless it equals the last one: a step may have no effect.
      func check(_ what: String, _ states: inout [[String]]) throws {
        let note = Comment(rawValue: "seed \(seed), \(what)")
        try #require(context.core.graph.brokenInvariants() == [], note)
        let state = try describe(context)
        if state != states.last { states.append(state) }
      }
      for step in 0..<20 {
        try context.undoGroup { try stage(context, &random, step) }
        try check("step \(step)", &states)
      }
      var undone = [states[states.count - 1]]
      while context.canUndo {
        context.undo()
        try check("undone to \(states.count - undone.count)", &undone)
      }
      try #require(undone == states.reversed(), "seed \(seed)")
      var redone = [states[0]]
      while context.canRedo {
        context.redo()
        try check("redone to \(redone.count)", &redone)
      }
      try #require(redone == states, "seed \(seed)")
    }
  }
}

private func stage(
  _ context: SwiftDatastoreContext.Closure, _ random: inout SeededRandom, _ step: Int
) throws {
  let employees: [Employee] = try context.fetch(orderBy: [.asc(\.$name)])
  let companies: [Company] = try context.fetch(orderBy: [.asc(\.$name)])
  let jobs: [Job] = try context.fetch(orderBy: [.asc(\.$title)])
  guard let employee = employees.randomElement(using: &random),
    let company = companies.randomElement(using: &random)
  else { return }
  switch random.below(8) {
  case 0: employee.name = "n\(step)"
  case 1: employee.company = company
  case 2: company.employees = Set(employees.filter { _ in random.below(2) == 0 })
  case 3: employee.tasks = jobs.filter { _ in random.below(2) == 0 }.shuffled(using: &random)
  case 4: jobs.randomElement(using: &random)?.owner = employee
  case 5: context.deleteObject(employee)
  case 6: if random.below(3) == 0 { context.deleteObject(company) }
  default:
    let new: Employee = try context.createObject()
    new.name = "new\(step)"
    new.company = company
    new.manager = employee
  }
}

private func describe(_ context: SwiftDatastoreContext.Closure) throws -> [String] {
  let employees: [Employee] = try context.fetch()
  let companies: [Company] = try context.fetch()
  let jobs: [Job] = try context.fetch()
  return
    (employees.map {
      "\($0.key) \($0.name) \($0.company?.name ?? "-") \($0.tasks.map(\.title)) "
        + "\($0.manager?.key ?? 0) \($0.reports.map(\.key).sorted())"
    } + companies.map { "\($0.name) \($0.employees.map(\.key).sorted())" }
    + jobs.map { "\($0.title) \($0.owner?.key ?? 0)" }).sorted()
}

extension UndoTests {
  @Test("A group is what was staged between its beginning and its end; they may nest")
  func beginningAndEnding() throws {
    let context = try TestModel.inMemory().newLocalContext()
    let tom: Employee = try context.createObject()
    context.beginUndoGrouping()
    tom.name = "A"
    context.endUndoGrouping()
    #expect(!context.canUndo)
    context.isUndoEnabled = true
    for name in ["B", "C"] {
      context.beginUndoGrouping()
      context.undoGroup { tom.phone = name }
      tom.name = name
      context.endUndoGrouping()
    }
    context.undo()
    #expect(tom.name == "B" && tom.phone == "B")
    context.undo()
    #expect(tom.name == "A" && tom.phone == nil)
    context.redo()
    #expect(tom.name == "B")
  }
}
