import DatastoreCore
import Foundation
import GRDBSQLite
import SQLiteFiles

/// Where Core Data keeps great values: in files of their own, beside the store.
enum ExternalValues {
  /// The folder of a store's files.
  static func folder(ofStoreAt path: String) -> URL {
    let url = URL(fileURLWithPath: FileIdentity.realPath(path))
    return url.deletingLastPathComponent().appendingPathComponent(
      ".\(url.deletingPathExtension().lastPathComponent)_SUPPORT/_EXTERNAL_DATA")
  }

  /// The file that a stored value names; nil for one that is whole in its cell.
  static func file(named value: UnsafeRawBufferPointer, in folder: String) -> String? {
    guard value.count == 38, value[0] == 2,
      // Nothing but an identifier: no path leads out of the folder.
      let name = UUID(uuidString: String(decoding: value[1..<37], as: UTF8.self))
    else { return nil }
    return "\(folder)/\(name.uuidString)"
  }

  /// More is in no value of SQLite's.
  private static let mostBytes = 1 << 30

  /// Nil where there is no such file. It may be another name of a database that is open here, so SQLite reads
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
  /// `datastore_external(value, folder)`: the bytes of a value of Core Data, without the byte
  /// that says where they are; a sentence where their file is not there.
  static func external(
    _ context: OpaquePointer?, _ count: Int32, _ values: UnsafeMutablePointer<OpaquePointer?>?
  ) {
    guard let values, sqlite3_value_type(values[0]) == SQLITE_BLOB,
      let start = sqlite3_value_blob(values[0]), let folder = sqlite3_value_text(values[1])
    else {
      // Other values are as they are.
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
