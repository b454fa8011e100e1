import DatastoreCore
import GRDBSQLite

/// The limits of what a file computes: columns of views and generated columns.
///
/// What is stored takes as much room in the file as in memory. What is computed does not: a file of
/// 8 kB can have a thousand rows of half a gigabyte each. Such cells cannot be edited, so of large ones
/// only the beginning is kept, and that is said in the cell.
enum ComputedCell {
  /// A cell that is longer is cut.
  static let longest = 1 << 20
  /// What is kept of it.
  static let beginning = 1 << 16
  /// When the cells of a page of rows have so many bytes, the others are cut at `shortest`.
  static let pageBudget = 1 << 22
  static let shortest = 1 << 10

  /// Whether a cell of so many bytes is cut.
  @inline(__always)
  static func isCut(_ count: Int, heap: Int = 0) -> Bool {
    count > shortest && (count > longest || heap > pageBudget)
  }

  /// The form of a cell of SQLite's: text is its beginning, bytes are only counted.
  static func cut(_ value: OpaquePointer?, heap: Int = 0) -> String {
    let count = Int(sqlite3_value_bytes(value))
    guard sqlite3_value_type(value) == SQLITE_TEXT, let text = sqlite3_value_text(value) else {
      return "(\(count) bytes, which are too many to be read here)"
    }
    let kept = heap > pageBudget ? shortest : beginning
    let bytes = UnsafeBufferPointer(start: text, count: min(count, kept))
    // A character that was cut in two is left out.
    var end = bytes.count
    while end > 0, end > bytes.count - 4, end < count, bytes[end - 1] & 0xC0 == 0x80 { end -= 1 }
    if end > 0, end < count, bytes[end - 1] >= 0xC0 { end -= 1 }
    let start = String(decoding: UnsafeBufferPointer(rebasing: bytes[..<end]), as: UTF8.self)
    return start + "… (\(count) bytes)"
  }
}
