import DatastoreCore
import DatastoreTestSupport
import Foundation
import SwiftDatastore
import Testing

/// Lists as values: their content, comparing them, changing copies.
@MainActor
@Suite struct ListSnapshotTests {
  private func makePublisher(
    _ count: Int, grouped: Bool = true
  ) async throws -> ListPublisher<Employee> {
    let datastore = try TestModel.file()
    try await datastore.write { context in
      for number in 0..<count {
        let employee: Employee = try context.createObject()
        employee.name = "E\(10_000_000 + number * 7_919 % 10_007)"
        employee.age = number % 4
      }
    }
    let view = datastore.sharedViewContext
    let publisher =
      grouped
      ? ListPublisher<Employee>(viewContext: view, orderBy: [.asc(\.$name)], groupBy: \.$age)
      : ListPublisher<Employee>(viewContext: view, orderBy: [.asc(\.$name)])
    try await publisher.performFetch()
    return publisher
  }

  @Test func whatIsInAList() async throws {
    let publisher = try await makePublisher(10)
    let list = publisher.snapshot
    #expect(list.count == 10)
    #expect(list.numberOfSections == 4)
    #expect(list.sections.map(\.name) == ["0", "1", "2", "3"])
    #expect(list.sections.map(\.indices) == [0..<3, 3..<6, 6..<8, 8..<10])
    let ids = Array(list.itemIDs)
    #expect(list.index(of: ids[4]) == 4)
    #expect(list.indexPath(of: ids[4]) == IndexPath(row: 1, section: 1))
    #expect(list.section(containing: ids[4])?.value == .integer(1))
    #expect(Array(list.itemIDs(inSection: ListSectionID(.integer(3)))) == Array(ids[8...]))
    #expect(Array(list.itemIDs(inSection: ListSectionID(.real(3)))) == Array(ids[8...]))
    #expect(list.itemIDs(inSection: ListSectionID(.text("none"))).isEmpty)
    #expect(list.section(at: 4) == nil)
    #expect(list.section(at: -1) == nil)
    #expect(list.index(at: IndexPath(row: 2, section: 2)) == nil)
    #expect(list[safe: 10] == nil)
    #expect(list[safe: -1] == nil)
    #expect(list[safe: IndexPath(row: 9, section: 9)] == nil)
    #expect(list.map(\.objectID) == ids)
    #expect(list[4] === list[id: ids[4]])
    #expect(list[3].$age == 1)
    let company: Company = try publisher.viewContext.createObject()
    #expect(list.index(of: company.objectID) == nil)
    #expect(list[id: company.objectID] == nil)
  }

  @Test func anEmptyListWithoutGroupsHasOneSection() async throws {
    let publisher = try await makePublisher(0, grouped: false)
    var list = publisher.snapshot
    #expect(list.isEmpty && list.numberOfSections == 1 && list.sections.count == 1)
    let employee: Employee = try publisher.viewContext.createObject()
    list.append([employee.objectID])
    #expect(Array(list.itemIDs) == [employee.objectID])
    #expect(list.difference(from: publisher.snapshot).insertedSections == [])
    #expect(list.difference(from: publisher.snapshot).inserted == [IndexPath(row: 0, section: 0)])
  }

  @Test func listsAreEqualByTheirContent() async throws {
    let publisher = try await makePublisher(5_000, grouped: false)
    let list = publisher.snapshot
    var copy = list
    let id = list.itemIDs[2_500]
    copy.delete([id])
    #expect(copy != list)
    copy.insert([id], before: list.itemIDs[2_501])
    #expect(copy == list)
    #expect(copy.hashValue == list.hashValue)
    try await publisher.performFetch()
    #expect(publisher.snapshot == list)
    let other = ListPublisher<Employee>(
      viewContext: publisher.viewContext, orderBy: [.asc(\.$name)])
    try await other.performFetch()
    #expect(other.snapshot == list)
    let descending = ListPublisher<Employee>(
      viewContext: publisher.viewContext, orderBy: [.desc(\.$name)])
    try await descending.performFetch()
    #expect(descending.snapshot != list)
  }

  @Test func copiesAreChanged() async throws {
    let publisher = try await makePublisher(8)
    let list = publisher.snapshot
    let ids = Array(list.itemIDs)
    func rows(_ list: ListSnapshot<Employee>) -> [[Int]] {
      ListModel(list).items.map { $0.compactMap { ids.firstIndex(of: $0) } }
    }
    var copy = list
    #expect(rows(copy) == [[0, 1], [2, 3], [4, 5], [6, 7]])
    copy.move(ids[7], before: ids[2])
    copy.move(ids[0], after: ids[4])
    #expect(rows(copy) == [[1], [7, 2, 3], [4, 0, 5], [6]])
    copy.delete([ids[2], ids[6], ids[6]])
    #expect(rows(copy) == [[1], [7, 3], [4, 0, 5], []])
    copy.append([ids[2], ids[3]], to: ListSectionID(.integer(3)))
    #expect(rows(copy) == [[1], [7, 3], [4, 0, 5], [2]])
    copy.moveSection(ListSectionID(.integer(2)), before: ListSectionID(.integer(0)))
    #expect(rows(copy) == [[4, 0, 5], [1], [7, 3], [2]])
    copy.insertSection(ListSectionID(.null), before: ListSectionID(.integer(0)))
    copy.insertSection(ListSectionID(.null))
    #expect(rows(copy) == [[4, 0, 5], [], [1], [7, 3], [2]])
    copy.append([ids[6]], to: ListSectionID(.null))
    copy.deleteSection(ListSectionID(.integer(1)))
    #expect(rows(copy) == [[4, 0, 5], [6], [1], [2]])
    copy.append([ids[7]], to: ListSectionID(.text("none")))
    copy.move(ids[7], before: ids[1])
    copy.insert([ids[7]], after: ids[3])
    #expect(rows(copy) == [[4, 0, 5], [6], [1], [2]])
    #expect(rows(list) == [[0, 1], [2, 3], [4, 5], [6, 7]])
    copy = list
    copy.reload([ids[1], ids[5]])
    let batch = copy.difference(from: list)
    #expect(batch.updated == [IndexPath(row: 1, section: 0), IndexPath(row: 1, section: 2)])
    #expect(batch.moved.isEmpty && batch.inserted.isEmpty && batch.deleted.isEmpty)
    copy.deleteAll()
    #expect(copy.isEmpty && copy.numberOfSections == 0)
  }

  // Promise: lists are edited, sections moved, made, deleted → the difference applied to the one gives the
  // other.
  // Also: (2,000 random pairs)
  /// What `difference(from:)` says, applied to the one list, gives the other.
  @Test func theDifferenceMakesTheOneListOfTheOther() async throws {
    let small = try await makePublisher(40).snapshot
    let large = try await makePublisher(9_500).snapshot
    for round in RandomCases.rounds(of: 1) {
      var random = SeededRandom(seed: RandomCases.seed(round))
      let base = random.below(25) == 0 ? large : small
      var old = base
      change(&old, &random, all: Array(base.itemIDs))
      // Half of them made one from the other, half of them cousins.
      var new = random.below(2) == 0 ? old : base
      change(&new, &random, all: Array(base.itemIDs))
      let batch = new.difference(from: old)
      var model = ListModel(old)
      let wanted = ListModel(new)
      model.apply(batch, to: wanted)
      #expect(model == wanted, "seed \(random.seed)")
      #expect(batch.deleted == batch.deleted.sorted() && batch.inserted == batch.inserted.sorted())
      #expect(batch.moved.map(\.from) == batch.moved.map(\.from).sorted())
      if model != wanted { break }
    }
  }

  private func change(
    _ list: inout ListSnapshot<Employee>, _ random: inout SeededRandom, all: [DatastoreObjectID]
  ) {
    for _ in 0..<random.below(6) {
      let ids = list.itemIDs
      guard let some = ids.randomElement(using: &random) else { return }
      let other = ids.randomElement(using: &random) ?? some
      let sections = list.sectionIDs
      switch random.below(9) {
      case 0, 1: list.delete([some])
      case 2: list.move(some, before: other)
      case 3: list.move(some, after: other)
      case 4: list.insert([all[random.below(all.count)]], before: other)
      case 5:
        list.append([all[random.below(all.count)]], to: sections.randomElement(using: &random))
      case 6: list.deleteSection(sections[random.below(sections.count)])
      case 7:
        list.moveSection(
          sections[random.below(sections.count)], before: sections[random.below(sections.count)])
      default:
        list.insertSection(
          ListSectionID(.integer(Int64(random.below(8)))),
          before: sections.randomElement(using: &random))
      }
    }
  }
}
