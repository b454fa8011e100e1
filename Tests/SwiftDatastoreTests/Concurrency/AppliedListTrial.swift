import DatastoreCore
import DatastoreTestSupport
import Dispatch
import Foundation
import SwiftDatastore
import Testing

/// A datastore with a list in sections that is read again, with stops at each read on the way.
@MainActor
final class AppliedListTrial {
  enum Step: Sendable {
    case here(Here)
    case there(There)
    case otherProcess(OtherProcess)
  }

  /// A step of the view context.
  enum Here: Sendable {
    case save, revert
    case stage(Int)
    case delete(Int)
    /// An edit that the list does not look at.
    case pay(Int)
    case read(Int)
    /// Merges saves of others now, and not after the answer to the current read.
    case merge

    static func draw(_ random: inout SeededRandom) -> Here {
      switch random.below(12) {
      case 0...2: .save
      case 3: .revert
      case 4, 5: .stage(random.below(15))
      case 6: .delete(random.below(15))
      case 7, 8: .merge
      case 9, 10: .pay(random.below(15))
      default: .read(random.below(100))
      }
    }
  }

  /// The steps of other contexts, each a save of its own.
  enum There: Sendable {
    case change(Int)
    case delete(Int)
    case pay(Int)
    case refresh(Int)
    case deleteMany(Int)
    case insert

    static func draw(_ random: inout SeededRandom) -> There {
      switch random.below(7) {
      case 0, 1: .change(15 + random.below(15))
      case 2: .delete(random.below(30))
      case 3: .pay(random.below(30))
      case 4: .refresh(random.below(100))
      case 5: .insert
      default: .deleteMany(random.below(30))
      }
    }
  }

  /// A change that reloads the list.
  enum LargeChange: CaseIterable, Sendable {
    /// Objects keep their values, and get those that were saved.
    case saving
    /// The same, with rows among them that are not known here.
    case savingAndInserting
    /// All become faults.
    case batch
  }

  let datastore: SwiftDatastore
  let employees: [Employee]
  /// Another process.
  let program: SQLiteProgram
  private let controller: FetchedObjectsController<Employee>
  private let stops = ReadStops()
  private let elsewhere: Elsewhere
  var marks = 0
  private var tokens: [ObserverToken] = []
  private var view: SwiftDatastoreViewContext { datastore.sharedViewContext }

  init(isObserved: Bool) async throws {
    datastore = try SwiftDatastore(
      dataModel: TestModel.make(), storeName: UUID().uuidString, storingType: .test,
      options: .init(traceSQL: { [stops] in stops.record($0) }))
    try await datastore.write { context in
      for number in 0..<100 {
        let employee: Employee = try context.createObject()
        employee.name = "e\(number)"
        employee.age = number % 5
      }
    }
    controller = FetchedObjectsController(
      viewContext: datastore.sharedViewContext, orderBy: [.asc(\.$name)], groupBy: \.$age)
    employees = try datastore.sharedViewContext.fetch(orderBy: [.asc(\.$name)])
    elsewhere = Elsewhere(datastore, employees.map(\.id))
    program = try SQLiteProgram(#require(datastore.url))
    _ = program.run(".timeout 5000")
    if isObserved {
      // Returned objects can be read.
      tokens.append(
        controller.observeChanges { change in
          switch change {
          case .inserted(let object, _), .updated(let object, _), .moved(let object, _, _):
            #expect(!object.name.isEmpty)
          case .deleted: break
          }
        })
    }
    try await controller.performFetch()
    await drainMainQueue()
  }

  /// Has the list read again, and performs the steps of the first moment before that, those of the next
  /// ones when a read has ended and its answer is on the way, and the others in the end.
  func run(_ change: LargeChange, _ moments: [[Step]]) async throws {
    await drainMainQueue()
    elsewhere.perform(change)
    let asked = AsyncStream<Void>.makeStream()
    var isFirst = true
    // Notified after the controller: its reading has been requested, and begins in the next turn.
    let token: ObserverToken = view.observeObjectChanges { [self] changes in
      guard isFirst, changes.source != .thisContext else { return }
      isFirst = false
      record { try perform(moments[0]) }
      stops.stop(
        at: moments.dropFirst().dropLast().map { steps in
          { self.record { try self.perform(steps) } }
        })
      asked.continuation.finish()
    }
    for await _ in asked.stream {}
    await controller.settled()
    for steps in moments.suffix(stops.finish() + 1) { record { try perform(steps) } }
    withExtendedLifetime(token) {}
  }

  private func record(_ body: () throws -> Void) {
    do { try body() } catch { Issue.record(error) }
  }

  func perform(_ steps: [Step]) throws {
    for step in steps {
      switch step {
      case .here(let step): try perform(step)
      case .there(let step): elsewhere.perform(step)
      case .otherProcess(let step): try perform(step)
      }
    }
  }

  private func perform(_ step: Here) throws {
    switch step {
    case .save:
      do {
        try view.saveChanges()
      } catch is ConflictError {
        view.revertChanges()
      }
    case .revert: view.revertChanges()
    case .merge: view.core.takeIn()
    case .stage(let number): try stage(employees[number])
    case .delete(let number):
      if !employees[number].isDeleted { view.deleteObject(employees[number]) }
    case .pay(let number):
      marks += 1
      // Also one that someone else has deleted, which is a conflict.
      if !employees[number].isDeletedHere { employees[number].salary = Double(marks) + 0.5 }
    case .read(let number):
      if !employees[number].isDeleted { #expect(!employees[number].name.isEmpty) }
    }
  }

  /// Edits one object, so that it is in another section, and makes another.
  private func stage(_ employee: Employee) throws {
    marks += 1
    if !employee.isDeletedHere {
      employee.name = "zz\(marks)"
      employee.age = marks % 7
    }
    let new: Employee = try view.createObject()
    new.name = "new\(marks)"
  }

  func expectList(_ note: String) async throws {
    try perform(OtherProcess.notice)
    await settle()
    let staged = controller.list
    let fresh = FetchedObjectsController<Employee>(
      viewContext: view, orderBy: [.asc(\.$name)], groupBy: \.$age)
    try await fresh.performFetch()
    #expect(staged == fresh.list, "\(note)")
    try perform(.save)
    await settle()
    try await fresh.performFetch()
    #expect(controller.list == fresh.list, "saved, \(note)")
    let names = try view.fetch(orderBy: [.asc(\Employee.$age), .asc(\.$name)]).map(\.name)
    let shown = (0..<names.count).map { controller.object(at: $0)?.name }
    #expect(shown == names, "\(note)")
  }

  private func settle() async {
    for _ in 0..<3 {
      await drainMainQueue()
      await controller.settled()
    }
  }
}

/// The other contexts of the datastore, each used once, on any thread.
private final class Elsewhere: Sendable {
  private let datastore: SwiftDatastore
  private let ids: [UUID]
  private let marks = Lock(0)

  init(_ datastore: SwiftDatastore, _ ids: [UUID]) {
    self.datastore = datastore
    self.ids = ids
  }

  private func mark() -> Int {
    marks.withLock { marks in
      marks += 1
      return marks
    }
  }

  func perform(_ step: AppliedListTrial.There) {
    let mark = mark()
    switch step {
    case .change(let number):
      edit(number) { employee in
        employee.name = "there\(mark)"
        employee.age = mark % 6
      }
    case .pay(let number): edit(number) { $0.salary = Double(mark) }
    case .delete(let number):
      let id = ids[number]
      whileMainWaits(datastore.newContext()) { context in
        guard let employee: Employee = try context.fetchFirst(where: \.$id == id) else { return }
        context.deleteObject(employee)
        try context.saveChanges()
      }
    case .refresh(let number):
      let id = ids[number]
      whileMainWaits(datastore.newContext()) { context in
        _ = try context.updateMany(
          Employee.self, where: \.$id == id, propertiesToUpdate: [.init(\.$salary, Double(mark))])
      }
    case .deleteMany(let number):
      let id = ids[number]
      whileMainWaits(datastore.newContext()) { context in
        _ = try context.deleteMany(Employee.self, where: \.$id == id)
      }
    case .insert:
      whileMainWaits(datastore.newContext()) { context in
        let new: Employee = try context.createObject()
        new.name = "there\(mark)"
        new.age = mark % 6
        try context.saveChanges()
      }
    }
  }

  private func edit(_ number: Int, _ body: @escaping @Sendable (Employee) -> Void) {
    let id = ids[number]
    whileMainWaits(datastore.newContext()) { context in
      guard let employee: Employee = try context.fetchFirst(where: \.$id == id) else { return }
      body(employee)
      try context.saveChanges()
    }
  }

  func perform(_ change: AppliedListTrial.LargeChange) {
    let mark = mark()
    whileMainWaits(datastore.newContext()) { context in
      if change == .batch {
        _ = try context.updateMany(
          Employee.self, propertiesToUpdate: [.init(\.$salary, Double(mark))])
        return
      }
      for employee: Employee in try context.fetch(orderBy: [.asc(\.$name)], offset: 30) {
        employee.age = (employee.age + 1) % 5
      }
      if change == .savingAndInserting {
        for number in 0..<3 {
          let new: Employee = try context.createObject()
          new.name = "elsewhere\(number)"
        }
      }
      try context.saveChanges()
    }
  }
}
