import DatastoreCore
import DatastoreTestSupport
import Foundation
import SwiftDatastore
import Testing

/// A source updates the object that it is about, or makes it.
@Suite("Importing objects with an identifier")
struct UniqueImportTests {
  private let fixture: ImportFixture
  private var datastore: SwiftDatastore { fixture.datastore }

  init() async throws {
    fixture = try ImportFixture()
    try await fixture.datastore.write { context in
      for number in 101...105 {
        let product: Product = try context.createObject()
        product.number = number
        product.name = "p\(number)"
      }
    }
  }

  private func names() throws -> [String] {
    try fixture.rows("SELECT number, coalesce(name, '-'), updates FROM Product ORDER BY number")
  }

  /// The stored lines of before, without those numbers, followed by these lines.
  private func stored(without numbers: Int..., and lines: [String] = []) -> [String] {
    (101...105).filter { !numbers.contains($0) }.map { "\($0)|p\($0)|0" } + lines
  }

  @Test("One that is there is updated, another one is made, and that one is updated then")
  func single() async throws {
    try await datastore.write { context in
      let line = ProductLine(number: 106, name: "new")
      let made = try #require(try context.importUniqueObject(Product.self, from: line))
      #expect(made.isInserted && made.number == 106 && made.name == "new" && made.updates == 0)
      let again = try context.importUniqueObject(
        Product.self, from: ProductLine(number: 106, name: "newer"))
      #expect(again === made && made.name == "newer" && made.updates == 1)
      let known = try context.importUniqueObject(
        Product.self, from: ProductLine(number: 105, name: "changed"))
      #expect(known?.number == 105 && known?.updates == 1)
      #expect(try context.count(Product.self) == 6)
    }
    #expect(try names() == stored(without: 105, and: ["105|changed|1", "106|newer|1"]))
  }

  @Test("Sources without an identifier and those that the class passes over make nothing")
  func skipping() async throws {
    try await datastore.write { context in
      let skipped = [
        ProductLine(number: nil, name: "none"),
        ProductLine(number: 106, name: "a", fate: .notInserted),
        ProductLine(number: 105, name: "b", fate: .notUpdated),
      ]
      for line in skipped {
        #expect(try context.importUniqueObject(Product.self, from: line) == nil)
      }
      let none = try context.importUniqueObjects(Product.self, from: skipped)
      #expect(none.isEmpty)
      #expect(!context.hasChanges)
      // A source that may not make an object may still update one.
      let line = ProductLine(number: 105, name: "c", fate: .notInserted)
      #expect(
        try context.importUniqueObjects(Product.self, from: skipped + [line]).map(\.name) == ["c"])
    }
    #expect(try names() == stored(without: 105, and: ["105|c|1"]))
  }

  // Promise: sources name one identifier twice, none, one that is staged, renumbered or to be deleted → one
  // object for each; the last source, the place of the first.
  // Also: `UniqueImportTests.staged`, `UniqueImportTests.skipping`
  @Test("Of several with one identifier the last counts, in the place of the first")
  func repeated() async throws {
    try await datastore.write { context in
      let pairs: [(Int?, String)] = [
        (107, "a"), (105, "b"), (nil, "-"), (107, "c"), (106, "d"), (105, "e"),
      ]
      let lines = pairs.map { ProductLine(number: $0.0, name: $0.1) }
      let products = try context.importUniqueObjects(Product.self, from: lines)
      #expect(products.map(\.number) == [107, 105, 106])
      #expect(products.map(\.name) == ["c", "e", "d"])
      #expect(products.map(\.updates) == [0, 1, 0])
    }
    #expect(try names() == stored(without: 105, and: ["105|e|1", "106|d|0", "107|c|0"]))
  }

  @Test(
    "An error undoes all of the call, and names the source",
    arguments: [
      (106, ProductLine.Fate.throwsOnID), (106, .throwsOnInsert), (105, .throwsOnUpdate),
    ])
  func throwing(number: Int, fate: ProductLine.Fate) async throws {
    try await datastore.write { context in
      let staged: Product = try context.createObject()
      staged.number = 110
      staged.name = "staged"
      let lines = [
        ProductLine(number: 104, name: "x", shelf: "A"), ProductLine(number: 110, name: "y"),
        ProductLine(number: 108, name: "z", shelf: "B"),
        ProductLine(number: number, name: "bad", fate: fate), ProductLine(number: 101, name: "w"),
      ]
      let fault = try #require(throws: ImportFault.self) {
        try context.importUniqueObjects(Product.self, from: lines)
      }
      #expect(fault.index == 3)
      #expect(fault.uniqueID == (fate == .throwsOnID ? nil : .integer(Int64(number))))
      #expect(
        fault.description
          == "Record 4 (Product\(fate == .throwsOnID ? "" : " \(number)")) could not be imported: "
          + "the line is not to be trusted.")
      #expect(context.insertedObjects == [staged])
      #expect(context.updatedObjects.isEmpty)
      #expect(staged.name == "staged" && staged.updates == 0)
      #expect(try context.count(Shelf.self) == 0)
      #expect(try context.count(Product.self) == 6)
      #expect(throws: ProductLine.Refusal.self) {
        try context.importUniqueObject(
          Product.self, from: ProductLine(number: number, name: "bad", shelf: "A", fate: fate))
      }
      #expect(context.insertedObjects == [staged] && context.updatedObjects.isEmpty)
    }
    #expect(try names() == stored(and: ["110|staged|0"]))
    #expect(try fixture.rows("SELECT count(*) FROM Shelf") == ["0"])
  }

  @Test("What is staged counts as there: new, renumbered, and deleted objects")
  func staged() async throws {
    try await datastore.write { context in
      let created: Product = try context.createObject()
      created.number = 200
      let moved: Product = try #require(try context.fetchFirst(where: \.$number == 101))
      moved.number = 201
      let gone: Product = try #require(try context.fetchFirst(where: \.$number == 102))
      context.deleteObject(gone)
      let lines = [200, 201, 101, 102].map { (number: Int) in
        ProductLine(number: number, name: "l\(number)")
      }
      let products = try context.importUniqueObjects(Product.self, from: lines)
      #expect(products[0] === created && products[1] === moved)
      #expect(products[2].isInserted && products[3].isInserted && products[3] != gone)
      #expect(products.map(\.updates) == [1, 1, 0, 0])
    }
    #expect(
      try names() == [
        "101|l101|0", "102|l102|0", "103|p103|0", "104|p104|0", "105|p105|0", "200|l200|1",
        "201|l201|1",
      ])
  }

  // Promise: what an import makes on the way is named again later → found.
  @Test("What an import makes on the way is found by what follows, with few and with many staged")
  func nested() async throws {
    let count = 300
    try await datastore.write { context in
      // The lines name three shelves, which the import of each product looks for.
      let lines = (0..<count).map {
        ProductLine(number: $0, name: "n", shelf: "s\($0 % 3)")
      }
      try context.importUniqueObjects(Product.self, from: lines)
      #expect(try context.count(Shelf.self) == 3)
    }
    #expect(
      try fixture.rows("SELECT label, visits FROM Shelf ORDER BY label")
        == ["s0|100", "s1|100", "s2|100"])
    #expect(
      try fixture.rows(
        "SELECT count(*) FROM Product p JOIN Shelf s ON p.shelf = s._id "
          + "WHERE s.label = 's' || (p.number % 3) AND p.number < 100") == ["100"])
  }

  // Promise: a preparation adds sources → imported, last, sorted.
  @Test("A preparation leaves sources out, changes and adds them; what it adds comes last, sorted")
  func preparing() async throws {
    try await datastore.write { context in
      let lines = zip([103, 107, 101, 107], ["l0", "l1", "l2", "l3"]).map {
        ProductLine(number: $0, name: $1)
      }
      let products = try context.importUniqueObjects(
        Product.self, from: lines,
        preProcess: { sources in
          #expect(Set(sources.keys) == [103, 107, 101])
          #expect(sources[107]?.name == "l3")
          var sources = sources
          sources[103] = nil
          sources[101]?.name = "other"
          for number in [120, 105, 110] { sources[number] = ProductLine(name: "added") }
          for number in [120, 105, 110] { sources[number]?.number = number }
          return sources
        })
      #expect(products.map(\.number) == [107, 101, 105, 110, 120])
      #expect(products.map(\.name) == ["l3", "other", "added", "added", "added"])
      #expect(products.map(\.isInserted) == [true, false, false, true, true])
      #expect(throws: ProductLine.Refusal.self) {
        try context.importUniqueObjects(
          Product.self, from: lines, preProcess: { _ in throw ProductLine.Refusal() })
      }
      let fault = try #require(throws: ImportFault.self) {
        try context.importUniqueObjects(
          Product.self, from: lines,
          preProcess: { _ in
            [99: ProductLine(number: 99, name: "", fate: .throwsOnInsert)]
          })
      }
      #expect(fault.index == nil && fault.uniqueID == 99)
      #expect(fault.description.hasPrefix("A record that was added (Product 99) could not"))
    }
    #expect(try names().count == 8)
  }

  @Test("Identifiers that are asked for in several questions", arguments: [nil, 4_000])
  func many(batchSize: Int?) async throws {
    let count = 25_000
    let lines = (0..<count).map { ProductLine(number: 1_000 + $0, name: "a") }
    try await datastore.newContext().perform { context in
      try context.importUniqueObjects(
        Product.self, from: lines[..<15_000], savingEvery: batchSize)
      let all = try context.importUniqueObjects(
        Product.self, from: lines.reversed(), savingEvery: batchSize)
      #expect(all.map(\.number) == (0..<count).reversed().map { 1_000 + $0 })
      #expect(all.count { $0.updates == 1 } == 15_000)
      try context.saveChanges()
    }
    #expect(
      try fixture.rows("SELECT updates, count(*) FROM Product WHERE number >= 1000 GROUP BY 1")
        == ["0|10000", "1|15000"])
  }

  @Test("Two imports of the same in one transaction, and a child context that imports")
  func again() async throws {
    try await datastore.newContext().perform { context in
      let lines = [101, 300].map { ProductLine(number: $0, name: "first") }
      let first = try context.importUniqueObjects(Product.self, from: lines)
      let second = try context.importUniqueObjects(Product.self, from: lines)
      #expect(first.map(ObjectIdentifier.init) == second.map(ObjectIdentifier.init))
      #expect(second.map(\.updates) == [2, 1])
      try context.saveChanges()
    }
    let parent = datastore.newLocalContext()
    let staged: Product = try parent.createObject()
    staged.number = 400
    let child = parent.createNewChildContext()
    let lines = [400, 401, 300].map { ProductLine(number: $0, name: "child") }
    try child.importUniqueObjects(Product.self, from: lines)
    try child.saveChanges()
    #expect(staged.name == "child" && staged.updates == 1)
    try parent.saveChanges()
    #expect(try names().suffix(3) == ["300|child|2", "400|child|1", "401|child|0"])
  }
}
