import DatastoreCore
import DatastoreTestSupport
import Foundation
import SwiftDatastore
import Testing

/// Each source makes a new object, or none.
@Suite("Importing")
struct ImportTests {
  private let fixture: ImportFixture
  private var datastore: SwiftDatastore { fixture.datastore }

  init() throws {
    fixture = try ImportFixture()
  }

  @Test("A source can be passed over")
  func skipping() async throws {
    try await datastore.write { context in
      #expect(try context.importObject(Sale.self, from: "#1") == nil)
      #expect(!context.hasChanges)
      let sales = try context.importObjects(Sale.self, from: ["#1", "2", "#3", "4"])
      #expect(sales.map(\.text) == ["2", "4"])
      #expect(try context.count(Sale.self) == 2)
    }
    #expect(try fixture.rows("SELECT text FROM Sale ORDER BY text") == ["2", "4"])
  }

  // Promise: an import throws in the middle → nothing of the call stays staged, what was staged before
  // does, with and without undo.
  // Also: `UniqueImportTests.throwing`, `ImportPropertyTests`
  @Test("An error leaves nothing of the source, and what was staged before")
  func throwing() async throws {
    try await datastore.write { context in
      let before: Sale = try context.createObject()
      before.text = "before"
      #expect(throws: ProductLine.Refusal.self) {
        try context.importObject(Sale.self, from: "two")
      }
      #expect(context.insertedObjects == [before])
      before.text = "still"
      #expect(throws: ImportFault.self) {
        try context.importObjects(Sale.self, from: ["1", "#", "three", "4"])
      }
      #expect(context.insertedObjects == [before])
      #expect(try context.count(Sale.self) == 1)
    }
    #expect(try fixture.rows("SELECT text, amount FROM Sale") == ["still|0"])
  }

  @Test("An error in a list names the source")
  func naming() async throws {
    try await datastore.write { context in
      let fault = try #require(throws: ImportFault.self) {
        try context.importObjects(Sale.self, from: ["1", "#", "three", "4"])
      }
      #expect(fault.index == 2)
      #expect(fault.uniqueID == nil)
      guard case .thrown(is ProductLine.Refusal) = fault.reason else {
        Issue.record("\(fault.reason)")
        return
      }
      #expect(
        fault.description
          == "Record 3 (Sale) could not be imported: the line is not to be trusted.")
    }
  }

  @Test("An object that is there gets the values of a source")
  func existing() async throws {
    try await datastore.write { context in
      let sale = try #require(try context.importObject(Sale.self, from: "1"))
      try context.importObject(sale, from: "2")
      #expect(sale.amount == 2)
      try context.importObject(sale, from: "#3")
      #expect(sale.amount == 2)
      #expect(throws: ProductLine.Refusal.self) { try context.importObject(sale, from: "four") }
      #expect(sale.text == "2")
      try context.saveChanges()
      #expect(throws: ProductLine.Refusal.self) { try context.importObject(sale, from: "four") }
      #expect(sale.text == "2" && !sale.hasChanges)
    }
    #expect(try fixture.rows("SELECT text, amount FROM Sale") == ["2|2"])
  }

  @Test("An error that leaves a transaction leaves nothing in the file")
  func transaction() async throws {
    await #expect(throws: ImportFault.self) {
      try await datastore.write { context in
        _ = try context.importObjects(Sale.self, from: ["1", "2", "three"])
      }
    }
    #expect(try fixture.rows("SELECT count(*) FROM Sale") == ["0"])
  }

  @Test("Batches that were saved stay, and the one with the error does not", arguments: [1, 2, 3])
  func batches(size: Int) async throws {
    let sources = (0..<10).map { $0 == 7 ? "seven" : "\($0)" }
    try await datastore.newContext().perform { context in
      #expect(throws: ImportFault.self) {
        try context.importObjects(Sale.self, from: sources, savingEvery: size)
      }
      #expect(!context.hasChanges)
    }
    #expect(try fixture.rows("SELECT count(*) FROM Sale") == ["\(7 / size * size)"])
    try await datastore.newContext().perform { context in
      try context.importObjects(Sale.self, from: ["20", "21", "22", "23"], savingEvery: size)
      #expect(!context.hasChanges)
    }
    #expect(try fixture.rows("SELECT count(*) FROM Sale WHERE amount >= 20") == ["4"])
  }

  @Test("Progress is reported after every 1,000 and at the end, also of sources of unknown number")
  func progress() async throws {
    let numbers = (0..<2_500).map { "\($0)" }
    try await datastore.newContext().perform { context in
      var seen: [ImportProgress] = []
      try context.importObjects(Sale.self, from: numbers) { seen.append($0) }
      #expect(seen.map(\.completed) == [1_000, 2_000, 2_500])
      #expect(seen.allSatisfy { $0.total == 2_500 })
      #expect(seen.last?.fractionCompleted == 1)
      seen = []
      try context.importObjects(
        Sale.self,
        from: sequence(state: 0) { state -> String? in
          state += 1
          return state <= 1_000 ? "\(state)" : nil
        }
      ) { seen.append($0) }
      #expect(seen.map(\.completed) == [1_000])
      #expect(seen.allSatisfy { $0.total == nil && $0.fractionCompleted == nil })
      seen = []
      try context.importObjects(Sale.self, from: []) { seen.append($0) }
      #expect(seen.map(\.completed) == [0])
    }
  }

  @Test("Progress can end an import, of which nothing stays")
  func stoppedByProgress() async throws {
    try await datastore.newContext().perform { context in
      #expect(throws: CancellationError.self) {
        try context.importObjects(Sale.self, from: (0..<5_000).map { "\($0)" }) { progress in
          if progress.completed == 2_000 { throw CancellationError() }
        }
      }
      #expect(!context.hasChanges)
      let count = try context.count(Sale.self)
      #expect(count == 0)
    }
  }

  // Promise: the task of an importing transaction is cancelled → ends before the next hundred records;
  // nothing saved.
  // Also: `UpsertTests.stopped`
  @Test("Cancelling the task of a transaction ends its import")
  func cancelled() async throws {
    let begun = AsyncStream<Void>.makeStream()
    let isCancelled = DispatchSemaphore(value: 0)
    let task = Swift.Task { [datastore] in
      try await datastore.write { context in
        _ = try context.importObjects(Sale.self, from: (0..<50_000).map { "\($0)" }) { progress in
          guard progress.completed == 1_000 else {
            Issue.record("went on to \(progress.completed)")
            return
          }
          begun.continuation.yield()
          isCancelled.wait()
        }
      }
    }
    for await _ in begun.stream { break }
    task.cancel()
    isCancelled.signal()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(try fixture.rows("SELECT count(*) FROM Sale") == ["0"])
  }

  @MainActor
  @Test("What the datastore imports is there for the view context")
  func viewContext() async throws {
    let sales = try await datastore.importObjects(Sale.self, from: ["3", "#", "1", "2"])
    #expect(sales.map(\.amount) == [3, 1, 2])
    #expect(try datastore.sharedViewContext.count(Sale.self) == 3)
    let lines = [3, 1, 3, 2].map { ProductLine(number: $0, name: "p", shelf: "A") }
    let products = try await datastore.importUniqueObjects(Product.self, from: lines)
    #expect(products.map(\.number) == [3, 1, 2])
    #expect(Set(products.map { $0.shelf?.label }) == ["A"])
    #expect(try fixture.rows("SELECT label, visits FROM Shelf") == ["A|3"])
    await #expect(throws: ImportFault.self) {
      _ = try await datastore.importObjects(Sale.self, from: ["9", "nine"])
    }
    #expect(try fixture.rows("SELECT count(*) FROM Sale") == ["3"])
  }

  @Test("With undo on, an import is one step, and a failed one is none")
  func undo() async throws {
    try await datastore.newContext().perform { context in
      context.isUndoEnabled = true
      try context.undoGroup {
        let first: Sale = try context.createObject()
        first.text = "first"
      }
      let sales = try context.importObjects(Sale.self, from: ["1", "2"])
      #expect(throws: ImportFault.self) {
        try context.importObjects(Sale.self, from: ["3", "four"])
      }
      context.undo()
      #expect(context.insertedObjects(Sale.self).map(\.text) == ["first"])
      context.redo()
      #expect(sales.map(\.amount) == [1, 2])
      #expect(try context.count(Sale.self) == 3)
      // As a part of a greater step.
      try context.undoGroup {
        sales[0].amount = 10
        #expect(throws: ImportFault.self) {
          try context.importObjects(Sale.self, from: ["5", "six"])
        }
        try context.importObjects(Sale.self, from: ["7"])
      }
      #expect(try context.count(Sale.self) == 4)
      context.undo()
      #expect(sales[0].amount == 1)
      #expect(try context.count(Sale.self) == 3)
      try context.saveChanges()
    }
    #expect(
      try fixture.rows("SELECT text, amount FROM Sale ORDER BY amount") == [
        "first|0", "1|1", "2|2",
      ]
    )
  }
}
