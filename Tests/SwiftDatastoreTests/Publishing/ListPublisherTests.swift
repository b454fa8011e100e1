import DatastoreCore
import DatastoreTestSupport
import Foundation
import SwiftDatastore
import Testing

/// The news of lists.
@MainActor
@Suite struct ListPublisherTests {
  private func makeDatastore(_ names: [String]) async throws -> SwiftDatastore {
    let datastore = try TestModel.file()
    try await datastore.write { context in
      for name in names {
        let employee: Employee = try context.createObject()
        employee.name = name
      }
    }
    await drainMainQueue()
    return datastore
  }

  private func names(_ list: ListSnapshot<Employee>) -> [String] { list.compactMap { $0.$name } }

  @Test func theListFollowsAndOldOnesStay() async throws {
    let datastore = try await makeDatastore(["B", "D"])
    let view = datastore.sharedViewContext
    let publisher = ListPublisher<Employee>(viewContext: view, orderBy: [.asc(\.$name)])
    var heard: [ListChange<Employee>] = []
    let token = publisher.observe { heard.append($0) }
    try await publisher.performFetch()
    #expect(heard.count == 1 && heard[0].sources.isEmpty && !heard[0].isOnlyUpdates)
    #expect(heard[0].batch.inserted.count == 2)
    let first = publisher.snapshot
    let employee: Employee = try view.createObject()
    employee.name = "C"
    view.processPendingChanges()
    #expect(names(publisher.snapshot) == ["B", "C", "D"] && names(first) == ["B", "D"])
    #expect(heard[1].batch.inserted == [IndexPath(row: 1, section: 0)])
    #expect(heard[1].sources == [.thisContext] && heard[1].previous == first)
    employee.phone = "1"
    view.processPendingChanges()
    #expect(heard[2].isOnlyUpdates && heard[2].snapshot == heard[1].snapshot)
    #expect(heard[2].snapshot.updatedItemIDs == [employee.objectID])
    employee.name = "E"
    view.processPendingChanges()
    #expect(heard[3].batch.moved.count == 1 && !heard[3].isOnlyUpdates)
    // Its changes since the first, although its place is the same.
    employee.name = "C"
    view.processPendingChanges()
    let difference = heard[4].snapshot.difference(from: heard[1].snapshot)
    #expect(difference.updated == [IndexPath(row: 1, section: 0)])
    #expect(difference.moved.isEmpty)
    try await datastore.write { context in
      context.transactionAuthor = "import"
      let employee: Employee = try context.createObject()
      employee.name = "A"
    }
    await drainMainQueue()
    #expect(heard.last?.sources == [.otherContext(author: "import")])
    #expect(names(publisher.snapshot) == ["A", "B", "C", "D"])
    token.cancel()
  }

  @Test func anotherConditionOrderAndGrouping() async throws {
    let datastore = try await makeDatastore(["A", "B", "C"])
    let publisher = ListPublisher<Employee>(
      viewContext: datastore.sharedViewContext, orderBy: [.asc(\.$name)])
    try await publisher.performFetch()
    var heard: [ListChange<Employee>] = []
    publisher.addObserver(self.owner) { heard.append($0) }
    try await publisher.refetch(where: \.$name > "A", orderBy: [.desc(\.$name)])
    #expect(names(publisher.snapshot) == ["C", "B"])
    try await publisher.refetch(where: nil, orderBy: [.asc(\.$name)], groupBy: \.$name)
    #expect(publisher.snapshot.sections.map(\.name) == ["A", "B", "C"])
    #expect(heard.count == 2)
    for change in heard {
      var model = ListModel(change.previous)
      model.apply(change.batch, to: ListModel(change.snapshot))
      #expect(model == ListModel(change.snapshot))
    }
    try await publisher.refetch(where: nil, orderBy: [.asc(\.$name)], groupBy: \.$name)
    #expect(heard.count == 2, "the same list")
  }

  private final class Owner {}
  private let owner = Owner()

  @Test func ownersAndInitialNews() async throws {
    let datastore = try await makeDatastore(["A"])
    let view = datastore.sharedViewContext
    let publisher = ListPublisher<Employee>(viewContext: view, orderBy: [.asc(\.$name)])
    try await publisher.performFetch()
    var counts: [Int] = []
    var short: Owner? = Owner()
    if let short {
      publisher.addObserver(short, notifyInitial: true) { counts.append($0.snapshot.count) }
    }
    let employee: Employee = try view.createObject()
    employee.name = "B"
    view.processPendingChanges()
    short = nil
    view.deleteObject(employee)
    view.processPendingChanges()
    #expect(counts == [1, 2])
    var sequence = publisher.snapshots.makeAsyncIterator()
    #expect(await sequence.next()?.count == 1)
    let other: Employee = try view.createObject()
    other.name = "Z"
    view.processPendingChanges()
    #expect(await sequence.next().map { names($0) } == ["A", "Z"])
  }

  @Test func aListWithoutAClass() async throws {
    let file = try ForeignDatabase(
      "CREATE TABLE employees(name TEXT PRIMARY KEY); INSERT INTO employees VALUES('A')")
    let datastore = try file.open()
    let publisher = try ListPublisher(
      viewContext: datastore.sharedViewContext,
      request: FetchRequest(
        entity: "employees", sortDescriptors: [DatastoreCore.SortDescriptor(["name"])]))
    try await publisher.performFetch()
    #expect(publisher.snapshot.first?.snapshot?["name"] == .text("A"))
    try file.run("INSERT INTO employees VALUES('B')")
    try datastore.sharedViewContext.execute("INSERT INTO employees VALUES('C')")
    await drainMainQueue()
    try await publisher.performFetch()
    let names = publisher.snapshot.map { $0.snapshot?["name"] ?? .null }
    let wanted: [Value] = [.text("A"), .text("B"), .text("C")]
    #expect(names == wanted)
  }

  // Promise: changes of a list come in any order, here and elsewhere → every change makes the list of the
  // one before; any two snapshots differ by what `difference(from:)` says; what has another content is
  // among its updates.
  // Also: (random, against a fetch)
  /// Random edits here and elsewhere: every change makes the list of the one before, every list is what a
  /// fetch finds, any two snapshots differ by what their difference says, and what has another content is
  /// among its updates.
  @Test func everyChangeMakesTheListOfTheOneBefore() async throws {
    for round in RandomCases.rounds(of: 100) {
      var random = SeededRandom(seed: RandomCases.seed(round))
      let datastore = try await makeDatastore((0..<12).map { "E\($0 * 37 % 12)" })
      let view = datastore.sharedViewContext
      let isGrouped = random.below(2) == 0
      let order: [OrderBy<Employee>] = [.asc(\.$age), .asc(\.$name)]
      let publisher =
        isGrouped
        ? ListPublisher<Employee>(
          viewContext: view, where: \.$salary >= 0, orderBy: order, groupBy: \.$age)
        : ListPublisher<Employee>(viewContext: view, where: \.$salary >= 0, orderBy: order)
      try await publisher.performFetch()
      var model = ListModel(publisher.snapshot)
      var contents: [[DatastoreObjectID: ObjectSnapshot<Employee>]] = [content(publisher.snapshot)]
      var taken = [publisher.snapshot]
      let token = publisher.observe { change in
        #expect(ListModel(change.previous) == model, "seed \(random.seed)")
        let wanted = ListModel(change.snapshot)
        model.apply(change.batch, to: wanted)
        #expect(model == wanted, "seed \(random.seed)")
        model = wanted
      }
      for _ in 0..<10 {
        try await step(datastore, &random)
        await drainMainQueue()
        view.processPendingChanges()
        taken.append(publisher.snapshot)
        contents.append(content(publisher.snapshot))
        let found: [Employee] = try view.fetch(where: \.$salary >= 0, orderBy: order)
        let shown = publisher.snapshot.map(\.objectID)
        #expect(Set(shown) == Set(found.map(\.objectID)), "seed \(random.seed)")
        let shownNames = publisher.snapshot.map { $0.$name ?? "gone" }
        let foundNames = found.map(\.name)
        #expect(shownNames == foundNames, "seed \(random.seed)")
      }
      for (number, old) in taken.enumerated() {
        let other = random.below(taken.count)
        let new = taken[other]
        let batch = new.difference(from: old)
        var model = ListModel(old)
        model.apply(batch, to: ListModel(new))
        #expect(model == ListModel(new), "seed \(random.seed)")
        let named = Set(batch.updated.compactMap { old.index(at: $0).map { old.itemIDs[$0] } })
          .union(batch.moved.compactMap { old.index(at: $0.from).map { old.itemIDs[$0] } })
        for (id, content) in contents[other] {
          guard let before = contents[number][id], before != content else { continue }
          #expect(named.contains(id), "\(id) has changed; seed \(random.seed)")
        }
      }
      token.cancel()
    }
  }

  // Promise: objects come and go around a list with an offset or a limit → it is what a fetch of the same
  // query finds.
  // Also: (random)
  /// The first so many, and those after them, while objects come and go: what a fetch of the same query
  /// finds.
  @Test func partsOfAListKeepTheirLength() async throws {
    for round in RandomCases.rounds(of: 100) {
      var random = SeededRandom(seed: RandomCases.seed(round + 1_000_000))
      let datastore = try await makeDatastore((0..<12).map { "E\($0 * 37 % 12)" })
      let view = datastore.sharedViewContext
      let query = From<Employee>().where(\.$salary >= 0).orderBy(.asc(\.$age), .asc(\.$name))
        .offset(random.below(4)).limit(random.below(4) * 3)
      let publisher = ListPublisher<Employee>(
        viewContext: view, random.below(2) == 0 ? query : query.sectionBy(\.$age))
      try await publisher.performFetch()
      var model = ListModel(publisher.snapshot)
      let token = publisher.observe { change in
        let wanted = ListModel(change.snapshot)
        model.apply(change.batch, to: wanted)
        #expect(model == wanted, "seed \(random.seed)")
        model = wanted
      }
      for _ in 0..<8 {
        try await step(datastore, &random)
        await drainMainQueue()
        view.processPendingChanges()
        await publisher.settled()
        let found = try view.fetch(query).map(\.name)
        let shown = publisher.snapshot.map { $0.$name ?? "gone" }
        #expect(shown == found, "\(query), seed \(random.seed)")
      }
      token.cancel()
    }
  }

  private func content(
    _ list: ListSnapshot<Employee>
  ) -> [DatastoreObjectID: ObjectSnapshot<Employee>] {
    Dictionary(uniqueKeysWithValues: list.compactMap { $0.snapshot.map { ($0.objectID, $0) } })
  }

  private func step(_ datastore: SwiftDatastore, _ random: inout SeededRandom) async throws {
    let view = datastore.sharedViewContext
    let draws = (random.below(6), random.below(1_000), random.below(3), random.below(100))
    if random.below(2) == 0 {
      for _ in 0...random.below(3) { try Self.edit(view, draws) }
      switch random.below(4) {
      case 0: view.revertChanges()
      case 1: break
      default: try view.saveChanges()
      }
    } else if !view.hasChanges {
      try await datastore.write { try Self.edit($0, draws) }
    }
  }

  private nonisolated static func edit(
    _ context: some ObjectContext, _ draws: (Int, Int, Int, Int)
  ) throws {
    let (kind, pick, age, number) = draws
    let all: [Employee] = try context.fetch()
    guard kind > 0, !all.isEmpty else {
      let employee: Employee = try context.createObject()
      employee.name = "N\(number)"
      employee.age = age
      return
    }
    let employee = all[pick % all.count]
    switch kind {
    case 1: employee.name = "R\(number)"
    case 2: employee.age = age
    case 3: employee.salary = Double(number - 30)
    case 4: employee.phone = "\(number)"
    default: context.deleteObject(employee)
    }
  }
}
