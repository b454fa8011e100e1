import DatastoreCore
import DatastoreTestSupport
import Foundation
import SwiftDatastore
import Testing

#if PostgreSQL
import DatastorePostgreSQL
import SwiftDatastorePostgreSQL
#endif

// Promise: the graph means something else on one engine → random operations from one source, on both.
/// Random operations on a graph, against a plain model of what they mean.
@Suite struct GraphPropertyTests {
  /// The expected objects: relationships from one side each; the other side follows.
  struct Expected: Equatable {
    var company: [UUID: String?] = [:]
    var tasks: [UUID: [String]] = [:]
    var manager: [UUID: UUID] = [:]
    var desk: [UUID: Int] = [:]
    var tags: Set<[String]> = []
    var companies: Set<String> = []
    var jobs: Set<String> = []
    var desks: Set<Int> = []
    var labels: Set<String> = []
  }

  /// A case is one operation, after which the graph is consistent and has the expected content.
  @Test(arguments: TestEngine.allCases, RandomCases.rounds(of: 60))
  func randomOperationsKeepBothSidesTrue(engine: TestEngine, round: Int) async throws {
    try await Self.run(engine.makeDatastore(TestModel.make()), "\(engine)", RandomCases.seed(round))
  }

  #if PostgreSQL
  /// Servers that lack something: each thing by itself, then all.
  static let missing: [ServerCapabilities] =
    [
      .packedKeys, .snapshots, .notifications, .ownSession, .deferrableUnique,
      .deferrableReferences,
    ] + [.all]

  @Test(arguments: missing, RandomCases.rounds(of: 1_000))
  func randomOperationsKeepBothSidesTrue(
    without missing: ServerCapabilities, round: Int
  ) async throws {
    let server = try PostgreSQLServer.shared()
    let datastore = try SwiftDatastore(
      dataModel: TestModel.make(), postgreSQL: server.address(of: "postgres"),
      storeName: UUID().uuidString, without: missing)
    try await Self.run(datastore, "without \(missing)", RandomCases.seed(round))
  }
  #endif

  private static func run(
    _ datastore: SwiftDatastore, _ engine: String, _ seed: UInt64
  ) async throws {
    let context = datastore.newContext()
    try await context.perform { context in
      var random = SeededRandom(seed: seed)
      var expected = Expected()
      var saved = Expected()
      for step in 0..<60 {
        try Self.operate(context, &expected, &saved, &random)
        let broken = context.core.graph.brokenInvariants()
        try #require(broken == [], "\(engine), seed \(seed), step \(step)")
        let actual = try Self.read(context)
        try #require(actual == expected, "\(engine), seed \(seed), step \(step)")
      }
      try context.saveChanges()
    }
    let final = try await context.perform { try Self.read($0) }
    let fresh = try await datastore.newContext().perform { try Self.read($0) }
    #expect(fresh == final, "\(engine), seed \(seed): a new context reads something else")
  }

  static func operate(
    _ context: SwiftDatastoreContext.Closure, _ expected: inout Expected, _ saved: inout Expected,
    _ random: inout SeededRandom
  ) throws {
    let employees: [Employee] = try context.fetch(orderBy: [.asc(\.$name)])
    let companies: [Company] = try context.fetch(orderBy: [.asc(\.$name)])
    let jobs: [Job] = try context.fetch(orderBy: [.asc(\.$title)])
    switch random.below(14) {
    case 0, 1:
      let employee: Employee = try context.createObject()
      employee.name = "e\(random.next())"
      expected.company[employee.id] = .some(nil)
      expected.tasks[employee.id] = []
    case 2:
      let company: Company = try context.createObject()
      company.name = "c\(random.next())"
      expected.companies.insert(company.name)
    case 3:
      let job: Job = try context.createObject()
      job.title = "j\(random.next())"
      expected.jobs.insert(job.title)
    case 4:
      guard let employee = employees.randomElement(using: &random) else { return }
      let company = random.below(4) == 0 ? nil : companies.randomElement(using: &random)
      employee.company = company
      expected.company[employee.id] = .some(company?.name)
    case 5:
      guard let company = companies.randomElement(using: &random) else { return }
      let members = employees.filter { _ in random.below(3) == 0 }
      company.employees = Set(members)
      for (id, name) in expected.company where name == company.name {
        expected.company[id] = .some(nil)
      }
      for member in members { expected.company[member.id] = .some(company.name) }
    case 6:
      guard let employee = employees.randomElement(using: &random) else { return }
      let list = jobs.filter { _ in random.below(3) == 0 }.shuffled(using: &random)
      employee.tasks = list
      expected.take(list.map(\.title))
      expected.tasks[employee.id] = list.map(\.title)
    case 7:
      guard let job = jobs.randomElement(using: &random) else { return }
      let owner = employees.randomElement(using: &random)
      if job.owner === owner { return }
      job.owner = owner
      expected.take([job.title])
      if let owner { expected.tasks[owner.id]?.append(job.title) }
    case 8:
      guard let employee = employees.randomElement(using: &random) else { return }
      let boss = employees.randomElement(using: &random)
      employee.manager = boss
      expected.manager[employee.id] = boss?.id
    case 9:
      guard let employee = employees.randomElement(using: &random) else { return }
      for job in employee.tasks { expected.jobs.remove(job.title) }
      expected.forget(employee.id)
      context.deleteObject(employee)
    case 10:
      guard let company = companies.randomElement(using: &random), random.below(3) == 0 else {
        return
      }
      for employee in company.employees {
        for job in employee.tasks { expected.jobs.remove(job.title) }
        expected.forget(employee.id)
      }
      expected.companies.remove(company.name)
      expected.tags = expected.tags.filter { $0[0] != company.name }
      context.deleteObject(company)
    case 11:
      guard let company = companies.randomElement(using: &random) else { return }
      let tag: Tag
      let tags: [Tag] = try context.fetch(orderBy: [.asc(\.$label)])
      if let known = tags.randomElement(using: &random), random.below(2) == 0 {
        tag = known
      } else {
        tag = try context.createObject()
        tag.label = "t\(random.next())"
        expected.labels.insert(tag.label)
      }
      if company.tags.contains(tag) {
        company.tags.remove(tag)
        expected.tags.remove([company.name, tag.label])
      } else {
        tag.companies.insert(company)
        expected.tags.insert([company.name, tag.label])
      }
    case 12:
      if random.below(3) == 0 {
        context.revertChanges()
        expected = saved
      } else {
        try context.saveChanges()
        saved = expected
      }
    default:
      guard let employee = employees.randomElement(using: &random) else { return }
      let desks: [Desk] = try context.fetch(orderBy: [.asc(\.$number)])
      let desk: Desk
      if let known = desks.randomElement(using: &random), random.below(2) == 0 {
        desk = known
      } else {
        desk = try context.createObject()
        desk.number = random.below(1_000_000_000)
        expected.desks.insert(desk.number)
      }
      if random.below(2) == 0 { employee.desk = desk } else { desk.employee = employee }
      expected.desk = expected.desk.filter { $0.value != desk.number }
      expected.desk[employee.id] = desk.number
    }
  }

  static func read(_ context: SwiftDatastoreContext.Closure) throws -> Expected {
    var actual = Expected()
    let employees: [Employee] = try context.fetch()
    for employee in employees {
      actual.company[employee.id] = .some(employee.company?.name)
      actual.tasks[employee.id] = employee.tasks.map(\.title)
      actual.manager[employee.id] = employee.manager?.id
      actual.desk[employee.id] = employee.desk?.number
    }
    let companies: [Company] = try context.fetch()
    for company in companies {
      actual.companies.insert(company.name)
      for tag in company.tags { actual.tags.insert([company.name, tag.label]) }
    }
    actual.jobs = Set((try context.fetch() as [Job]).map(\.title))
    actual.desks = Set((try context.fetch() as [Desk]).map(\.number))
    actual.labels = Set((try context.fetch() as [Tag]).map(\.label))
    return actual
  }
}

extension GraphPropertyTests.Expected {
  /// The jobs leave their owners.
  mutating func take(_ titles: [String]) {
    for (id, tasks) in self.tasks { self.tasks[id] = tasks.filter { !titles.contains($0) } }
  }

  mutating func forget(_ id: UUID) {
    company[id] = nil
    tasks[id] = nil
    desk[id] = nil
    manager[id] = nil
    manager = manager.filter { $0.value != id }
  }
}
