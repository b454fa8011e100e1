import DatastoreCore
import DatastoreTestSupport
import Foundation
import SwiftDatastore
import Testing

/// Objects, contexts and lists as logs and debuggers show them.
@MainActor
@Suite("Describing")
struct DescribingTests {
  private let datastore: SwiftDatastore
  private var view: SwiftDatastoreViewContext { datastore.sharedViewContext }

  init() throws { datastore = try TestModel.file() }

  /// Without the parts that differ in each run.
  private func described(_ object: DatastoreObject) -> String {
    "\(object)".replacing(#/id: \d+ bytes, /#, with: "")
  }

  @Test("An object says what it is, what is known of it, and what is staged")
  func objects() throws {
    let company: Company = try view.createObject()
    #expect("\(company)" == "Company/1 (new) name: nil")
    company.name = "Acme\u{1B}[2J\n"
    let employee: Employee = try view.createObject()
    employee.name = String(repeating: "x", count: 70)
    employee.hiredAt = Date(timeIntervalSinceReferenceDate: 0)
    employee.company = company
    #expect(
      described(employee)
        == "Employee/1 (new) name: \"\(String(repeating: "x", count: 60))\"…, salary: 0.0, age: 18, phone: nil, "
        + "hiredAt: 2001-01-01 00:00:00 +0000, position: nil, company: Company/1, desk: nil, manager: nil"
    )
    try view.saveChanges()
    employee.age = 30
    employee.name = "Ann"
    #expect(described(employee).contains("(changed)"))
    #expect(described(employee).contains("x\"… → \"Ann\", salary: 0.0, age: 18 → 30,"))
    #expect("\(company)".contains(#"name: "Acme\u{1B}[2J\n""#))
    view.deleteObject(employee)
    #expect(described(employee).hasPrefix("Employee/1 (to be deleted)"))
    try view.saveChanges()
    #expect(described(employee).hasPrefix("Employee/1 (gone)"))
  }

  @Test("Printing reads nothing")
  func reading() throws {
    let id = try datastore.writeAndWait { context in
      let company: Company = try context.createObject()
      company.name = "Acme"
      for _ in 0..<3 {
        let employee: Employee = try context.createObject()
        employee.name = "Tom"
        employee.company = company
      }
      return company.objectID
    }
    let company: Company = try view.object(with: id)
    view.refresh(company)
    #expect("\(company)" == "Company/1 (not read)")
    #expect(company.name == "Acme")
    #expect("\(company)" == "Company/1 (saved) name: \"Acme\"")
    #expect(company.employees.count == 3)
    #expect("\(company)" == "Company/1 (saved) name: \"Acme\", employees: 3 objects")
  }

  @Test("Elsewhere than in its context an object says only which it is")
  func elsewhere() async throws {
    let company: Company = try view.createObject()
    company.name = "Acme"
    nonisolated(unsafe) let leaked = company
    let text = await Swift.Task.detached { "\(leaked)" }.value
    #expect(text == "Company/1 (of another queue)")
    let view = view
    let context = await Swift.Task.detached { "\(view)" }.value
    #expect(context == "SwiftDatastoreViewContext (of another queue)")
  }

  @Test("Contexts, lists and stores say what is in them")
  func others() async throws {
    #expect("\(view)" == "SwiftDatastoreViewContext (nothing staged)")
    let company: Company = try view.createObject()
    company.name = "Acme"
    view.transactionAuthor = "screen"
    #expect("\(view)" == "SwiftDatastoreViewContext (1 new) of screen")
    try view.saveChanges()
    let local = datastore.newLocalContext()
    let same: Company = try local.object(with: company.objectID)
    same.name = "Acme 2"
    let _: Company = try local.createObject()
    #expect("\(local)" == "SwiftDatastoreLocalContext (1 new, 1 changed)")
    #expect("\(datastore)" == "SwiftDatastore (\(try #require(datastore.url).path), 6 entities)")
    let controller = FetchedObjectsController<Company>(
      viewContext: view, where: \.$name == "Acme", orderBy: [.asc(\.$name)])
    #expect("\(controller)" == "FetchedObjectsController<Company> (not fetched)")
    try await controller.performFetch()
    #expect(
      "\(controller)" == "FetchedObjectsController<Company> (1 object) where name == \"Acme\"")
    try await datastore.newContext().perform { context in
      #expect("\(context)" == "SwiftDatastoreContext (nothing staged)")
    }
  }
}
