import DatastoreCore
import DatastoreTestSupport
import Foundation
import SwiftDatastore
import Testing

@MainActor
@Suite struct FetchedObjectsControllerTests {
  private func makeStaff(_ datastore: SwiftDatastore) async throws {
    try await datastore.write { context in
      for (name, salary, position) in [
        ("Ann", 300.0, Position.developer), ("Bob", 200, .designer), ("Cid", 100, .developer),
        ("Dora", 400, .tester), ("Eve", 250, .designer),
      ] {
        let employee: Employee = try context.createObject()
        employee.name = name
        employee.salary = salary
        employee.position = position
      }
    }
  }

  private func names(_ controller: FetchedObjectsController<Employee>) -> [[String]] {
    (0..<controller.numberOfSections).map { section in
      (0..<controller.numberOfObjects(inSection: section)).compactMap { row in
        controller.getObject(at: IndexPath(row: row, section: section))?.name
      }
    }
  }

  @Test func sectionsComeByTheGroupKeyWhateverTheOrder() async throws {
    let datastore = try TestModel.inMemory()
    try await makeStaff(datastore)
    let controller = FetchedObjectsController<Employee>(
      viewContext: datastore.sharedViewContext, orderBy: [.asc(\.$salary)], groupBy: \.$position)
    #expect(controller.numberOfSections == 0)
    try await controller.performFetch()
    #expect(names(controller) == [["Cid", "Ann"], ["Bob", "Eve"], ["Dora"]])
    #expect(controller.sectionName(inSection: 0) == "0")
    #expect(controller.sectionName(inSection: 9) == nil)
    #expect(controller.numberOfObjects(inSection: 9) == 0)
    #expect(controller.getObject(at: IndexPath(row: 5, section: 0)) == nil)
  }

  @Test func oneSectionWithoutAGroupKey() async throws {
    let datastore = try TestModel.inMemory()
    try await makeStaff(datastore)
    let controller = FetchedObjectsController<Employee>(
      viewContext: datastore.sharedViewContext, where: \.$salary > 200,
      orderBy: [.desc(\.$salary)])
    try await controller.performFetch()
    #expect(names(controller) == [["Dora", "Ann", "Eve"]])
  }

  @Test func changesOfABackgroundContextArriveAsEvents() async throws {
    let datastore = try TestModel.inMemory()
    try await makeStaff(datastore)
    await drainMainQueue()
    let controller = FetchedObjectsController<Employee>(
      viewContext: datastore.sharedViewContext, orderBy: [.asc(\.$salary)])
    try await controller.performFetch()
    var log: [String] = []
    let token: ObserverToken = controller.observeChanges { change in
      switch change {
      case .inserted(let employee, let path): log.append("+\(employee.name) \(path.row)")
      case .updated(let employee, let path): log.append("~\(employee.name) \(path.row)")
      case .deleted(let path): log.append("-\(path.row)")
      case .moved(let employee, let from, let to):
        log.append(">\(employee.name) \(from.row) \(to.row)")
      }
    }
    func change(_ name: String, _ body: @escaping @Sendable (Employee) -> Void) async throws {
      try await datastore.write { context in
        let employee: Employee? = try context.fetchFirst(where: \.$name == name)
        if let employee { body(employee) }
      }
      await drainMainQueue()
    }
    try await change("Cid") { $0.salary = 1000 }
    #expect(log == [">Cid 0 4"])
    log = []
    try await change("Ann") { $0.phone = "1" }
    #expect(log == ["~Ann 2"])
    log = []
    try await datastore.write { context in
      let employee: Employee = try context.createObject()
      employee.name = "Finn"
      employee.salary = 260
    }
    await drainMainQueue()
    #expect(log == ["+Finn 2"])
    log = []
    try await datastore.write { context in
      let bob: Employee? = try context.fetchFirst(where: \.$name == "Bob")
      if let bob { context.deleteObject(bob) }
    }
    await drainMainQueue()
    #expect(log == ["-0"])
    token.cancel()
    try await change("Ann") { $0.phone = "2" }
    #expect(log == ["-0"])
  }

  @Test func sectionEventsFrameObjectEvents() async throws {
    let datastore = try TestModel.inMemory()
    try await makeStaff(datastore)
    await drainMainQueue()
    let view = datastore.sharedViewContext
    let controller = FetchedObjectsController<Employee>(
      viewContext: view, orderBy: [.asc(\.$salary)], groupBy: \.$position)
    try await controller.performFetch()
    var log: [String] = []
    let token: ObserverToken = controller.observeEvents { event in
      switch event {
      case .batchBegan: log.append("begin")
      case .sectionInserted(let section): log.append("+section \(section)")
      case .sectionDeleted(let section): log.append("-section \(section)")
      case .object(.moved(let employee, let from, let to)):
        log.append(">\(employee.name) \(Array(from)) \(Array(to))")
      case .object(let change): log.append("\(change)")
      case .batchEnded: log.append("end")
      }
    }
    let dora: Employee = try #require(try view.fetchFirst(where: \.$name == "Dora"))
    dora.position = nil
    view.processPendingChanges()
    #expect(
      log == ["begin", "+section 0", ">Dora [2, 0] [0, 0]", "-section 2", "end"])
    #expect(names(controller) == [["Dora"], ["Cid", "Ann"], ["Bob", "Eve"]])
    withExtendedLifetime(token) {}
  }

  @Test func theAsyncFormReadsTheFirstRowsAndThenTheList() async throws {
    let datastore = try TestModel.file()
    try await makeStaff(datastore)
    let controller = FetchedObjectsController<Employee>(
      viewContext: datastore.sharedViewContext, orderBy: [.asc(\.$salary)], groupBy: \.$position)
    try await controller.fetchFirstRows(2)
    #expect(!controller.isComplete)
    #expect(names(controller).flatMap(\.self) == ["Cid", "Ann"])
    try await controller.performFetch()
    #expect(controller.isComplete)
    #expect(names(controller) == [["Cid", "Ann"], ["Bob", "Eve"], ["Dora"]])
  }

  /// Replaying the events on the old list gives the new list, which equals a fetch. A case is one batch of
  /// random changes.
  @Test(arguments: TestEngine.rounds(of: 25))
  func replayedEventsGiveTheNewList(engine: TestEngine, round: Int) async throws {
    let seed = RandomCases.seed(round)
    var random = SeededRandom(seed: seed)
    let datastore = try engine.makeDatastore(TestModel.make())
    let view = datastore.sharedViewContext
    for index in 0..<random.below(30) {
      let employee: Employee = try view.createObject()
      randomise(employee, index, &random)
    }
    try view.saveChanges()
    let controller = FetchedObjectsController<Employee>(
      viewContext: view, where: \.$age > 20, orderBy: [.asc(\.$salary), .desc(\.$name)],
      groupBy: \.$position)
    try await controller.performFetch()
    var replay = Replay(lists(controller))
    let token: ObserverToken = controller.observeEvents { replay.apply($0, controller) }
    for step in 0..<25 {
      let many = random.below(8) == 0
      var all: [Employee] = try view.fetch()
      for index in 0..<(many ? 90 : 1 + random.below(4)) {
        try mutate(view, &all, index, &random)
      }
      if random.below(3) == 0 { try view.saveChanges() }
      if random.below(6) == 0 { view.revertChanges() }
      view.processPendingChanges()
      await controller.settled()
      let note = Comment(rawValue: "\(engine), seed \(seed), step \(step)")
      try #require(replay.lists == lists(controller), note)
      let fetched: [Employee] = try view.fetch(
        where: \.$age > 20, orderBy: [.asc(\.$position), .asc(\.$salary), .desc(\.$name)])
      try #require(replay.lists.flatMap(\.self) == fetched.map(\.key), note)
    }
    withExtendedLifetime(token) {}
  }

  private func lists(_ controller: FetchedObjectsController<Employee>) -> [[RowKey]] {
    (0..<controller.numberOfSections).map { section in
      (0..<controller.numberOfObjects(inSection: section)).compactMap {
        controller.getObject(at: IndexPath(row: $0, section: section))?.key
      }
    }
  }

  private func mutate(
    _ view: SwiftDatastoreViewContext, _ all: inout [Employee], _ index: Int,
    _ random: inout SeededRandom
  ) throws {
    switch random.below(5) {
    case 0:
      let employee: Employee = try view.createObject()
      randomise(employee, index, &random)
      all.append(employee)
    case 1:
      guard let place = all.indices.randomElement(using: &random) else { return }
      view.deleteObject(all.remove(at: place))
    default:
      if let employee = all.randomElement(using: &random) { randomise(employee, index, &random) }
    }
  }

  private func randomise(_ employee: Employee, _ index: Int, _ random: inout SeededRandom) {
    employee.name = "n\(random.below(20))"
    employee.salary = Double(random.below(6))
    employee.age = 18 + random.below(8)
    employee.position = [nil, .developer, .designer, .tester][random.below(4)]
  }
}

/// A consumer that knows the list only by its first state and the events.
private struct Replay {
  var lists: [[RowKey]]
  private var removals: [IndexPath] = []
  private var insertions: [(IndexPath, RowKey)] = []
  private var newSections: [Int] = []
  private var oldSections: [Int] = []

  init(_ lists: [[RowKey]]) {
    self.lists = lists
  }

  @MainActor
  mutating func apply(
    _ event: FetchedObjectsEvent<Employee>, _ controller: FetchedObjectsController<Employee>
  ) {
    switch event {
    case .batchBegan: self = Replay(lists)
    case .sectionInserted(let section): newSections.append(section)
    case .sectionDeleted(let section): oldSections.append(section)
    case .object(.inserted(let employee, let path)): insertions.append((path, employee.key))
    case .object(.deleted(let path)): removals.append(path)
    case .object(.moved(let employee, let from, let to)):
      removals.append(from)
      insertions.append((to, employee.key))
    case .object(.updated(let employee, let path)):
      #expect(lists[path.section][path.row] == employee.key)
    case .batchEnded: finish()
    }
  }

  private mutating func finish() {
    for path in removals.sorted(by: >) { lists[path.section].remove(at: path.row) }
    for section in oldSections.sorted(by: >) {
      #expect(lists[section].isEmpty, "a section that still has objects was deleted")
      lists.remove(at: section)
    }
    for section in newSections.sorted() { lists.insert([], at: section) }
    for (path, key) in insertions.sorted(by: { $0.0 < $1.0 }) {
      lists[path.section].insert(key, at: path.row)
    }
  }
}
