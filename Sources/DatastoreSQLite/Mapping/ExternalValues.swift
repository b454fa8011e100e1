import DatastoreCore
import Foundation
import GRDBSQLite
import SQLiteFiles

/// Core Data's great values in separate files, beside the store.
enum ExternalValues {
  /// The folder of a store's files.
  static func folder(ofStoreAt path: String) -> URL {
    let url = URL(fileURLWithPath: FileIdentity.realPath(path))
    return url.deletingLastPathComponent().appendingPathComponent(
      ".\(url.deletingPathExtension().lastPathComponent)_SUPPORT/_EXTERNAL_DATA")
  }

  /// The file that a stored value names; nil for a value that is in its cell.
  static func file(named value: UnsafeRawBufferPointer, in folder: String) -> String? {
    guard value.count == 38, value[0] == 2,
      // Only an identifier: no path leads out of the folder.
      let name = UUID(uuidString: String(decoding: value[1..<37], as: UTF8.self))
    else { return nil }
    return "\(folder)/\(name.uuidString)"
  }

  /// The greatest size of a SQLite value.
  private static let mostBytes = 1 << 30

  /// nil if there is no such file. It may be another name of a database that is open here, so SQLite reads
  /// it.
  static func content(ofFileAt path: String) -> Data? {
    guard let found = try? FileManager.default.attributesOfItem(atPath: path),
      found[.type] as? FileAttributeType == .typeRegular, let size = found[.size] as? Int,
      size <= mostBytes
    else { return nil }
    if size == 0 { return Data() }
    return DatabaseFileHandle(path)?.firstBytes(size).map { Data($0) }
  }
}

extension SQLFunctions {
  /// `datastore_external(value, folder)`: the bytes of a Core Data value, without the byte that tells where
  /// they are; a sentence if their file is missing.
  static func external(_ context: OpaquePointer?, _ count: Int32, _ values: Values) {
    guard let values, sqlite3_value_type(values[0]) == SQLITE_BLOB,
      let start = sqlite3_value_blob(values[0]), let folder = sqlite3_value_text(values[1])
    else {
      // Other values are unchanged.
      return sqlite3_result_value(context, values?[0])
    }
    let value = UnsafeRawBufferPointer(start: start, count: Int(sqlite3_value_bytes(values[0])))
    if let path = ExternalValues.file(named: value, in: String(cString: folder)) {
      let content = ExternalValues.content(ofFileAt: path)
      return result(
        content.map { .blob($0) } ?? .text("(the file \(path) of this value is not there)"), context
      )
    }
    result(.blob(Data(value[0] == 1 ? value.dropFirst() : value[...])), context)
  }
}
