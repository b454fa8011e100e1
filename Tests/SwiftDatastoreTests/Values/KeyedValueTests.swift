import DatastoreCore
import DatastoreTestSupport
import Foundation
import SwiftDatastore
import Testing

/// Values that are found again by a key.
@MainActor
@Suite struct KeyedValueTests {
  final class Thing: DatastoreObject {
    @Attribute.NotOptional(unique: true) var number: Int64
    @Attribute.NotOptional var name: String
  }

  final class Token: DatastoreObject {
    @Attribute.NotOptional(unique: true) var code: UUID
    @Attribute.NotOptional var name: String
  }

  struct Item: KeyedDatastoreValue, Codable, Hashable {
    typealias Object = Thing
    static var keyProperty: any KeyPath<Thing, Attribute.NotOptional<Int64>.Property> & Sendable {
      \.$number
    }
    var key: Int64 { number }
    var number: Int64
    var name: String
  }

  struct Ticket: KeyedDatastoreValue, Codable, Equatable {
    typealias Object = Token
    static var keyProperty: any KeyPath<Token, Attribute.NotOptional<UUID>.Property> & Sendable {
      \.$code
    }
    var key: UUID { code }
    var code: UUID
    var name: String
  }

  private let view: SwiftDatastoreViewContext
  private let datastore: SwiftDatastore

  init() throws {
    datastore = try SwiftDatastore(
      dataModel: SwiftDatastoreModel(from: Thing.self, Token.self),
      storeName: UUID().uuidString, storingType: .test)
    view = datastore.sharedViewContext
  }

  @Test func aKeyIsFoundAgain() throws {
    var item = Item(number: 1 << 40, name: "a")
    try view.save(&item)
    item.name = "b"
    try view.save(&item)
    #expect(try view.fetch(Item.self) == [item])
    var ticket = Ticket(code: UUID(), name: "x")
    try view.save(&ticket)
    ticket.name = "y"
    try view.save(&ticket)
    #expect(try view.fetch(Ticket.self) == [ticket])
  }

  @Test func anotherKeyIsAnotherObjectUnlessItReplaces() throws {
    var item = Item(number: 1, name: "a")
    try view.save(&item)
    item.number = 2
    try view.save(&item)
    #expect(try view.fetch(Item.self).map(\.number) == [1, 2])
    item.number = 3
    try view.save(&item, replacing: 2)
    #expect(try view.fetch(Item.self).map(\.number) == [1, 3])
    item.number = 4
    try view.save(&item, replacing: 99)
    #expect(try view.fetch(Item.self).map(\.number) == [1, 3, 4])
  }

  @Test func oneKeyTwiceCountsLast() throws {
    var items = [
      Item(number: 1, name: "a"), Item(number: 2, name: "b"), Item(number: 1, name: "c"),
    ]
    try view.saveAll(&items)
    #expect(items.map(\.name) == ["c", "b", "c"], "what comes back is corrected")
    #expect(try view.fetch(Item.self, orderBy: [.asc(\.$number)]).map(\.name) == ["c", "b"])
  }

  @Test func deletingWhatIsNotThereWritesNothing() throws {
    #expect(try !view.delete(Item(number: 1, name: "a")))
    #expect(!view.hasChanges)
    #expect(try view.count(Thing.self) == 0)
    var item = Item(number: 1, name: "a")
    try view.save(&item)
    #expect(try view.delete(Item(number: 1, name: "another name")))
    #expect(try view.count(Thing.self) == 0)
  }

  /// An object of another entity has the same value; it is not the one.
  @Test func onlyObjectsOfTheEntityAreFound() throws {
    let code = UUID()
    let token: Token = try view.createObject()
    (token.code, token.name) = (code, "staged")
    let thing: Thing = try view.createObject()
    (thing.number, thing.name) = (1, "staged")
    var item = Item(number: 1, name: "a")
    #expect(try view.save(&item) == .staged)
    #expect(thing.name == "a", "staged objects are found")
    #expect(token.name == "staged")
    #expect(view.insertedObjects.count == 2)
  }

  @Test func aStagedKeyIsWhatCounts() throws {
    var items = (1...3).map { Item(number: $0, name: "stored") }
    try view.saveAll(&items)
    let first: Thing = try #require(try view.fetchFirst(where: \.$number == 1))
    first.number = 10
    let second: Thing = try #require(try view.fetchFirst(where: \.$number == 2))
    view.deleteObject(second)
    var again = [
      Item(number: 10, name: "x"), Item(number: 2, name: "new"), Item(number: 1, name: "new"),
    ]
    try view.saveAll(&again)
    #expect(first.name == "x")
    try view.saveChanges()
    let found = try view.fetch(Item.self, orderBy: [.asc(\.$number)])
    #expect(found.map(\.number) == [1, 2, 3, 10])
    #expect(found.map(\.name) == ["new", "new", "stored", "x"])
  }

  /// Against a dictionary: random batches, some of them refused as a whole.
  @Test func manyBatchesMakeADictionary() throws {
    for round in RandomCases.rounds(of: 100) {
      var random = SeededRandom(seed: RandomCases.seed(round))
      try view.deleteMany(From<Thing>())
      view.processPendingChanges()
      var model: [Int64: String] = [:]
      for step in 0..<8 {
        let batch = (0...random.below(12)).map { number in
          Item(number: Int64(random.below(15)), name: "\(step) \(number)")
        }
        if random.below(4) == 0, let item = batch.first {
          #expect(try view.delete(item) == (model[item.number] != nil), "seed \(random.seed)")
          model[item.number] = nil
          continue
        }
        var values = batch
        try view.saveAll(&values)
        for item in batch { model[item.number] = item.name }
        for (value, item) in zip(values, batch) {
          #expect(value.name == model[item.number], "seed \(random.seed)")
        }
      }
      let stored = try view.fetch(Item.self)
      #expect(
        Dictionary(uniqueKeysWithValues: stored.map { ($0.number, $0.name) }) == model,
        "seed \(random.seed)")
    }
  }

  /// The number of statements does not grow with the number of keys.
  @Test func manyKeysAreLookedUpTogether() throws {
    var items = (0..<25_000).map { Item(number: Int64($0), name: "a") }
    try view.saveAll(&items)
    items = items.map { Item(number: $0.number, name: "b") }
    try view.saveAll(&items)
    #expect(try view.count(Thing.self, where: \.$name == "b") == 25_000)
    #expect(try view.count(Thing.self) == 25_000)
  }
}
