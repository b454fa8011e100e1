import DatastoreCore
import DatastoreSQLite
import DatastoreTestSupport
import Foundation
import SwiftDatastore
import Testing

@Suite("Random migrations")
struct RandomMigrationTests {
  private let folder: TemporaryDirectory

  /// A random version may be one that the store was of before.
  private static func request(_ policy: MigrationPolicy) -> MigrationRequest {
    var request = MigrationRequest(policy: policy)
    request.mayGoBack = true
    return request
  }

  init() throws { folder = try TemporaryDirectory() }

  /// A file with the objects of a store in memory.
  private func makeFile(_ store: EvolvingStore, _ url: URL) async throws {
    let datastore = try SwiftDatastore(schema: try Schema(store.descriptions), url: url)
    try await store.fill(datastore)
    try datastore.close()
  }

  private func lines(_ url: URL, _ schema: Schema) async throws -> Set<String> {
    EvolvingStore.lines(of: try await StoreContents(of: url), schema)
  }

  // Promise: random rules in random versions → migrated file = fresh file.
  // Also: (edit `toggleRule`)
  // Promise: a migration is cancelled, or an error ends it → the file is the old one, complete.
  // Also: `MigrationOpeningTests`
  @Test(
    "A migrated file has the tables of a fresh one, and the objects that a model in memory says")
  func chains() async throws {
    for round in RandomCases.rounds(of: 100) {
      let seed = RandomCases.seed(round)
      var store = EvolvingStore(seed: seed)
      let url = folder.file("store\(round).sqlite")
      try await makeFile(store, url)
      #expect(try await lines(url, try Schema(store.descriptions)) == store.lines, "seed \(seed)")
      for version in 1...(1 + store.random.below(4)) {
        let note: Comment = "round \(round), version \(version), seed \(seed)"
        store.evolve()
        let schema = try Schema(store.descriptions)
        try await migrate(url, to: schema, note, &store)
        let found = try await lines(url, schema)
        let expected = store.lines
        #expect(
          found == expected,
          "\(note): \(found.subtracting(expected).sorted()) instead of \(expected.subtracting(found).sorted())"
        )
        let fresh = folder.file("fresh.sqlite")
        try SQLiteStore(schema, at: fresh).close()
        #expect(try Declarations.of(url) == Declarations.of(fresh), note)
        #expect(try SQLiteFile.values("PRAGMA integrity_check", in: url) == ["ok"], note)
        #expect(
          try SQLiteFile.values("SELECT parent FROM pragma_foreign_key_check", in: url).isEmpty,
          note)
        #expect(
          try SQLiteStore.forecast(of: schema, at: url, Self.request(.lossless)).kind
            == .none, note)
        try FileManager.default.removeItem(at: fresh)
        if found != expected { return }
      }
    }
  }

  @Test("A migration that there is no room for changes nothing, however many pages are missing")
  func fullDisk() async throws {
    func schema(_ count: Int) throws -> Schema {
      try Schema(
        (0..<count).map { number in
          EntityDescription(
            name: "E\(number)",
            properties: [
              .attribute(AttributeDescription(name: "id", type: .integer64, isIndexed: true))
            ])
        })
    }
    let url = folder.file("full.sqlite")
    try SQLiteStore(schema(1), at: url).close()
    let pages = try pageCount(url)
    let before = try SQLiteCommand.run(".dump", on: url)
    // A page for the table and one for the index of each new entity.
    for missing in 1...6 {
      var request = Self.request(.declared(.all))
      request.pageLimit = pages + 6 - missing
      let error = #expect(throws: StoreError.self) {
        try SQLiteStore(schema(4), at: url, migration: request).close()
      }
      guard case .diskFull = error else {
        Issue.record("\(missing) pages: \(error.debugDescription)")
        return
      }
      #expect(try SQLiteCommand.run(".dump", on: url) == before)
      #expect(try SQLiteFile.values("PRAGMA integrity_check", in: url) == ["ok"])
    }
    try SQLiteStore(schema(4), at: url, migration: Self.request(.declared(.all))).close()
    #expect(try pageCount(url) >= pages + 6)
  }

  private func pageCount(_ url: URL) throws -> Int {
    try SQLiteFile.values("PRAGMA page_count", in: url).first.flatMap { Int($0) } ?? 0
  }

  /// How many pages the file has once it is migrated.
  private func pageCount(_ url: URL, migratedTo schema: Schema) throws -> Int {
    let copy = folder.file("copy.sqlite")
    try FileManager.default.copyItem(at: url, to: copy)
    defer { try? FileManager.default.removeItem(at: copy) }
    try SQLiteStore(schema, at: copy, migration: Self.request(.declared(.all))).close()
    return try pageCount(copy)
  }

  /// Cancels now and then at a random moment, which changes nothing; then migrates, and needs leave where the
  /// forecast has seen a loss.
  private func migrate(
    _ url: URL, to schema: Schema, _ note: Comment, _ store: inout EvolvingStore
  ) async throws {
    let forecast = try SQLiteStore.forecast(
      of: schema, at: url, Self.request(.lossless))
    #expect(forecast.obstacles.isEmpty, "\(note): \(forecast.obstacles)")
    let before = try SQLiteCommand.run(".dump", on: url)
    if store.random.below(4) == 0 {
      let left = Lock(store.random.below(60))
      var request = Self.request(.declared(.all))
      request.isCancelled = {
        left.withLock {
          $0 -= 1
          return $0 < 0
        }
      }
      do {
        try SQLiteStore(schema, at: url, migration: request).close()
        return
      } catch is CancellationError {
        #expect(try SQLiteCommand.run(".dump", on: url) == before, note)
      }
    }
    // At the writing of a random page there is no room for another one: where the file grows, one of those
    // that it needs.
    if store.random.below(2) == 0 {
      let pages = try pageCount(url)
      let missing = try pageCount(url, migratedTo: schema) - pages
      var request = Self.request(.declared(.all))
      request.pageLimit = pages + store.random.below(max(missing, 1))
      do {
        try SQLiteStore(schema, at: url, migration: request).close()
        #expect(missing <= 0, note)
        return
      } catch StoreError.diskFull {
        #expect(try SQLiteCommand.run(".dump", on: url) == before, note)
        #expect(try SQLiteFile.values("PRAGMA integrity_check", in: url) == ["ok"], note)
      }
    }
    do {
      try SQLiteStore(schema, at: url, migration: Self.request(.lossless)).close()
      #expect(forecast.losses.isEmpty, note)
    } catch let error as MigrationError {
      #expect(!forecast.losses.isEmpty, "\(note): \(error)")
      #expect(try SQLiteCommand.run(".dump", on: url) == before, note)
      try SQLiteStore(schema, at: url, migration: Self.request(.declared(.all))).close()
    }
  }
}
