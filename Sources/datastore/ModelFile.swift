import DatastoreCore
import DatastoreExport
import Foundation
import Gates
import SQLiteFiles

/// The schema that a file has: a SQLite file of any origin, or one that was written as JSON.
enum ModelFile {
  /// - Throws: `Failure`.
  static func schema(at path: String) throws -> Schema {
    do {
      return try Schema(try descriptions(at: path))
    } catch {
      throw Failure(error)
    }
  }

  /// - Throws: `Failure`; `StoreError`.
  static func descriptions(at path: String) throws -> [EntityDescription] {
    if FileHeader.isDatabase(path) {
      var found: [EntityDescription] = []
      try OpenedFile.read(path) { found = $0.schema.entities.map(\.description) }
      return found
    }
    let bytes: [UInt8]
    do {
      bytes = try ReadableFile.contents(of: path, atMost: 64 << 20)
    } catch {
      throw Failure(.noInput, "\(error)")
    }
    do {
      return try SchemaDocument(Data(bytes)).entities
    } catch {
      throw Failure(
        .badData,
        "\(path) is neither a SQLite file nor a schema as JSON; “datastore schema FILE --format json” "
          + "writes one.")
    }
  }
}
