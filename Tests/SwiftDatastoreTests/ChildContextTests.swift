import DatastoreTestSupport
import Foundation
import SwiftDatastore
import Testing

@Suite struct ChildContextTests {
  @Test func aChildSeesWhatIsStagedInItsParentAndSavesIntoIt() async throws {
    let datastore = try TestModel.file()
    let parent = datastore.newContext()
    let child = parent.createNewChildContext()
    let companyID = try await parent.perform { context in
      let company: Company = try context.createObject()
      company.name = "staged"
      return company.objectID
    }
    let employeeID = try await child.perform { context in
      let company: Company = try #require(try context.fetchFirst())
      #expect(company.name == "staged")
      company.name = "edited"
      let employee: Employee = try context.createObject()
      employee.name = "Tom"
      employee.company = company
      let tasks: [Job] = try (0..<3).map { index in
        let job: Job = try context.createObject()
        job.title = "\(index)"
        return job
      }
      employee.tasks = tasks.reversed()
      let tag: Tag = try context.createObject()
      tag.label = "t"
      company.tags = [tag]
      try context.saveChanges()
      #expect(!context.hasChanges)
      return employee.objectID
    }
    let inStore = try await datastore.newContext().perform { try $0.count(Company.self) }
    #expect(inStore == 0, "a child saves one level up only")
    try await parent.perform { context in
      let company: Company = try context.object(with: companyID)
      let employee: Employee = try context.object(with: employeeID)
      #expect(company.name == "edited")
      #expect(company.employees == [employee])
      #expect(employee.tasks.map(\.title) == ["2", "1", "0"])
      #expect(company.tags.map(\.label) == ["t"])
      #expect(company.tags.first?.companies == [company])
      #expect(context.core.graph.brokenInvariants() == [])
      try context.saveChanges()
    }
    try await datastore.newContext().perform { context in
      let employee: Employee = try context.object(with: employeeID)
      #expect(employee.company?.name == "edited")
      #expect(employee.tasks.map(\.title) == ["2", "1", "0"])
      #expect(employee.company?.tags.count == 1)
    }
  }

  @Test func aGrandchildDeletesUpTheLine() async throws {
    let datastore = try TestModel.file()
    try await datastore.write { context in
      let company: Company = try context.createObject()
      company.name = "A"
      let employee: Employee = try context.createObject()
      employee.name = "Tom"
      employee.company = company
    }
    let parent = datastore.newContext()
    let child = parent.createNewChildContext()
    let grandchild = child.createNewChildContext()
    try await grandchild.perform { context in
      let company: Company = try #require(try context.fetchFirst())
      context.deleteObject(company)
      try context.saveChanges()
    }
    try await child.perform { context in
      #expect(context.deletedObjects.count == 2)
      try context.saveChanges()
    }
    try await parent.perform { context in
      #expect(try context.count(Employee.self) == 0)
      #expect(context.core.graph.brokenInvariants() == [])
      try context.saveChanges()
    }
    #expect(try await datastore.newContext().perform { try $0.count(Company.self) } == 0)
  }

  @Test func aParentThatChangedTheSamePropertyConflicts() async throws {
    let datastore = try TestModel.inMemory()
    let parent = datastore.newContext()
    let child = parent.createNewChildContext()
    let id = try await parent.perform { context in
      let company: Company = try context.createObject()
      company.name = "original"
      try context.saveChanges()
      return company.objectID
    }
    try await child.perform { context in
      let company: Company = try context.object(with: id)
      company.name = "child"
    }
    try await parent.perform { context in
      let company: Company = try context.object(with: id)
      company.name = "parent"
    }
    try await child.perform { context in
      #expect(throws: ConflictError.self) { try context.saveChanges() }
      context.mergePolicy = .objectTrump
      try context.saveChanges()
    }
    let name = try await parent.perform { context in
      (try context.object(with: id) as Company).name
    }
    #expect(name == "child")
  }

  @Test func objectsConvertBetweenTreesOnceTheyAreSaved() async throws {
    let datastore = try TestModel.file()
    let first = datastore.newContext().createNewChildContext()
    let second = datastore.newContext().createNewChildContext()
    let unsaved = try await first.perform { context in
      let company: Company = try context.createObject()
      company.name = "A"
      return company.objectID
    }
    await #expect(throws: ObjectNotFoundError.self) {
      try await second.perform { context in
        _ = try context.object(with: unsaved) as Company
      }
    }
    let saved = try await datastore.write { context in
      let company: Company = try context.createObject()
      company.name = "B"
      return company.objectID
    }
    let name = try await second.perform { context in
      (try context.object(with: saved) as Company).name
    }
    #expect(name == "B")
  }

  /// The same random work in a grandchild, saved level by level, and directly in a context. A case is
  /// one step of the work, after which the grandchild's graph is whole.
  @Test(arguments: RandomCases.rounds(of: 40))
  func savingThroughChildrenGivesWhatSavingDirectlyGives(round: Int) async throws {
    let seed = RandomCases.seed(round)
    func result(depth: Int) async throws -> [String] {
      let datastore = try TestModel.inMemory()
      var chain = [datastore.newContext()]
      for _ in 0..<depth { chain.append(chain[chain.count - 1].createNewChildContext()) }
      let contexts = chain
      for turn in 0..<4 {
        try await contexts[contexts.count - 1].perform { context in
          var random = SeededRandom(seed: seed &+ UInt64(turn))
          for step in 0..<10 {
            try work(context, &random, turn * 100 + step)
            try #require(context.core.graph.brokenInvariants() == [], "seed \(seed), step \(step)")
          }
          try context.saveChanges()
        }
        for context in contexts.dropLast().reversed() {
          try await context.perform { context in
            #expect(context.core.graph.brokenInvariants() == [])
            try context.saveChanges()
          }
        }
      }
      return try await datastore.newContext().perform { try describe($0) }
    }
    let direct = try await result(depth: 0)
    let nested = try await result(depth: 2)
    #expect(direct == nested, "seed \(seed)")
  }
}

private func work(
  _ context: SwiftDatastoreContext.Closure, _ random: inout SeededRandom, _ step: Int
) throws {
  let employees: [Employee] = try context.fetch(orderBy: [.asc(\.$name)])
  let companies: [Company] = try context.fetch(orderBy: [.asc(\.$name)])
  let tags: [Tag] = try context.fetch(orderBy: [.asc(\.$label)])
  switch random.below(8) {
  case 0:
    let company: Company = try context.createObject()
    company.name = "c\(step)"
  case 1:
    let tag: Tag = try context.createObject()
    tag.label = "t\(step)"
    tag.companies = Set(companies.filter { _ in random.below(2) == 0 })
  case 2: companies.randomElement(using: &random)?.tags = Set(tags)
  case 3:
    employees.randomElement(using: &random)?.company = companies.randomElement(using: &random)
  case 4:
    if let employee = employees.randomElement(using: &random) { context.deleteObject(employee) }
  case 5:
    employees.randomElement(using: &random)?.manager = employees.randomElement(using: &random)
  default:
    let employee: Employee = try context.createObject()
    employee.name = "e\(step)"
    employee.company = companies.randomElement(using: &random)
    let job: Job = try context.createObject()
    job.title = "j\(step)"
    employee.tasks.append(job)
  }
}

private func describe(_ context: SwiftDatastoreContext.Closure) throws -> [String] {
  let employees: [Employee] = try context.fetch()
  let companies: [Company] = try context.fetch()
  return
    (employees.map {
      "\($0.name) \($0.company?.name ?? "-") \($0.tasks.map(\.title)) \($0.manager?.name ?? "-")"
    }
    + companies.map {
      "\($0.name) \($0.employees.map(\.name).sorted()) \($0.tags.map(\.label).sorted())"
    }).sorted()
}
