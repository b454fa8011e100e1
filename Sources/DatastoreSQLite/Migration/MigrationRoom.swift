import DatastoreCore
import DatastoreSQL
import Foundation
import GRDB
import SQLiteFiles

/// The disk space that a migration needs, and whether it is available.
struct MigrationRoom {
  /// The least size of a row in the log: its key, its place in the page, and a byte for each column.
  private static let leastBytesOfRow = 8

  let file: String
  /// The destination of the copy; nil if there is none.
  let copy: String?
  let request: MigrationRequest

  /// - Parameters:
  ///   - writing: the rows written by the first step.
  ///   - stepCount: the number of steps that write as much.
  /// - Throws: the errors of SQLite.
  func space(
    for writing: MigrationPlan.Writing, stepCount: Int = 1, in database: Database
  ) throws -> MigrationSpace {
    let bytes = writing.rows.isEmpty ? 0 : try self.bytes(of: writing.tables, in: database)
    return try space(logBytes: bytes * stepCount, in: database)
  }

  /// The obstacles if there is certainly no room: the copy is as long as the file, and each row that is
  /// written takes some bytes.
  ///
  /// - Throws: the errors of SQLite.
  func obstacles(
    for writing: MigrationPlan.Writing, in database: Database
  ) throws -> [MigrationObstacle] {
    let rows = writing.rows.values.reduce(0, +)
    let least = try space(logBytes: rows * Self.leastBytesOfRow, in: database)
    if least.isEnough { return [] }
    if let free = least.freeBytesForCopy, least.copyBytes > free {
      return [shortage(folder(of: copy ?? file), least.copyBytes, free)]
    }
    let needed = least.logBytes + (least.freeBytesForCopy == nil ? least.copyBytes : 0)
    return [shortage(folder(of: file), needed, least.freeBytes ?? 0)]
  }

  private func shortage(_ folder: String, _ needed: Int, _ free: Int) -> MigrationObstacle {
    .notEnoughSpace(folder: folder, bytes: needed, free: free, hasCopy: copy != nil)
  }

  private func space(logBytes: Int, in database: Database) throws -> MigrationSpace {
    let here = disk(of: file)
    let there = copy.flatMap { disk(of: $0) }
    return MigrationSpace(
      logBytes: logBytes, copyBytes: copy == nil ? 0 : try fileBytes(database),
      freeBytes: here?.freeBytes,
      freeBytesForCopy: there?.device == here?.device ? nil : there?.freeBytes)
  }

  private func fileBytes(_ database: Database) throws -> Int {
    let size = try RawStatement("PRAGMA page_size", in: database).firstInteger() ?? 0
    let count = try RawStatement("PRAGMA page_count", in: database).firstInteger() ?? 0
    return Int(size * count)
  }

  /// The size of some tables with their indexes; of the whole file if this SQLite does not report it.
  private func bytes(of tables: Set<String>, in database: Database) throws -> Int {
    let hasPages = try RawStatement(
      "SELECT sqlite_compileoption_used('ENABLE_DBSTAT_VTAB')", in: database
    ).firstInteger()
    guard hasPages == 1 else { return try fileBytes(database) }
    let names = tables.sorted().map { "\(.text($0))" as SQLFragment }.joined(by: ", ")
    let sum = try RawStatement(
      """
      SELECT sum(pgsize) FROM dbstat('main', 1) \
      WHERE name IN (SELECT name FROM main.sqlite_master WHERE tbl_name IN (\(names)))
      """, in: database
    ).firstInteger()
    return Int(sum ?? 0)
  }

  private func folder(of path: String) -> String {
    URL(fileURLWithPath: path).deletingLastPathComponent().path
  }

  private func disk(of path: String) -> DiskSpace? {
    let folder = folder(of: path)
    guard let given = request.diskSpace else { return DiskSpace(of: folder) }
    return given(folder).map { DiskSpace(device: $0.device, freeBytes: $0.freeBytes) }
  }
}
