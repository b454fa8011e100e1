import DatastoreCore
import DatastoreSQLite
import DatastoreTestSupport
import Foundation
import SwiftDatastore
import Testing

@Suite("Random migrations")
struct RandomMigrationTests {
  private let folder: TemporaryDirectory

  init() throws { folder = try TemporaryDirectory() }

  // Promise: random rules in random versions → migrated file = fresh file.
  // Also: (edit `toggleRule`)
  // Promise: a migration is cancelled, or an error ends it → the file is the old one, complete.
  // Also: `MigrationOpeningTests`
  @Test(
    "A migrated file has the tables of a fresh one, and the objects that a model in memory says")
  func chains() async throws {
    let folder = folder.url
    let stores = MigratedStores.files(in: folder) {
      try fillTheDisk(MigratedStores.file($0, in: folder), migratedTo: $1, $2, &$3)
    }
    try await EngineConformance.tryMigrations(RandomCases.rounds(of: 100), of: stores)
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
      var request = MigratedStores.request(.declared(.all))
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
    try SQLiteStore(schema(4), at: url, migration: MigratedStores.request(.declared(.all))).close()
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
    try SQLiteStore(schema, at: copy, migration: MigratedStores.request(.declared(.all))).close()
    return try pageCount(copy)
  }

  /// At the writing of a random page there is no room for another one: where the file grows, one of those
  /// that it needs.
  ///
  /// - Returns: whether it was migrated, since there was room enough.
  private func fillTheDisk(
    _ url: URL, migratedTo schema: Schema, _ request: MigrationRequest, _ random: inout SeededRandom
  ) throws -> Bool {
    guard random.below(2) == 0 else { return false }
    let before = try SQLiteCommand.run(".dump", on: url)
    let pages = try pageCount(url)
    let missing = try pageCount(url, migratedTo: schema) - pages
    var request = request
    request.pageLimit = pages + random.below(max(missing, 1))
    do {
      try SQLiteStore(schema, at: url, migration: request).close()
      #expect(missing <= 0)
      return true
    } catch StoreError.diskFull {
      #expect(try SQLiteCommand.run(".dump", on: url) == before)
      return false
    }
  }
}
