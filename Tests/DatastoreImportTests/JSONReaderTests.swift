import Testing

@testable import DatastoreImport

@Suite("JSON: layouts")
struct JSONLayoutTests {
  private let two: [[ImportValue]?] = [[.integer(1)], [.integer(2)]]

  @Test(
    "Arrays, single objects and sequences of objects are read",
    arguments: [
      "[{\"a\":1},{\"a\":2}]", " [ {\"a\" : 1}\n,\r\n{\"a\":2} ] \n", "{\"a\":1}{\"a\":2}",
      "\u{FEFF}{\n  \"a\": 1\n}\n{\n  \"a\": 2\n}\n",
    ])
  func documents(text: String) throws {
    for chunkSize in [1, 5, 1000] {
      #expect(try readJSON(text, chunkSize: chunkSize).map(\.values) == two)
    }
  }

  @Test("Lines are read, blank ones skipped", arguments: ["\n", "\r\n"])
  func lines(lineEnd: String) throws {
    let text = ["{\"a\":1}", "", "  ", "{\"a\":2}"].joined(separator: lineEnd)
    for chunkSize in [1, 5, 1000] {
      let outcomes = try readJSON(text, .lines, chunkSize: chunkSize)
      #expect(outcomes.map(\.values) == two)
      guard case .record(let record) = outcomes.last else { continue }
      #expect(record.position.line == 4)
    }
  }

  @Test("An empty array has no records")
  func emptyArray() throws {
    #expect(try readJSON(" [ ] ").isEmpty)
  }

  @Test("Fields keep their order and know their places, in characters")
  func places() throws {
    let outcomes = try readJSON("[\n  {\"é\": \"日本\", \"b\": [1],\r\n   \"c\": {\"d\": null}}]")
    guard case .record(let record) = outcomes.first else {
      Issue.record("no record: \(outcomes)")
      return
    }
    #expect(record.position == SourcePosition(file: "t.json", line: 2, column: 3))
    #expect(record.fields.map(\.name) == ["é", "b", "c"])
    #expect(record.fields.map { [$0.line, $0.column] } == [[2, 4], [2, 15], [3, 4]])
    let inner = ImportField(name: "d", value: .null, line: 3, column: 10)
    #expect(record["c"] == .record([inner]))
    #expect(record["b"] == .list([.integer(1)]))
  }
}

@Suite("JSON: faults")
struct JSONFaultTests {
  @Test(
    "An invalid object in an array is reported with its place, and those around it are read",
    arguments: [
      ("{\"a\" 1}", "malformed 2:6 expected ':', but found '1'"),
      ("{\"a\":01}", "malformed 2:6 a number must not begin with a zero"),
      ("{\"a\":1.}", "malformed 2:8 expected a digit, but found '}'"),
      ("{\"a\":tru}", "malformed 2:6 expected 'true', but found 't'"),
      ("{\"a\":1,}", "malformed 2:8 expected a member name in quotes, but found '}'"),
      ("{a:1}", "malformed 2:2 expected a member name in quotes or '}', but found 'a'"),
      ("{\"a\":[1 2]}", "malformed 2:9 expected ',' or ']', but found '2'"),
      ("{\"a\":1,\"a\":2}", "malformed 2:8 the object has two members named 'a'"),
      (
        "{\"é\":\"\\x\"}",
        "malformed 2:7 a backslash must be followed by one of \" \\ / b f n r t u"
      ),
      (
        "{\"a\":\"\\ud800\"}",
        "malformed 2:7 the escape is half of a surrogate pair, which is not a character"
      ),
      ("{\"a\":\"\\u12g4\"}", "malformed 2:7 expected four hexadecimal digits after '\\u'"),
      (
        "{\"a\":\"\t\"}",
        "malformed 2:7 a string contains a tab, which must be written as an escape"
      ),
      ("12", "malformed 2:1 expected an object, but found a number"),
      ("\"x\"", "malformed 2:1 expected an object, but found text"),
      ("[1]", "malformed 2:1 expected an object, but found a list"),
      ("nul", "malformed 2:1 expected 'null', but found 'n'"),
      ("", "unreadable 2:1 expected an object, but found ','"),
    ])
  func elements(element: String, message: String) throws {
    for chunkSize in [1, 4, 1000] {
      let outcomes = try readJSON("[{\"a\":1},\n\(element),\n{\"a\":2}]", chunkSize: chunkSize)
      let faults = outcomes.map(\.fault)
      if message.hasPrefix("unreadable") {
        // The comma is on the next line's place of the missing element.
        #expect(faults.first == .some(nil))
        #expect(faults.last == message)
      } else {
        #expect(faults == [nil, message, nil])
        #expect(outcomes.last?.values == [.integer(2)])
      }
    }
  }

  @Test("A name that occurs twice is found in objects of any size", arguments: [1, 23, 24, 25, 99])
  func duplicates(count: Int) throws {
    let members = (0..<count).map { "\"m\($0)\":0" }
    let good = "{" + members.joined(separator: ",") + "}"
    #expect(try readJSON(good).map(\.fault) == [nil])
    for name in ["m0", "m\(count - 1)"] {
      let bad = good.dropLast() + ",\"\(name)\":1}"
      let fault = try readJSON(String(bad)).first?.fault
      #expect(fault == "malformed 1:\(good.count + 1) the object has two members named '\(name)'")
    }
  }

  @Test("A lacking comma is told, and no object is lost")
  func lackingComma() throws {
    let outcomes = try readJSON("[{\"a\":1}\n{\"a\":2}]")
    #expect(
      outcomes.map(\.fault) == [
        nil, "malformed 2:1 expected ',' before the next object, which is read anyway", nil,
      ])
    #expect(outcomes.last?.values == [.integer(2)])
  }

  @Test(
    "Where an object's end cannot be determined, the reading ends",
    arguments: [
      ("", "unreadable 1:1 expected '[' or '{', but the file ends here"),
      ("hello", "unreadable 1:1 expected '[' or '{', but found 'h'"),
      ("[", "unreadable 1:2 expected an object or ']', but the file ends here"),
      ("[{\"a\":1},]", "unreadable 1:10 expected an object, but found ']'"),
      ("[{\"a\":1}", "unreadable 1:9 expected ',' or ']', but the file ends here"),
      (
        "[{\"a\":1}]]",
        "unreadable 1:10 expected the end of the file after the array, but found ']'"
      ),
      ("[{\"a\":1", "unreadable 1:2 the '{' here is never closed"),
      ("[{\"a\":[1}, {\"a\":2}]", "unreadable 1:9 expected ',' or ']', but found '}'"),
      ("[{\"a\":\"x\n}]", "unreadable 1:7 the string is not closed before its line ends"),
      ("[{\"a\":\"x", "unreadable 1:7 the quote that opens this string is never closed"),
      ("{\"a\":1} 2", "malformed 1:9 expected an object, but found a number"),
    ])
  func endless(text: String, message: String) throws {
    for chunkSize in [1, 4, 1000] {
      #expect(try readJSON(text, chunkSize: chunkSize).last?.fault == message)
    }
  }

  @Test("After a file's fault the reader has no more records")
  func afterEnd() throws {
    var reader = try JSONReader(ByteInput(Array("[}".utf8), name: "t", chunkSize: 1))
    #expect(throws: ImportError.self) { try reader.next() }
    #expect(throws: ImportError.self) { try reader.next() }
    #expect(try reader.next() == nil)
  }

  @Test("In JSON Lines a malformed line costs just that line")
  func lines() throws {
    let text = "{\"a\":1}\n{\"a\":\"x\n{\"a\":[}\n[]\n{\"a\":2} {}\n{\"a\":2}\n"
    for chunkSize in [1, 4, 1000] {
      let outcomes = try readJSON(text, .lines, chunkSize: chunkSize)
      #expect(
        outcomes.map(\.fault) == [
          nil, "malformed 2:6 the quote that opens this string is never closed",
          "malformed 3:7 expected a value, but found '}'",
          "malformed 4:1 expected an object, but found a list",
          "malformed 5:9 expected the end of the record, but found '{'", nil,
        ])
    }
  }

  @Test(
    "Objects and lines beyond the limit are refused, so that memory has a bound",
    arguments: [1, 7, 1000])
  func limits(chunkSize: Int) throws {
    let long = "{\"a\":\"" + String(repeating: "x", count: 200) + "\"}"
    #expect(
      try readJSON("[\(long)]", chunkSize: chunkSize, maximumRecordSize: 64).map(\.fault)
        == ["unreadable 1:2 the object does not end within 64 bytes"])
    #expect(
      try readJSON(
        long + "\n{\"a\":1}", .lines, chunkSize: chunkSize, maximumRecordSize: 64
      ).map(\.fault) == ["malformed 1:1 the line is longer than 64 bytes", nil])
  }

  @Test("Nesting has a limit")
  func depth() throws {
    func nested(_ depth: Int) -> String {
      "[{\"a\":" + String(repeating: "[", count: depth)
        + String(repeating: "]", count: depth) + "}]"
    }
    #expect(try readJSON(nested(127)).map(\.fault) == [nil])
    #expect(
      try readJSON(nested(128)).map(\.fault)
        == ["malformed 1:134 arrays and objects are nested more than 128 deep"])
    #expect(try readJSON(nested(100_000), chunkSize: 4096).map(\.values) == [nil])
  }

  @Test("Bytes that are not UTF-8 are told with their place")
  func notUTF8() throws {
    for text in ["", "\\n"] {
      let bytes = Array("[{\"a\":\"é\(text)".utf8) + [0xFF] + Array("\"},{\"a\":2}]".utf8)
      let outcomes = try readJSON(bytes)
      let column = 9 + text.count
      #expect(
        outcomes.first?.fault
          == "malformed 1:\(column) the text is not UTF-8 (byte 0xFF); name it with "
          + "--encoding (\(TextEncoding.examples) or another name that iconv knows), or save the file as "
          + "UTF-8")
      #expect(outcomes.last?.values == [.integer(2)])
    }
  }
}
