import DatastoreBrowser
import DatastoreCore
import DatastoreSQLite
import Foundation

/// A file that a command looks into without changing it.
enum OpenedFile {
  /// Opens a file for `body` and closes it, whatever happens.
  ///
  /// - Parameter showsJoinTables: whether tables of pairs are entities, too.
  /// - Throws: `Failure`.
  static func read(
    _ path: String, showsJoinTables: Bool = false, _ body: (SQLiteStore) throws -> Void
  ) throws {
    do {
      let url = URL(fileURLWithPath: path)
      let store = try SQLiteStore(
        existing: url, showsJoinTables: showsJoinTables, annotations: annotations(of: url),
        isReadOnly: true)
      do {
        try body(store)
      } catch {
        // The first error is the one to report.
        try? store.close()
        throw error
      }
      try store.close()
    } catch {
      throw Failure(error)
    }
  }

  /// What the user has said of a file; a fault is told and not in the way.
  static func annotations(of url: URL) -> SchemaAnnotations {
    guard let file = AnnotationsFile(of: url, in: UserDirectory.state) else {
      return SchemaAnnotations()
    }
    let (annotations, fault) = file.read()
    if let fault { Message.write(fault) }
    return annotations
  }

  /// - Throws: `Failure` with the closest name, if there is no such entity.
  static func entity(named name: String, in schema: Schema) throws -> Entity {
    if let entity = schema.entity(named: name) { return entity }
    throw ViewArguments.unknown("entity", name, among: schema.entities.map(\.name), of: "the file")
  }
}
