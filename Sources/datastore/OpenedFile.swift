import DatastoreBrowser
import DatastoreCore
import DatastoreSQLite
import Foundation
import SwiftDatastore

/// A file that a command only reads.
enum OpenedFile {
  /// Opens a file for `body`, and closes it in any case.
  ///
  /// - Parameters:
  ///   - model: the model of a Core Data store, instead of the one in the store.
  ///   - showsJoinTables: whether join tables are entities, too.
  ///   - rows: the file of rows to read instead, if its rows are not copied into a store.
  /// - Throws: `Failure`.
  static func read(
    _ address: StoreAddress, model: CoreDataModel? = nil, showsJoinTables: Bool = false,
    of rows: BrowsedRows? = nil, _ body: (any StoreEngine) throws -> Void
  ) throws {
    do {
      if let store = rows?.opened { return try body(store) }
      var options = SwiftDatastore.Options()
      options.showsJoinTables = showsJoinTables
      options.coreDataModel = model
      options.annotations = annotations(of: address.keptSubject)
      defer { address.leave() }
      let store = try address.store(options: options)
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

  /// The annotations of a store. A fault in their file is reported, and prevents nothing.
  static func annotations(of subject: KeptSubject?) -> SchemaAnnotations {
    guard let file = AnnotationsFile(of: subject, in: UserDirectory.state) else {
      return SchemaAnnotations()
    }
    let (annotations, fault) = file.read()
    if let fault { Message.write(fault) }
    return annotations
  }

  /// The entity that a name means.
  ///
  /// - Throws: `Failure` with the closest name, if there is no such entity.
  static func entity(named name: String, in schema: Schema) throws -> Entity {
    if let entity = schema.entity(meantBy: name) { return entity }
    throw ViewArguments.unknown("entity", name, among: schema.entities.map(\.name), of: "the file")
  }
}
