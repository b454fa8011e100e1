import DatastoreCore
import DatastoreTestSupport
import Foundation
import Testing

@testable import DatastoreImport

@Suite("Finding out how a file is written")
struct DetectionTests {
  private static func read(
    _ bytes: [UInt8], name: String = "t.csv", chunkSize: Int = ByteInput.defaultChunkSize,
    _ configure: (inout ReadingOptions) -> Void = { _ in }
  ) throws -> (rows: [[ImportValue]], columns: [String], notes: [String]) {
    var options = ReadingOptions()
    options.csv.header = .detect
    configure(&options)
    var reader = try ByteInput(bytes, name: name, chunkSize: chunkSize).makeReader(options)
    var rows: [[ImportValue]] = []
    while let record = try reader.next() { rows.append(record.fields.map(\.value)) }
    return (rows, (reader as? CSVReader)?.columns ?? [], reader.notes)
  }

  private static func utf16(_ text: String, bigEndian: Bool, mark: Bool) -> [UInt8] {
    ((mark ? [0xFEFF] : []) + Array(text.utf16)).flatMap { unit in
      let bytes = [UInt8(unit & 0xFF), UInt8(unit >> 8)]
      return bigEndian ? bytes.reversed() : bytes
    }
  }

  @Test(
    "UTF-16 is read with and without a mark, whatever the size of chunks", arguments: [1, 3, 64])
  func utf16(chunkSize: Int) throws {
    let text = "name,city\nZoë,東京\n👩‍👩‍👧,\"a\nb\"\n"
    for bigEndian in [false, true] {
      for mark in [false, true] {
        let answer = try Self.read(
          Self.utf16(text, bigEndian: bigEndian, mark: mark), chunkSize: chunkSize)
        #expect(answer.columns == ["name", "city"])
        #expect(
          answer.rows == [[.text("Zoë"), .text("東京")], [.text("👩‍👩‍👧"), .text("a\nb")]])
      }
    }
    let json = try Self.read(
      Self.utf16("[{\"a\": \"ü\"}]", bigEndian: true, mark: true), name: "t.json")
    #expect(json.rows == [[.text("ü")]])
  }

  @Test("Half a character in UTF-16 is a fault with its place")
  func brokenUTF16() throws {
    var bytes = Self.utf16("a,b\nx,y\n", bigEndian: false, mark: true)
    bytes += [0x00, 0xD8, 0x2C, 0x00]
    #expect(throws: ImportError.self) { try Self.read(bytes) }
  }

  @Test("A first line sep=; says what the delimiter is, unless the user does")
  func separatorLine() throws {
    for end in ["\n", "\r\n"] {
      let text = "sep=|\(end)a,b|c\(end)1,2|x\(end)"
      let answer = try Self.read(Array(text.utf8), chunkSize: 3)
      #expect(answer.columns == ["a,b", "c"])
      #expect(answer.rows == [[.text("1,2"), .text("x")]])
      let said = try Self.read(Array(text.utf8)) { $0.csv.delimiter = UInt8(ascii: ",") }
      #expect(said.columns == ["a", "b|c"])
    }
    #expect(try Self.read(Array("sep=x;b\n1;2\n".utf8)).columns == ["sep=x", "b"])
  }

  @Test("Columns without a name of their own get one where that is wanted")
  func repairedHeader() throws {
    let answer = try Self.read(Array(",id,ID,x,x_2,x,\n0,1,2,3,4,5,6\n".utf8)) {
      $0.csv.repairsHeader = true
    }
    #expect(answer.columns == ["column_1", "id", "ID_2", "x", "x_2", "x_3", "column_7"])
    #expect(answer.notes.count == 4)
    #expect(answer.notes.first == "column 1 has no name and is called “column_1”")
    #expect(answer.rows == [["0", "1", "2", "3", "4", "5", "6"].map(ImportValue.text)])
  }

  @Test("What makes no sense as UTF-8 is Windows-1252, and that is told")
  func latin1() throws {
    let answer = try Self.read([UInt8]("name\nZo".utf8) + [0xEB, 0x20, 0x80, 0x0A])
    #expect(answer.rows == [[.text("Zoë €")]])
    #expect(answer.notes == ["it is not UTF-8, and was read as Windows-1252 (Latin-1)"])
    #expect(try Self.read(Array("name\nZoë €\n".utf8)).notes == [])
  }

  @Test("One bad byte among good UTF-8 is a fault, not another encoding")
  func damaged() throws {
    let bytes = [UInt8]("name\nZoë\nx".utf8) + [0xFF, 0x0A]
    #expect(throws: ImportError.self) { try Self.read(bytes) }
    let forced = try Self.read(bytes) { $0.encoding = .windows1252 }
    #expect(forced.rows == [[.text("ZoÃ«")], [.text("xÿ")]])
  }

  @Test("A character that is cut where the detection ends is not malformed")
  func cut() throws {
    let line = "1,äöü€\n"
    let text = "a,b\n" + String(repeating: line, count: 20_000)
    for pad in 0..<3 {
      let padded = String(repeating: "x", count: pad) + text
      let answer = try Self.read(Array(padded.utf8))
      #expect(answer.notes == [])
      #expect(answer.rows.count == 20_000)
      #expect(answer.rows.last == [.text("1"), .text("äöü€")])
    }
  }

  @Test(
    "Delimiters are told apart",
    arguments: ["a,b\n1,2\n", "a;b\n1,5;2\n", "a\tb\n1\t2\n", "a|b\n1|2\n"])
  func delimiters(text: String) throws {
    #expect(try Self.read(Array(text.utf8)).columns == ["a", "b"])
  }

  @Test(
    "Header rows are told from data",
    arguments: [
      ("id,name\n1,Ada\n2,Bo\n", true), ("1,Ada,36\n2,Bo,20\n", false),
      ("name,city\nAda,Paris\nBo,Rome\n", true), ("name,2019,2020\nx,1,2\ny,3,4\n", true),
      ("2024-01-01,5\n2024-01-02,6\n", false), ("1,2\n", false), ("a,b\n", true),
      ("1.5\n2\n3.25\n", false),
      ("id,,x\n1,,2\n", true), ("7,a\n,b\n9,c\n", false), ("true,x\nfalse,y\n", false),
    ])
  func header(text: String, isPresent: Bool) throws {
    if text.hasPrefix("id,,x") {
      #expect(throws: ImportError.self) { try Self.read(Array(text.utf8)) }
      return
    }
    let answer = try Self.read(Array(text.utf8))
    #expect((answer.columns.first == "column_1") == !isPresent)
    #expect(answer.notes.isEmpty == isPresent)
    let lines = text.split(separator: "\n").count
    #expect(answer.rows.count == lines - (isPresent ? 1 : 0))
  }

  @Test("Names can be given, with and without a header row")
  func columns() throws {
    let bytes = Array("id,id\n1,2\n".utf8)
    let answer = try Self.read(bytes) { $0.csv.columns = ["a", "b"] }
    #expect(answer.columns == ["a", "b"])
    #expect(answer.rows == [[.text("1"), .text("2")]])
    let all = try Self.read(bytes) {
      $0.csv.columns = ["a", "b"]
      $0.csv.header = .absent
    }
    #expect(all.rows.count == 2)
    #expect(throws: ImportError.self) { try Self.read(bytes) { $0.csv.columns = ["a"] } }
  }
}
