import Basics
import Gates
import SQLiteFiles

/// The formats from which records can be read.
package enum FileFormat: String, CaseIterable, Sendable {
  case csv
  /// An array of objects, or objects one after another.
  case json
  /// One JSON object a line.
  case jsonLines = "jsonlines"

  /// Detects a file's format from its name and, if the name leaves it open, from its first bytes.
  ///
  /// - Parameters:
  ///   - name: The file's name or path; only its extension counts.
  ///   - head: The first bytes of the file, up to some 64 kB.
  ///   - isWhole: Whether `head` is the whole file.
  /// - Returns: nil if neither decides: the extension is unknown and the content is binary or empty.
  package static func detect(
    name: String, head: some Collection<UInt8>, isWhole: Bool
  ) -> FileFormat? {
    switch fileExtension(of: name) {
    case "csv", "tsv", "tab": return .csv
    case "jsonl", "ndjson": return .jsonLines
    case "json": return jsonLayout(of: head, isWhole: isWhole)
    default: return detect(content: head, isWhole: isWhole)
    }
  }

  /// The extensions of files with rows of text.
  static let extensions = ["csv", "tsv", "tab", "json", "jsonl", "ndjson"]

  /// Whether the name says that a file has rows: of text, compressed or not, or of a format that is converted
  /// to text.
  package static func isNamed(by path: String) -> Bool {
    Compression.inner(path[...]) != nil || extensions.contains(fileExtension(of: path))
      || ConvertedFormat(of: path) != nil
  }

  /// Whether a file whose name leaves it open begins as one with rows: with text, compressed or not, or with
  /// a format that only its name says how to read, which reading it tells.
  package static func isBegun(in path: String) -> Bool {
    guard let head = FileHeader.beginning(of: path), !head.isEmpty else { return false }
    return FileHeader.isText(head) || Compression(of: head) != nil
      || FileKind.reason(ofTablesIn: head) != nil
  }

  /// The extension of a name, without that of a compressed file: `csv` of `people.csv.gz`.
  static func fileExtension(of name: String) -> String {
    let last = name.words(at: "/").last ?? ""
    let file = Compression.inner(last) ?? String(last)
    guard let point = file.lastPlace(of: ".") else { return "" }
    return file.text(after: point).lowercased()
  }

  private static func detect(content head: some Collection<UInt8>, isWhole: Bool) -> FileFormat? {
    if head.contains(0) { return nil }
    let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    let text = head.starts(with: mark) ? head.dropFirst(mark.count) : head.dropFirst(0)
    guard let first = text.first(where: { !Byte.isWhitespace($0) }) else { return nil }
    return first == Byte.openBracket || first == Byte.openBrace
      ? jsonLayout(of: text, isWhole: isWhole) : .csv
  }

  /// JSON Lines if the first line that is not blank is a whole object or list, and more of them follow.
  private static func jsonLayout(
    of head: some Collection<UInt8>, isWhole: Bool
  ) -> FileFormat {
    let lines = head.split(whereSeparator: Byte.isLineEnd)
      .filter { !$0.allSatisfy(Byte.isWhitespace) }
    // The last line of a part of a file may be cut.
    guard lines.count > 1, isWhole || lines.count > 2 else { return .json }
    let first = firstByte(of: lines[0])
    return isStructure(Array(lines[0])) && firstByte(of: lines[1]) == first ? .jsonLines : .json
  }

  private static func firstByte(of line: some Collection<UInt8>) -> UInt8? {
    line.first { !Byte.isWhitespace($0) }
  }

  private static func isStructure(_ line: [UInt8]) -> Bool {
    line.withUnsafeBufferPointer { bytes in
      var decoder = JSONValueDecoder(bytes, start: SourceCursor(), isLenient: true)
      switch try? decoder.decode() {
      case .record, .list: return true
      default: return false
      }
    }
  }
}

/// The formats of files that contain tables, but are converted to text first: archives, Excel workbooks,
/// Parquet files.
package enum ConvertedFormat: String {
  case zip, xlsx, parquet

  /// The format that the name of a file indicates; nil for other names.
  package init?(of path: String) {
    guard Compression.inner(path[...]) == nil else { return nil }
    let end = FileFormat.fileExtension(of: path)
    // A workbook with macros has the same sheets.
    self.init(rawValue: end == "xlsm" ? Self.xlsx.rawValue : end)
  }
}
