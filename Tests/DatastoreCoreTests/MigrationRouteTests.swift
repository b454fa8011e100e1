import DatastoreCore
import Foundation
import Testing

// Promise: a file is several versions behind → the shortest way of the chain, in one transaction; steps
// without mappings in one pass.
// Also: `HistoryOpeningTests`
@Suite("The way of a file through a history")
struct MigrationRouteTests {
  /// A version with as many attributes as its number.
  private func version(_ number: Int) throws -> FrozenSchema {
    try FrozenSchema(
      [
        EntityDescription(
          name: "Person",
          properties: (1...number).map {
            .attribute(AttributeDescription(name: "a\($0)", type: .string))
          })
      ], modelVersion: "V\(number)")
  }

  private func route(
    _ count: Int, _ chain: MigrationChain, customs: [(String, String)] = [],
    prevents: Bool = false, current: String? = nil
  ) throws -> MigrationRoute {
    MigrationRoute(
      history: try SchemaHistory(
        try (1...count).map(version), migrationChain: chain, exactCurrentModelVersion: current),
      customs: customs.map { CustomMigration(from: $0, to: $1) },
      preventsProgressiveMigration: prevents)
  }

  /// Each leg as its versions: `V1 V2 V3`, with a star if it has a step by hand.
  private func legs(_ route: MigrationRoute, from number: Int) throws -> [String] {
    try route.legs(from: try version(number).schema).map { leg in
      ([leg.source?.version].compactMap(\.self) + leg.through.map { $0.version ?? "-" }
        + [leg.schema.version ?? "-"]).joined(separator: " ") + (leg.custom == nil ? "" : " *")
    }
  }

  @Test("Steps of which everything is inferred are one leg; the others are legs of their own")
  func legs() throws {
    let chain: MigrationChain = ["V1", "V2", "V3", "V4", "V5"]
    #expect(try legs(try route(5, chain), from: 1) == ["V2 V3 V4 V5"])
    #expect(try legs(try route(5, chain), from: 4) == ["V5"])
    // A file of the current version may still have other rules.
    #expect(try legs(try route(5, chain), from: 5) == ["V5"])
    let custom = try route(5, chain, customs: [("V2", "V3"), ("V4", "V5")])
    #expect(try legs(custom, from: 1) == ["V2", "V2 V3 *", "V4", "V4 V5 *"])
    #expect(try legs(custom, from: 3) == ["V4", "V4 V5 *"])
    #expect(try legs(custom, from: 2) == ["V2 V3 *", "V4", "V4 V5 *"])
  }

  @Test("Branches join, versions are skipped, and the way with the fewest steps is taken")
  func branches() throws {
    let joining: MigrationChain = ["V1": "V3", "V2": "V4", "V3": "V4"]
    let route = try route(4, joining)
    #expect(route.way(from: "V1", to: "V4") == ["V3", "V4"])
    #expect(route.way(from: "V2", to: "V4") == ["V4"])
    #expect(route.way(from: "V4", to: "V1") == nil)
    // A mapping may skip versions of the chain.
    let skipping = try self.route(4, ["V1", "V2", "V3", "V4"], customs: [("V1", "V4")])
    #expect(try legs(skipping, from: 1) == ["V1 V4 *"])
    #expect(try legs(skipping, from: 2) == ["V3 V4"])
    // Of two as short the chain's comes first.
    let even = try self.route(
      4, ["V1": "V2", "V2": "V4", "V3": "V4"], customs: [("V1", "V3")])
    #expect(even.way(from: "V1", to: "V4") == ["V2", "V4"])
  }

  @Test("A version that nobody knows, or from which no way leads on, is brought there directly")
  func direct() throws {
    let route = try route(3, ["V1", "V2", "V3"])
    #expect(try legs(route, from: 7) == ["V3"])
    let apart = try self.route(3, ["V2", "V3"])
    #expect(try legs(apart, from: 1) == ["V3"])
  }

  @Test("Several steps are refused where that is asked for, and what comes later always is")
  func refused() throws {
    let chain: MigrationChain = ["V1", "V2", "V3"]
    let route = try route(3, chain, prevents: true)
    #expect(throws: MigrationObstacle.severalSteps(["V1", "V2", "V3"])) {
      try route.legs(from: try version(1).schema)
    }
    #expect(try legs(route, from: 2) == ["V3"])
    let older = try self.route(3, chain, current: "V2")
    #expect(throws: MigrationObstacle.newerVersion(version: "V3", current: "V2")) {
      try older.legs(from: try version(3).schema)
    }
  }
}
