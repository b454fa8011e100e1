import DatastoreCore
import DatastoreTestSupport
import Foundation
import SwiftDatastore
import Testing

/// Opening files with all versions of a model at hand.
@Suite("Opening with a history")
struct HistoryOpeningTests {
  enum V1 {
    final class Person: DatastoreObject {
      @Attribute.Optional var home: String?
      @Attribute.Optional var work: String?
    }
    static func model() throws -> SwiftDatastoreModel {
      try SwiftDatastoreModel(version: "V1", from: Person.self)
    }
  }

  /// Both have swapped their names.
  enum V2 {
    final class Person: DatastoreObject {
      @Attribute.Optional(renamedFrom: "work") var home: String?
      @Attribute.Optional(renamedFrom: "home") var work: String?
      @Attribute.NotOptional(initial: { Int.random(in: 1...9) }) var digit: Int
    }
    static func model() throws -> SwiftDatastoreModel {
      try SwiftDatastoreModel(version: "V2", from: Person.self)
    }
  }

  /// Without the former name, so that a later version can give it again.
  enum V3 {
    final class Person: DatastoreObject {
      @Attribute.Optional var home: String?
      @Attribute.Optional var work: String?
      @Attribute.NotOptional var digit: Int = 0
      @Attribute.Optional var note: String?
    }
    static func model() throws -> SwiftDatastoreModel {
      try SwiftDatastoreModel(version: "V3", from: Person.self)
    }
  }

  /// And have swapped them back.
  enum V4 {
    final class Person: DatastoreObject {
      @Attribute.Optional(renamedFrom: "work") var home: String?
      @Attribute.Optional(renamedFrom: "home") var work: String?
      @Attribute.NotOptional var digit: Int = 0
      @Attribute.Optional var note: String?

      override class var hashModifier: String? { "swapped back" }
    }
    static func model() throws -> SwiftDatastoreModel {
      try SwiftDatastoreModel(version: "V4", from: Person.self)
    }
  }

  private let folder: TemporaryDirectory
  private let url: URL

  /// A file of the first version.
  init() throws {
    folder = try TemporaryDirectory()
    url = folder.file("people.sqlite")
    try SwiftDatastore(dataModel: V1.model(), url: url).close()
    try SQLiteFile.make(
      at: url, "INSERT INTO Person (_id, home, work) VALUES (1, 'h', 'w'), (2, NULL, 'x')")
  }

  private func history(_ chain: MigrationChain = ["V1", "V2", "V3", "V4"]) throws -> SchemaHistory {
    try SchemaHistory(V1.model(), V2.model(), V3.model(), V4.model(), migrationChain: chain)
  }

  private func rows() throws -> [String] {
    try SQLiteFile.values(
      "SELECT _id || ' ' || ifnull(home, '-') || ' ' || ifnull(work, '-') FROM Person ORDER BY 1",
      in: url)
  }

  // Promise: names swapped twice between file and model → a history follows both swaps.
  @Test("Names that were swapped twice are where they were; only a history can know that")
  func swappedTwice() async throws {
    let copy = folder.file("copy.sqlite")
    try FileManager.default.copyItem(at: url, to: copy)
    let datastore = try await SwiftDatastore.open(history: history(), url: url)
    #expect(datastore.modelVersion == "V4")
    try await datastore.newContext().perform { context in
      let people: [V4.Person] = try context.fetch(orderBy: [.asc(\.$work)])
      #expect(people.map(\.work) == ["w", "x"])
      #expect(people.map(\.home) == ["h", nil])
    }
    try datastore.close()
    #expect(try rows() == ["1 h w", "2 - x"])
    // From the first version directly, one swap is all that can be seen.
    try await SwiftDatastore.open(dataModel: V4.model(), url: copy).close()
    #expect(try SQLiteFile.values("SELECT home FROM Person WHERE _id = 1", in: copy) == ["w"])
  }

  @Test("A file of a version in between goes the rest of the way")
  func inBetween() async throws {
    try await SwiftDatastore.open(dataModel: V2.model(), url: url).close()
    #expect(try rows() == ["1 w h", "2 x -"])
    let digits = try SQLiteFile.values("SELECT digit FROM Person ORDER BY _id", in: url)
    try await SwiftDatastore.open(history: history(), url: url).close()
    #expect(try rows() == ["1 h w", "2 - x"])
    #expect(try SQLiteFile.values("SELECT digit FROM Person ORDER BY _id", in: url) == digits)
    let datastore = try SwiftDatastore(opening: url, readOnly: true)
    #expect(try datastore.migrationHistory().map(\.fromVersion) == ["V1", "V2"])
    #expect(try datastore.migrationHistory().map(\.toVersion) == ["V2", "V4"])
    #expect(try datastore.migrationHistory().map(\.rows) == [["Person": 2], [:]])
    try datastore.close()
    // The file remembers both.
    #expect(
      try SQLiteFile.values(
        """
        SELECT json_extract(value, '$.fromVersion') || json_extract(value, '$.toVersion') \
        FROM _datastore WHERE key LIKE 'history:%' ORDER BY key
        """, in: url) == ["V1V2", "V2V4"])
    #expect(try SQLiteFile.values("PRAGMA user_version", in: url) == ["2"])
  }

  @Test("A file is known by its entities, also where it says another version, or none")
  func recognised() async throws {
    try SQLiteFile.make(at: url, "UPDATE _datastore SET value = 'old' WHERE key = 'version'")
    try await SwiftDatastore.open(history: history(), url: url).close()
    #expect(try rows() == ["1 h w", "2 - x"])
  }

  // Promise: the file is of a version that nobody knows → it goes directly, and loses nothing undeclared.
  @Test("A file of no version of the history is brought to the current one directly")
  func unknown() async throws {
    let other = try SwiftDatastoreModel(from: Unknown.Person.self)
    let file = folder.file("unknown.sqlite")
    try SwiftDatastore(dataModel: other, url: file).close()
    try SQLiteFile.make(at: file, "INSERT INTO Person (work, digit) VALUES ('a', '12')")
    try await SwiftDatastore.open(history: history(), url: file).close()
    #expect(
      try SQLiteFile.values("SELECT home || digit || typeof(digit) FROM Person", in: file)
        == ["a12integer"])
  }

  enum Unknown {
    final class Person: DatastoreObject {
      @Attribute.Optional var work: String?
      @Attribute.Optional var digit: String?
    }
  }

  @Test("Several steps are refused where one says so, with the versions; nothing is changed")
  func prevented() async throws {
    let before = try SQLiteCommand.run(".dump", on: url)
    let history = try self.history()
    let error = try await #require(throws: MigrationError.self) {
      try await SwiftDatastore.open(
        history: history, url: url, preventProgressiveMigration: true)
    }
    #expect(
      error.description
        == "\(url.path) was made from another version of the model and was not migrated: it would take "
        + "several steps (“V1”, “V2”, “V3”, “V4”), which `preventProgressiveMigration` does not allow. "
        + "Nothing was changed.")
    let forecast = try SwiftDatastore.requiredMigrations(
      of: url, history: history, preventProgressiveMigration: true)
    #expect(forecast.obstacles == error.obstacles)
    #expect(try SQLiteCommand.run(".dump", on: url) == before)
    // An opening that waits makes changes that touch no row: all of this way.
    try SwiftDatastore(history: history, url: url).close()
    #expect(try rows() == ["1 h w", "2 - x"])
  }

  // Promise: the file is of a later version, known or not → refused in a sentence, never brought back.
  // Also: `MigrationRouteTests.refused`
  @Test("A file that a newer program has migrated is not brought back, with or without a history")
  func newer() async throws {
    try await SwiftDatastore.open(history: history(), url: url).close()
    let before = try SQLiteCommand.run(".dump", on: url)
    let own = "its old version"
    let older = try SchemaHistory(
      V1.model(), V2.model(), V3.model(), V4.model(),
      migrationChain: ["V1", "V2", "V3", "V4"], exactCurrentModelVersion: "V2")
    let known = try await #require(throws: MigrationError.self) {
      try await SwiftDatastore.open(history: older, url: url, migration: .declared(.all))
    }
    #expect(known.obstacles == [.newerVersion(version: "V4", current: "V2")])
    // The older program does not know the later versions, but the file records that it was of the first.
    let unknown = try await #require(throws: MigrationError.self, "\(own)") {
      try await SwiftDatastore.open(
        dataModel: V1.model(), url: url, migration: .declared(.all))
    }
    #expect(
      unknown.description
        == "\(url.path) was made from another version of the model and was not migrated: it is of the "
        + "version “V4”, which comes after “V1” of this program; open it with a newer version of the "
        + "program. Nothing was changed.")
    #expect(try SQLiteCommand.run(".dump", on: url) == before)
  }

  @Test("The progress of opening is a sequence, and ends with the datastore")
  func progress() async throws {
    try SQLiteFile.make(
      at: url,
      """
      WITH RECURSIVE n(i) AS (SELECT 3 UNION ALL SELECT i + 1 FROM n WHERE i < 120000) \
      INSERT INTO Person (_id, home) SELECT i, 'h' || i FROM n
      """)
    // Each row gets a digit of its own.
    let history = try SchemaHistory(V1.model(), V2.model(), migrationChain: ["V1", "V2"])
    let opening = SwiftDatastore.opening(history: history, url: url)
    var states: [MigrationProgress] = []
    for await state in opening { states.append(state) }
    let datastore = try await opening.datastore
    #expect(states.first?.phase == .checking && states.last?.phase == .finishing)
    let copying = states.filter { $0.phase == .copying }
    #expect(copying.map(\.rowsDone) == Array(stride(from: 6_000, through: 120_000, by: 6_000)))
    #expect(copying.allSatisfy { $0.rowsTotal == 120_000 && $0.entity == "Person" })
    #expect(copying.allSatisfy { $0.step == 1 && $0.stepCount == 1 })
    try datastore.close()
    // Then no migration is needed.
    let again = SwiftDatastore.opening(history: history, url: url)
    for await state in again { Issue.record("\(state)") }
    try await again.datastore.close()
  }

  @Test("An opening that is cancelled leaves the old file")
  func cancelled() async throws {
    try SQLiteFile.make(
      at: url,
      """
      WITH RECURSIVE n(i) AS (SELECT 3 UNION ALL SELECT i + 1 FROM n WHERE i < 120000) \
      INSERT INTO Person (_id, home) SELECT i, 'h' || i FROM n
      """)
    let before = try SQLiteCommand.run(".dump", on: url)
    // The closure of the model cancels in the middle.
    let opening = SwiftDatastore.opening(dataModel: try Stopping.model(), url: url)
    Stopping.opening.withLock { $0 = opening }
    await #expect(throws: CancellationError.self) { try await opening.datastore }
    #expect(Stopping.count.withLock { 60_000..<110_000 ~= $0 })
    #expect(try SQLiteCommand.run(".dump", on: url) == before)
  }

  enum Stopping {
    static let opening = Lock<StoreOpening?>(nil)
    static let count = Lock(0)

    final class Person: DatastoreObject {
      @Attribute.Optional var home: String?
      @Attribute.Optional var work: String?
      @Attribute.NotOptional(initial: { Stopping.next() }) var number: Int
    }

    static func next() -> Int {
      let number = count.withLock { count in
        count += 1
        return count
      }
      if number == 60_000 {
        while opening.withLock({ $0 == nil }) { sched_yield() }
        opening.withLock { $0?.cancel() }
      }
      return number
    }

    static func model() throws -> SwiftDatastoreModel {
      try SwiftDatastoreModel(from: Person.self)
    }
  }
}
