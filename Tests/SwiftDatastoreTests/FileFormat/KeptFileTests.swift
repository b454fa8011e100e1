import DatastoreTestSupport
import Foundation
import SwiftDatastore
import Testing

// Promise: a file is of an older format → it opens and is taken along by itself.
/// Files that older versions of this library have made open with the classes that they were made with, and
/// hold what was put into them.
///
/// `KEEP_FILES=directory swift test --filter KeptFileTests.make` writes the files of today's format there.
@Suite("Files of every format so far")
struct KeptFileTests {
  private static let folder = URL(filePath: #filePath).deletingLastPathComponent()
    .appendingPathComponent("Fixtures")
  static let formats = ["format-1", "format-2"]

  /// A copy of a kept file, in a directory of its own.
  static func copy(_ name: String, into directory: TemporaryDirectory) throws -> URL {
    let url = directory.file("store.sqlite")
    try FileManager.default.copyItem(at: folder.appendingPathComponent("\(name).sqlite"), to: url)
    return url
  }

  @Test("All rows are read through their classes", arguments: formats, [true, false])
  func full(format: String, isReadOnly: Bool) async throws {
    let directory = try TemporaryDirectory()
    let url = try Self.copy("\(format)-full", into: directory)
    let before = try Data(contentsOf: url)
    let datastore = try SwiftDatastore(
      dataModel: KeptModel.make(), url: url, readOnly: isReadOnly)
    let lines = try await datastore.newContext().perform { try KeptModel.lines($0) }
    try datastore.close()
    #expect(lines.joined(separator: "\n") == Self.expected)
    if isReadOnly {
      #expect(try Data(contentsOf: url) == before)
      #expect(try directory.names() == ["store.sqlite"])
    }
  }

  @Test("New rows are added, changed and deleted beside the old ones", arguments: formats)
  func written(format: String) async throws {
    let directory = try TemporaryDirectory()
    let url = try Self.copy("\(format)-full", into: directory)
    for round in 1...2 {
      let datastore = try SwiftDatastore(dataModel: KeptModel.make(), url: url)
      try await datastore.write { context in
        let company: KeptModel.Company = try #require(
          try context.fetchFirst(where: \.$name == "Acme"))
        let employee: KeptModel.Employee = try context.createObject()
        employee.name = "Eve \(round)"
        employee.badge = round + 1
        employee.mail = "eve\(round)@example.org"
        employee.company = company
        let ann: KeptModel.Employee = try #require(try context.fetchFirst(where: \.$name == "Ann"))
        ann.jobs.removeLast()
      }
      let names = try await datastore.newContext().perform { context in
        let company: KeptModel.Company = try #require(
          try context.fetchFirst(where: \.$name == "Acme"))
        return company.employees.map(\.name).sorted()
      }
      #expect(names == ["Ann"] + (1...round).map { "Eve \($0)" })
      #expect(try datastore.integrityFaults() == [])
      try datastore.close()
    }
  }

  @Test("A file without rows opens and takes the same rows", arguments: formats)
  func empty(format: String) async throws {
    let directory = try TemporaryDirectory()
    let url = try Self.copy("\(format)-empty", into: directory)
    let datastore = try SwiftDatastore(dataModel: KeptModel.make(), url: url)
    let context = datastore.newContext()
    #expect(try await context.perform { try KeptModel.lines($0) } == [])
    try await context.perform { try KeptModel.fill($0) }
    let lines = try await datastore.newContext().perform { try KeptModel.lines($0) }
    #expect(lines.joined(separator: "\n") == Self.expected)
  }

  @Test("A file of an older format says in today's what it holds, once it is opened for writing")
  func takenAlong() throws {
    let directory = try TemporaryDirectory()
    let url = try Self.copy("format-1-full", into: directory)
    let tables = "SELECT sql FROM sqlite_master WHERE sql IS NOT NULL ORDER BY 1"
    let before = try SQLiteFile.values(tables, in: url)
    try SwiftDatastore(dataModel: KeptModel.make(), url: url).close()
    #expect(try SQLiteFile.values(tables, in: url) == before)
    #expect(
      try SQLiteFile.values("SELECT value FROM _datastore WHERE key = 'format'", in: url) == ["2"])
    #expect(
      try SQLiteFile.values(
        "SELECT key || ' ' || value FROM _datastore WHERE key LIKE 'hash:%' OR key LIKE 'rules:%' "
          + "ORDER BY key", in: url) == Self.hashes)
    // As `file` sees it.
    #expect(try Data(contentsOf: url)[68..<72].elementsEqual(Array("SDst".utf8)))
  }

  @Test("A file of a later format is refused in a sentence")
  func later() throws {
    let directory = try TemporaryDirectory()
    let url = try Self.copy("format-1-full", into: directory)
    try SQLiteFile.make(at: url, "UPDATE _datastore SET value = '3' WHERE key = 'format'")
    #expect(throws: StoreError.unknownFormat(path: url.path, version: "3")) {
      try SwiftDatastore(dataModel: KeptModel.make(), url: url)
    }
  }

  @Test("A file that `datastore load` has made opens without and with classes", arguments: formats)
  func loaded(format: String) async throws {
    let directory = try TemporaryDirectory()
    let url = try Self.copy("\(format)-loaded", into: directory)
    let contents = try await StoreContents(of: url)
    #expect(
      contents["people"].map { row in
        ["name", "born", "weight", "city"].map { "\(row[$0])" }.joined(separator: " | ")
      } == [
        "“Ann” | “1990-05-01” | 61.5 | “Umeå”", "“Bob” | “1985-12-31” | 80.0 | NULL",
        "“Cid” | NULL | NULL | “Kiruna”",
      ])
    let datastore = try SwiftDatastore(
      dataModel: SwiftDatastoreModel(from: LoadedPerson.self), url: url)
    let names = try await datastore.write { context in
      let people: [LoadedPerson] = try context.fetch(where: \.$weight > 70)
      people.first?.city = "Luleå"
      return people.map(\.name)
    }
    #expect(names == ["Bob"])
    try datastore.close()
    #expect(try SQLiteFile.values("SELECT city FROM people WHERE _id = 2", in: url) == ["Luleå"])
  }

  final class LoadedPerson: DatastoreObject {
    override class var entityName: String { "people" }
    @Attribute.Optional var name: String?
    @Attribute.Optional var born: CalendarDate?
    @Attribute.Optional var weight: Double?
    @Attribute.Optional var city: String?
  }

  @Test(
    "Make the files of today's format",
    .enabled(if: ProcessInfo.processInfo.environment["KEEP_FILES"] != nil, "KEEP_FILES is not set"))
  func make() async throws {
    let path = try #require(ProcessInfo.processInfo.environment["KEEP_FILES"])
    for name in ["full", "empty"] {
      let url = URL(filePath: path).appendingPathComponent("\(name).sqlite")
      let datastore = try SwiftDatastore(dataModel: KeptModel.make(), url: url)
      if name == "full" {
        try await datastore.newContext().perform { try KeptModel.fill($0) }
        let lines = try await datastore.newContext().perform { try KeptModel.lines($0) }
        #expect(lines.joined(separator: "\n") == Self.expected)
      }
      try datastore.close()
    }
  }
}
