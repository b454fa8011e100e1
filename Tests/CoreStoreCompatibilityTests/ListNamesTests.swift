import CoreStoreCompatibility
import Foundation
import Testing

/// The answers of a list under CoreStore's names, line by line.
@MainActor
@Suite struct ListNamesTests {
  private let dataStack = DataStack(
    CoreStoreSchema(modelVersion: "V1", entities: [Entity<Member>("Member")]))

  init() throws {
    try dataStack.addStorageAndWait(InMemoryStore())
    try dataStack.perform(synchronous: { transaction in
      for (name, gender) in [("Ann", "F"), ("Bob", "M"), ("Cyd", "F")] {
        let member = try transaction.create(Into<Member>())
        (member.name, member.gender) = (name, gender)
      }
    })
  }

  private var query: From<Member> {
    From<Member>().sectionBy(\.$gender).orderBy(.ascending(\.$name))
  }

  @Test func monitors() throws {
    let monitor = try dataStack.monitorSectionedList(query)
    #expect(monitor.hasSections() && monitor.hasObjects() && !monitor.isPendingRefetch)
    #expect(monitor.numberOfSections() == 2 && monitor.numberOfObjects() == 3)
    #expect(monitor.hasObjects(in: 0) && !monitor.hasObjects(in: 9))
    #expect(monitor.numberOfObjects(in: 0) == 2 && monitor.numberOfObjects(safelyIn: 9) == nil)
    #expect(monitor.sections().map(\.name) == ["F", "M"])
    #expect(
      monitor.sectionInfo(safelyAt: 1)?.name == "M" && monitor.sectionInfo(safelyAt: 2) == nil)
    #expect(monitor.objectsInAllSections().map(\.name) == ["Ann", "Cyd", "Bob"])
    #expect(monitor.objects(in: 0).map(\.name) == ["Ann", "Cyd"])
    #expect(monitor.objects(safelyIn: 2) == nil)
    let bob = monitor[2]
    #expect(
      monitor.index(of: bob) == 2 && monitor.indexPath(of: bob) == IndexPath(item: 0, section: 1))
    #expect(monitor.indexPath(of: bob)?.item == 0)
    #expect(monitor[safeIndex: 2] === bob && monitor[safeIndex: 3] == nil)
    #expect(monitor[safeSectionIndex: 1, safeItemIndex: 0] === bob)
    #expect(monitor[safeIndexPath: IndexPath(row: 1, section: 1)] == nil)
    #expect(monitor.sectionIndexTitles() == ["F", "M"])
    #expect(monitor.targetSection(forSectionIndexTitle: "M", at: 0) == 1)
    #expect(monitor == monitor)
  }

  @Test func snapshots() throws {
    let publisher = try dataStack.publishList(query)
    var list = publisher.snapshot
    let ids = Array(list.itemIDs)
    #expect(list.hasSections() && list.hasItems() && list.numberOfItems == 3)
    #expect(list.hasItems(inSectionIndex: 1) && !list.hasItems(inSectionIndex: 2))
    #expect(list.hasItems(inSectionWithID: "F") && list.numberOfItems(inSectionWithID: "F") == 2)
    #expect(Array(list.itemIDs(inSectionWithID: "M")) == [ids[2]])
    #expect(list.itemIDs(inSectionWithID: "F", atIndices: [1]) == [ids[1]])
    #expect(list.sectionID(containingItemWithID: ids[1]) == "F")
    #expect(list.indexOfItem(withID: ids[1]) == 1 && list.indexOfSection(withID: "M") == 1)
    #expect(list.items(inSectionWithID: "F").map { $0.object?.name } == ["Ann", "Cyd"])
    #expect(list.items(atIndices: [2]).map { $0.object?.name } == ["Bob"])
    #expect(list[safeIndex: 3] == nil && list[1, 0].object?.name == "Bob")
    list.deleteItems(withIDs: [ids[0]])
    list.insertItems(withIDs: [ids[0]], afterItemID: ids[2])
    #expect(Array(list.itemIDs) == [ids[1], ids[2], ids[0]])
    list.moveItem(withID: ids[0], beforeItemID: ids[1])
    list.deleteItems(at: [IndexPath(item: 0, section: 1)])
    list.appendItems(with: [ids[2]], toSectionAt: 7)
    #expect(Array(list.itemIDs) == [ids[0], ids[1]])
    list.appendItems(withIDs: [ids[2]], toSectionWithID: "M")
    list.moveSection(withID: "M", beforeSectionID: "F")
    #expect(Array(list.itemIDs) == [ids[2], ids[0], ids[1]])
    list.appendSections(withIDs: ["X"])
    list.deleteSections(withIDs: ["M"])
    #expect(list.sectionIDs == ["F", "X"])
    list.reloadSections(withIDs: ["F"])
    #expect(list.updatedItemIdentifiers.isSuperset(of: [ids[0], ids[1]]))
    list.deleteAllItems()
    #expect(!list.hasItems())
  }

  @Test func clauses() throws {
    let order = OrderBy<Member>([.descending("name")])
    let clauses: [any FetchClause] = [Where<Member>("gender", isMemberOf: ["F", "X"]), order]
    #expect(try dataStack.fetchAll(From<Member>(), clauses).map(\.name) == ["Cyd", "Ann"])
    #expect(try dataStack.fetchCount(From<Member>(), [Where<Member>()]) == 3)
    let members = try dataStack.fetchAll(
      From<Member>()
        .where(format: "%K BEGINSWITH %@", "name", "B")
        .orderBy(order)
        .appending(Tweak { $0.fetchLimit = 1 }))
    #expect(members.map(\.name) == ["Bob"])
    #expect(
      try dataStack.fetchCount(
        From<Member>().where(
          combineByOr: Where("name == %@", argumentArray: ["Ann"]), \.$name == "Bob"))
        == 2)
    try dataStack.perform(synchronous: { transaction in
      let ids = try transaction.fetchObjectIDs(
        From<Member>(), [Where<Member>("name", isEqualTo: "Ann")])
      try transaction.delete(objectIDs: ids)
    })
    #expect(try dataStack.fetchOne(From<Member>(), clauses)?.name == "Cyd")
    #expect(try dataStack.fetchCount(From<Member>()) == 2)
  }
}
