import Basics
import DatastoreCore
import Foundation
import Gates
import SQLiteFiles

/// A file with tables that is not text itself: an archive, an Excel workbook, a Parquet file.
///
/// Python reads it, in a process of its own that ignores the user's settings, and the converted tables are
/// kept as text, which is read like any other. Nothing of these formats is read here: zip needs Python's
/// standard library only, Excel the module openpyxl, which distributions package, Parquet pyarrow or duckdb.
struct FileConversion {
  /// Python's header before a table.
  private struct Table: Decodable {
    /// The name of a member of an archive, or of a sheet; nil if the table is the file.
    var name: String?
    /// Columns of text and of bytes, which are Base64, whatever their values look like.
    var texts: [String]
    /// Notes for the user about it: parts of sentences.
    var notes: [String]
  }

  private let path: String
  private let format: ConvertedFormat

  /// - Returns: nil for files that are text, compressed or not, and for pipes.
  init?(of path: String) {
    guard let format = ConvertedFormat(of: path), !ReadableFile.isPipe(path) else { return nil }
    self.path = path
    self.format = format
  }

  /// The tables of the file, each as a text without a name.
  ///
  /// - Parameters:
  ///   - reading: how the members of an archive are read; the form of other converted tables is known.
  ///   - content: the content of the records of a table with that name, nil for that of the file, and these
  ///     columns of text.
  /// - Throws: `ImportError.inaccessible`, and the errors of making the content.
  func sources(
    _ reading: ReadingOptions,
    _ content: (String?, [String]) throws -> ImportManifest.EntityContent
  ) throws -> [LoadSource] {
    if FileHeader.isPartOfDatabase(path) { throw inaccessible("it is a SQLite database") }
    if let reason = ReadableFile.unreadableReason(path) { throw inaccessible(reason) }
    var status = stat()
    guard stat(path, &status) == 0 else { throw inaccessible(String(cString: strerror(errno))) }
    let limit = Decompressor.limit(ofSize: Int(status.st_size))
    let output: ProgramOutput
    do {
      output = try ProgramOutput(
        [
          "python3", "-I", "-c", Self.script, format.rawValue, path, String(limit),
          FileFormat.extensions.joined(separator: ","),
        ])
    } catch {
      throw inaccessible(
        error.code == ENOENT
          ? "the program python3, which reads such files, is not installed (apt install python3)"
          : "the program python3, which reads such files, does not start: \(error.reason)")
    }
    var pieces = Pieces(output)
    var rest = limit
    var sources: [LoadSource] = []
    while let line = pieces.line() {
      guard let table = try? JSONDecoder().decode(Table.self, from: Data(line.utf8)) else { break }
      let file = try UnnamedFile()
      var size = 0
      while let piece = pieces.next() {
        guard piece.count <= rest else { throw inaccessible(Decompressor.Fault.tooLong.reason) }
        try piece.withUnsafeBytes { try file.write($0, at: size) }
        size += piece.count
        rest -= piece.count
      }
      let name = table.name?.markingHarmful()
      let isMember = format == .zip
      let entity = isMember ? name.map { (try? LoadPlan.entityName(of: $0)) ?? "table" } : name
      sources.append(
        LoadSource(
          input: .spooled(
            SpooledInput(file, size: size, notes: table.notes.map { $0.markingHarmful() })),
          name: name.map { "\(path)/\($0)" } ?? path, reading: self.reading(reading),
          content: .entity(try content(entity, table.texts))))
    }
    if let complaint = output.complaint() {
      throw inaccessible(
        complaint.isEmpty ? "python3, which reads such files, has failed" : complaint)
    }
    return sources
  }

  /// Whether the converted text is the same however it is to be read: members of archives keep their own.
  var isOfKnownForm: Bool { format != .zip }

  /// How the converted text is read, with what is known of its form.
  func reading(_ given: ReadingOptions) -> ReadingOptions {
    guard isOfKnownForm else { return given }
    var reading = given
    reading.format = .csv
    reading.encoding = .utf8
    reading.csv.delimiter = Byte.comma
    reading.csv.quotes = true
    reading.csv.decimalMark = .point
    if format == .parquet {
      reading.csv.header = .present
      // What has no value is empty; “NULL” is a text.
      reading.csv.missing = reading.csv.missing ?? [""]
      reading.csv.takesEveryNumber = true
    }
    return reading
  }

  private func inaccessible(_ reason: String) -> ImportError {
    .inaccessible(file: path, reason: reason)
  }

  /// Python's output: lines, and pieces after a line with their length, the last of which is empty.
  private struct Pieces {
    private let output: ProgramOutput
    private var buffer: [UInt8] = []
    private var start = 0

    init(_ output: ProgramOutput) { self.output = output }

    mutating func line() -> String? {
      var searched = start
      while true {
        if let end = buffer[searched...].firstIndex(of: Byte.lineFeed) {
          defer { start = end + 1 }
          return String(decoding: buffer[start..<end], as: UTF8.self)
        }
        searched = buffer.count - start
        guard fill() else { return nil }
      }
    }

    /// The next piece of a table; nil after the last one.
    mutating func next() -> ArraySlice<UInt8>? {
      guard let count = line().flatMap({ Int($0) }), count > 0 else { return nil }
      while buffer.count - start < count {
        guard fill() else { return nil }
      }
      defer { start += count }
      return buffer[start..<start + count]
    }

    private mutating func fill() -> Bool {
      buffer.removeFirst(start)
      start = 0
      let held = buffer.count
      buffer.append(contentsOf: repeatElement(0, count: ByteInput.defaultChunkSize))
      let count = buffer.withUnsafeMutableBufferPointer {
        output.read(into: UnsafeMutableBufferPointer(rebasing: $0[held...]))
      }
      buffer.removeLast(buffer.count - held - count)
      return count > 0
    }
  }
}
