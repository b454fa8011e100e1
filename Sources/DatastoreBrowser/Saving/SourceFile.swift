import Basics
import DatastoreCore
import DatastoreExport
package import DatastoreImport
import Foundation
import SwiftDatastore

/// A CSV or JSON file whose rows are shown from a copy, and into which what is saved is written.
package struct SourceFile: Hashable, Sendable {
  /// What the file was when its rows were read: another program that writes it makes it another one.
  private struct Stamp: Hashable, Sendable {
    private let device: UInt
    private let number: UInt
    private let size: Int
    private let seconds: Int
    private let nanoseconds: Int

    init?(_ path: String) {
      var status = stat()
      guard stat(path, &status) == 0 else { return nil }
      device = UInt(status.st_dev)
      number = UInt(status.st_ino)
      size = Int(status.st_size)
      seconds = status.st_mtim.tv_sec
      nanoseconds = status.st_mtim.tv_nsec
    }
  }

  let path: String
  let source: LoadSource
  private var stamp: Stamp?
  private var memory = RewriteMemory()

  /// - Returns: nil for what is not written: pipes, files that are compressed or not UTF-8.
  /// - Throws: `ImportError` when the file cannot be read.
  package init?(_ source: LoadSource) throws {
    guard case .file(let path) = source.input, try source.rewritingRefusal() == nil
    else { return nil }
    self.path = path
    self.source = try source.settled()
    stamp = Stamp(path)
  }

  /// The name for people.
  var name: String { URL(fileURLWithPath: path).lastPathComponent }

  /// The table that it fills.
  package var entity: String? {
    guard case .entity(let content) = source.content else { return nil }
    return content.entity
  }

  /// Why a file is not written: a sentence.
  struct Refused: Error, CustomStringConvertible {
    let description: String
  }

  /// Writes the rows of its table into the file, which is replaced as a whole. Everything that they have as the
  /// file has it goes out byte for byte.
  ///
  /// - Returns: what was different.
  /// - Throws: `Refused` when another program has changed the file, `ExportError`, and what reading throws; the
  ///   file stays as it is then.
  mutating func write(_ store: any StoreEngine) throws -> RewriteChanges {
    // What is said of the file beside it, such as that a column refers to rows of another one, is none of its own.
    guard let url = store.url else { trap("a copy of files is a file") }
    let store = try SwiftDatastore.store(opening: url, readOnly: true)
    defer { try? store.close() }
    guard let entity = self.entity.flatMap({ store.schema.entity(named: $0) }) else {
      throw Refused(description: "its table is gone.")
    }
    func requireSame() throws {
      guard stamp != nil, Stamp(path) == stamp else {
        throw Refused(
          description:
            "another program has changed it since it was read. Export the rows to another file, or "
            + "open it again.")
      }
    }
    try requireSame()
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else {
      throw ExportError.cannotWrite(name: path, reason: String(cString: strerror(errno)))
    }
    defer { close(descriptor) }
    let file = try ExportFile(path: path)
    var rewriter = try source.makeRewriter(
      entity, memory: memory, descriptor: descriptor
    ) {
      try file.output.write($0)
    }
    let columns = entity.slots.filter { entity.properties[$0].attribute != nil }
    try store.readTransaction { transaction in
      try transaction.answer(
        sql: Self.sql(entity, columns, table: store.information(about: entity).table),
        begin: { _ in },
        row: { page, row in
          guard let key = page.value(row: row, column: 0).key else { return }
          try rewriter.write(key: key) { slot in
            guard let place = columns.firstIndex(of: slot) else { return .null }
            return page.value(row: row, column: place + 1)
          }
        })
    }
    let memory = try rewriter.finish()
    try requireSame()
    if rewriter.changes != RewriteChanges() {
      try file.finish()
      stamp = Stamp(path)
      self.memory = memory
    }
    return rewriter.changes
  }

  /// All rows by their keys.
  private static func sql(_ entity: Entity, _ columns: [Slot], table: String) -> String {
    func quoted(_ name: String) -> String { "\"\(name.replacing("\"", with: "\"\""))\"" }
    let names = columns.map { entity.properties[$0].name }
    let taken = Set(names.map { $0.lowercased() })
    let key = ["rowid", "_rowid_", "oid"].first { !taken.contains($0) } ?? "_id"
    let list = ([key] + names.map(quoted)).joined(separator: ", ")
    return "SELECT \(list) FROM \(quoted(table)) ORDER BY \(key)"
  }
}
