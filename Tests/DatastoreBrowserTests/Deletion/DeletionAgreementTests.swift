import DatastoreCore
import DatastoreTestSupport
import Foundation
import SwiftDatastore
import Testing

@testable import DatastoreBrowser

// Promise: objects are deleted → what goes, what forgets and what is refused is the same one by one, many at
// once and in what is said before, for every delete rule, required, ordered, symmetric and one-way
// relationships, many-to-many, circles and inheritance, on files and servers; no reference of a file leads
// nowhere.
/// Deletion by objects, by rows and by forecast, compared with a simple model of the delete rules.
@MainActor
@Suite("Deletion by all ways")
struct DeletionAgreementTests {
  /// A case is a store of a random model, from which some objects of one entity are deleted, three times.
  @Test("Random models with every rule", arguments: TestEngine.rounds(of: 40))
  func agreement(engine: TestEngine, round: Int) async throws {
    let seed = RandomCases.seed(round)
    var random = SeededRandom(seed: seed)
    let model = try RandomObjects(&random)
    let note = "\(engine), seed \(seed):\n  \(model)\n "
    let late = random.below(3) == 0 ? model.latecomers(&random) : []
    let stores = try [[], late].map { late in
      let store = try engine.objects(model.schema)
      try model.fill(store.datastore.sharedViewContext, late: late)
      return StoreOfObjects(store)
    }
    try await compare(
      stores[0], stores[1], model.schema.entities, model.objects.count, late: late, &random, note)
  }

  /// The same for tables of other programs; SQLite itself follows the foreign keys of a file.
  @Test("Random tables with every action", arguments: TestEngine.rounds(of: 40))
  func tables(engine: TestEngine, round: Int) async throws {
    let seed = RandomCases.seed(round)
    var random = SeededRandom(seed: seed)
    let model = RandomTables(&random, engine)
    let note = "\(engine), seed \(seed):\n\(model)\n"
    let stores = try (0..<2).map { _ in
      let database = try engine.database(model.sql(engine))
      return try StoreOfObjects(
        engine.objects(in: database), database, isByForeignKeys: model.pairsCascade)
    }
    let entities = stores[0].entities.filter { $0.slot(named: "number") != nil }
    try await compare(
      stores[0], stores[1], entities, model.rows.count, late: [], &random, note)
  }

  private func compare(
    _ many: StoreOfObjects, _ single: StoreOfObjects, _ entities: [Entity], _ count: Int,
    late: Set<Int>, _ random: inout SeededRandom, _ note: String
  ) async throws {
    for step in 0..<3 {
      let entity = entities[random.below(entities.count)]
      let share = 1 + random.below(3)
      let chosen = (0..<count).filter { _ in random.below(3) < share }
      let note = "\(note) step \(step): \(chosen) of \(entity.name)"
      try await many.deleteMany(chosen, of: entity, note)
      try await single.deleteOneByOne(
        chosen, of: entity, new: step == 0 ? late : [], &random, "\(note), late \(late.sorted())")
    }
    try many.close(note)
    try single.close(note)
  }
}

/// A store of random objects and the state that the test expects of it.
@MainActor
private final class StoreOfObjects {
  private let file: BrowsedObjects
  private let tables: (any BrowsedDatabase)?
  private var numbers: [EntityIndex: [RowKey: Int]] = [:]
  private var datastore: SwiftDatastore { file.datastore }
  private var view: SwiftDatastoreViewContext { datastore.sharedViewContext }
  private var schema: Schema { datastore.schema }
  var entities: [Entity] { schema.entities }
  /// Whether foreign keys alone decide about further deletions.
  private let isByForeignKeys: Bool

  /// - Parameter tables: of another program, which deletes from a copy of them, too.
  init(
    _ file: BrowsedObjects, _ tables: (any BrowsedDatabase)? = nil, isByForeignKeys: Bool = false
  ) {
    self.file = file
    self.isByForeignKeys = isByForeignKeys
    self.tables = tables
  }

  /// The objects with some of the numbers.
  private func objects(_ chosen: [Int], of entity: Entity) throws -> [DynamicObject] {
    try view.fetch(FetchRequest(entity: entity.name, predicate: condition(chosen)))
  }

  private func condition(_ chosen: [Int]) -> DatastoreCore.Predicate {
    .comparison(
      Predicate.Comparison(
        .keyPath(["number"]), .in, .list(chosen.map { .value(.integer(Int64($0))) })))
  }

  private func number(_ object: DynamicObject) -> Int {
    if case .integer(let number) = object["number"] { Int(number) } else { -1 }
  }

  func deleteMany(_ chosen: [Int], of entity: Entity, _ note: String) async throws {
    let kept: [DynamicObject] = try entities.flatMap {
      try view.fetch(FetchRequest(entity: $0.name)) as [DynamicObject]
    }
    let before = try ObjectsState(view, &numbers)
    let roots = try objects(chosen, of: entity).map(number)
    let expected = ExpectedDeletion(
      of: roots, from: before, in: entities.map(\.description))
    let note = "many, \(note)"
    if let file = tables as? TemporaryFile, isByForeignKeys {
      try expectForeignKeys(of: file, chosen, entity, expected, note)
    }
    try withExtendedLifetime(kept) {
      let failure = failure {
        let count = try view.deleteMany(entityName: entity.name, where: condition(chosen))
        #expect(count == gone(expected, before, of: entity), "\(note)")
      }
      #expect((failure != nil) == expected.isRefused, "\(note): \(failure ?? "not refused")")
      try expectContents(failure == nil ? expected.after : before, note)
    }
  }

  /// Deletes the rows from a copy of the file, in which foreign keys alone decide about further deletions.
  private func expectForeignKeys(
    of file: TemporaryFile, _ chosen: [Int], _ entity: Entity, _ expected: ExpectedDeletion,
    _ note: String
  ) throws {
    let directory = try TemporaryDirectory()
    let copy = directory.file("copy.sqlite")
    try SQLiteFile.make(at: file.url, "VACUUM INTO '\(copy.path)'")
    let list = chosen.map(String.init).joined(separator: ", ")
    let failure = failure {
      try SQLiteFile.make(
        at: copy,
        "PRAGMA foreign_keys = ON; DELETE FROM \"\(entity.name)\" WHERE number IN (\(list))")
    }
    let note = "foreign keys, \(note)"
    #expect((failure != nil) == expected.isRefused, "\(note): \(failure ?? "not refused")")
    let other = try SwiftDatastore(opening: copy, readOnly: true)
    defer { try? other.close() }
    if failure == nil {
      let found = try ObjectsState(other.sharedViewContext, &numbers)
      #expect(found.differences(from: expected.after) == [], "\(note)")
    }
  }

  /// How many objects of an entity and of those that inherit from it go.
  private func gone(
    _ expected: ExpectedDeletion, _ before: ObjectsState, of entity: Entity
  ) -> Int {
    expected.gone.count { number in
      before.objects[number].flatMap { schema.entity(named: $0.entity) }?
        .isKind(of: entity) ?? false
    }
  }

  func deleteOneByOne(
    _ chosen: [Int], of entity: Entity, new: Set<Int>, _ random: inout SeededRandom, _ note: String
  ) async throws {
    let before = try ObjectsState(view, &numbers)
    let stored = try new.isEmpty ? before : stored()
    let objects = try objects(chosen, of: entity)
    let expected = ExpectedDeletion(
      of: objects.map(number), from: before, in: entities.map(\.description), new: new)
    let forecast = try await EffectRunner(datastore).forecastDeletion(of: objects).forecast
    let note = "one by one, \(note)"
    func expectCount(_ said: [String: Int], _ numbers: Set<Int>, _ what: String) {
      #expect(
        said == before.names(of: numbers), "\(note): \(what) \(said), not \(numbers.sorted())")
    }
    #expect(forecast.isWhole, "\(note)")
    expectCount(
      forecast.cascaded, expected.gone.subtracting(objects.map(number)), "deleted with it")
    expectCount(forecast.left, expected.left, "no longer related")
    expectCount(forecast.denied, expected.denying, "denied by")
    for object in objects.shuffled(using: &random) { view.deleteObject(object) }
    #expect(view.core.graph.brokenInvariants() == [], "\(note)")
    let failure = failure { try view.saveChanges() }
    #expect((failure != nil) == expected.isRefused, "\(note): \(failure ?? "not refused")")
    if failure == nil { return try expectContents(expected.after, note) }
    view.revertChanges()
    try expectContents(stored, note)
  }

  private func failure(_ body: () throws -> Void) -> String? {
    do {
      try body()
      return nil
    } catch {
      return "\(type(of: error)): \(error)"
    }
  }

  /// Compares the objects in memory and in the store with the expected ones.
  private func expectContents(_ expected: ObjectsState, _ note: String) throws {
    let known = try ObjectsState(view, &numbers).differences(from: expected)
    #expect(known == [], "in memory, \(note)")
    #expect(try stored().differences(from: expected) == [], "stored, \(note)")
  }

  private func stored() throws -> ObjectsState {
    let other = try file.reopen()
    defer { try? other.close() }
    return try ObjectsState(other.sharedViewContext, &numbers)
  }

  func close(_ note: String) throws {
    try datastore.close()
    #expect(try file.brokenReferences() == [], "\(note)")
  }
}
