import DatastoreTestSupport
import Foundation
import SwiftDatastore
import Testing

// Promise: a file has jumped over the version of a program → refused as newer, nothing written, also
// without rows; with a history, and without one where the newer program had one.
/// A file that has gone from the first version to the fifth at once, and programs of the versions between,
/// which it has never been of.
@Suite("Files that have jumped over versions")
struct JumpedVersionsTests {
  enum V1 {
    final class Person: DatastoreObject { @Attribute.Optional var one: String? }
  }
  enum V2 {
    final class Person: DatastoreObject { @Attribute.Optional var two: String? }
  }
  enum V3 {
    final class Person: DatastoreObject { @Attribute.Optional var three: String? }
  }
  enum V4 {
    final class Person: DatastoreObject { @Attribute.Optional var four: String? }
  }
  enum V5 {
    final class Person: DatastoreObject { @Attribute.Optional var five: String? }
  }

  private static func models() throws -> [SwiftDatastoreModel] {
    [
      try SwiftDatastoreModel(version: "V1", from: V1.Person.self),
      try SwiftDatastoreModel(version: "V2", from: V2.Person.self),
      try SwiftDatastoreModel(version: "V3", from: V3.Person.self),
      try SwiftDatastoreModel(version: "V4", from: V4.Person.self),
      try SwiftDatastoreModel(version: "V5", from: V5.Person.self),
    ]
  }

  private static func history(_ versions: ClosedRange<Int>) throws -> SchemaHistory {
    try SchemaHistory(
      Array(models()[(versions.lowerBound - 1)..<versions.upperBound]),
      migrationChain: MigrationChain(versions.map { "V\($0)" }))
  }

  private let folder: TemporaryDirectory
  private let url: URL

  init() throws {
    folder = try TemporaryDirectory()
    url = folder.file("people.sqlite")
    try SwiftDatastore(dataModel: Self.models()[0], url: url).close()
  }

  private func expectRefusal(
    of version: Int, _ open: () async throws -> SwiftDatastore
  ) async throws {
    let before = try SQLiteCommand.run(".dump", on: url)
    let error = try await #require(throws: MigrationError.self, "V\(version)") {
      try await open().close()
    }
    #expect(error.obstacles == [.newerVersion(version: "V5", current: "V\(version)")])
    #expect(try SQLiteCommand.run(".dump", on: url) == before)
  }

  @Test(
    "A program with a history is told, though the table is empty", arguments: 2...4, [true, false])
  func withHistory(version: Int, newerHasHistory: Bool) async throws {
    if newerHasHistory {
      try await SwiftDatastore.open(history: Self.history(1...5), url: url).close()
    } else {
      try await SwiftDatastore.open(
        dataModel: Self.models()[4], url: url, migration: .declared(.all)
      ).close()
    }
    let history = try Self.history(1...version)
    try await expectRefusal(of: version) {
      try await SwiftDatastore.open(history: history, url: url, migration: .declared(.all))
    }
    try await expectRefusal(of: version) { try SwiftDatastore(history: history, url: url) }
    #expect(
      try SwiftDatastore.requiredMigrations(of: url, history: history).obstacles
        == [.newerVersion(version: "V5", current: "V\(version)")])
  }

  @Test("A program without one is told where the newer program had one", arguments: 1...4)
  func withoutHistory(version: Int) async throws {
    try await SwiftDatastore.open(history: Self.history(1...5), url: url).close()
    let model = try Self.models()[version - 1]
    try await expectRefusal(of: version) {
      try await SwiftDatastore.open(dataModel: model, url: url, migration: .declared(.all))
    }
    // And the newer one opens it as before.
    try SwiftDatastore(history: Self.history(1...5), url: url).close()
  }

  @Test("A file whose entities were changed under the name of a known version goes on")
  func changedUnderItsName() async throws {
    let changed = try SwiftDatastoreModel(version: "V1", from: V4.Person.self)
    try await SwiftDatastore.open(dataModel: changed, url: url).close()
    try await SwiftDatastore.open(history: Self.history(1...2), url: url).close()
    #expect(try SQLiteCommand.run("SELECT two FROM Person", on: url).isEmpty)
  }
}
