import DatastoreCore
import DatastoreTestSupport
import Foundation
import Testing

@testable import SwiftDatastore

/// Lists sorted by the number of related objects: after any change on either side of the relationship, they
/// equal a fetch. A case is one operation.
@MainActor
@Suite struct ControllerCountOrderTests {
  private func names(_ controller: FetchedObjectsController<Company>) -> [String] {
    (0..<controller.numberOfFetchedObjects).compactMap { controller.object(at: $0)?.name }
  }

  @Test func aNewMemberMovesItsOwner() async throws {
    let datastore = try TestModel.inMemory()
    let view = datastore.sharedViewContext
    try await datastore.write { context in
      for (name, members) in [("A", 1), ("B", 2), ("C", 0)] {
        let company: Company = try context.createObject()
        company.name = name
        for _ in 0..<members {
          let employee: Employee = try context.createObject()
          employee.name = "X"
          employee.company = company
        }
      }
    }
    await drainMainQueue()
    let controller = FetchedObjectsController<Company>(
      viewContext: view, orderBy: [.desc(\.$employees.count), .asc(\.$name)])
    try await controller.performFetch()
    #expect(names(controller) == ["B", "A", "C"])
    var moves: [[Int]] = []
    let token: ObserverToken = controller.observeChanges { change in
      if case .moved(_, let from, let to) = change { moves.append([from.row, to.row]) }
    }
    // Staged, not saved.
    let last = try #require(controller.object(at: 2))
    for _ in 0..<3 {
      let employee: Employee = try view.createObject()
      employee.name = "Y"
      employee.company = last
    }
    view.processPendingChanges()
    await controller.settled()
    #expect(names(controller) == ["C", "B", "A"])
    #expect(moves == [[2, 0]])
    // Saved by someone else.
    moves = []
    try await datastore.write { context in
      let found: [Company] = try context.fetch(where: \.$name == "A")
      for _ in 0..<5 {
        let employee: Employee = try context.createObject()
        employee.name = "Z"
        employee.company = found.first
      }
    }
    await drainMainQueue()
    await controller.settled()
    #expect(names(controller) == ["A", "C", "B"])
    #expect(moves == [[2, 0]])
    view.revertChanges()
    view.processPendingChanges()
    await controller.settled()
    #expect(names(controller) == ["A", "B", "C"])
    token.cancel()
  }

  /// The name of a member does not change the number of members.
  @Test func otherChangesOfMembersReadNothingAgain() async throws {
    let datastore = try TestModel.inMemory()
    let view = datastore.sharedViewContext
    let company: Company = try view.createObject()
    company.name = "A"
    let employee: Employee = try view.createObject()
    employee.name = "X"
    employee.company = company
    try view.saveChanges()
    let controller = FetchedObjectsController<Company>(
      viewContext: view, orderBy: [.desc(\.$employees.count)])
    await drainMainQueue()
    try await controller.performFetch()
    view.processPendingChanges()
    await controller.settled()
    let before = controller.generation
    employee.name = "Ann"
    view.processPendingChanges()
    #expect(controller.generation == before)
    employee.company = nil
    view.processPendingChanges()
    #expect(controller.generation > before)
    await controller.settled()
  }

  @Test func whatIsCreatedAndSavedInOneTurnComes() async throws {
    let datastore = try TestModel.inMemory()
    let view = datastore.sharedViewContext
    let controller = FetchedObjectsController<Company>(
      viewContext: view, orderBy: [.desc(\.$employees.count)])
    try await controller.performFetch()
    let company: Company = try view.createObject()
    company.name = "A"
    try view.saveChanges()
    view.processPendingChanges()
    await controller.settled()
    #expect(names(controller) == ["A"])
  }

  /// A list that depends on a relationship follows staged changes of the related objects, before they are
  /// saved.
  @Test func aNameThatIsNotSavedYetMovesWhoRefersToIt() async throws {
    let datastore = try TestModel.inMemory()
    let view = datastore.sharedViewContext
    try await datastore.write { context in
      for name in ["A", "B", "C"] {
        let company: Company = try context.createObject()
        company.name = name
        let employee: Employee = try context.createObject()
        employee.name = "of \(name)"
        employee.company = company
      }
    }
    await drainMainQueue()
    let all = FetchedObjectsController<Employee>(
      viewContext: view, orderBy: [.asc(\.$company ~ \.$name)])
    let some = FetchedObjectsController<Employee>(
      viewContext: view, where: \.$company ~ \.$name < "C", orderBy: [.asc(\.$name)])
    try await all.performFetch()
    try await some.performFetch()
    func shown(_ controller: FetchedObjectsController<Employee>) -> [String] {
      (0..<controller.numberOfFetchedObjects).compactMap { controller.object(at: $0)?.name }
    }
    #expect(shown(all) == ["of A", "of B", "of C"])
    let found: [Company] = try view.fetch(where: \.$name == "A")
    let company = try #require(found.first)
    company.name = "D"
    view.processPendingChanges()
    await all.settled()
    await some.settled()
    #expect(shown(all) == ["of B", "of C", "of A"])
    #expect(shown(some) == ["of B"])
    // A list that is read now has it, too, in either way of reading.
    func fetchWaiting() throws { try all.performFetch() }
    try fetchWaiting()
    #expect(shown(all) == ["of B", "of C", "of A"])
    try await all.performFetch()
    #expect(shown(all) == ["of B", "of C", "of A"])
    view.revertChanges()
    view.processPendingChanges()
    await all.settled()
    await some.settled()
    #expect(shown(all) == ["of A", "of B", "of C"])
    #expect(shown(some) == ["of A", "of B"])
  }

  @Test(arguments: RandomCases.rounds(of: 50))
  func controllersShowWhatFetchingFinds(round: Int) async throws {
    let seed = RandomCases.seed(round)
    var random = SeededRandom(seed: seed)
    let datastore = try round % 4 == 0 ? TestModel.file() : TestModel.inMemory()
    let view = datastore.sharedViewContext
    let context = datastore.newContext()
    let bySize: [OrderBy<Company>] = [.desc(\.$employees.count), .asc(\.$name)]
    let byTags: [OrderBy<Company>] = [.asc(\.$tags.count), .desc(\.$employees.count)]
    let byReports: [OrderBy<Employee>] = [
      .desc(\.$reports.count), .asc((\.$reports ~ \.$age).sum), .asc(\.$age),
    ]
    let sizes = FetchedObjectsController<Company>(
      viewContext: view, where: \.$employees.count < 4, orderBy: bySize)
    let tags = FetchedObjectsController<Company>(viewContext: view, orderBy: byTags)
    let reports = FetchedObjectsController<Employee>(
      viewContext: view, orderBy: [.asc(\.$position)] + byReports, groupBy: \.$position)
    let byFirm: [OrderBy<Employee>] = [.desc(\.$company ~ \.$name), .asc(\.$age)]
    let firms = FetchedObjectsController<Employee>(
      viewContext: view, where: \.$company ~ \.$name < "o5", orderBy: byFirm)
    try await firms.performFetch()
    try await sizes.performFetch()
    try await tags.performFetch()
    try await reports.performFetch()
    for step in 0..<10 {
      try await takeRandomStep(step, in: view, or: context, savesViewOneIn: 2, &random) {
        try Self.operate($0, $1, &$2, $3)
      }
      await sizes.settled()
      await tags.settled()
      await reports.settled()
      await firms.settled()
      let place: Comment = "seed \(seed), step \(step)"
      let some: [Company] = try view.fetch(where: \.$employees.count < 4, orderBy: bySize)
      try #require(Self.keys(sizes) == some.map(\.key), place)
      let all: [Company] = try view.fetch(orderBy: byTags)
      try #require(Self.keys(tags) == all.map(\.key), place)
      let hired: [Employee] = try view.fetch(
        where: \.$company ~ \.$name < "o5", orderBy: byFirm)
      try #require(Self.keys(firms) == hired.map(\.key), place)
      let staff: [Employee] = try view.fetch(orderBy: [.asc(\.$position)] + byReports)
      try #require(Self.keys(reports) == staff.map(\.key), place)
    }
  }

  private static func keys<T>(_ controller: FetchedObjectsController<T>) -> [RowKey] {
    (0..<controller.numberOfFetchedObjects).compactMap { controller.object(at: $0)?.key }
  }

  /// Operations on objects whose name begins with a letter of their own, so that two contexts are never in
  /// conflict.
  nonisolated private static func operate(
    _ context: some ObjectContext, _ letter: String, _ random: inout SeededRandom, _ step: String
  ) throws {
    for part in 0..<5 {
      let companies: [Company] = try context.fetch(where: (\.$name ^= letter))
      let staff: [Employee] = try context.fetch(where: (\.$name ^= letter))
      let tags: [Tag] = try context.fetch(where: (\.$label ^= letter))
      let name = "\(letter)\(random.below(1000)) \(step).\(part)"
      switch random.below(12) {
      case 0:
        let company: Company = try context.createObject()
        company.name = name
      case 1, 2, 3:
        let employee: Employee = try context.createObject()
        (employee.name, employee.age) = (name, random.below(5))
        employee.company = companies.randomElement(using: &random)
        employee.manager = staff.randomElement(using: &random)
        employee.position = [nil, .developer, .tester].randomElement(using: &random) ?? nil
      case 4:
        let tag: Tag = try context.createObject()
        tag.label = name
        tag.companies = Set(companies.filter { _ in random.below(2) == 0 })
      case 5:
        staff.randomElement(using: &random)?.company = companies.randomElement(using: &random)
      case 6: staff.randomElement(using: &random)?.manager = staff.randomElement(using: &random)
      case 7:
        companies.randomElement(using: &random)?.tags = Set(
          tags.filter { _ in random.below(2) == 0 })
      case 8: staff.randomElement(using: &random)?.age = random.below(5)
      case 9: companies.randomElement(using: &random)?.name = name
      case 10: if let one = staff.randomElement(using: &random) { context.deleteObject(one) }
      default:
        if let one = companies.randomElement(using: &random) { context.deleteObject(one) }
      }
    }
  }
}
