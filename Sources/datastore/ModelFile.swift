import DatastoreCore
import Foundation
import Gates
import SQLiteFiles

/// The schema that a file has: a SQLite file of any origin, or one that was written as JSON.
enum ModelFile {
  /// - Throws: `Failure`.
  static func schema(at path: String) throws -> Schema {
    if FileHeader.isDatabase(path) {
      var found: Schema?
      try OpenedFile.read(StoreAddress(path)) { found = $0.schema }
      if let found { return found }
    }
    let bytes: [UInt8]
    do {
      bytes = try ReadableFile.contents(of: path, atMost: 64 << 20)
    } catch {
      throw Failure(.noInput, "\(path) cannot be read: \(error.reason).")
    }
    do {
      return try FrozenSchema(json: Data(bytes)).schema
    } catch let error as SchemaError {
      throw Failure(error)
    } catch {
      throw Failure(
        .badData,
        "\(path) is neither a SQLite file nor a schema as JSON; “datastore schema FILE --format json” "
          + "writes one.")
    }
  }
}
