package import DatastoreCore
import Foundation

/// Every test that engines share, in one call. The protocols of a store declare its abilities, and only these
/// are tested.
///
/// The model of each test is the plainest one: the rows read back one by one, examined in memory.
package struct EngineConformance: Sendable {
  /// An ability of an engine.
  package enum Part: String, CaseIterable, Sendable {
    /// Rows and relationships are saved and read, and conflicts are found.
    case rows
    /// Conditions and orders have the same meaning as in memory.
    case predicates
    /// Names and texts of any signs.
    case hostileNames
    /// Lists, their sections and windows.
    case lists
    /// Values, groups and summaries.
    case values
    /// Changes of many rows without objects.
    case batches
    /// Objects that are staged, undone, done again and saved.
    case undo
    /// Lists that follow staged and saved changes.
    case controllers
    /// All objects in another store.
    case copies
    /// Versions of a model that follow each other.
    case migrations
  }

  /// A difference of an engine from all others.
  package struct Fault: Error, CustomStringConvertible {
    package let part: Part
    package let description: String

    init(_ part: Part, _ description: String) {
      self.part = part
      self.description = "\(part.rawValue): \(description)"
    }
  }

  /// Makes a new store of some entities.
  let makeStore: @Sendable (Schema) throws -> any ObjectStore
  var random: SeededRandom
  /// The random cases of each part.
  let count: Int

  /// Tries an engine.
  ///
  /// - Parameters:
  ///   - count: the random cases of each part.
  ///   - migrated: how its stores are migrated; nil for an engine that migrates none.
  ///   - makeStore: makes a new store of some entities.
  /// - Returns: the parts that it has; the others were not tried.
  /// - Throws: `Fault`; what the engine throws.
  @discardableResult
  package static func run(
    cases count: Int = 200, seed: UInt64 = RandomCases.seed(),
    migrating migrated: MigratedStores? = nil,
    on makeStore: @escaping @Sendable (Schema) throws -> any ObjectStore
  ) async throws -> Set<Part> {
    var conformance = EngineConformance(
      makeStore: makeStore, random: SeededRandom(seed: seed), count: count)
    try conformance.tryRows()
    let store = try makeStore(CompanySchema.schema)
    try conformance.fill(store)
    try conformance.tryPredicates(on: store)
    try conformance.tryHostileNames()
    var parts: Set<Part> = [.rows, .predicates, .hostileNames]
    if let store = store as? any ReadableStore {
      try conformance.tryLists(of: store)
      parts.insert(.lists)
    }
    // An engine that writes without objects also sums up without them.
    if let store = store as? any WritableStore {
      try conformance.tryValues(of: store)
      try conformance.tryBatches()
      parts.formUnion([.values, .batches])
    }
    if store is any StoreEngine {
      try await conformance.tryUndo()
      try await conformance.tryControllers()
      try conformance.tryCopies()
      parts.formUnion([.undo, .controllers, .copies])
    }
    if let migrated {
      try await tryMigrations(RandomCases.rounds(of: count), of: migrated)
      parts.insert(.migrations)
    }
    return parts
  }

  /// - Throws: `Fault` unless both are the same.
  func expect<Result: Equatable>(
    _ found: Result, _ expected: Result, in part: Part, _ what: @autoclosure () -> String
  ) throws {
    if found == expected { return }
    throw Fault(part, "seed \(random.seed): \(what()) is \(found) instead of \(expected)")
  }

  /// Thirty employees of three companies, with tasks and tags; some have no age, no company, or both.
  mutating func fill(_ store: any ObjectStore) throws {
    var changes = Changes(store)
    let companies = try ["Acme", "Ärger", "zero"].map {
      try changes.insert("Company", ["name": .text($0)])
    }
    let tags = try ["new", "old"].map { try changes.insert("Tag", ["label": .text($0)]) }
    for number in 0..<30 {
      let employee = try changes.insert(
        "Employee",
        [
          "name": .text("\(["Ann", "bob", "Çelik", "", "x_%"][random.below(5)])\(number % 7)"),
          "age": random.below(4) == 0 ? .null : .integer(Int64(random.below(6)) - 2),
          "salary": random.below(4) == 0 ? .null : .real(Double(random.below(9)) * 1.5),
          "email": number % 3 == 0 ? .null : .text("\(number)@example.org"),
          "photo": random.below(3) == 0 ? .blob(Data([UInt8(number), 0])) : .null,
          "company": random.below(5) == 0 ? .null : .key(companies[random.below(3)]),
        ])
      for task in 0..<random.below(3) {
        try changes.insert(
          "Task",
          [
            "title": .text("task \(task)"), "done": .integer(Int64(task & 1)),
            "owner": .key(employee),
          ])
      }
      if random.below(2) == 0 { try changes.link("Employee", "tags", employee, tags[number & 1]) }
    }
    try changes.save()
  }
}
