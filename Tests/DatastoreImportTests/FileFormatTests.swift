import DatastoreImport
import DatastoreTestSupport
import Foundation
import Testing

@Suite("File formats and input")
struct FileFormatTests {
  @Test(
    "By name, and where that leaves it open by content",
    arguments: [
      ("a.csv", "{", .csv), ("dir.json/A.TSV", "", .csv), ("a.ndjson", "", .jsonLines),
      ("a.json", "[{}]", .json), ("a.json", "{\"a\":1}\n{\"a\":2}\n", .jsonLines),
      ("a.json", "{\n\"a\":1}\n", .json), ("a.json", "{}\n", .json), ("data", " [1]", .json),
      ("data", "\u{FEFF}{\"a\":1}\n{\"a\":2}", .jsonLines), ("data", "name,age\n", .csv),
      ("data", "", nil), ("data", "a\u{0}b", nil), ("standard input", "x", .csv),
    ] as [(String, String, FileFormat?)])
  func detection(name: String, head: String, expected: FileFormat?) {
    #expect(FileFormat.detect(name: name, head: Array(head.utf8), isWhole: true) == expected)
  }

  @Test("The second line of a part of a file decides only if it is whole")
  func part() {
    let head = Array("{\"a\":1}\n{\"a\"".utf8)
    #expect(FileFormat.detect(name: "a.json", head: head, isWhole: false) == .json)
  }

  @Test("A reader is made for what the input holds")
  func makeReader() throws {
    func columns(_ name: String, _ text: String) throws -> [String]? {
      var reader = try ByteInput(Array(text.utf8), name: name, chunkSize: 2).makeReader()
      return try reader.next()?.fields.map(\.name)
    }
    #expect(try columns("t", "a,b\n1,2\n") == ["a", "b"])
    #expect(try columns("t.tsv", "a,b\n1\n") == ["a,b"])
    #expect(try columns("t", "[{\"x\":1}]") == ["x"])
    #expect(try columns("t", "{\"x\":1}\n{\"y\":1}\n") == ["x"])
    let error = #expect(throws: ImportError.self) { try columns("t", "") }
    #expect("\(try #require(error))".contains("the file is empty"))
  }

  @Test("Files are read, and the system's refusals are told")
  func files() throws {
    let folder = try TemporaryDirectory()
    let file = folder.file("t.csv")
    let rows = (1...5000).map { "\($0),é" }.joined(separator: "\n")
    try Data("a,b\n\(rows)\n".utf8).write(to: file)
    for chunkSize in [1, 4096, 1 << 20] {
      var reader = try ByteInput(path: file.path, chunkSize: chunkSize).makeReader()
      var count = 0
      while let record = try reader.next() {
        count += 1
        #expect(record["a"] == .text("\(count)"))
      }
      #expect(count == 5000)
      #expect(reader.bytesRead == reader.totalBytes)
    }
    #expect(
      throws: ImportError.inaccessible(file: "x.csv", reason: "No such file or directory")
    ) {
      try ByteInput(path: folder.path("none"), name: "x.csv")
    }
    #expect(throws: ImportError.inaccessible(file: "folder", reason: "Is a directory")) {
      try ByteInput(path: folder.url.path, name: "folder").makeReader()
    }
  }
}
