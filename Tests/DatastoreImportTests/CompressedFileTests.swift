import DatastoreTestSupport
import Foundation
import Testing

@testable import DatastoreImport

// Promise: a compressed file is damaged, or its program is missing → a sentence with what the program says.
/// Files that programs of the system decode.
@Suite("Files compressed by xz, zstd and bzip2")
struct CompressedFileTests {
  private let directory: TemporaryDirectory
  private static let rows = (0..<50_000).map { "\($0),name \($0 * 7 % 31)\n" }.joined()

  init() throws { directory = try TemporaryDirectory() }

  private func compressed(_ program: String, _ suffix: String) throws -> String {
    try directory.write("id,name\n" + Self.rows, to: "people.csv")
    _ = try spawn(
      "/bin/sh", ["-c", "\(program) -qkf \"$0\"", directory.path("people.csv")],
      output: URL(fileURLWithPath: "/dev/null"))
    return directory.path("people.csv.\(suffix)")
  }

  private func count(_ input: ByteInput, most: Int = .max) throws -> Int {
    var options = ReadingOptions()
    options.mostRecords = most
    var reader = try input.makeReader(options)
    var count = 0
    while try reader.next() != nil { count += 1 }
    return count
  }

  @Test(
    "They are read like the file in them, also from a pipe, and only as far as is wanted",
    arguments: [("xz", "xz"), ("zstd", "zst"), ("bzip2", "bz2")])
  func read(program: String, suffix: String) throws {
    let path = try compressed(program, suffix)
    #expect(try count(ByteInput(path: path)) == 50_000)
    #expect(try count(ByteInput(path: path), most: 3) == 3)
    let bytes = try [UInt8](Data(contentsOf: URL(fileURLWithPath: path)))
    #expect(try count(ByteInput(bytes, name: "p")) == 50_000)
    #expect(try count(ByteInput(SpooledInput(ByteInput(bytes, name: "p")), name: "p")) == 50_000)
    #expect(
      try LoadPlan(paths: [path]).sources.map(\.content) == [
        .entity(ImportManifest.EntityContent(entity: "people", key: nil, columns: []))
      ])
    #expect(FileFormat.isNamed(by: path) && FileFormat.fileExtension(of: path) == "csv")
  }

  @Test("A compressed file without its extension has rows, unless it has the name of a database")
  func unnamed() throws {
    let bytes = try Data(contentsOf: URL(fileURLWithPath: compressed("gzip", "gz")))
    for (name, hasRows) in [("people", true), ("people.bak", true), ("people.db", false)] {
      try bytes.write(to: directory.file(name))
      #expect(FileFormat.isBegun(in: directory.path(name)) == hasRows, "\(name)")
    }
    #expect(try count(ByteInput(path: directory.path("people"))) == 50_000)
  }

  @Test("A text that begins as bzip2 does is a text, and an empty bzip2 file is empty")
  func textLikeBzip2() throws {
    #expect(try count(ByteInput(Array("BZh9,name\n1,x\n".utf8), name: "p.csv")) == 1)
    try directory.write("", to: "none")
    _ = try spawn(
      "/bin/sh", ["-c", "bzip2 -qk \"$0\"", directory.path("none")],
      output: URL(fileURLWithPath: "/dev/null"))
    #expect {
      try count(ByteInput(path: directory.path("none.bz2")))
    } throws: { error in
      "\(error)".contains("the file is empty")
    }
  }

  @Test(
    "Damaged data is told, with what the program says",
    arguments: [("xz", "xz"), ("zstd", "zst"), ("bzip2", "bz2")])
  func damaged(program: String, suffix: String) throws {
    let path = try compressed(program, suffix)
    let bytes = try [UInt8](Data(contentsOf: URL(fileURLWithPath: path)))
    #expect {
      try count(ByteInput(Array(bytes.prefix(bytes.count / 2)), name: "p.csv"))
    } throws: { error in
      "\(error)".hasPrefix("p.csv cannot be read: its compressed data is damaged (")
    }
  }

  @Test("A program that is not there is named")
  func missing() throws {
    #expect {
      try ProgramDecoder("datastore-no-such-program", input: 0)
    } throws: { error in
      (error as? Decompressor.Fault)?.reason
        == "it is compressed, and the program “datastore-no-such-program”, which decodes it, is not installed"
    }
  }
}
