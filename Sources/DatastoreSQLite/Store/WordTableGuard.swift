import DatastoreCore
import DatastoreSQL
import GRDB
import Synchronization

/// Whether the indexes of words are those that a mapping was made with. If another process opens the file
/// with a model that searches other texts, it drops them, recreates them, or makes others; without them,
/// texts are scanned.
final class WordTableGuard: Sendable {
  private let mapping: SchemaMapping
  /// The mapping for reading rows without the indexes.
  let mappingWithout: SchemaMapping
  private let names: Set<String>
  private let found = Atomic<Bool>(true)

  init(_ mapping: SchemaMapping) {
    self.mapping = mapping
    names = mapping.wordTableNames
    mappingWithout = names.isEmpty ? mapping : mapping.withoutWordIndexes
  }

  /// Whether words are looked up in them.
  var areThere: Bool { found.load(ordering: .acquiring) }

  /// Checks the indexes in a new version of the schema.
  ///
  /// - Parameter original: the former tables of a third-party file.
  /// - Throws: the errors of SQLite.
  func look(in database: Database, whereMadeAs original: [FileTable]) throws {
    if names.isEmpty { return }
    found.store(try areMade(in: database, as: original), ordering: .releasing)
  }

  private func areMade(in database: Database, as original: [FileTable]) throws -> Bool {
    // Native triggers as well: without them an index misses later writes.
    if mapping.isNative { return try WordTables(mapping).areThere(in: database) }
    let list = try RawStatement(
      "SELECT lower(name), sql FROM sqlite_master WHERE sql LIKE 'CREATE VIRTUAL TABLE%'",
      in: database)
    defer { list.reset() }
    var declarations: [String: String] = [:]
    while try list.step() {
      declarations[list.value(at: 0).plainText] = list.value(at: 1).plainText
    }
    return names.allSatisfy { name in
      let known = original.first { $0.name.lowercased() == name }
      return known?.declaration != nil && known?.declaration == declarations[name]
    }
  }

  /// Runs `body`, and again without the indexes if it does not find one: a statement may have been made for a
  /// newer state of the file than its transaction sees.
  @inline(__always)
  func reading<T>(_ database: Database, _ body: (Database) throws -> T) throws -> T {
    do {
      return try body(database)
    } catch let error as DatabaseError where areThere && isCause(of: error) {
      found.store(false, ordering: .releasing)
      return try body(database)
    }
  }

  private func isCause(of error: DatabaseError) -> Bool {
    guard let message = error.message?.lowercased(), message.hasPrefix("no such table: ") else {
      return false
    }
    return names.contains { message.hasSuffix($0) }
  }
}
