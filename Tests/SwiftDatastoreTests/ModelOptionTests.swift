import DatastoreCore
import Foundation
import SwiftDatastore
import Testing

private struct Measures: Codable, Sendable, Equatable {
  var width: Double
  var tags: [String] = []
}

private final class Item: DatastoreObject {
  @Attribute.Virtual var isExpanded = false
  @Attribute.NotOptional var code: String = ""
  @Attribute.Optional var shelf: Int?
  @Attribute.Virtual(compute: { (item: Item) in
    item.computations += 1
    return "\(item.code) on \(item.shelf ?? 0) of \(item.box?.label ?? "none")"
  })
  var summary: String
  @Attribute.Virtual var computations = 0
  @Attribute.Virtual var scratch: (() -> Int)?
  @Attribute.Enum(unique: true) var grade: Grade?
  @Attribute.Coded var measures: Measures?
  @Attribute.Coded(renamedFrom: "tags") var labels: [String]? = ["new"]
  @Relationship.ToOne var box: Box?

  override class var uniqueConstraints: [[AnyKeyPath]] {
    [[\Item.$code, \Item.$box]]
  }
  override class var renamedFrom: String? { "Thing" }
}

private enum Grade: Int, Sendable { case first, second }

private final class Box: DatastoreObject {
  @Attribute.NotOptional var label: String = ""
  @Relationship.ToMany(inverse: \.$box, minimumCount: 2, maximumCount: 3) var items: Set<Item>
  @Relationship.ToMany var seenWith: Set<Item>
}

private func makeStore() throws -> SwiftDatastore {
  try SwiftDatastore(inMemory: SwiftDatastoreModel(from: Item.self, Box.self))
}

@Suite struct ModelOptionTests {
  @Test func optionsEnterTheSchema() throws {
    let schema = try SwiftDatastoreModel(from: Item.self, Box.self).schema
    let item = try #require(schema.entity(named: "Item"))
    #expect(
      item.properties.map(\.name) == ["code", "shelf", "grade", "measures", "labels", "box"],
      "virtual attributes are no properties")
    #expect(item.description.uniqueness == [["code", "box"]])
    #expect(item.description.renamedFrom == "Thing")
    #expect(item.properties[2].attribute?.isUnique == true)
    #expect(item.properties[3].attribute?.type == .coded)
    #expect(item.properties[4].attribute?.renamedFrom == "tags")
    #expect(item.properties[4].attribute?.defaultValue == .blob(Data("[\"new\"]".utf8)))
    let box = try #require(schema.entity(named: "Box"))
    #expect(box.properties[1].relationship?.minimumCount == 2)
    #expect(box.properties[1].relationship?.maximumCount == 3)
    #expect(box.properties[2].relationship?.inverse == nil)
  }

  @Test func codedValuesSurviveASave() async throws {
    let datastore = try makeStore()
    let id = try await datastore.write { context in
      let item: Item = try context.createObject()
      #expect(item.labels == ["new"])
      #expect(item.measures == nil)
      item.measures = Measures(width: 0.1 + 0.2, tags: ["a"])
      item.measures?.tags.append("b/c")
      item.labels?.append("old")
      return item.objectID
    }
    try await datastore.newContext().perform { context in
      let item: Item = try context.object(with: id)
      #expect(item.measures == Measures(width: 0.1 + 0.2, tags: ["a", "b/c"]))
      #expect(item.labels == ["new", "old"])
      item.measures = item.measures
      #expect(!item.hasChanges, "equal values make equal data")
      item.measures?.width = .infinity
      try context.saveChanges()
      #expect(item.measures?.width == .infinity)
      item.measures = nil
      try context.saveChanges()
      let found: Item? = try context.fetchFirst(where: \.$measures == nil)
      #expect(found === item)
    }
  }

  @Test(arguments: ["", "{", "{\"width\":\"wide\"}", "[1,2]", "\u{0}\u{1}"])
  func corruptCodedDataReadsAsNil(_ text: String) async throws {
    let datastore = try makeStore()
    try await datastore.newContext().perform { context in
      let item: Item = try context.createObject()
      item.setValue(.blob(Data(text.utf8)), at: item.$measures.slot)
      try context.saveChanges()
      #expect(item.measures == nil)
      item.shelf = 2
      try context.saveChanges()
      #expect(item.changedValues().isEmpty)
      #expect(item.value(at: item.$measures.slot) == .blob(Data(text.utf8)), "it stays stored")
      item.measures?.tags.append("a")
      #expect(item.measures == nil, "there is nothing to change in place")
      item.measures = Measures(width: 1)
      #expect(item.measures == Measures(width: 1))
    }
  }

  @Test func codedPropertiesAreObserved() async throws {
    let datastore = try makeStore()
    try await datastore.newContext().perform { context in
      let item: Item = try context.createObject()
      var seen: [[String]?] = []
      let token: PropertyObservation = item.$labels.observe { seen.append($0) }
      item.labels = ["a"]
      item.labels?.append("b")
      token.cancel()
      item.labels = nil
      #expect(seen == [["a"], ["a", "b"]])
    }
  }

  @Test func constraintsOverSeveralPropertiesHold() async throws {
    let datastore = try makeStore()
    let context = datastore.newContext()
    try await context.perform { context in
      let boxes: [Box] = try ["A", "B"].map { label in
        let box: Box = try context.createObject()
        box.label = label
        return box
      }
      for (code, box) in [("x", boxes[0]), ("y", boxes[0]), ("x", boxes[1]), ("z", boxes[1])] {
        let item: Item = try context.createObject()
        item.code = code
        item.box = box
      }
      for _ in 0..<2 {
        let loose: Item = try context.createObject()
        loose.code = "x"
      }
      try context.saveChanges()
      let items: [Item] = try context.fetch(where: \.$box ~ \.$label == "A" && \.$code == "y")
      try #require(items.first).code = "x"
      #expect {
        try context.saveChanges()
      } throws: { error in
        "\(error)".contains("code") && "\(error)".contains("box")
      }
    }
  }

  @Test func uniqueEnumsHold() async throws {
    let datastore = try makeStore()
    try await datastore.newContext().perform { context in
      for grade in [nil, nil, Grade.first, .second] {
        let item: Item = try context.createObject()
        item.grade = grade
      }
      try context.saveChanges()
      let item: Item = try context.createObject()
      item.grade = .second
      #expect(throws: StoreError.self) { try context.saveChanges() }
    }
  }

  @Test func countsAreCheckedWhenSaving() async throws {
    let datastore = try makeStore()
    try await datastore.newContext().perform { context in
      let box: Box = try context.createObject()
      func fill(_ count: Int) throws {
        let items: [Item] = try (0..<count).map { number in
          let item: Item = try context.createObject()
          item.code = "\(number)"
          return item
        }
        box.items = Set(items)
      }
      try fill(1)
      #expect {
        try context.saveChanges()
      } throws: { error in
        "\(error)".contains("items must have at least 2 objects")
      }
      try fill(4)
      #expect {
        try context.saveChanges()
      } throws: { error in
        "\(error)".contains("items must have at most 3 objects")
      }
      box.items = []
      try context.saveChanges()
      try fill(3)
      try context.saveChanges()
      #expect(box.$items.count.value == 3)
    }
  }
}

@Suite struct VirtualAttributeTests {
  @Test func keptValuesAreOfOneObjectAndChangeNothing() async throws {
    let datastore = try makeStore()
    try await datastore.newContext().perform { context in
      let first: Item = try context.createObject()
      let second: Item = try context.createObject()
      first.code = "1"
      second.code = "2"
      try context.saveChanges()
      first.isExpanded = true
      first.scratch = { 42 }
      #expect(first.isExpanded)
      #expect(first.scratch?() == 42)
      #expect(!second.isExpanded)
      #expect(second.scratch == nil)
      #expect(!context.hasChanges)
      #expect(first.code == "1", "slots of stored properties are their own")
      #expect(second.code == "2")
    }
  }

  @Test func computedValuesAreKeptUntilTheirObjectChanges() async throws {
    let datastore = try makeStore()
    try await datastore.newContext().perform { context in
      let item: Item = try context.createObject()
      item.code = "x"
      #expect(item.summary == "x on 0 of none")
      #expect(item.summary == "x on 0 of none")
      #expect(item.computations == 1)
      item.shelf = 3
      #expect(item.summary == "x on 3 of none")
      #expect(item.computations == 2)
      let box: Box = try context.createObject()
      box.label = "A"
      let other: Item = try context.createObject()
      box.items = [item, other]
      #expect(item.summary == "x on 3 of A", "assigned from the other side")
      try context.saveChanges()
      item.shelf = 4
      #expect(item.summary == "x on 4 of A")
      context.revertChanges()
      #expect(item.summary == "x on 3 of A")
      let before = item.computations
      #expect(item.summary == "x on 3 of A")
      #expect(item.computations == before)
    }
  }

  @Test func otherChangesNeedAReset() async throws {
    let datastore = try makeStore()
    try await datastore.newContext().perform { context in
      let item: Item = try context.createObject()
      let box: Box = try context.createObject()
      item.box = box
      #expect(item.summary == " on 0 of ")
      box.label = "B"
      #expect(item.summary == " on 0 of ")
      item.$summary.reset()
      #expect(item.summary == " on 0 of B")
      item.summary = "by hand"
      #expect(item.summary == "by hand")
      item.shelf = 1
      #expect(item.summary == " on 1 of B")
    }
  }

  @Test @MainActor func savesOfOtherContextsAreSeen() async throws {
    let datastore = try makeStore()
    let id = try await datastore.write { context in
      let item: Item = try context.createObject()
      item.code = "x"
      return item.objectID
    }
    let item: Item = try datastore.sharedViewContext.object(with: id)
    #expect(item.summary == "x on 0 of none")
    try await datastore.write { context in
      let item: Item = try context.object(with: id)
      item.code = "y"
    }
    await drainMainQueue()
    #expect(item.summary == "y on 0 of none")
    #expect(item.computations == 2)
  }
}
