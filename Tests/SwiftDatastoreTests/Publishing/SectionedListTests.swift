import DatastoreTestSupport
import Foundation
import SwiftDatastore
import Testing

/// The sections of lists of every kind.
@MainActor
@Suite struct SectionedListTests {
  private func answers(_ list: some SectionedList<Employee>) -> [String] {
    list.sections.map { section in
      let names = list.objects(at: section.indices).map(\.name).joined()
      return "\(section.name)/\(section.value == .null)/\(section.indexTitle ?? "-"): \(names)"
    }
  }

  @Test(
    "Snapshots, publishers and controllers answer alike; a section without a value has an empty name"
  )
  func alike() async throws {
    let datastore = try TestModel.file()
    try await datastore.write { context in
      for (name, phone) in [("Ann", "1"), ("Bob", nil), ("Cyd", "1"), ("Dan", "22")] {
        let employee: Employee = try context.createObject()
        (employee.name, employee.phone) = (name, phone)
      }
    }
    await drainMainQueue()
    let view = datastore.sharedViewContext
    let query = From<Employee>().sectionBy(\.$phone).orderBy(.asc(\.$name))
    let controller = FetchedObjectsController(viewContext: view, query)
    let publisher = ListPublisher(viewContext: view, query)
    try await controller.performFetch()
    try await publisher.performFetch()
    let expected = ["/true/-: Bob", "1/false/1: AnnCyd", "22/false/2: Dan"]
    #expect(answers(publisher.snapshot) == expected)
    #expect(answers(publisher) == expected)
    #expect(answers(controller) == expected)
    for list in [controller, publisher, publisher.snapshot] as [any SectionedList<Employee>] {
      #expect(list.objectCount == 4 && list.sectionCount == 3)
      #expect((0...3).map { list.numberOfObjects(inSection: $0) } == [1, 2, 1, 0])
      #expect(list.objects(inSection: 1).map(\.name) == ["Ann", "Cyd"])
      #expect(list.objects(inSection: 7).isEmpty && list.section(at: -1) == nil)
      #expect(list.fetchedObjects.map(\.name) == ["Bob", "Ann", "Cyd", "Dan"])
      #expect(list.indexTitles == ["1", "2"])
      #expect(list.section(forSectionIndexTitle: "2", at: 0) == 2)
      #expect(list.section(forSectionIndexTitle: "x", at: 1) == 1)
      let dan = list.objects(inSection: 2)[0]
      #expect(list.index(of: dan.objectID) == 3)
    }
    #expect(publisher == publisher && Set([publisher]).count == 1)
  }

  @Test("Without a group key there is one section, also of no objects")
  func withoutSections() throws {
    let view = try TestModel.file().sharedViewContext
    let controller = FetchedObjectsController<Employee>(
      viewContext: view, orderBy: [.asc(\.$name)])
    try controller.performFetch()
    #expect(controller.sections.map(\.indices) == [0..<0] && controller.sections[0].name.isEmpty)
    #expect(controller.fetchedObjects.isEmpty && controller.indexTitles.isEmpty)
  }
}
