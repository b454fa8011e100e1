import DatastoreCore
import GRDBSQLite

/// Limits for values computed by a file: columns of views and generated columns.
///
/// Stored values take as much room in the file as in memory. Computed ones do not: a file of 8 kB can have a
/// thousand rows of half a gigabyte each. Such cells cannot be edited, so large ones are cut to their
/// beginning, with a note in the cell.
enum ComputedCell {
  /// The length of the longest cell that is not cut.
  static let longest = 1 << 20
  /// The length that is kept of a cut cell.
  static let beginning = 1 << 16
  /// Once the cells of a page have this many bytes, the others are cut at `shortest`.
  static let pageBudget = 1 << 22
  static let shortest = 1 << 10

  /// Whether a cell with a number of bytes is cut.
  @inline(__always)
  static func isCut(_ count: Int, heap: Int = 0) -> Bool {
    count > shortest && (count > longest || heap > pageBudget)
  }

  /// The cut form of a SQLite value: the beginning of text; for bytes only their number.
  static func cut(_ value: OpaquePointer?, heap: Int = 0) -> String {
    let count = Int(sqlite3_value_bytes(value))
    guard sqlite3_value_type(value) == SQLITE_TEXT, let text = sqlite3_value_text(value) else {
      return "(\(count) bytes, which are too many to be read here)"
    }
    let kept = heap > pageBudget ? shortest : beginning
    let bytes = UnsafeBufferPointer(start: text, count: min(count, kept))
    // An incomplete character at the end is left out.
    var end = bytes.count
    while end > 0, end > bytes.count - 4, end < count, bytes[end - 1] & 0xC0 == 0x80 { end -= 1 }
    if end > 0, end < count, bytes[end - 1] >= 0xC0 { end -= 1 }
    let start = String(decoding: UnsafeBufferPointer(rebasing: bytes[..<end]), as: UTF8.self)
    return start + "… (\(count) bytes)"
  }
}
