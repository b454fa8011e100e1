import DatastoreCore
import DatastoreTestSupport
import Foundation
import SwiftDatastore
import Testing

/// Random imports against a dictionary.
@Suite("Random imports")
struct ImportPropertyTests {
  /// The expected values of a product.
  private struct Expected: Equatable {
    var name: String
    var updates = 0
  }

  @Test(
    "Random imports leave what a dictionary has, also after errors and saves",
    arguments: TestEngine.allCases)
  func agreement(engine: TestEngine) async throws {
    for round in RandomCases.rounds(of: 40).prefix(50) {
      let seed = RandomCases.seed(round)
      let fixture = try ImportFixture(engine)
      try await fixture.datastore.newContext().perform { context in
        context.isUndoEnabled = round % 3 == 0
        var random = SeededRandom(seed: seed)
        var expected: [Int: Expected] = [:]
        for _ in 0..<8 {
          let lines = Self.lines(&random)
          try Self.run(lines, in: context, &expected, seed)
          if random.below(3) == 0 { try context.saveChanges() }
        }
        try context.saveChanges()
        let wanted = expected.sorted { $0.key < $1.key }.map {
          "\($0.key)|\($0.value.name)|\($0.value.updates)"
        }
        let found = try fixture.rows(
          "SELECT number, name, updates FROM \"Product\" ORDER BY number")
        try #require(found == wanted, "seed \(seed)")
        let faults = context.core.graph.brokenInvariants()
        try #require(faults.isEmpty, "seed \(seed): \(faults)")
      }
    }
  }

  private static func lines(_ random: inout SeededRandom) -> [ProductLine] {
    (0..<random.below(120)).map { _ in
      var line = ProductLine(
        number: random.below(9) == 0 ? nil : random.below(60), name: "n\(random.below(1_000))",
        shelf: random.below(4) == 0 ? "s\(random.below(5))" : nil)
      switch random.below(300) {
      case 0: line.fate = .throwsOnID
      case 1: line.fate = .throwsOnInsert
      case 2: line.fate = .throwsOnUpdate
      case 3..<40: line.fate = .notInserted
      case 40..<70: line.fate = .notUpdated
      default: break
      }
      return line
    }
  }

  /// Imports, does the same to the dictionary, and compares.
  private static func run(
    _ lines: [ProductLine], in context: SwiftDatastoreContext.Closure,
    _ expected: inout [Int: Expected], _ seed: UInt64
  ) throws {
    var order: [Int] = []
    var last: [Int: ProductLine] = [:]
    var isFailure = lines.contains { $0.fate == .throwsOnID }
    for line in lines {
      guard let number = line.number else { continue }
      if last.updateValue(line, forKey: number) == nil { order.append(number) }
    }
    var model = expected
    var imported: [Int] = []
    for number in order {
      guard let line = last[number] else { continue }
      if var known = model[number] {
        if line.fate == .notUpdated { continue }
        if line.fate == .throwsOnUpdate { isFailure = true }
        known.name = line.name
        known.updates += 1
        model[number] = known
      } else {
        if line.fate == .notInserted { continue }
        if line.fate == .throwsOnInsert { isFailure = true }
        model[number] = Expected(name: line.name)
      }
      imported.append(number)
    }
    do {
      let products = try context.importUniqueObjects(Product.self, from: lines)
      try #require(!isFailure, "seed \(seed): no error")
      try #require(products.map(\.number) == imported, "seed \(seed)")
      expected = model
    } catch is ImportFault {
      try #require(isFailure, "seed \(seed): an error")
    }
    var found: [Int: Expected] = [:]
    for product in try context.fetch() as [Product] {
      found[product.number] = Expected(name: product.name ?? "nil", updates: product.updates)
    }
    try #require(found == expected, "seed \(seed)")
  }
}
