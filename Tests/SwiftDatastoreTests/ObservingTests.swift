import Foundation
import SwiftDatastore
import Testing

/// Observers without a token live as long as the observed object; with one, they end with it.
@MainActor
@Suite("Observing")
struct ObservingTests {
  private let datastore: SwiftDatastore
  private var view: SwiftDatastoreViewContext { datastore.sharedViewContext }

  init() throws { datastore = try TestModel.file() }

  /// Something that a closure holds.
  private final class Held {}

  private func makeEmployee() throws -> Employee {
    let employee: Employee = try view.createObject()
    employee.name = "Tom"
    try view.saveChanges()
    return employee
  }

  @Test("As statements, they hear of everything, and go with their object")
  func statements() throws {
    weak var held: Held?
    weak var gone: Employee?
    var heard: [String] = []
    do {
      let employee = try makeEmployee()
      gone = employee
      let own = Held()
      held = own
      employee.$name.observe { name in
        withExtendedLifetime(own) { heard.append(name) }
      }
      employee.observeChanges { keys in heard += keys.sorted() }
      let unused = employee.$name
      unused.observe { _ in heard.append("third") }
      employee.name = "Tim"
      #expect(heard == ["Tim", "name", "third"])
      try view.saveChanges()
      #expect(held != nil)
    }
    // The pending notification of the last change holds its objects.
    view.processPendingChanges()
    // A context keeps objects that nothing else refers to until there are too many.
    view.core.graph.releaseUnreferencedObjects()
    #expect(gone == nil && held == nil)
  }

  @Test("With a token, the observation ends when it is released")
  func tokens() throws {
    let employee = try makeEmployee()
    var heard: [String] = []
    var token: PropertyObservation? = employee.$name.observe { heard.append($0) }
    employee.name = "Tim"
    #expect(token != nil)
    token = nil
    employee.name = "Tam"
    let other: PropertyObservation = employee.observeChanges { _ in heard.append("changed") }
    other.cancel()
    employee.name = "Tum"
    #expect(heard == ["Tim"])
  }

  @Test("Observers of a controller live as long as it does")
  func controllers() async throws {
    weak var held: Held?
    weak var gone: FetchedObjectsController<Employee>?
    var heard: [String] = []
    do {
      let controller = FetchedObjectsController<Employee>(
        viewContext: view, orderBy: [.asc(\.$name)])
      gone = controller
      let own = Held()
      held = own
      controller.observeChanges { change in
        guard case .inserted(let employee, _) = change else { return }
        withExtendedLifetime(own) { heard.append(employee.name) }
      }
      controller.observeEvents { if case .batchEnded = $0 { heard.append("end") } }
      try await controller.performFetch()
      try await datastore.write { context in
        let employee: Employee = try context.createObject()
        employee.name = "Ann"
      }
      await drainMainQueue()
      #expect(heard == ["Ann", "end"])
    }
    await drainMainQueue()
    #expect(gone == nil && held == nil)
  }

  @Test("Objects without a compiled class are observed by name")
  func dynamicObjects() throws {
    let file = try TestModel.file()
    try file.writeAndWait { context in
      let company: Company = try context.createObject()
      company.name = "A"
    }
    let opened = try SwiftDatastore(opening: #require(file.url))
    let context = opened.newLocalContext()
    let companies: [DynamicObject] = try context.fetch(FetchRequest(entity: "Company"))
    let company = try #require(companies.first)
    var heard = 0
    company.observe("name") { _ in heard += 1 }
    company["name"] = .text("B")
    let token: PropertyObservation = company.observe("name") { _ in heard += 10 }
    company["name"] = .text("C")
    token.cancel()
    company["name"] = .text("D")
    #expect(heard == 13)
  }
}

extension ObservingTests {
  @Test("Of each change it is told twice where that is asked for, and of members which kind it is")
  func priorsAndKinds() throws {
    let employee = try makeEmployee()
    var lines: [String] = []
    let name = employee.$name.observe(options: [.old, .new, .prior]) { _, change in
      lines.append(
        "\(change.isPrior) \(change.kind) \(change.oldValue ?? "-") \(change.newValue ?? "-")")
    }
    employee.name = "Tim"
    #expect(lines == ["true setting Tom -", "false setting Tom Tim"])
    name.invalidate()
    employee.name = "Tom"
    #expect(lines.count == 2)

    let company: Company = try view.createObject()
    company.name = "A"
    let other = try makeEmployee()
    var kinds: [PropertyChange<Set<Employee>>.Kind] = []
    let members = company.$employees.observe(options: [.old]) { _, change in
      kinds.append(change.kind)
    }
    company.employees = [employee]
    company.employees = [other]
    company.employees = [other, employee]
    company.employees = [other]
    company.employees = [other]
    #expect(Array(kinds.prefix(4)) == [.insertion, .replacement, .insertion, .removal])
    #expect(kinds.dropFirst(4).allSatisfy { $0 == .setting })
    withExtendedLifetime(members) {}
  }
}
