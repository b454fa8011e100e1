import DatastoreCore
import Observation
import SwiftDatastore
import Synchronization
import Testing

/// `withObservationTracking` of objects.
@MainActor
@Suite("Tracking")
struct ObservationTrackingTests {
  private let datastore: SwiftDatastore
  private var view: SwiftDatastoreViewContext { datastore.sharedViewContext }

  init() throws { datastore = try TestModel.file() }

  /// Counts the changes of tracked properties.
  private final class Changes: Sendable {
    private let count = Atomic<Int>(0)

    var now: Int { count.load(ordering: .relaxed) }

    func track<Value>(_ read: () -> Value) -> Value {
      withObservationTracking(read) { self.count.add(1, ordering: .relaxed) }
    }
  }

  private func makeEmployee(_ name: String) throws -> Employee {
    let employee: Employee = try view.createObject()
    employee.name = name
    try view.saveChanges()
    return employee
  }

  @Test("It hears of the next change of what was read, and of nothing else")
  func assignments() throws {
    let (tom, ann) = (try makeEmployee("Tom"), try makeEmployee("Ann"))
    let changes = Changes()
    #expect(changes.track { tom.name } == "Tom")
    tom.salary = 4_200
    ann.name = "Anna"
    #expect(changes.now == 0)
    tom.name = "Tim"
    #expect(changes.now == 1)
    tom.name = "Tam"
    #expect(changes.now == 1)
    #expect(changes.track { "\(tom.name) \(ann.name)" } == "Tam Anna")
    ann.name = "Anne"
    #expect(changes.now == 2)
    tom.name = "Tom"
    #expect(changes.now == 2)
  }

  @Test("Relationships, reverted changes and what others have saved are changes, too")
  func otherChanges() async throws {
    let tom = try makeEmployee("Tom")
    let company: Company = try view.createObject()
    company.name = "Engines"
    let changes = Changes()
    #expect(changes.track { company.employees.isEmpty })
    tom.company = company
    #expect(changes.now == 1)
    #expect(changes.track { tom.company } === company)
    view.revertChanges()
    #expect(changes.now == 2)

    let id = tom.objectID
    #expect(changes.track { tom.name } == "Tom")
    try await datastore.write { context in
      let employee: Employee = try context.object(with: id)
      employee.name = "Tim"
    }
    await drainMainQueue()
    #expect(tom.name == "Tim" && changes.now == 3)
  }

  @Test("Objects of other contexts and reads outside of it are not tracked")
  func untracked() async throws {
    let tom = try makeEmployee("Tom")
    let changes = Changes()
    #expect(tom.name == "Tom")
    #expect(tom.readTracker == nil)
    try await datastore.write { context in
      let employee: Employee = try context.createObject()
      employee.name = "Ann"
      #expect(changes.track { employee.name } == "Ann")
      employee.name = "Anna"
      #expect(employee.readTracker == nil)
    }
    #expect(changes.now == 0)
  }
}
