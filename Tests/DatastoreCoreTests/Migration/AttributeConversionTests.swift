import Foundation
import Testing

@testable import DatastoreCore

/// A value is converted to another type only if converting it back gives the same value.
@Suite struct AttributeConversionTests {
  private func kind(_ from: AttributeType, _ to: AttributeType) -> AttributeConversion.Kind {
    AttributeConversion(from: from, to: to).kind
  }

  private func convert(_ value: Value, _ from: AttributeType, _ to: AttributeType) -> Value? {
    AttributeConversion(from: from, to: to).convert(value)
  }

  @Test func aTypeToItselfIsNoConversion() {
    for type in AttributeType.allCases { #expect(kind(type, type) == .identity, "\(type)") }
  }

  @Test func everythingIsUndefined() {
    for type in AttributeType.allCases { #expect(kind(type, .undefined) == .identity, "\(type)") }
  }

  @Test func noValueIsConvertedToNoValue() {
    for from in AttributeType.allCases {
      for to in AttributeType.allCases {
        #expect(convert(.null, from, to) == .null, "\(from) \(to)")
      }
    }
  }

  @Test func greaterIntegersHoldLesserOnes() {
    #expect(kind(.integer8, .integer16) == .lossless)
    #expect(kind(.unsigned8, .integer16) == .lossless)
    #expect(kind(.boolean, .unsigned8) == .lossless)
    #expect(kind(.unsigned64, .integer64) == .lossless)
  }

  @Test func lesserIntegersAreChecked() {
    #expect(kind(.integer16, .integer8) == .checked)
    #expect(kind(.integer8, .unsigned8) == .checked)
    #expect(convert(127, .integer16, .integer8) == 127)
    #expect(convert(128, .integer16, .integer8) == nil)
    #expect(convert(-1, .integer8, .unsigned8) == nil)
  }

  @Test func onlyZeroAndOneAreBooleans() {
    #expect(convert(1, .integer64, .boolean) == 1)
    #expect(convert(2, .integer64, .boolean) == nil)
  }

  /// A double has 53 bits, a float 24.
  @Test func integersAreRealsUpToTheirBits() {
    #expect(kind(.integer32, .double) == .lossless)
    #expect(kind(.integer64, .double) == .checked)
    #expect(kind(.integer16, .float) == .lossless)
    #expect(kind(.integer32, .float) == .checked)
    #expect(convert(9_007_199_254_740_992, .integer64, .double) == 9_007_199_254_740_992.0)
    #expect(convert(9_007_199_254_740_993, .integer64, .double) == nil)
    #expect(convert(16_777_217, .integer32, .float) == nil)
  }

  @Test func onlyWholeRealsAreIntegers() {
    #expect(kind(.double, .integer64) == .checked)
    #expect(convert(3.0, .double, .integer64) == 3)
    #expect(convert(3.5, .double, .integer64) == nil)
    #expect(convert(.real(.infinity), .double, .integer64) == nil)
  }

  @Test func aDoubleIsAFloatWhereItHasFewEnoughBits() {
    #expect(convert(0.5, .double, .float) == 0.5)
    #expect(convert(0.1, .double, .float) == nil)
    #expect(kind(.float, .double) == .lossless)
  }

  @Test func numbersAreWrittenAsText() {
    #expect(kind(.integer64, .string) == .lossless)
    #expect(convert(-12, .integer64, .string) == "-12")
    #expect(convert(0.5, .double, .string) == "0.5")
  }

  @Test func textIsANumberWhereItIsWrittenAsOne() {
    #expect(kind(.string, .integer64) == .checked)
    #expect(convert("12", .string, .integer64) == 12)
    #expect(convert("012", .string, .integer64) == nil)
    #expect(convert("+1", .string, .integer64) == nil)
    #expect(convert("twelve", .string, .integer64) == nil)
    #expect(convert("", .string, .integer64) == nil)
  }

  @Test func textIsARealWhereItIsWrittenAsSwiftDoes() {
    #expect(convert("0.5", .string, .double) == 0.5)
    #expect(convert(".5", .string, .double) == nil)
    #expect(convert("inf", .string, .double) == nil)
  }

  @Test func decimalsAreTextAndBack() {
    #expect(kind(.decimal, .string) == .lossless)
    #expect(convert(1.5, .decimal, .string) == "1.5")
    #expect(convert("1.5", .string, .decimal) == 1.5)
    #expect(convert("x", .string, .decimal) == nil)
  }

  @Test func integersAreDecimals() {
    #expect(kind(.integer64, .decimal) == .lossless)
    #expect(convert(7, .integer64, .decimal) == 7)
  }

  @Test func addressesAreText() {
    #expect(kind(.url, .string) == .lossless)
    #expect(convert("https://example.org/a", .url, .string) == "https://example.org/a")
    #expect(kind(.string, .url) == .checked)
    #expect(convert("https://example.org/a", .string, .url) == "https://example.org/a")
  }

  @Test func daysAreText() {
    #expect(kind(.calendarDate, .string) == .lossless)
    #expect(convert("2024-02-29", .string, .calendarDate) == "2024-02-29")
    #expect(convert("2023-02-29", .string, .calendarDate) == nil)
    #expect(convert("29.02.2024", .string, .calendarDate) == nil)
  }

  @Test func datesAreSeconds() {
    #expect(kind(.date, .double) == .lossless)
    #expect(kind(.double, .date) == .lossless)
    #expect(convert(1.5, .double, .date) == 1.5)
  }

  @Test func datesAreNotGuessed() {
    #expect(kind(.string, .date) == .impossible)
    #expect(kind(.date, .string) == .impossible)
    #expect(kind(.string, .boolean) == .impossible)
    #expect(kind(.boolean, .string) == .impossible)
    #expect(kind(.boolean, .date) == .impossible)
    #expect(convert("2024-02-29", .string, .date) == nil)
  }

  @Test func identifiersAreBytes() {
    let bytes = Value.blob(Data(0..<16))
    #expect(kind(.uuid, .data) == .lossless)
    #expect(convert(bytes, .uuid, .data) == bytes)
    #expect(kind(.data, .uuid) == .checked)
    #expect(convert(bytes, .data, .uuid) == bytes)
    #expect(convert(.blob(Data([1])), .data, .uuid) == nil)
  }

  @Test func identifiersAreText() {
    let bytes = Value.blob(Data(0..<16))
    let text: Value = "00010203-0405-0607-0809-0A0B0C0D0E0F"
    #expect(convert(bytes, .uuid, .string) == text)
    #expect(convert(text, .string, .uuid) == bytes)
    #expect(convert("00010203", .string, .uuid) == nil)
  }

  /// The letters come back in upper case, which are the same identifier.
  @Test func identifiersMayBeWrittenInSmallLetters() {
    #expect(convert("00010203-0405-0607-0809-0a0b0c0d0e0f", .string, .uuid) == .blob(Data(0..<16)))
  }

  @Test func bytesAreNoText() {
    #expect(kind(.data, .string) == .impossible)
    #expect(kind(.string, .data) == .impossible)
    #expect(kind(.data, .integer64) == .impossible)
  }

  @Test func valuesAreCodedAsJSON() {
    #expect(kind(.integer64, .coded) == .lossless)
    #expect(convert(7, .integer64, .coded) == .blob(Data("7".utf8)))
    #expect(convert(1, .boolean, .coded) == .blob(Data("true".utf8)))
    #expect(convert("a/b", .string, .coded) == .blob(Data("\"a/b\"".utf8)))
  }

  @Test func codedValuesAreReadFromJSON() {
    #expect(kind(.coded, .integer64) == .checked)
    #expect(convert(.blob(Data("7".utf8)), .coded, .integer64) == 7)
    #expect(convert(.blob(Data("\"a\"".utf8)), .coded, .string) == "a")
    #expect(convert(.blob(Data("300".utf8)), .coded, .integer8) == nil)
    #expect(convert(.blob(Data("{".utf8)), .coded, .string) == nil)
  }

  @Test func codedValuesAreBytes() {
    #expect(kind(.coded, .data) == .lossless)
    #expect(convert(.blob(Data([1])), .coded, .data) == .blob(Data([1])))
  }

  @Test func whatIsUndefinedIsWhatItHolds() {
    #expect(kind(.undefined, .integer64) == .checked)
    #expect(convert(7, .undefined, .integer64) == 7)
    #expect(convert("a", .undefined, .string) == "a")
    #expect(convert("a", .undefined, .integer64) == nil)
    #expect(convert(.blob(Data([1])), .undefined, .string) == nil)
  }

  @Test func impossibleConversionsConvertNothing() {
    let values: [Value] = [1, 1.5, "1", .blob(Data([1]))]
    for from in AttributeType.allCases {
      for to in AttributeType.allCases where kind(from, to) == .impossible {
        #expect(values.allSatisfy { convert($0, from, to) == nil }, "\(from) \(to)")
      }
    }
  }

  @Test func whatIsConvertedComesBack() {
    let samples: [(AttributeType, Value)] = [
      (.integer8, -5), (.unsigned32, 4_000_000_000), (.double, 2.0), (.string, "17"),
      (.decimal, 2.5), (.boolean, 1), (.uuid, .blob(Data(0..<16))),
    ]
    for (from, value) in samples {
      for to in AttributeType.allCases where to != .coded {
        guard let there = convert(value, from, to) else { continue }
        #expect(convert(there, to, from) == value, "\(from) \(to): \(there)")
      }
    }
  }
}
