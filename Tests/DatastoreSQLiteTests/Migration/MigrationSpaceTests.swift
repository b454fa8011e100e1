import DatastoreCore
import DatastoreSQLite
import DatastoreTestSupport
import Foundation
import SQLiteFiles
import Testing

@Suite("What a migration needs of the disk")
struct MigrationSpaceTests {
  /// 2,000 notes of about 500 bytes beside 2,000 small rows that stay unchanged.
  private func file() throws -> MigratedFile {
    try MigratedFile(
      [
        entity("Note", attribute("text", isOptional: false), attribute("year")),
        entity("Word", attribute("text")),
      ],
      """
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2000)
      INSERT INTO Note (_id, text, year) SELECT i, printf('%.500c', 'x'), '2000' FROM n;
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2000)
      INSERT INTO Word (_id, text) SELECT i, 'w' FROM n;
      """)
  }

  private let converted = [
    entity("Note", attribute("text", isOptional: false), attribute("year", .integer32)),
    entity("Word", attribute("text")),
  ]
  private let losing = [
    entity("Note", attribute("text", isOptional: false)), entity("Word", attribute("text")),
  ]

  private func disk(
    _ free: Int, elsewhere: Int? = nil
  ) -> @Sendable (String) -> (device: UInt64, freeBytes: Int)? {
    { folder in
      if let elsewhere, folder.hasSuffix("/copies") { return (2, elsewhere) }
      return (1, free)
    }
  }

  @Test(
    "The log is as long as the tables that are written, which the log of such a migration shows")
  func log() throws {
    let file = try file()
    let forecast = try file.forecast(of: converted)
    let space = try #require(forecast.space)
    #expect(space.copyBytes == 0)
    #expect((1_000_000...1_300_000).contains(space.logBytes), "\(space)")
    let real = DiskSpace(of: file.url.deletingLastPathComponent().path)
    #expect(real != nil)
    #expect(space.freeBytes != nil)
    #expect(space.isEnough)
    #expect(forecast.obstacles.isEmpty)
    // The size of the table afterwards, as the sqlite3 program counts it.
    try file.migrate(to: converted)
    let pages = try SQLiteCommand.run(
      "SELECT sum(pgsize) FROM dbstat WHERE name = 'Note'", on: file.url)
    let written = try #require(Int(pages))
    #expect(abs(written - space.logBytes) < written / 5, "\(written) \(space)")
  }

  @Test("What touches no row and loses nothing needs nothing")
  func instant() throws {
    let file = try file()
    let renamed = [
      entity("Note", attribute("text", isOptional: false), attribute("year"), attribute("more")),
      entity("Word", attribute("text")),
    ]
    #expect(try file.forecast(of: renamed).space == nil)
    try file.migrate(to: renamed) { $0.diskSpace = disk(0) }
  }

  // Promise: the disk has certainly no room for copy or rows → refused before a byte is written; where it
  // is only likely, the forecast says so, and it is tried and rolled back.
  // Also: `MigrationSpaceTests.rows`, `MigrationSpaceTests.otherDisk`
  @Test("A copy that has certainly no room is refused before anything is written")
  func copy() throws {
    let file = try file()
    let before = try file.dump()
    let length = try Int(
      #require(FileManager.default.attributesOfItem(atPath: file.url.path)[.size] as? UInt64))
    let forecast = try file.forecast(of: losing) {
      $0.backupPath = file.backupPath
      $0.diskSpace = disk(length - 1)
    }
    #expect(forecast.space?.copyBytes == length)
    #expect(forecast.space?.isEnough == false)
    let folder = file.url.deletingLastPathComponent().path
    let sentences = forecast.obstacles.map(\.description)
    #expect(sentences.count == 1)
    let sentence = try #require(sentences.first)
    #expect(sentence.contains(" are free in \(folder), and at least "), "\(sentence)")
    #expect(
      sentence.hasSuffix("are needed; make room, or have the copy of the old file kept elsewhere"))
    let error = #expect(throws: MigrationError.self) {
      try file.migrate(to: losing, .declared(.all)) {
        $0.backupPath = file.backupPath
        $0.diskSpace = disk(length - 1)
      }
    }
    // Values that may be lost are not counted.
    let reasons = error?.obstacles.map(\.description) ?? []
    #expect(reasons.count == 1)
    #expect(reasons.first?.contains(" are free in \(folder), and at least ") ?? false)
    #expect(!FileManager.default.fileExists(atPath: file.backupPath))
    #expect(try file.dump() == before)
    // With room for it, and for some bytes of each row.
    try file.migrate(to: losing, .declared(.all)) {
      $0.backupPath = file.backupPath
      $0.diskSpace = disk(length + 8 * 2000)
    }
    #expect(FileManager.default.fileExists(atPath: file.backupPath))
  }

  @Test("Rows that have certainly no room are refused; where it is likely only, it is tried")
  func rows() throws {
    let file = try file()
    let before = try file.dump()
    let error = #expect(throws: MigrationError.self) {
      try file.migrate(to: converted) { $0.diskSpace = disk(8 * 2000 - 1) }
    }
    let folder = file.url.deletingLastPathComponent().path
    #expect(
      error?.obstacles.map(\.description) == [
        "15.9 kB are free in \(folder), and at least 16 kB are needed; make room"
      ])
    #expect(try file.dump() == before)
    let forecast = try file.forecast(of: converted) { $0.diskSpace = disk(500_000) }
    #expect(forecast.obstacles.isEmpty)
    #expect(forecast.space?.isEnough == false)
    #expect(
      forecast.space?.description.hasSuffix(" MB for the log, of 500 kB that are free") ?? false)
    try file.migrate(to: converted) { $0.diskSpace = disk(500_000) }
  }

  @Test("A copy on another disk needs room there")
  func otherDisk() throws {
    let file = try file()
    let copies = file.url.deletingLastPathComponent().appending(path: "copies")
    try FileManager.default.createDirectory(at: copies, withIntermediateDirectories: false)
    let copy = copies.appending(path: "old.sqlite").path
    let tight = try file.forecast(of: losing) {
      $0.backupPath = copy
      $0.diskSpace = disk(2_000_000, elsewhere: 1000)
    }
    #expect(tight.space?.freeBytesForCopy == 1000)
    #expect(
      tight.obstacles.map(\.description).first?.hasPrefix("1 kB are free in \(copies.path)")
        ?? false)
    let roomy = try file.forecast(of: losing) {
      $0.backupPath = copy
      $0.diskSpace = disk(2_000_000, elsewhere: 2_000_000)
    }
    #expect(roomy.obstacles.isEmpty)
    #expect(roomy.space?.isEnough == true)
  }

  @Test("A file system that says nothing refuses nothing")
  func unknown() throws {
    let file = try file()
    try file.migrate(to: converted) { $0.diskSpace = { _ in nil } }
  }
}
