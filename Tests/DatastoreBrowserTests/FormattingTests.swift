import DatastoreCore
import Foundation
import Testing

@testable import DatastoreBrowser

@Suite struct FormattingTests {
  @Test(
    arguments: [
      (AttributeType.double, Value.real(0.1), "0.1"),
      (.double, .real(3000), "3000.0"),
      (.double, .real(0.1 + 0.2), "0.30000000000000004"),
      (.integer64, .integer(.min), "-9223372036854775808"),
      (.boolean, .integer(1), "true"),
      (.boolean, .integer(0), "false"),
      (.boolean, .integer(7), "7"),
      (.boolean, .text("maybe"), "maybe"),
      (.date, .real(0), "2001-01-01 00:00:00"),
      (.date, .real(-978_307_200), "1970-01-01 00:00:00"),
      (.date, .real(730_890_309.5), "2024-02-29 09:05:09.500"),
      (.date, .real(-1), "2000-12-31 23:59:59"),
      (.date, .real(1e300), "1e+300"),
      (.date, .text("2020-01-02"), "2020-01-02"),
      (.uuid, .blob(Data(0..<16)), "00010203-0405-0607-0809-0A0B0C0D0E0F"),
      (.uuid, .blob(Data([1])), "1 byte"),
      (.data, .blob(Data([0x89, 0x50, 0x4E, 0x47, 0, 0])), "PNG image, 6 bytes"),
      (.data, .blob(Data()), "0 bytes"),
      (.data, .blob(Data(repeating: 0, count: 1_234_567)), "1.2 MB"),
      (.coded, .blob(Data("{\"a\": 1}".utf8)), "JSON, 8 bytes"),
      (.data, .blob(Data("grüße".utf8)), "text, 7 bytes"),
      (.data, .blob(Data([0xFF, 0xFE, 0xFD])), "3 bytes"),
      (.decimal, .text("12.50"), "12.50"),
    ] as [(AttributeType, Value, String)])
  func valuesAsText(type: AttributeType, value: Value, expected: String) {
    #expect(ValueFormat(type: type).cell(value).text == expected)
  }

  @Test func columnsOfOthersAreShownAsTheyAreDeclared() {
    func format(_ declared: String, _ type: AttributeType = .undefined) -> ValueFormat {
      ValueFormat(AttributeDescription(name: "x", type: type, declaredType: declared))
    }
    let id = Value.blob(Data(0..<16))
    #expect(format("UUID").cell(id).text == "00010203-0405-0607-0809-0A0B0C0D0E0F")
    #expect(format("BLOB", .data).cell(id).text == "16 bytes")
    for declared in ["DECIMAL(10,2)", "numeric", "MONEY"] {
      #expect(format(declared).isTrailing)
      #expect(format(declared).cell(.null).isTrailing)
    }
    #expect(!format("ANYTHING").isTrailing)
    #expect(!format("NUMBERPLATE TEXT", .string).isTrailing)
  }

  /// Foundation counts by the Julian calendar before October 1582; SQLite and ISO 8601 do not.
  @Test func datesAgreeWithFoundationSinceTheGregorianCalendar() throws {
    let formatter = ISO8601DateFormatter()
    for step in 0..<3000 {
      let seconds = Double(-13_190_000_000 + step * 88_421_377)
      let expected = formatter.string(from: Date(timeIntervalSinceReferenceDate: seconds))
        .replacing("T", with: " ").replacing("Z", with: "")
      #expect(DateConvention.own.moment(near: seconds)?.description == expected, "\(seconds)")
    }
  }

  @Test func longTextIsCutBeforeItCosts() {
    let text = String(repeating: "ä", count: 1_000_000)
    #expect(ValueFormat(type: .string).cell(.text(text)).text.count == CellContent.limit)
  }
}
