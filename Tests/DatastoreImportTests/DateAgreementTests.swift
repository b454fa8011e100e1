import DatastoreCore
import DatastoreTestSupport
import Foundation
import Testing

@testable import DatastoreImport

/// The same texts are dates in conditions and in files, and the same ones.
@Suite("Dates of conditions and of files")
struct DateAgreementTests {
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

  /// What Foundation makes of the parts, from the year on in which its calendar is the Gregorian one.
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

  @Test("What one takes for a date, the other takes for the same")
  func agreement() throws {
    var dates = 0
    for seed in RandomCases.rounds(of: 1).map({ RandomCases.seed($0) }) {
      var random = SeededRandom(seed: seed)
      let text = Self.text(&random)
      let condition = PredicateDate.parse(text)
      let file = ISODate.parse(text)?.timeIntervalSinceReferenceDate
      #expect(condition?.bitPattern == file?.bitPattern, "seed \(seed): \(text)")
      guard let condition else { continue }
      dates += 1
      let isPlain =
        text.utf8.allSatisfy { $0 != UInt8(ascii: "+") && $0 != UInt8(ascii: ".") }
        && !text.contains(",") && !text.dropFirst(10).contains("-")
        && !text.lowercased().contains("z")
      if isPlain, text > "1583" {
        #expect(
          Self.expected(text.uppercased())?.timeIntervalSinceReferenceDate == condition,
          "seed \(seed): \(text)")
      }
    }
    #expect(dates > RandomCases.count / 50)
  }

  @Test("A fraction may stand behind a comma, and there is no year 0")
  func cases() {
    for parse in [PredicateDate.parse, { ISODate.parse($0)?.timeIntervalSinceReferenceDate }] {
      #expect(parse("2001-01-01T00:00:01,5") == 1.5)
      #expect(parse("0000-12-31") == nil && parse("0001-01-01") == -63_113_904_000)
    }
  }
}
