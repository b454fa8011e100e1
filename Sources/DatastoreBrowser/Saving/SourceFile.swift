import Basics
import DatastoreCore
import DatastoreExport
package import DatastoreImport
import Foundation
import SwiftDatastore

/// A CSV or JSON file whose rows are shown from a copy. Saving writes the changed rows into the file.
package struct SourceFile: Hashable, Sendable {
  /// The identity of the file when its rows were read; a write by another program changes it.
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

    var text: String { "\(device) \(number) \(size) \(seconds) \(nanoseconds)" }
  }

  let path: String
  let source: LoadSource
  private var stamp: Stamp?
  private var memory = RewriteMemory()

  /// - Returns: nil for files that are not written: pipes, compressed files, and files with bytes that are
  ///   not in their encoding.
  /// - Throws: `ImportError` if the file cannot be read.
  package init?(_ source: LoadSource) throws {
    guard case .file(let path) = source.input, try source.rewritingRefusal() == nil
    else { return nil }
    self.path = path
    self.source = try source.settled()
    stamp = Stamp(path)
  }

  /// The source that the rows were read from; nil if another program has changed the file since.
  var unchanged: (source: LoadSource, memory: RewriteMemory)? {
    Stamp(path) == stamp ? (source, memory) : nil
  }

  /// The full path without links: the same from session to session.
  var identity: String { URL(fileURLWithPath: path).resolvingSymlinksInPath().path }

  /// The state of the file when its rows were read, or when it was written since.
  var state: String { stamp?.text ?? "" }

  /// The name for people.
  var name: String { URL(fileURLWithPath: path).lastPathComponent }

  /// The table that the file fills.
  package var entity: String? {
    guard case .entity(let content) = source.content else { return nil }
    return content.entity
  }

  /// Why a file is not written, as a sentence.
  struct Refused: Error, CustomStringConvertible {
    let description: String
  }

  /// Replaces the file with the rows of its table. Unchanged parts are written byte for byte as the file has
  /// them.
  ///
  /// - Returns: the changes.
  /// - Throws: `Refused` if another program has changed the file, `ExportError`, and errors of reading; the
  ///   file is then unchanged.
  mutating func write(_ store: any StoreEngine) throws -> RewriteChanges {
    // Annotations, such as that a column refers to another table, are not part of the file itself.
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
            + "press q, then k, and open it again: the changes are kept and offered.")
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
    let memory = try Self.write(entity, of: store, with: &rewriter)
    if rewriter.isUncertain, rewriter.changes != RewriteChanges() {
      try file.output.flush()
      try requireEqual(file, entity, of: store, memory)
    }
    try requireSame()
    if rewriter.changes != RewriteChanges() {
      try file.finish()
      stamp = Stamp(path)
      self.memory = memory
    }
    return rewriter.changes
  }

  /// Passes all rows of a table to a rewriter.
  private static func write(
    _ entity: Entity, of store: any StoreEngine, with rewriter: inout any FileRewriter
  ) throws -> RewriteMemory {
    let slots = entity.slots.filter { entity.properties[$0].attribute != nil }
    var places = BySlot<Int?>(repeating: nil, count: entity.slotCount)
    for (index, slot) in slots.enumerated() { places[slot] = index + 1 }
    try store.readTransaction { transaction in
      try transaction.answer(
        sql: sql(entity, slots, of: store), begin: { _ in },
        row: { page, row in
          guard let key = page.value(row: row, column: 0).key else { return }
          try rewriter.write(key: key) { slot in
            places[slot].map { page.value(row: row, column: $0) } ?? .null
          }
        })
    }
    return try rewriter.finish()
  }

  /// Makes sure that the written file reads back as the rows of its table.
  private func requireEqual(
    _ file: ExportFile, _ entity: Entity, of store: any StoreEngine, _ memory: RewriteMemory
  ) throws {
    guard let path = file.partial else { return }
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else {
      throw ExportError.cannotWrite(name: path, reason: String(cString: strerror(errno)))
    }
    defer { close(descriptor) }
    let refusal = Refused(
      description:
        "it has a quote that is not closed, and with these changes other records would be taken into its field. "
        + "Change that field first, or export the rows to another file.")
    do {
      var rewriter = try source.reading(path: path).makeRewriter(
        entity, memory: memory, descriptor: descriptor
      ) { _ in }
      _ = try Self.write(entity, of: store, with: &rewriter)
      guard rewriter.changes == RewriteChanges() else { throw refusal }
    } catch is RewriteRefusal {
      throw refusal
    }
  }

  /// All rows by their keys. Columns may have other names than their properties: names that differ only in
  /// case cannot both be properties.
  private static func sql(_ entity: Entity, _ slots: [Slot], of store: any StoreEngine) throws
    -> String
  {
    guard let key = store.keyColumn(of: entity) else {
      trap("rows of a copy have keys that are not properties")
    }
    let columns =
      [key] + slots.flatMap { store.storedColumns(of: $0, in: entity) }
    return "SELECT \(columns.map { Quoting.sqlName($0.name) }.joined(separator: ", ")) "
      + "FROM \(Quoting.sqlName(store.information(about: entity).table)) ORDER BY \(Quoting.sqlName(key.name))"
  }
}
