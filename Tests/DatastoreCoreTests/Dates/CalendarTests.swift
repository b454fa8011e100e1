import Foundation
import Testing

@testable import DatastoreCore

/// Days are counted from 1970-01-01, in the Gregorian calendar without end.
@Suite struct CalendarTests {
  @Test func theFirstDayIsThatOfUnix() {
    #expect(GregorianCalendar.days(1970, 1, 1) == 0)
    #expect(GregorianCalendar.date(0) == (1970, 1, 1))
  }

  @Test func knownDaysHaveTheirNumbers() {
    #expect(GregorianCalendar.days(1969, 12, 31) == -1)
    #expect(GregorianCalendar.days(2000, 3, 1) == 11_017)
    #expect(GregorianCalendar.days(2001, 1, 1) == 11_323)
    #expect(GregorianCalendar.days(1, 1, 1) == -719_162)
  }

  @Test func everyDayOfFourCenturiesComesBack() {
    var expected = (year: 1900, month: 1, day: 1)
    for days in GregorianCalendar.days(1900, 1, 1)..<GregorianCalendar.days(2300, 1, 1) {
      guard GregorianCalendar.date(days) == expected,
        GregorianCalendar.days(expected.year, expected.month, expected.day) == days
      else {
        Issue.record("\(days) is not \(expected)")
        return
      }
      expected.day += 1
      if expected.day > GregorianCalendar.length(ofMonth: expected.month, expected.year) {
        (expected.month, expected.day) = (expected.month + 1, 1)
      }
      if expected.month > 12 { (expected.year, expected.month) = (expected.year + 1, 1) }
    }
    #expect(expected == (2300, 1, 1))
  }

  @Test func februaryHas29DaysInLeapYears() {
    #expect(GregorianCalendar.length(ofMonth: 2, 2024) == 29)
    #expect(GregorianCalendar.length(ofMonth: 2, 2023) == 28)
    #expect(GregorianCalendar.length(ofMonth: 2, 1900) == 28)
    #expect(GregorianCalendar.length(ofMonth: 2, 2000) == 29)
  }

  @Test func monthsHaveTheirLengths() {
    #expect(
      (1...12).map { GregorianCalendar.length(ofMonth: $0, 2023) } == [
        31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31,
      ])
  }

  /// 1970-01-01 was a Thursday; ISO 8601 counts from Monday.
  @Test func weekdaysBeginOnMonday() {
    #expect(GregorianCalendar.weekday(0) == 4)
    #expect(GregorianCalendar.weekday(-3) == 1)
    #expect(GregorianCalendar.weekday(-4) == 7)
    #expect(GregorianCalendar.weekday(GregorianCalendar.days(2024, 2, 29)) == 4)
  }

  /// The examples of <https://en.wikipedia.org/wiki/ISO_week_date>.
  @Test(arguments: [
    (1977, 1, 1, 1976, 53), (1977, 1, 2, 1976, 53), (1977, 12, 31, 1977, 52),
    (1978, 1, 2, 1978, 1), (1979, 12, 31, 1980, 1), (1981, 1, 1, 1981, 1), (1982, 1, 3, 1981, 53),
  ])
  func weeksAreThoseOfISO(year: Int, month: Int, day: Int, weekYear: Int, week: Int) {
    #expect(GregorianCalendar.week(GregorianCalendar.days(year, month, day)) == (weekYear, week))
  }

  @Test func aCalendarDateIsReadAndWritten() {
    let date = CalendarDate("2024-02-29")
    #expect(date == CalendarDate(year: 2024, month: 2, day: 29))
    #expect(date?.description == "2024-02-29")
    #expect(CalendarDate(year: 7, month: 1, day: 2).description == "0007-01-02")
  }

  @Test(arguments: [
    "2023-02-29", "2024-13-01", "2024-00-01", "2024-01-00", "0000-01-01", "24-01-01",
    "2024-1-1", "2024/01/01", "2024-01-01T00:00:00Z", "", "2024-01-011",
  ])
  func whatIsNoDayIsNoCalendarDate(text: String) {
    #expect(CalendarDate(text) == nil)
  }

  @Test func calendarDatesAreOrderedByYearMonthAndDay() throws {
    let dates = ["2023-12-31", "2024-01-01", "2024-01-02", "2024-02-01"].compactMap(
      CalendarDate.init)
    #expect(dates.shuffled().sorted() == dates)
    #expect(dates.count == 4)
  }

  @Test func aCalendarDateIsAStringInJSON() throws {
    let date = CalendarDate(year: 2024, month: 5, day: 1)
    #expect(String(decoding: try JSONEncoder().encode([date]), as: UTF8.self) == #"["2024-05-01"]"#)
    #expect(
      try JSONDecoder().decode([CalendarDate].self, from: Data(#"["2024-05-01"]"#.utf8)) == [date])
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode([CalendarDate].self, from: Data(#"["2024-05-32"]"#.utf8))
    }
  }
}

@Suite struct MomentTests {
  @Test func aMomentIsShownWithTheDigitsThatItHas() {
    #expect(Moment(seconds: 0).description == "1970-01-01 00:00:00")
    #expect(Moment(seconds: 0, nanoseconds: 500_000_000).description == "1970-01-01 00:00:00.500")
    #expect(Moment(seconds: 0, nanoseconds: 1_000).description == "1970-01-01 00:00:00.000001")
    #expect(Moment(seconds: 0, nanoseconds: 100).description == "1970-01-01 00:00:00.0000001")
    #expect(Moment(seconds: 0, nanoseconds: 1).description == "1970-01-01 00:00:00.000000001")
  }

  @Test func aMomentBefore1970CountsItsSecondsForward() {
    #expect(Moment(seconds: -1).description == "1969-12-31 23:59:59")
    #expect(Moment(seconds: -86_400).description == "1969-12-31 00:00:00")
  }

  @Test func aMomentInISOHasAZone() {
    #expect(Moment(seconds: 978_307_200).iso == "2001-01-01T00:00:00Z")
  }

  @Test func aZoneIsTakenOff() {
    #expect(Moment("2001-01-01T02:00:00+02:00")?.seconds == 978_307_200)
    #expect(Moment("2000-12-31T19:00:00-0500")?.seconds == 978_307_200)
    #expect(Moment("2001-01-01T05:30:00+05:30")?.seconds == 978_307_200)
  }

  @Test func aFractionIsReadToTheNanosecond() {
    #expect(Moment("1970-01-01 00:00:00.000000001")?.nanoseconds == 1)
    #expect(Moment("1970-01-01 00:00:00,25")?.nanoseconds == 250_000_000)
    #expect(Moment("1970-01-01 00:00:00.1234567899")?.nanoseconds == 123_456_789)
  }

  @Test func aMomentHasItsParts() {
    let parts = Moment(seconds: 1_709_211_909).parts
    #expect(parts == (2024, 2, 29, 47_109))
  }

  /// 9999-12-31 with a zone behind UTC would be in the year 10000.
  @Test func momentsOutsideOfTheCalendarAreNone() {
    #expect(Moment("9999-12-31T23:59:59-01:00") == nil)
    #expect(Moment("0001-01-01T00:00:00+01:00") == nil)
    #expect(Moment("9999-12-31T23:59:59Z") != nil)
  }

  @Test(arguments: [
    "2024-01-01 24:00", "2024-01-01 12:60", "2024-01-01 12:00:60", "2024-01-01 12",
    "2024-01-01T", "2024-01-01 12:00:00.", "2024-01-01 12:00+24", "2024-01-01 12:00:00 Z",
    "2024-01-01x12:00", "yesterday",
  ])
  func whatIsNoMomentIsNone(text: String) {
    #expect(Moment(text) == nil)
  }
}

@Suite struct DatePartTests {
  /// 2024-02-29 13:05:09 as seconds since 2001, and as text.
  private static let stored: Value = 730_904_709.0
  private static let text: Value = "2024-02-29 13:05:09"

  @Test(
    arguments: [
      (DatePart.year, Value.integer(2024)), (.month, "2024-02"), (.day, "2024-02-29"),
      (.quarter, "2024-Q1"), (.week, "2024-W09"), (.weekday, 4), (.hour, 13),
    ])
  func aPartIsTheSameOfANumberAndOfAText(part: DatePart, expected: Value) {
    #expect(part.value(of: Self.stored, .own) == expected)
    #expect(part.value(of: Self.text, .text(.day)) == expected)
  }

  @Test func aTextWithoutATimeHasNoHour() {
    #expect(DatePart.hour.value(of: "2024-02-29", .text(.day)) == .null)
    #expect(DatePart.day.value(of: "2024-02-29", .text(.day)) == "2024-02-29")
  }

  @Test func whatIsNoDateHasNoParts() {
    for part in DatePart.allCases {
      #expect(part.value(of: "soon", .text(.day)) == .null, "\(part)")
      #expect(part.value(of: .null, .own) == .null, "\(part)")
      #expect(part.value(of: "2024-02-29", .own) == .null, "\(part)")
    }
  }

  @Test func theWeekAtTheTurnOfTheYearIsOfTheYearOfItsThursday() {
    #expect(DatePart.week.value(of: "2024-12-30", .text(.day)) == "2025-W01")
    #expect(DatePart.year.value(of: "2024-12-30", .text(.day)) == 2024)
  }

  @Test func quartersHaveThreeMonths() {
    let quarters = (1...12).map { month in
      DatePart.quarter.value(of: .text(Moment.day(2023, month, 15)), .text(.day))
    }
    #expect(
      quarters == [
        "2023-Q1", "2023-Q1", "2023-Q1", "2023-Q2", "2023-Q2", "2023-Q2", "2023-Q3", "2023-Q3",
        "2023-Q3", "2023-Q4", "2023-Q4", "2023-Q4",
      ])
  }

  @Test func valuesBetweenTwoHaveNoGaps() {
    #expect(
      DatePart.month.values(from: "2023-11", through: "2024-02") == [
        "2023-11", "2023-12", "2024-01", "2024-02",
      ])
    #expect(DatePart.year.values(from: 2022, through: 2024) == [2022, 2023, 2024])
    #expect(
      DatePart.day.values(from: "2024-02-28", through: "2024-03-01") == [
        "2024-02-28", "2024-02-29", "2024-03-01",
      ])
    #expect(
      DatePart.quarter.values(from: "2023-Q4", through: "2024-Q2") == [
        "2023-Q4", "2024-Q1", "2024-Q2",
      ])
    #expect(
      DatePart.week.values(from: "2020-W52", through: "2021-W01") == [
        "2020-W52", "2020-W53", "2021-W01",
      ])
  }

  @Test func oneValueLiesBetweenItself() {
    #expect(DatePart.week.values(from: "2024-W09", through: "2024-W09") == ["2024-W09"])
  }

  @Test func valuesThatAreNoStretchOfTimeHaveNothingBetweenThem() {
    #expect(DatePart.weekday.values(from: 1, through: 7) == [])
    #expect(DatePart.hour.values(from: 1, through: 7) == [])
    #expect(DatePart.month.values(from: "2024-02", through: "2023-11") == [])
    #expect(DatePart.month.values(from: .null, through: "2023-11") == [])
    #expect(DatePart.year.values(from: 1, through: 9999) == [])
  }

  @Test func partsAreStepsOfPaths() {
    #expect(DatePart.week.step == "@week")
    #expect(DatePart(step: "@week") == .week)
    #expect(DatePart(step: "week") == nil)
    #expect(DatePart(step: "@century") == nil)
  }

  /// Files keep these numbers.
  @Test func partsHaveNumbers() {
    #expect(
      DatePart.allCases.map(\.rawValue) == [
        "year", "month", "day", "quarter", "week", "weekday", "hour",
      ])
    #expect(DatePart.allCases.map(\.code) == [0, 1, 2, 3, 4, 5, 6])
    #expect(DatePart.allCases.filter(\.isNumber) == [.year, .weekday, .hour])
  }
}

@Suite struct DateNameTests {
  @Test(arguments: [
    "created_at", "createdAt", "birthday", "updatedOn", "startDate", "last_login_time", "ts",
    "expirationdate", "due",
  ])
  func namesOfDatesSuggestDates(name: String) {
    #expect(DateNames.suggestDates(name, declaredType: "INTEGER"))
  }

  @Test(arguments: [
    "id", "name", "time_zone", "duration", "update_count", "candidate", "created_by", "at", "on",
    "lifetime", "runtime", "price", "mandate",
  ])
  func otherNamesDoNot(name: String) {
    #expect(!DateNames.suggestDates(name, declaredType: "INTEGER"))
  }

  @Test func aDeclaredTypeSuggestsDates() {
    #expect(DateNames.suggestDates("x", declaredType: "datetime"))
    #expect(DateNames.isDeclared("TIMESTAMP WITH TIME ZONE"))
    #expect(!DateNames.isDeclared("INTEGER"))
  }

  @Test func aNameOfSomethingElseOutweighsTheType() {
    #expect(!DateNames.suggestDates("date_id", declaredType: "DATE"))
  }

  @Test func namesAreCutIntoWords() {
    #expect(DateNames.words(of: "createdAt") == ["created", "at"])
    #expect(DateNames.words(of: "last_login-time2") == ["last", "login", "time"])
    #expect(DateNames.words(of: "ZCREATIONDATE") == ["zcreationdate"])
    #expect(DateNames.words(of: "_42_") == [])
  }

  @Test func conventionsHaveNamesOfTheirOwn() {
    let all = DateConvention.numeric + [.own, .text(.day)]
    #expect(Set(all.map(\.name)).count == all.count)
    #expect(Set(all.map(\.title)).count == all.count)
    for convention in all { #expect(DateConvention(name: convention.name) == convention) }
    #expect(DateConvention(name: "moon-phases") == nil)
  }

  @Test func conventionsHaveNumbersOfTheirOwn() {
    let all = DateConvention.numeric + [.own, .text(.day)]
    #expect(Set(all.map(\.code)).count == all.count)
    for convention in all { #expect(DateConvention(code: convention.code) == convention) }
    #expect(DateConvention(code: 2 + DateConvention.numeric.count) == nil)
    #expect(DateConvention(code: -1) == nil)
  }

  @Test func stylesOfOneShapeAreOrderedAsText() throws {
    func style(_ text: String) throws -> DateTextStyle { try #require(DateTextStyle(text)) }
    #expect(try style("2024-01-01 10:00:00").isOrdered(with: style("2025-01-01 10:00:00.5")))
    #expect(try style("2024-01-01").isOrdered(with: style("2025-01-01T10:00:00Z")))
    #expect(try !style("2024-01-01 10:00:00").isOrdered(with: style("2024-01-01T10:00:00")))
    #expect(try !style("2024-01-01T10:00:00").isOrdered(with: style("2024-01-01T10:00:00Z")))
    #expect(try !style("2024-01-01 10:00").isOrdered(with: style("2024-01-01 10:00:00")))
  }
}
