import DatastoreTestSupport
import Foundation
import Testing

@testable import DatastoreImport

// Promise: JSON is no array of objects → its lists, values and members are rows.
/// JSON that is no array of objects has rows, too.
@Suite("JSON of any shape")
struct JSONShapeTests {
  private func records(
    _ text: String, isLenient: Bool = true, layout: JSONReader.Layout = .document,
    chunkSize: Int = 7
  ) throws -> [String] {
    var options = JSONReader.Options()
    options.keepsIrregular = isLenient
    var reader = try JSONReader(
      ByteInput(Array(text.utf8), name: "t.json", chunkSize: chunkSize), layout: layout,
      options: options)
    var found: [String] = []
    while let record = try reader.next() {
      found.append(record.fields.map { "\($0.name)=\($0.value.json)" }.joined(separator: " "))
    }
    return found
  }

  @Test(
    "Lists, values and objects are records",
    arguments: [
      (
        "[[1, \"a\"], [2.50, null, {}]]",
        ["column_1=1 column_2=\"a\"", "column_1=2.5 column_2=null column_3={}"]
      ),
      ("[1, \"x\", true, null]", ["value=1", "value=\"x\"", "value=true", "value=null"]),
      ("[{\"a\": 1}, [2], 3, []]", ["a=1", "column_1=2", "value=3", "column_1=null"]),
      ("42", ["value=42"]), ("\"x\"", ["value=\"x\""]),
      ("1 2\n\n3", ["value=1", "value=2", "value=3"]),
      ("{\"a\": {\"b\": 1}}", ["a={\"b\":1}"]), ("[]", []),
      ("{\"x\": {\"n\": 1}, \"\": {\"n\": 2}}", ["key=\"x\" n=1", "key=\"\" n=2"]),
      (
        "{\"x\": {\"key\": 1}, \"y\": {\"key\": 2}}",
        ["key=\"x\" key_2=1", "key=\"y\" key_2=2"]
      ),
      ("{\"a\": {}, \"b\": {}}\n{\"a\": 1}", ["a={} b={}", "a=1"]),
      ("{\"a\": {}, \"b\": 1}", ["a={} b=1"]),
    ])
  func shapes(text: String, expected: [String]) throws {
    for chunkSize in [1, 7, 65_536] {
      #expect(try records(text, chunkSize: chunkSize) == expected)
    }
  }

  @Test("Lines are lists and values, too, and blank ones are none")
  func lines() throws {
    #expect(
      try records("[1,2]\n\n  \n{\"\":1}\r\n\"x\"\n\n", layout: .lines)
        == ["column_1=1 column_2=2", "column_3=1", "value=\"x\""])
    let lists = Array("[1,2]\n[3,4]\n".utf8)
    #expect(FileFormat.detect(name: "t.json", head: lists, isWhole: true) == .jsonLines)
    let pretty = Array("[\n[1,2],\n[3,4]\n]\n".utf8)
    #expect(FileFormat.detect(name: "t.json", head: pretty, isWhole: true) == .json)
  }

  @Test("What is loaded has one shape: the first record tells which")
  func strict() throws {
    #expect(try records("[[1], [2]]", isLenient: false) == ["column_1=1", "column_1=2"])
    #expect(
      try readJSON("[[1], {\"a\": 1}]").compactMap(\.fault) == [
        "malformed 1:7 expected a list, but found an object"
      ])
    #expect(
      try readJSON("{\"a\": {\"key\": 1}, \"b\": {\"n\": 1}}").compactMap(\.fault).count == 1)
  }
}
