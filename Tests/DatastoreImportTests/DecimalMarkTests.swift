import DatastoreCore
import DatastoreTestSupport
import Foundation
import Testing

@testable import DatastoreImport

@Suite("Numbers with a decimal comma")
struct DecimalMarkTests {
  @Test(
    "Numbers are read whole, with and without groups",
    arguments: [
      ("3,5", "3.5"), ("-0,25", "-0.25"), ("+7", "+7"), ("1.234,5", "1234.5"), ("1.234", "1234"),
      ("12.345.678", "12345678"), ("1 234,5", "1234.5"), ("1\u{A0}234", "1234"),
      ("1\u{202F}234\u{202F}567,0", "1234567.0"), ("2e-7", "2e-7"), ("1,5E3", "1.5E3"),
    ])
  func numbers(text: String, plain: String) {
    #expect(DecimalMark.comma.plain(text) == plain)
  }

  @Test(
    "What is not such a number stays text",
    arguments: [
      "", "-", ",5", "3,", "3,5,7", "1.5", "0.125", "12.34,5", "1.2345", "1.234 567", "3,5 kg",
      "1,2.3", "552 100 554", "e5", "1e", "1,5e", "٣,٥", "1234.567,8",
    ])
  func others(text: String) {
    #expect(DecimalMark.comma.plain(text) == nil)
    #expect(DecimalMark.point.plain(text) == text)
  }

  @Test(
    "It is told from the first records",
    arguments: [
      (["a;b", "1;3,5"], DecimalMark.comma), (["a;b", "1,5;3.25"], .point),
      (["a;b", "1;2"], .point), (["a;b", ";3,5", "x;-0,25"], .comma),
      // Groups, or not: 1.125 beside 3,5 are groups, 1,500 alone may be anything.
      (["a;b", "3,5;1.125"], .comma), (["a;b", "x;1.125"], .point),
      (["a;b", "12,345;1,500"], .point), (["a;b", "1,5;1,234,567"], .point),
      (["a;b", "3,5;1,234.50"], .point), (["a;b", "3,5;12,345"], .comma),
      // A slip among numbers, lists, and texts in which a comma may stand.
      (["a;b", "1;0,5", "2;abc", "3;1,5"], .comma), (["a;b", "x;12,5", "y;later"], .point),
      (["a;b", "x,5;1,2,3"], .point),
      (["a;b", "0.125;3,5"], .point),
      (["a;b", "0x1F;3,5"], .comma),
      // Without names.
      (["1;3,5", "2;4,25"], .comma),
    ])
  func detection(lines: [String], mark: DecimalMark) throws {
    let records = lines.map { $0.components(separatedBy: ";") }
    #expect(DecimalMark.detect(in: records, delimiter: Byte.semicolon) == mark)
    #expect(DecimalMark.detect(in: records, delimiter: Byte.comma) == .point)
  }

  @Test("A preview finds mark and types, which can be corrected")
  func preview() throws {
    let directory = try TemporaryDirectory()
    let path = try directory.write("id;price;note\n1;3,5;1,2,3\n2;1.234,50;x\n3;7;\n", to: "p.csv")
    var options = ReadingOptions()
    let found = try ImportPreview(path: path, reading: options)
    #expect(found.reading.csv.decimalMark == .comma)
    #expect(found.columns.map(\.type) == [.integer, .double, .string])
    #expect(found.notes == ["numbers are read with a decimal comma, as in 3,5"])
    options.csv.decimalMark = .point
    let corrected = try ImportPreview(path: path, reading: options)
    #expect(corrected.columns.map(\.type) == [.integer, .string, .string])
    #expect(corrected.notes.isEmpty)
  }

  @Test("Values of every numeric type are converted, others are not")
  func conversion() throws {
    func value(_ text: String, _ type: AttributeType) throws -> Value {
      try ImportValue.text(text).converted(to: type, ValueReading(decimalMark: .comma))
    }
    #expect(try value("1.234,5", .double) == .real(1234.5))
    #expect(try value("1.234", .integer32) == .integer(1234))
    #expect(try value("0,10", .decimal) == (try value("0,1", .decimal)))
    #expect(try value("3,5", .string) == .text("3,5"))
    let fault = #expect(throws: ConversionFault.self) { try value("1.5", .double) }
    #expect(fault?.reason == "“1.5” is not a number with a decimal comma")
    #expect(throws: ConversionFault.self) { try value("3,5", .integer64) }
  }
}
