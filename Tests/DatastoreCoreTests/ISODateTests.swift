import DatastoreTestSupport
import Foundation
import Testing

@testable import DatastoreCore

@Suite("Dates in ISO 8601")
struct ISODateTests {
  @Test(
    "Dates and times, to UTC",
    arguments: [
      ("2001-01-01", 0), ("2001-01-01T00:00:01Z", 1), ("2001-01-01 01:00", 3600),
      ("2001-01-01T02:00:00+02:00", 0), ("2000-12-31T19:00:00-0500", 0),
      ("2001-01-01T00:00+01", -3600), ("2001-01-01t00:00:00.25z", 0.25),
      ("1970-01-01", -978_307_200),
      ("2000-02-29", -26_524_800), ("0001-01-01", -63_113_904_000),
    ] as [(String, Double)])
  func valid(text: String, seconds: Double) {
    #expect(ISODate.parse(text) == seconds)
  }

  @Test(
    "What is not a date",
    arguments: [
      "", "2001", "2001-13-01", "2001-02-29", "1900-02-29", "2001-00-10", "2001-01-00",
      "0000-01-01", "2001-1-1", "2001-01-01T", "2001-01-01T24:00", "2001-01-01T10:60",
      "2001-01-01T10:00:60", "2001-01-01T10:00:00.", "2001-01-01T10:00+", "2001-01-01T10:00Zx",
      "2001-01-01x", "20010101", "２００１-01-01",
    ])
  func invalid(text: String) {
    #expect(ISODate.parse(text) == nil)
  }
}

/// Which texts are dates, and which dates: compared with Foundation.
@Suite("Dates of random texts")
struct RandomDateTests {
  private static let years = [
    "0000", "0001", "1582", "1600", "1900", "1969", "2000", "2001", "2024", "9999",
  ]
  private static let fractions = [
    "", ".5", ",5", ".", ",", ",25", ".123456789012", ":5", ";5", ".,5",
  ]
  private static let zones = ["", "Z", "z", "+02:00", "-0930", "+02", "+24:00", "+2", "Z ", " +01"]
  private static let separators = ["T", "t", " ", "", "_", "T "]

  private static func text(_ random: inout SeededRandom) -> String {
    func two(_ limit: Int) -> String {
      let number = random.below(limit)
      return random.below(20) == 0 ? String(number) : number < 10 ? "0\(number)" : String(number)
    }
    func one(_ words: [String]) -> String { words[random.below(words.count)] }
    var text = "\(one(years))-\(two(14))-\(two(33))"
    if random.below(5) > 0 {
      text += one(separators) + two(25) + ":" + two(61)
      if random.below(4) > 0 { text += ":" + two(61) + one(fractions) }
      text += one(zones)
    }
    return text
  }

  /// Foundation's date of the parts, from the year on in which its calendar is the Gregorian one.
  private static func expected(_ text: String) -> Date? {
    var parts = DateComponents()
    parts.calendar = Calendar(identifier: .gregorian)
    parts.timeZone = TimeZone(secondsFromGMT: 0)
    let numbers = text.split { "-:T ".contains($0) }.compactMap { Int($0) }
    (parts.year, parts.month, parts.day) = (numbers[0], numbers[1], numbers[2])
    if numbers.count > 3 { (parts.hour, parts.minute) = (numbers[3], numbers[4]) }
    if numbers.count > 5 { parts.second = numbers[5] }
    return parts.date
  }

  @Test("Conditions, files and cells take the same texts for the same dates, and Foundation does")
  func agreement() throws {
    var dates = 0
    for seed in RandomCases.rounds(of: 1).map({ RandomCases.seed($0) }) {
      var random = SeededRandom(seed: seed)
      let text = Self.text(&random)
      let moment = Moment(text)
      guard let seconds = ISODate.parse(text) else {
        #expect(moment == nil, "seed \(seed): \(text)")
        continue
      }
      // A zone may lead out of the years that a calendar shows.
      if let moment {
        let whole = Double(moment.seconds - 978_307_200)
        #expect(whole == seconds.rounded(.down), "seed \(seed): \(text)")
        #expect(
          abs(Double(moment.nanoseconds) / 1e9 - (seconds - whole)) <= seconds.ulp,
          "seed \(seed): \(text)")
      } else {
        #expect(seconds < -63_113_904_000 || seconds >= 252_423_993_600, "seed \(seed): \(text)")
      }
      dates += 1
      let isPlain =
        text.utf8.allSatisfy { $0 != UInt8(ascii: "+") && $0 != UInt8(ascii: ".") }
        && !text.contains(",") && !text.dropFirst(10).contains("-")
        && !text.lowercased().contains("z")
      if isPlain, text > "1583" {
        #expect(
          Self.expected(text.uppercased())?.timeIntervalSinceReferenceDate == seconds,
          "seed \(seed): \(text)")
      }
    }
    #expect(dates > RandomCases.count / 50)
  }

  @Test("A fraction may stand behind a comma, and there is no year 0")
  func cases() {
    #expect(ISODate.parse("2001-01-01T00:00:01,5") == 1.5)
    #expect(ISODate.parse("0000-12-31") == nil && ISODate.parse("0001-01-01") == -63_113_904_000)
  }
}
