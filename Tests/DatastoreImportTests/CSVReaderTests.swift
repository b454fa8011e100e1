import Testing

@testable import DatastoreImport

@Suite("CSV: values")
struct CSVValueTests {
  @Test("Quotes protect delimiters, line ends and quotes")
  func quotes() throws {
    let outcomes = try readCSV("a,b\r\n\"x,y\",\"1\r\n2\"\r\n\"say \"\"hi\"\"\",\"\"\"\"\r\n")
    #expect(
      outcomes.map(\.values) == [
        [.text("x,y"), .text("1\r\n2")], [.text("say \"hi\""), .text("\"")],
      ])
  }

  @Test("Every line end ends a record", arguments: ["\n", "\r\n", "\r"], [true, false])
  func lineEnds(lineEnd: String, endsWithOne: Bool) throws {
    let text = ["a,b", "1,2", "", "3,4"].joined(separator: lineEnd) + (endsWithOne ? lineEnd : "")
    let outcomes = try readCSV(text)
    #expect(outcomes.map(\.values) == [[.text("1"), .text("2")], [.text("3"), .text("4")]])
    guard case .record(let last) = outcomes.last else { return }
    #expect(last.position == SourcePosition(file: "t.csv", line: 4, column: 1))
  }

  @Test("An empty field is null, a quoted empty field is empty text")
  func empty() throws {
    #expect(try readCSV("a,b,c\n,\"\", \n").map(\.values) == [[.null, .text(""), .text(" ")]])
  }

  @Test("Other texts for a missing value count only without quotes")
  func missing() throws {
    let outcomes = try readCSV("a,b,c\nNA,\"NA\",\n") { $0.missing = ["NA"] }
    #expect(outcomes.map(\.values) == [[.null, .text("NA"), .text("")]])
  }

  @Test("In a table of one column an empty line is a record without a value")
  func oneColumn() throws {
    #expect(try readCSV("a\n1\n\n2\n").map(\.values) == [[.text("1")], [.null], [.text("2")]])
  }

  @Test("A byte order mark is not part of the first name")
  func byteOrderMark() throws {
    let input = ByteInput(Array("\u{FEFF}a,b\n1,2".utf8), name: "t.csv", chunkSize: 1)
    var reader = try CSVReader(input)
    #expect(reader.columns == ["a", "b"])
    let record = try #require(try reader.next())
    #expect(record["b"] == .text("2"))
    #expect(record["c"] == nil)
    #expect(record.position(of: "b") == SourcePosition(file: "t.csv", line: 2, column: 3))
    #expect(record.position(of: "c") == record.position)
  }

  @Test("Fields know their places, in characters, across quoted line ends")
  func places() throws {
    let outcomes = try readCSV("a,b,c\n\"é\r\nü\",日本,x\n1,2,3\n")
    let records = outcomes.compactMap { outcome -> ImportRecord? in
      guard case .record(let record) = outcome else { return nil }
      return record
    }
    #expect(records.map(\.position.line) == [2, 4])
    #expect(records[0].fields.map { [$0.line, $0.column] } == [[2, 1], [3, 4], [3, 7]])
  }

  @Test(
    "The delimiter is found in the first lines",
    arguments: [
      ("a,b;c\n1,2;3\n", ","), ("a;b\n1,5;2,5\n", ";"), ("a\tb\n1,2,3\t4\n", "\t"),
      ("\"a,b,c\";d\n1;2\n", ";"), ("name\nx;y\n", ","), ("a;b", ";"), ("a,b;c;d\n1;2,3;4\n", ";"),
    ])
  func detection(text: String, delimiter: Character) throws {
    for chunkSize in [1, 3, 100] {
      let input = ByteInput(Array(text.utf8), name: "t", chunkSize: chunkSize)
      #expect(try CSVReader(input).delimiter == delimiter.asciiValue)
    }
  }

  @Test("A given delimiter is not questioned")
  func givenDelimiter() throws {
    let outcomes = try readCSV("a,b;c\n1,2;3\n") { $0.delimiter = UInt8(ascii: ";") }
    #expect(outcomes.map(\.values) == [[.text("1,2"), .text("3")]])
  }

  @Test("Progress reaches the size of the file")
  func progress() throws {
    let bytes = Array("a,b\n1,2\n3,4\n".utf8)
    var reader = try CSVReader(ByteInput(bytes, name: "t.csv"))
    var seen = [reader.bytesRead]
    while try reader.next() != nil { seen.append(reader.bytesRead) }
    #expect(seen == [4, 8, 12])
    #expect(reader.totalBytes == 12)
  }
}

@Suite("CSV: faults")
struct CSVFaultTests {
  @Test(
    "An invalid record is reported with its place, and those around it are read",
    arguments: [
      ("1,2,3,4", "malformed 3:7 the record has 4 fields, but the header row has 3"),
      ("1,é", "malformed 3:4 the record has 2 fields, but the header row has 3"),
      ("1", "malformed 3:2 the record has 1 field, but the header row has 3"),
      (
        "1,5\" nail,2",
        "malformed 3:4 a quote is inside a field that does not begin with one; write the whole "
          + "field in quotes and double each quote in it"
      ),
      (
        "1,\"a\"b,2",
        "malformed 3:6 expected ',' or the end of the line after the closing quote, but found 'b'"
      ),
    ])
  func fault(line: String, message: String) throws {
    for lineEnd in ["\n", "\r\n", "\r"] {
      let text = ["a,b,c", "x,y,z", line, "u,v,w"].joined(separator: lineEnd)
      let outcomes = try readCSV(text)
      #expect(outcomes.map(\.fault) == [nil, message, nil])
      #expect(outcomes.last?.values == [.text("u"), .text("v"), .text("w")])
    }
  }

  @Test("A quote that is never closed costs one line, not the rest of the file")
  func unterminated() throws {
    let outcomes = try readCSV("a,b\n1,2\n3,\"x\n5,6\n7,8\n")
    #expect(
      outcomes.map(\.fault)
        == [nil, "malformed 3:3 the quote that opens this field is never closed", nil, nil])
    #expect(outcomes.last?.values == [.text("7"), .text("8")])
  }

  @Test(
    "A quote that is closed too far away is a fault, so that memory has a bound",
    arguments: [1, 7, 1000])
  func tooLong(chunkSize: Int) throws {
    let filler = String(repeating: "1,2\n", count: 100)
    let text = "a,b\n\"x,y\n" + filler + "z\",1\n"
    let outcomes = try readCSV(text, chunkSize: chunkSize) { $0.maximumRecordSize = 64 }
    #expect(
      outcomes.first?.fault
        == "malformed 2:1 the quote that opens this field is not closed within 64 bytes")
    #expect(outcomes.count { $0.values == [.text("1"), .text("2")] } == 100)
  }

  @Test("A line longer than the limit is stepped over as a whole", arguments: [1, 7, 1000])
  func longLine(chunkSize: Int) throws {
    let long = String(repeating: "x", count: 500)
    let text = "a,b\n1,\(long)\n3,4\n"
    let outcomes = try readCSV(text, chunkSize: chunkSize) { $0.maximumRecordSize = 64 }
    #expect(outcomes.map(\.fault) == ["malformed 2:3 the record is longer than 64 bytes", nil])
    #expect(outcomes.last?.values == [.text("3"), .text("4")])
  }

  @Test(
    "Bytes that are not UTF-8 are told with their place",
    arguments: [
      [0xFF], [0xC0, 0xAF], [0xED, 0xA0, 0x80], [0xF5, 0x80, 0x80, 0x80], [0xE2, 0x82], [0x80],
    ] as [[UInt8]])
  func notUTF8(bytes: [UInt8]) throws {
    for quote in ["", "\"", "\"\"\""] {
      let file = Array("a,b\n1,\(quote)é".utf8) + bytes + Array("\(quote)\n3,4\n".utf8)
      let outcomes = try readCSV(file)
      let fault = try #require(outcomes.first?.fault)
      #expect(fault.hasPrefix("malformed 2:\(4 + quote.count) the text is not UTF-8 (byte 0x"))
      #expect(outcomes.last?.values == [.text("3"), .text("4")])
    }
  }

  @Test(
    "An invalid header row ends the reading",
    arguments: [
      ("", "unreadable 1:1 the file is empty; expected a header row with the names of the columns"),
      ("a,,c\n1,2,3\n", "unreadable 1:3 column 2 of the header row has no name"),
      ("a,b,a\n1,2,3\n", "unreadable 1:5 the header row names 'a' twice, as columns 1 and 3"),
      ("a,\"b\n1,2\n", "unreadable 1:3 the quote that opens this field is never closed"),
    ])
  func header(text: String, message: String) throws {
    #expect(try readCSV(text).map(\.fault) == [message])
  }

  @Test("UTF-16 is named as such")
  func utf16() throws {
    let outcomes = try readCSV([0xFF, 0xFE, 0x61, 0x00])
    #expect(
      outcomes.map(\.fault)
        == ["unreadable 1:1 the file is UTF-16; save it as UTF-8 and load it again"])
  }

  @Test("The error is a sentence with file, line and column")
  func sentence() {
    let position = SourcePosition(file: "t.csv", line: 3, column: 7)
    #expect(
      "\(ImportError.malformed(position, reason: "the record is too long"))"
        == "t.csv, line 3, column 7: the record is too long.")
  }

  @Test("Lines before the header row that begin with # are comments, unless one is the header row")
  func comments() throws {
    func columns(_ text: String) throws -> [String] {
      try CSVReader(ByteInput(Array(text.utf8), name: "t.csv", chunkSize: 3)).columns
    }
    #expect(try columns("# made by x\n# on Monday\r\na,b\n1,2\n") == ["a", "b"])
    #expect(try columns("# a, b and c\na;b;c\n") == ["a", "b", "c"])
    #expect(try columns("#chrom\tstart\n1\t2\n") == ["#chrom", "start"])
    #expect(try columns("#name\nAnn\n") == ["#name"])
    #expect(try columns("## made by x\nname\nAnn\n") == ["name"])
    #expect(try readCSV("# made by x\na,b\n1,2\n").map(\.values) == [[.text("1"), .text("2")]])
    // Later lines are data, and places in the file are counted from its start.
    #expect(
      try readCSV("# x\na,b\n#1,2\n3\n").map { $0.fault ?? "record" } == [
        "record", "malformed 4:2 the record has 1 field, but the header row has 2",
      ])
  }

  @Test("Records with more or fewer fields are kept and marked where one only looks")
  func irregular() throws {
    let read = try readCSV("a,b,c\n1,2,3\n4,5\n6,7,8,9\n10\n") { $0.keepsIrregular = true }
    let records = read.compactMap { outcome -> [String: ImportValue]? in
      guard case .record(let record) = outcome else { return nil }
      return Dictionary(uniqueKeysWithValues: record.fields.map { ($0.name, $0.value) })
    }
    #expect(
      records == [
        ["a": .text("1"), "b": .text("2"), "c": .text("3")],
        ["a": .text("4"), "b": .text("5"), "c": .null, "irregular": .text("2 fields")],
        [
          "a": .text("6"), "b": .text("7"), "c": .text("8"), "column_4": .text("9"),
          "irregular": .text("4 fields"),
        ],
        ["a": .text("10"), "b": .null, "c": .null, "irregular": .text("1 field")],
      ])
    // Names that the file has itself stay its own.
    let taken = try readCSV("irregular,column_3\n1,2,3\n") { $0.keepsIrregular = true }
    guard case .record(let record)? = taken.first else {
      Issue.record("\(taken)")
      return
    }
    #expect(
      record.fields.map(\.name) == ["irregular", "column_3", "column_3_2", "irregular_2"])
  }

  @Test("Types are found that give the text back, where that is asked for")
  func keptText() {
    func type(_ texts: String..., keepsText: Bool = true) -> ColumnType? {
      ColumnTypeInference.type(
        of: texts.map(ImportValue.text), ValueReading(keepsText: keepsText))
    }
    #expect(type("FALSE", "TRUE") == .string)
    #expect(type("FALSE", "TRUE", keepsText: false) == .boolean)
    #expect(type("false", "true") == .boolean)
    #expect(type("22", "22.5") == .decimal)
    #expect(type("22", "22.5", keepsText: false) == .double)
    #expect(type("22", "1e300") == .double)
    #expect(type("1872-11-30", "2024-01-01 10:00:00") == .string)
    #expect(type("1872-11-30", "2024-01-01 10:00:00", keepsText: false) == .date)
    #expect(type("1872-11-30") == .day)
    #expect(type("22", "7") == .integer)
  }
}
