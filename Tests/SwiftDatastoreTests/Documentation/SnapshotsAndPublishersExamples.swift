import Foundation
import SwiftDatastore
import Testing

// The code of SnapshotsAndPublishers.md, to the letter.

extension ModelsArticle {
  @MainActor
  @Suite final class SnapshotsAndPublishersExamples {
    func follow(_ publisher: ListPublisher<Employee>) async {
      var shown = publisher.snapshot
      for await list in publisher.snapshots {
        let batch = list.difference(from: shown)
        print(batch.inserted.count, batch.updated.count)
        shown = list
      }
    }

    @Test func anObjectAsAValue() async throws {
      let datastore = try await makeStore()
      let employee: Employee = try #require(
        try datastore.sharedViewContext.fetchFirst(where: \.$name == "Tom"))

      let before = ObjectSnapshot(of: employee)
      employee.salary += 100
      let after = ObjectSnapshot(of: employee)
      print(before?.$salary ?? 0, after?.$salary ?? 0, before == after)
      #expect(before != after)
      #expect(ObjectSnapshot(of: employee, including: \.$jobs)?.$jobs != nil)

      if var draft = ObjectSnapshot(of: employee) {
        draft.$phone = "1234"
        draft.assign(to: employee)
      }
      #expect(employee.phone == "1234")
    }

    @Test func theNewsOfAnObject() async throws {
      let datastore = try await makeStore()
      let employee: Employee = try #require(
        try datastore.sharedViewContext.fetchFirst(where: \.$name == "Tom"))

      let publisher = datastore.sharedViewContext.publisher(of: employee)
      publisher.addObserver(self) { change in
        print(change.changedKeys.sorted(), change.snapshot?.$name ?? "deleted")
      }
      #expect(publisher.$name == "Tom")
    }

    @Test func aListAsAValue() async throws {
      let datastore = try await makeStore()

      let list = ListPublisher<Employee>(
        viewContext: datastore.sharedViewContext, where: \.$salary > 0,
        orderBy: [.asc(\.$name)], groupBy: \.$position)
      try await list.performFetch()

      for section in list.snapshot.sections {
        print("-", section.value == .null ? "no position" : section.name)
        for index in section.indices {
          print(list.snapshot[index].$name ?? "gone")
        }
      }
      #expect(list.snapshot.map { $0.$name ?? "gone" } == ["Tim", "Tom", "Åsa"])

      list.addObserver(self) { change in
        if change.isOnlyUpdates { return }
        print(change.batch.deleted.count, change.batch.inserted.count, change.batch.moved.count)
      }
      try await list.refetch(where: \.$position == .developer, orderBy: [.desc(\.$salary)])
      #expect(list.snapshot.map { $0.$name ?? "gone" } == ["Tom", "Tim"])
    }
  }
}
