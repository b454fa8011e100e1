import DatastoreCore
import DatastoreTestSupport
import Foundation
import Testing

@Suite("Conventions of dates")
struct DateConventionTests {
  /// 2024-02-29 13:05:09.123456789 in every convention, with its precision.
  @Test(
    "A moment is the same in every convention",
    arguments: [
      (DateConvention.unixSeconds, Value.integer(1_709_211_909), "2024-02-29 13:05:09"),
      (.unixSeconds, .real(1_709_211_909.25), "2024-02-29 13:05:09.250"),
      (.unixMilliseconds, .integer(1_709_211_909_123), "2024-02-29 13:05:09.123"),
      (.unixMicroseconds, .integer(1_709_211_909_123_456), "2024-02-29 13:05:09.123456"),
      (.unixNanoseconds, .integer(1_709_211_909_123_456_789), "2024-02-29 13:05:09.123456789"),
      (.webKit, .integer(13_353_685_509_123_456), "2024-02-29 13:05:09.123456"),
      (.fileTime, .integer(133_536_855_091_234_567), "2024-02-29 13:05:09.1234567"),
      (.appleSeconds, .real(730_904_709.5), "2024-02-29 13:05:09.500"),
      (.appleNanoseconds, .integer(730_904_709_123_456_789), "2024-02-29 13:05:09.123456789"),
      (.julianDay, .real(2_460_370.0452430556), "2024-02-29 13:05:09"),
      (.own, .real(-1e9), "1969-04-24 22:13:20"),
    ])
  func shown(convention: DateConvention, value: Value, text: String) throws {
    let moment = try #require(convention.moment(of: value))
    #expect("\(moment)" == text)
    #expect(Moment(text) == moment)
    #expect(convention.value(of: moment, replacing: value) == value)
    #expect(DateConvention(name: convention.name) == convention)
    #expect(DateConvention(code: convention.code) == convention)
  }

  @Test("Values that are no dates of a convention have no moment")
  func misfits() {
    let misfits: [(DateConvention, Value)] = [
      (.unixSeconds, 0), (.unixSeconds, 1), (.unixSeconds, -1), (.unixSeconds, "2024-01-01"),
      // Seconds among milliseconds, milliseconds among seconds.
      (.unixMilliseconds, .integer(1_709_211_909)), (.unixSeconds, .integer(1_709_211_909_123)),
      (.webKit, 0), (.webKit, 17), (.fileTime, 0), (.fileTime, .integer(.max)),
      (.unixNanoseconds, .integer(.min)), (.appleSeconds, 0), (.julianDay, 17),
      (.unixSeconds, .real(.infinity)), (.unixSeconds, .real(.nan)), (.unixSeconds, .null),
      (.unixSeconds, .blob(.init())), (.text(.day), 20_240_101), (.text(.day), "2024-02-30"),
      (.text(.day), "soon"),
    ]
    for (convention, value) in misfits {
      #expect(convention.moment(of: value) == nil, "\(convention): \(value)")
      #expect(DatePart.month.value(of: value, convention) == .null, "\(convention): \(value)")
    }
  }

  @Test("What is shown leads back to exactly what is stored", arguments: DateConvention.numeric)
  func exactness(convention: DateConvention) throws {
    var random = SeededRandom(seed: RandomCases.seed(convention.code))
    for _ in 0..<RandomCases.count {
      // From 1902 to 2199, in numbers of all sizes and kinds.
      let moment = Moment(
        seconds: .random(in: -2_145_916_800..<7_258_118_400, using: &random),
        nanoseconds: [0, 500_000_000, .random(in: 0..<1_000_000_000, using: &random)]
          .randomElement(using: &random) ?? 0)
      var values = [convention.comparable(moment)]
      if let number = values[0].number {
        values.append(.real(number))
        values.append(.real(number.nextUp))
        if abs(number) < 9e18 { values.append(.integer(Int64(number))) }
      }
      for value in values {
        // A value without a moment is shown unchanged.
        guard let shown = convention.moment(of: value) else { continue }
        let read = try #require(Moment("\(shown)"))
        #expect(read == shown, "\(convention), seed \(random.seed): \(value)")
        #expect(
          convention.value(of: read, replacing: value) == value,
          "\(convention), seed \(random.seed): \(value) is shown as \(shown)")
        #expect(
          DatePart.day.value(of: value, convention) == .text(shown.day)
            || convention == .julianDay || value.isReal, "\(convention): \(value)")
      }
    }
  }

  @Test(
    "Dates are written in the style of the text that they replace",
    arguments: [
      ("2024-02-29", "2025-06-01 00:00:00", "2025-06-01"),
      ("2024-02-29 13:05:09", "2025-06-01 07:00", "2025-06-01 07:00:00"),
      ("2024-02-29T13:05:09Z", "2025-06-01 07:00", "2025-06-01T07:00:00Z"),
      ("2024-02-29T13:05:09.123456+00:00", "2025-06-01", "2025-06-01T00:00:00.000000+00:00"),
      ("2024-02-29 13:05", "2025-06-01 07:00", "2025-06-01 07:00"),
      ("2024-02-29 13:05", "2025-06-01 07:00:30", "2025-06-01 07:00:30"),
      ("2024-02-29 13:05:09", "2025-06-01 07:00:30.5", "2025-06-01 07:00:30.5"),
    ])
  func styles(old: String, typed: String, written: String) throws {
    let style = try #require(DateTextStyle(old))
    let moment = try #require(Moment(typed))
    #expect(
      DateConvention.text(.day).value(of: moment, replacing: .text(old)) == .text(written))
    #expect(DateTextStyle(style.example) == style)
  }

  @Test("A date cannot be written where its convention has no value for it")
  func refused() throws {
    let moment = try #require(Moment("2024-02-29 13:05:09.5"))
    #expect(DateConvention.unixSeconds.value(of: moment) == nil)
    #expect(DateConvention.unixSeconds.value(of: moment, replacing: 17) == nil)
    #expect(
      DateConvention.unixSeconds.value(of: moment, replacing: .real(1)) == .real(1_709_211_909.5))
    #expect(DateConvention.text(.day).value(of: moment) == nil)
    #expect(DateTextStyle("2024-02-29T13:05:09+02:00") == nil)
  }
}

extension Value {
  fileprivate var isReal: Bool {
    if case .real = self { true } else { false }
  }
}
