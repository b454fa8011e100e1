import DatastoreCore
import DatastoreTestSupport
import Foundation

/// SQLite's own command line, to compare with.
struct ReferenceProgram {
  struct Failure: Error, CustomStringConvertible {
    let description: String
  }

  let folder: TemporaryDirectory

  /// Runs statements on a file, in a process of its own; the answer is its output.
  @discardableResult
  func run(_ sql: String, on path: String) throws -> String {
    let output = folder.url.appendingPathComponent("output")
    let errors = folder.url.appendingPathComponent("errors")
    let status = try spawn(
      "/usr/bin/env", ["sqlite3", "-batch", "-bail", path, sql], output: output, errors: errors)
    guard status == 0 else {
      throw Failure(description: String(decoding: try Data(contentsOf: errors), as: UTF8.self))
    }
    return String(decoding: try Data(contentsOf: output), as: UTF8.self)
  }

  /// The values of columns, a line for each row, sorted; each value with its storage class, exact.
  func rows(_ columns: [String], of table: String, on path: String) throws -> [String] {
    if columns.isEmpty { return [] }
    let encoding = try run("PRAGMA encoding", on: path).trimmingCharacters(in: .newlines)
    let values = columns.map { column in
      let name = quoted(column)
      return """
        typeof(\(name)) || ':' || CASE typeof(\(name)) WHEN 'real' THEN hex(ieee754_to_blob(\(name))) \
        WHEN 'integer' THEN \(name) WHEN 'null' THEN '' ELSE hex(\(name)) END
        """
    }
    let answer = try run(
      "SELECT \(values.joined(separator: ", ")) FROM \(quoted(table))", on: path)
    return answer.split(separator: "\n").map { line in
      line.split(separator: "|", omittingEmptySubsequences: false)
        .map { Self.decoded($0, encoding) }.joined(separator: " ")
    }.sorted()
  }

  /// Everything in the file, as text that two files of equal content share.
  func dump(of path: String) throws -> String {
    try run(".dump", on: path)
  }

  /// Text in the encoding of the file becomes UTF-8.
  private static func decoded(_ value: Substring, _ encoding: String) -> String {
    guard value.hasPrefix("text:") else { return String(value) }
    var bytes = Data()
    var digits = value.dropFirst(5)
    while digits.count >= 2 {
      bytes.append(UInt8(digits.prefix(2), radix: 16) ?? 0)
      digits = digits.dropFirst(2)
    }
    let text: String
    switch encoding {
    case "UTF-16le": text = String(data: bytes, encoding: .utf16LittleEndian) ?? "?"
    case "UTF-16be": text = String(data: bytes, encoding: .utf16BigEndian) ?? "?"
    // Bytes that are not UTF-8 stay unchanged.
    default: return String(value)
    }
    return shown(.text(text))
  }

  /// A value as `rows(_:of:on:)` writes it.
  static func shown(_ value: Value) -> String {
    switch value {
    case .null: "null:"
    case .integer(let integer): "integer:\(integer)"
    case .real(let real):
      "real:" + String(format: "%016lX", real.bitPattern)
    case .text(var text): "text:" + text.withStoredUTF8 { hex(Array($0)) }
    case .blob(let data): "blob:" + hex(Array(data))
    }
  }

  /// A value as SQL that stands for it exactly.
  static func literal(_ value: Value) -> String {
    switch value {
    case .null: "NULL"
    case .integer(let integer): "\(integer)"
    case .real(let real): RandomDatabase.literal(ofReal: real)
    case .text(let text):
      // No literal can hold a zero, and a cast of bytes would be read in the encoding of the file.
      text.split(separator: "\0", omittingEmptySubsequences: false)
        .map { "'\($0.replacing("'", with: "''"))'" }.joined(separator: " || char(0) || ")
    case .blob(let data): "x'\(hex(Array(data)))'"
    }
  }

  private static func hex(_ bytes: [UInt8]) -> String {
    bytes.map { String(format: "%02X", $0) }.joined()
  }
}
