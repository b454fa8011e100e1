import DatastoreCore
import DatastoreTestSupport
import Dispatch
import Foundation
import SwiftDatastore
import Synchronization
import Testing

/// A list is read off the main actor and taken over later. Whatever is saved here and there in between, it
/// must end as a fetch has it.
@MainActor
@Suite("Taking over a list that was read", .serialized)
struct ControllerTakeOverTests {
  private enum Step: CaseIterable {
    case read, saveHere, saveThere, takeOver
  }

  /// All orders in which a list can be taken over that was read before.
  private static let orders: [[Step]] = {
    var orders: [[Step]] = [[]]
    for step in Step.allCases {
      orders = orders.flatMap { order in
        (0...order.count).map { place in
          var longer = order
          longer.insert(step, at: place)
          return longer
        }
      }
    }
    return orders.filter { order in
      guard let read = order.firstIndex(of: .read), let takeOver = order.firstIndex(of: .takeOver)
      else { return false }
      return read < takeOver
    }
  }()

  @Test("Saving here, saving there, reading and taking over, in every order", arguments: 0..<12)
  func everyOrder(_ index: Int) async throws {
    #expect(Self.orders.count == 12)
    let order = Self.orders[index]
    let split = order.split(omittingEmptySubsequences: false) { $0 == .read || $0 == .takeOver }
    let trial = try await Trial()
    trial.stageHere(1)
    try await trial.run { trial in
      for step in split[0] { try trial.perform(step == .saveHere ? .saveHere : .saveThere) }
    } between: { trial in
      for step in split[1] { try trial.perform(step == .saveHere ? .saveHere : .saveThere) }
    } after: { trial in
      for step in split[2] { try trial.perform(step == .saveHere ? .saveHere : .saveThere) }
    }
    try await trial.expectList("\(order)")
  }

  /// A case is a list that is read and taken over, with steps drawn before, between and after.
  @Test(arguments: RandomCases.rounds(of: 100))
  func anyStepsInBetween(round: Int) async throws {
    let seed = RandomCases.seed(round)
    var random = SeededRandom(seed: seed)
    let trial = try await Trial()
    var steps: [[Trial.Step]] = []
    for _ in 0..<3 {
      steps.append((0..<random.below(4)).map { _ in Trial.Step.draw(&random) })
    }
    trial.stageHere(random.below(100))
    let drawn = steps
    try await trial.run { trial in
      for step in drawn[0] { try trial.perform(step) }
    } between: { trial in
      for step in drawn[1] { try trial.perform(step) }
    } after: { trial in
      for step in drawn[2] { try trial.perform(step) }
    }
    try await trial.expectList("seed \(seed): \(drawn)")
  }
}

/// A datastore with a list in sections, whose reading can be stopped between the read and the taking over.
@MainActor
private final class Trial {
  enum Step: Hashable {
    case saveHere, saveThere, revertHere
    case stageHere(Int)
    case changeThere(Int)

    static func draw(_ random: inout SeededRandom) -> Step {
      switch random.below(6) {
      case 0, 1: .saveHere
      case 2: .saveThere
      case 3: .revertHere
      case 4: .stageHere(random.below(100))
      default: .changeThere(random.below(100))
      }
    }
  }

  private let datastore: SwiftDatastore
  private let controller: FetchedObjectsController<Employee>
  private let employees: [Employee]
  private let ends: Ends
  private var marks = 0
  private var view: SwiftDatastoreViewContext { datastore.sharedViewContext }

  /// Counts the transactions that end on reading connections while somebody waits for one.
  private final class Ends: Sendable {
    let isArmed = Atomic<Bool>(false)
    let semaphore = DispatchSemaphore(value: 0)

    func note(_ sql: String) {
      guard sql.hasPrefix("COMMIT") || sql.hasPrefix("ROLLBACK") else { return }
      if isArmed.exchange(false, ordering: .sequentiallyConsistent) { semaphore.signal() }
    }
  }

  init() async throws {
    let ends = Ends()
    self.ends = ends
    datastore = try SwiftDatastore(
      dataModel: TestModel.make(), storeName: UUID().uuidString, storingType: .test,
      options: .init(traceSQL: { ends.note($0) }))
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
    try await controller.performFetch()
    await drainMainQueue()
  }

  /// Changes enough elsewhere to have the list read anew, and runs the closures before it is read, between
  /// the read and the taking over, and after it.
  func run(
    before: @escaping @MainActor (Trial) throws -> Void,
    between: @escaping @MainActor (Trial) throws -> Void, after: (Trial) throws -> Void
  ) async throws {
    await drainMainQueue()
    whileMainWaits(datastore.newContext()) { context in
      for employee: Employee in try context.fetch(orderBy: [.asc(\.$name)], offset: 30) {
        employee.age = (employee.age + 1) % 5
      }
      try context.saveChanges()
    }
    let done = AsyncStream<Void>.makeStream()
    // Told after the controller: its reading has been asked for, and begins in the next turn.
    var isFirst = true
    let token = view.observeObjectChanges { [self] changes in
      guard isFirst, changes.source != .thisContext else { return }
      isFirst = false
      perform { try before(self) }
      ends.isArmed.store(true, ordering: .sequentiallyConsistent)
      DispatchQueue.main.async {
        // The answer waits for the main queue, which waits here.
        self.ends.semaphore.wait()
        self.perform { try between(self) }
        done.continuation.finish()
      }
    }
    for await _ in done.stream {}
    await controller.settled()
    perform { try after(self) }
    withExtendedLifetime(token) {}
  }

  private func perform(_ body: () throws -> Void) {
    do { try body() } catch { Issue.record(error) }
  }

  func perform(_ step: Step) throws {
    switch step {
    case .saveHere: try view.saveChanges()
    case .revertHere: view.revertChanges()
    case .stageHere(let number): stageHere(number)
    case .saveThere: changeThere(27)
    case .changeThere(let number): changeThere(number)
    }
  }

  /// Edits one object, so that it stands in another section, and makes another. Objects that are changed
  /// elsewhere stay alone, so that no save is in conflict.
  func stageHere(_ number: Int) {
    let employee = employees[number % 15]
    marks += 1
    employee.name = "zz\(marks)"
    employee.age = marks % 7
    let new: Employee? = try? view.createObject()
    new?.name = "new\(marks)"
  }

  private func changeThere(_ number: Int) {
    let id = employees[15 + number % 15].objectID
    marks += 1
    let mark = marks
    whileMainWaits(datastore.newContext()) { context in
      let employee: Employee = try context.object(with: id)
      employee.name = "there\(mark)"
      employee.age = mark % 6
      try context.saveChanges()
    }
  }

  func expectList(_ note: String) async throws {
    for _ in 0..<3 {
      await drainMainQueue()
      await controller.settled()
    }
    let staged = controller.list
    let fresh = FetchedObjectsController<Employee>(
      viewContext: view, orderBy: [.asc(\.$name)], groupBy: \.$age)
    try await fresh.performFetch()
    #expect(staged == fresh.list, "\(note)")
    try view.saveChanges()
    await drainMainQueue()
    try await fresh.performFetch()
    #expect(controller.list == fresh.list, "saved, \(note)")
    let names = try view.fetch(orderBy: [.asc(\Employee.$age), .asc(\.$name)]).map(\.name)
    let shown = (0..<names.count).map { controller.object(at: $0)?.name }
    #expect(shown == names, "\(note)")
  }
}
