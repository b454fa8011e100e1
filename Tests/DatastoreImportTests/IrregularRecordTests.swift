import DatastoreCore
import DatastoreTestSupport
import Foundation
import Testing

@testable import DatastoreImport

// Promise: quotes, bytes or fields of a CSV record are not as RFC 4180 says → who only looks sees the
// record, told with its line and marked; exit code 3.
// Also: `IrregularFileTests`, `FuzzTests` (csv: no record left out)
/// Records that are not as they should be are kept by who only looks, read as Python's `csv` reads them.
@Suite("CSV: irregular records")
struct IrregularRecordTests {
  private func read(
    _ text: String, _ configure: (inout CSVReader.Options) -> Void = { _ in }
  ) throws -> [[String]] {
    try read(Array(text.utf8), configure)
  }

  /// The texts of each record, with its irregularity last.
  private func read(
    _ bytes: [UInt8], _ configure: (inout CSVReader.Options) -> Void = { _ in }
  ) throws -> [[String]] {
    try readCSV(bytes) {
      $0.keepsIrregular = true
      configure(&$0)
    }.map { outcome in
      guard case .record(let record) = outcome else { return [outcome.fault ?? ""] }
      return record.fields.map { field in
        let place = field == record.irregularity ? " in line \(field.line)" : ""
        return (field.value.text ?? "∅").repaired + place
      }
    }
  }

  @Test("A quote inside a field is a sign like others, and text behind a closing quote is kept")
  func quotes() throws {
    #expect(
      try read("a,b\n1,5\" pipe\n\"x\"y \"z\",2\n\"\"q,\"a\"\"b\"c\n3,4\n") == [
        ["1", "5\" pipe", "a quote inside a field in line 2"],
        ["xy \"z\"", "2", "text after a closing quote in line 3"],
        ["q", "a\"bc", "text after a closing quote in line 4"], ["3", "4"],
      ])
  }

  // Promise: a quote is never closed → it is a sign like others, and no line behind it is swallowed.
  @Test("A quote that is not closed swallows no line, wherever the next quote is")
  func openQuotes() throws {
    let open = "a quote that is not closed in line 3"
    #expect(
      try read("a,b\n1,2\n3,\"x\n5,6\n7,8\n") == [
        ["1", "2"], ["3", "\"x", open], ["5", "6"], ["7", "8"],
      ])
    // The next quote opens a field itself.
    #expect(
      try read("a,b\n1,2\n3,\"x\n5,\"y,z\"\n7,8\n")
        == [["1", "2"], ["3", "\"x", open], ["5", "y,z"], ["7", "8"]])
    // A quote that is closed before a delimiter makes a field of several lines, as anywhere else.
    #expect(try read("a,b\n1,\"x\ny\"\n3,4\n") == [["1", "x\ny"], ["3", "4"]])
    #expect(
      try read("a,\"b\n1,2\n") == [["1", "2"]], "The header row has such quotes, too.")
  }

  @Test("A quote that is closed too far away is one that is not closed, so that memory has a bound")
  func farQuote() throws {
    let filler = String(repeating: "1,2\n", count: 100)
    let read = try read("a,b\n\"x,y\n" + filler + "z\",1\n") { $0.maximumRecordSize = 64 }
    #expect(read.first == ["\"x", "y", "a quote that is not closed in line 2"])
    #expect(read.last == ["z\"", "1", "a quote inside a field in line 103"])
    #expect(read.count == 102)
  }

  @Test("Bytes that are not UTF-8 are kept")
  func bytes() throws {
    let text = Array("a,b\n1,é".utf8) + [0xFF] + Array("\n\"x".utf8) + [0xC3] + Array("\",\n".utf8)
    #expect(
      try read(text) == [
        ["1", "é\u{FFFD}", "a byte that is not UTF-8 in line 2"],
        ["x\u{FFFD}", "∅", "a byte that is not UTF-8 in line 3"],
      ])
    let records = try readCSV(text) { $0.keepsIrregular = true }
    var kept = try #require(records[0].values?[1].text)
    #expect(kept.withStoredUTF8 { Array($0) } == Array("é".utf8) + [0xFF])
  }

  @Test("All that is irregular about a record is said, in one field")
  func several() throws {
    #expect(
      try read("a,b,c\n\"1\"x,2\" \n") == [
        [
          "1x", "2\" ", "∅",
          "2 fields, text after a closing quote, a quote inside a field in line 2",
        ]
      ])
  }

  @Test("Tab-separated values without quoting are found, where RFC 4180 does not fit")
  func plainQuotes() throws {
    func reader(_ text: String) throws -> CSVReader {
      try CSVReader(ByteInput(Array(text.utf8), name: "t.tsv", chunkSize: 5))
    }
    let plain = try reader("name\tsize\nDouglas \"Dougie\" P\t5\"\n\"Hi,\" he said\t\"X\"\n")
    #expect(!plain.hasQuotes)
    #expect(
      plain.findings.map(\.description).contains(
        "quotes: are signs like others (found: each line has 2 fields, and 3 have quotes that "
          + "enclose nothing)"))
    #expect(
      try outcomes { plain }.map(\.values) == [
        [.text("Douglas \"Dougie\" P"), .text("5\"")], [.text("\"Hi,\" he said"), .text("\"X\"")],
      ])
    // Quotes that RFC 4180 explains are read by it, and so are those that only it explains.
    #expect(try reader("a\tb\n\"x\ty\"\t\"z\"\n").hasQuotes)
    #expect(try reader("a\tb\n\"x\ty\"\t5\"\n").hasQuotes)
    #expect(try reader("a\tb\n\"x\"\t\"y\"\n\"z\"\t5\"\n").hasQuotes)
    // In other files quotes always have a meaning, unless an option says otherwise.
    #expect(try reader("a,b\n5\",6\"\n").hasQuotes)
    #expect(try read("a,b\n\"x,y\"\n") { $0.quotes = false } == [["\"x", "y\""]])
  }

  @Test("The first ones are told with their lines")
  func sentence() throws {
    var irregular = IrregularRecords()
    #expect(irregular.sentence == nil)
    for line in 2...5 {
      var odd = Irregularity(SourcePosition(file: "t", line: line, column: 1))
      odd.add("3 fields")
      irregular.record(odd.field(named: "irregular"))
    }
    #expect(
      irregular.sentence
        == "4 records are irregular (line 2: 3 fields; line 3: 3 fields; line 4: 3 fields; …); "
        + "the column irregular says which")
  }

  // MARK: Python as the judge

  /// A file in which nearly everything is odd.
  private struct Case: Encodable {
    var bytes: [UInt8]
    var delimiter: String
    /// The quotes that do not begin a field.
    var openQuotes: [Int] = []
  }

  private static func draw(_ random: inout SeededRandom) -> Case {
    let delimiter = [",", ";", "\t"][random.below(3)]
    let end = ["\n", "\r\n", "\r"][random.below(3)]
    let pieces: [[UInt8]] =
      ["a", "b c", "\"", "\"", "\"\"", "é", "5\" pipe", delimiter, end]
      .map { Array($0.utf8) } + [[0xFF], [0xC3]]
    var bytes: [UInt8] = []
    for line in 0..<(1 + random.below(6)) {
      if line > 0 { bytes += Array(end.utf8) }
      for field in 0..<(1 + random.below(3)) {
        if field > 0 { bytes += Array(delimiter.utf8) }
        let content = (0..<random.below(4)).flatMap { _ in pieces[random.below(pieces.count)] }
        switch random.below(4) {
        case 0:
          bytes +=
            [Byte.quote] + content.flatMap { $0 == Byte.quote ? [$0, $0] : [$0] } + [Byte.quote]
        case 1: bytes += [Byte.quote] + content
        default: bytes += content
        }
      }
    }
    if random.below(2) == 0 { bytes += Array(end.utf8) }
    return Case(bytes: bytes, delimiter: delimiter)
  }

  /// The bytes of all fields; lines with nothing in them are no records to Python.
  private static func read(_ drawn: inout Case, chunkSize: Int) throws -> [[[UInt8]]] {
    var options = CSVReader.Options()
    options.delimiter = drawn.delimiter.utf8.first
    options.quotes = true
    options.header = .absent
    options.missing = ["\u{1}"]
    options.keepsIrregular = true
    var reader = try CSVReader(
      ByteInput(drawn.bytes, name: "t", chunkSize: chunkSize), options: options)
    var records: [[[UInt8]]] = []
    drawn.openQuotes = []
    while let length = try reader.findNext() {
      let start = reader.input.offset
      drawn.openQuotes += reader.scanner.oddities.filter { $0.kind == .openQuote }
        .map { start + $0.offset }
      if reader.scanner.contentEnd > 0 {
        records.append(
          try reader.scanner.fields.map { field in
            var text = try #require(reader.value(of: field).text)
            return text.withStoredUTF8 { Array($0) }
          })
      }
      reader.consumeRecord(length: length)
    }
    return records
  }

  @Test(
    "Random files have the records and the fields that Python finds",
    .enabled(if: Python.isPresent, "python3 is not installed"))
  func python() throws {
    let directory = try TemporaryDirectory()
    var cases: [Case] = []
    var found: [[[[UInt8]]]] = []
    for round in RandomCases.rounds(of: 1) {
      var random = SeededRandom(seed: RandomCases.seed(round))
      var drawn = Self.draw(&random)
      if drawn.bytes.allSatisfy(Byte.isLineEnd) || drawn.bytes.starts(with: [0xFE]) { continue }
      let whole = try Self.read(&drawn, chunkSize: 1_000)
      try #require(try Self.read(&drawn, chunkSize: 1 + random.below(9)) == whole, "round \(round)")
      cases.append(drawn)
      found.append(whole)
    }
    #expect(cases.contains { !$0.openQuotes.isEmpty } && cases.contains { $0.openQuotes.isEmpty })
    // Quotes that are ordinary characters are another character to Python, for which each of them must open a
    // field that strict reading refuses.
    let script = """
      import csv, io, json, sys
      def rows(data, delimiter, strict=False):
          text = data.decode('utf-8', 'surrogateescape')
          return csv.reader(io.StringIO(text, newline=''), delimiter=delimiter, strict=strict)
      answers = []
      for case in json.load(open(sys.argv[1])):
          data = bytearray(case['bytes'])
          for place in case['openQuotes']:
              try:
                  next(rows(bytes(case['bytes'][place:]), case['delimiter'], strict=True))
                  sys.exit(f'{case} has a quote at {place} that opens a field')
              except csv.Error: pass
              data[place] = 0x1a
          answers.append([
              [list(field.replace(chr(0x1a), '"').encode('utf-8', 'surrogateescape')) for field in row]
              for row in rows(bytes(data), case['delimiter']) if row])
      print(json.dumps(answers))
      """
    let answer = try Python.run(script, input: JSONEncoder().encode(cases), in: directory)
    let expected = try JSONDecoder().decode([[[[UInt8]]]].self, from: answer)
    for (index, drawn) in cases.enumerated() {
      try #require(
        found[index] == expected[index],
        "\(String(decoding: drawn.bytes, as: UTF8.self).debugDescription), \(drawn.openQuotes)")
    }
  }
}
