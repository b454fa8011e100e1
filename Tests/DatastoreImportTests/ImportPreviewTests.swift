import DatastoreTestSupport
import Foundation
import Testing

@testable import DatastoreImport

@Suite("The preview of a file")
struct ImportPreviewTests {
  private let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  private static var detecting: ReadingOptions {
    var options = ReadingOptions()
    options.csv.header = .detect
    return options
  }

  @Test("What was found out is in the settings, with types and first records")
  func found() throws {
    let path = try directory.write(
      "id;name;born;score\n1;Ada;1815-12-10;2.5\n2;;;3\n", to: "people.csv")
    let preview = try ImportPreview(path: path, reading: Self.detecting)
    #expect(preview.reading.format == .csv)
    #expect(preview.reading.encoding == .utf8)
    #expect(preview.reading.csv.delimiter == UInt8(ascii: ";"))
    #expect(preview.reading.csv.header == .present)
    #expect(preview.columns.map(\.name) == ["id", "name", "born", "score"])
    #expect(preview.columns.map(\.type) == [.integer, .string, .day, .double])
    #expect(preview.records == [["1", "Ada", "1815-12-10", "2.5"], ["2", nil, nil, "3"]])
    #expect(preview.totalBytes == 46)
    #expect(preview.notes.isEmpty)
  }

  @Test("What is said counts")
  func corrected() throws {
    let path = try directory.write("1|a,b|z\n2|c,d|y\n", to: "t.csv")
    var options = Self.detecting
    options.csv.delimiter = UInt8(ascii: ",")
    options.csv.header = .absent
    let preview = try ImportPreview(path: path, reading: options)
    #expect(preview.columns.map(\.name) == ["column_1", "column_2"])
    #expect(preview.records == [["1|a", "b|z"], ["2|c", "d|y"]])
    let bar = try ImportPreview(path: path, reading: Self.detecting)
    #expect(bar.reading.csv.delimiter == UInt8(ascii: "|"))
    #expect(bar.reading.csv.header == .absent)
    #expect(bar.notes.count == 1)
  }

  @Test("Members of objects are columns in the order in which they come")
  func json() throws {
    let path = try directory.write(
      "{\"a\": 1}\n{\"b\": [1, 2], \"a\": null}\n{\"c\": true}\n", to: "t.jsonl")
    let preview = try ImportPreview(path: path, reading: Self.detecting)
    #expect(preview.reading.format == .jsonLines)
    #expect(preview.columns.map(\.name) == ["a", "b", "c"])
    #expect(preview.records == [["1", nil, nil], [nil, "[1,2]", nil], [nil, nil, "true"]])
    #expect(preview.columns.map(\.type) == [.integer, .string, .boolean])
  }

  @Test("Malformed records are reported, and only the beginning of a long file is read")
  func faults() throws {
    let good = (1...50_000).map { "\($0),x\n" }.joined()
    let path = try directory.write("a,b\n1,2\n3\n4,5,6\n" + good, to: "t.csv")
    let preview = try ImportPreview(path: path, reading: Self.detecting)
    #expect(preview.records.count == 20)
    #expect(preview.notes.count == 1)
    #expect(preview.notes.first?.hasPrefix("2 records are invalid; line 3: ") == true)
    #expect(throws: ImportError.self) {
      try ImportPreview(path: directory.write("", to: "empty.csv"), reading: Self.detecting)
    }
  }
}
