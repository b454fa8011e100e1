import CoreStoreCompatibility
import Foundation
import Testing

/// Each name of CoreStore's snapshots, by the file that declares it there; `ListNamesTests` has the first
/// half of a list's.
@MainActor
@Suite struct SnapshotNamesTests {
  private let dataStack: DataStack

  init() throws { dataStack = try namedStack() }

  /// ObjectSnapshot.swift, ObjectRepresentation.swift
  @Test func objects() throws {
    let ann = try #require(try dataStack.fetchOne(From<Owner>().where(\.$name == "Ann")))
    let rex = try #require(try dataStack.fetchOne(From<Hound>().where(\.$name == "Rex")))
    let snapshot = try #require(try rex.asSnapshot(in: dataStack))
    let values = snapshot.dictionaryForValues()
    #expect(values["name"] as? String == "Rex" && values["age"] as? Int == 2)
    #expect(values["owner"] as? NSManagedObjectID == ann.objectID && values.count == 3)
    #expect(try ann.asSnapshot(in: dataStack)?.dictionaryForValues()["nickname"] == nil)

    func read(_ one: some ObjectRepresentation<Hound>) throws {
      #expect(try one.asReadOnly(in: dataStack) === rex)
      #expect(try one.asPublisher(in: dataStack).object === rex)
      #expect(try one.asSnapshot(in: dataStack) == snapshot)
      #expect(one.objectID == rex.objectID)
    }
    try read(snapshot)
    try read(dataStack.publishObject(rex))
    #expect(try rex.asReadOnly(in: dataStack) === rex)
    #expect(try rex.asPublisher(in: dataStack).snapshot?.$age == 2)
    try dataStack.perform(synchronous: { transaction in
      let own = try #require(try snapshot.asEditable(in: transaction))
      #expect(try rex.asEditable(in: transaction) === own)
      own.age = 9
      #expect(try snapshot.asSnapshot(in: transaction)?.$age == 9)
      #expect(try rex.asSnapshot(in: transaction)?.$age == 9)
      try transaction.delete(own)
    })
    #expect(try snapshot.asReadOnly(in: dataStack) == nil)
    #expect(try snapshot.asSnapshot(in: dataStack) == nil)
    #expect(throws: ObjectNotFoundError.self) { try snapshot.asPublisher(in: dataStack) }
  }

  /// ListSnapshot.swift, ListSnapshot.SectionInfo.swift
  @Test func lists() throws {
    let publisher = try dataStack.publishList(
      From<Owner>().sectionBy(\.$name).orderBy(.ascending(\.$name)))
    let list = publisher.snapshot
    let ids: [ListSnapshot<Owner>.ItemID] = Array(list.itemIDs)
    let sections = list.sections()
    #expect(sections.map(\.sectionID) == ["Ann", "Bob", "Cyd"] && sections[1].name == "Bob")
    #expect(sections.map { Array($0.itemIDs) } == ids.map { [$0] })
    #expect(sections[2].count == 1 && sections[2].first?.object?.name == "Cyd")
    #expect(list.sections.map(\.name) == ["Ann", "Bob", "Cyd"])
    #expect(list.items(inSectionWithID: "Bob", atIndices: [0]).map(\.objectID) == [ids[1]])
    #expect(list.lazy(atIndices: [2, 0]).map(\.objectID) == [ids[2], ids[0]])
    #expect(list.lazy(inSectionWithID: "Bob").map(\.objectID) == [ids[1]])
  }

  private func edited(_ change: (inout ListSnapshot<Owner>, [NSManagedObjectID]) -> Void) throws
    -> String
  {
    var list = try dataStack.publishList(
      From<Owner>().sectionBy(\.$name).orderBy(.ascending(\.$name))
    ).snapshot
    change(&list, Array(list.itemIDs))
    return list.sections().map { section in
      "\(section.name?.prefix(1) ?? "-")"
        + section.compactMap { $0.object?.name.first?.lowercased() }.joined()
    }.joined(separator: " ")
  }

  // Promise: a row of a list is moved to a place that is not there → the list stays as it was.
  /// ListSnapshot.swift: changes by places.
  @Test func places() throws {
    func path(_ section: Int, _ row: Int) -> IndexPath { IndexPath(row: row, section: section) }
    #expect(try edited { _, _ in } == "Aa Bb Cc")
    #expect(try edited { list, _ in list.moveItem(at: path(0, 0), to: path(2, 0)) } == "A Bb Cac")
    #expect(try edited { list, _ in list.moveItem(at: path(0, 0), to: path(2, 1)) } == "A Bb Cca")
    #expect(try edited { list, _ in list.moveItem(at: path(9, 0), to: path(2, 1)) } == "Aa Bb Cc")
    #expect(try edited { list, _ in list.moveItem(at: path(0, 0), to: path(9, 0)) } == "Aa Bb Cc")
    let back = try edited { list, ids in
      list.deleteItems(withIDs: [ids[0]])
      list.insertItems(withIDs: [ids[0]], at: path(1, 1))
    }
    #expect(back == "A Bba Cc")
    #expect(try edited { list, _ in list.moveSection(at: 0, to: 1) } == "Bb Aa Cc")
    #expect(try edited { list, _ in list.moveSection(at: 0, to: 2) } == "Bb Cc Aa")
    #expect(try edited { list, _ in list.moveSection(at: 2, to: 0) } == "Cc Aa Bb")
    #expect(
      try edited { list, _ in list.moveSection(withID: "Ann", afterSectionID: "Cyd") } == "Bb Cc Aa"
    )
    #expect(
      try edited { list, _ in list.moveSection(withID: "Cyd", beforeSectionID: "Ann") }
        == "Cc Aa Bb")
    #expect(try edited { list, _ in list.insertSections(["X", "Y"], at: 1) } == "Aa X Y Bb Cc")
    #expect(
      try edited { list, _ in list.insertSections(withIDs: ["X"], afterSectionID: "Cyd") }
        == "Aa Bb Cc X")
    #expect(try edited { list, _ in list.deleteSections(at: [0, 2]) } == "Bb")
  }

  @Test func reloading() throws {
    var list = try dataStack.publishList(
      From<Owner>().sectionBy(\.$name).orderBy(.ascending(\.$name))
    ).snapshot
    let before = list
    list.reloadItems(at: [IndexPath(row: 0, section: 1)])
    list.reloadSections(at: [2])
    #expect(list.difference(from: before).updated.map(\.section) == [1, 2])
  }
}
