import DatastoreCore
import DatastoreImport
import Foundation
import Testing

@testable import DatastoreBrowser

@Suite struct ValueFormTests {
  private func form(_ type: AttributeType, declared: String? = nil) -> ValueForm {
    ValueForm(AttributeDescription(name: "x", type: type, declaredType: declared))
  }

  @Test func textsReadBackAsTheSameValue() throws {
    let cases: [(AttributeType, [Value])] = [
      (.integer64, [.integer(.max), .integer(.min), 0]),
      (.integer8, [-128, 127]),
      (.unsigned64, [.integer(-1), 5]),
      (.double, [.real(0.1), .real(-1e300), .real(.leastNonzeroMagnitude), .real(3)]),
      (.decimal, [.integer(3), .real(19.99), .text("0.1234567890123456789")]),
      (.boolean, [0, 1]),
      (.string, ["", " a ", "ä\n\u{0}", "12"]),
      (.url, ["https://example.org/a?b=c"]),
      (.date, [.real(0), .real(725_846_400.25), .real(-1e11), .real(1e13)]),
      (.uuid, [.blob(Data((0..<16).map { UInt8($0) }))]),
      (.undefined, [.integer(5), .real(2.5), .text("5")]),
    ]
    for (type, values) in cases {
      for value in values {
        let form = form(type, declared: type == .undefined ? "" : nil)
        let text = form.text(of: value)
        #expect(try form.parse(text, replacing: value) == value, "\(type) \(value) as \(text)")
      }
    }
  }

  @Test func whatDoesNotFitIsRefusedWithASentence() {
    func fault(_ type: AttributeType, _ text: String, declared: String? = nil) -> String? {
      do {
        _ = try form(type, declared: declared).parse(text)
        return nil
      } catch {
        return error.message
      }
    }
    #expect(
      fault(.integer64, "abc") == "“abc” is not a whole number; x takes a whole number such as 42.")
    #expect(fault(.integer64, "3.5") != nil)
    #expect(
      fault(.integer64, "9223372036854775808")?.contains("outside of what x can hold") == true)
    #expect(fault(.integer8, "300") == "300 is outside of what x can hold: -128 to 127.")
    #expect(fault(.unsigned8, "-1") == "-1 is outside of what x can hold: 0 to 255.")
    #expect(fault(.unsigned64, "-1")?.contains("18446744073709551615") == true)
    #expect(fault(.double, "nan") != nil)
    #expect(fault(.double, "1e999") == "1e999 is too large for x.")
    #expect(fault(.float, "1e100") == "1e100 is too large for x.")
    #expect(fault(.decimal, "1,5") != nil)
    #expect(fault(.date, "2024-02-30")?.contains("2024-02-29") == true)
    #expect(fault(.uuid, "123") != nil)
    #expect(fault(.url, "a b") != nil)
    #expect(fault(.boolean, "maybe") != nil)
    #expect(
      fault(.integer64, " ") == "Type a whole number such as 42 for x, or press ctrl-n for NULL.")
    #expect(
      fault(.undefined, "abc", declared: "NUMERIC")
        == "“abc” is not a number; x is declared NUMERIC.")
    #expect(fault(.undefined, "abc", declared: "") == nil)
  }

  @Test func numbersOfAFileWithDecimalCommaAreReadAsItWritesThem() throws {
    func form(_ type: AttributeType, _ mark: DecimalMark) -> ValueForm {
      ValueForm(AttributeDescription(name: "x", type: type), decimalMark: mark)
    }
    let real = form(.double, .comma)
    #expect(try real.parse("2,50") == .real(2.5))
    #expect(try real.parse("2.5") == .real(2.5))
    #expect(try real.parse("1.234,5") == .real(1234.5))
    #expect(try form(.integer64, .comma).parse("1.234") == .integer(1234))
    for value in [Value.real(1.234), .real(-1e300), .real(3), .real(0.125)] {
      #expect(try real.parse(real.text(of: value)) == value)
    }
    // A thousand in the file, and one and a bit in the table.
    #expect(throws: ValueFault.self) { try real.parse("1.234") }
    #expect(throws: ValueFault.self) { try form(.double, .point).parse("1,234") }
    #expect(throws: ValueFault.self) { try form(.double, .point).parse("2,50") }
  }

  @Test func daysThatNoCalendarHasAreRefused() throws {
    for declared in ["DATE", "TIMESTAMP", "DATETIME"] {
      for type in [AttributeType.string, .undefined] {
        let form = ValueForm(AttributeDescription(name: "day", type: type, declaredType: declared))
        for text in ["2024-02-30", "2023-02-29", "2024-13-01 10:00:00", "2024-00-10"] {
          #expect(throws: ValueFault.self, "\(text) in \(declared)") { try form.parse(text) }
        }
        #expect(try form.parse("2024-02-29") == .text("2024-02-29"))
        #expect(try form.parse("2024-02-29 10:00") == .text("2024-02-29 10:00"))
      }
    }
    // Such a column may hold other text, and other columns any.
    let form = ValueForm(AttributeDescription(name: "day", type: .string, declaredType: "DATE"))
    #expect(try form.parse("unknown") == .text("unknown"))
    let text = ValueForm(AttributeDescription(name: "note", type: .string, declaredType: "TEXT"))
    #expect(try text.parse("2024-02-30") == .text("2024-02-30"))
    var dated = AttributeDescription(name: "day", type: .string, declaredType: "DATE")
    dated.dateConvention = .text(.day)
    #expect(throws: ValueFault.self) { try ValueForm(dated).parse("2024-02-30") }
  }

  @Test func daysAreSteppedAndTheTimeStays() {
    let dates = form(.date)
    #expect(dates.text("2024-02-28 13:05:00", daysLater: 1) == "2024-02-29 13:05:00")
    #expect(dates.text("2024-01-01", daysLater: -1) == "2023-12-31")
    #expect(dates.text("soon", daysLater: 1) == nil)
    #expect(
      form(.string, declared: "DATETIME").text("2024-12-31T10:00", daysLater: 1)
        == "2025-01-01T10:00")
    #expect(form(.string, declared: "TEXT").text("2024-12-31", daysLater: 1) == nil)
  }
}
