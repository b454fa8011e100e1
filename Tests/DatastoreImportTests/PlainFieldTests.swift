import DatastoreCore
import DatastoreTestSupport
import Testing

@testable import DatastoreImport

/// A type recognised from the bytes of a field is the one recognised from its text.
@Suite("Fields that tell at sight what they are")
struct PlainFieldTests {
  private static let words = [
    "0", "7", "-12", "-0", "007", "+3", "1.5", "-0.0", "0.5", "00.5", "1.", ".5", "1e3", "12.50",
    "123456789012345", "1234567890123456", "1234567.89012345", "12345678.90123456",
    "999999999999999999", "9223372036854775807", "9223372036854775808", "9007199254740993",
    "0.000000000000001", "0.1234567890123456789", "46919.64", "true", "false", "TRUE", "tru",
    "2024-05-01", "2024-02-30", "1872-11-30", "2024-05-01T09:30:00Z", "2024-05-01T09:30:00.25Z",
    "2024-05-01 09:30", "2024-05-01T09:30:00+02:00", "2024/05/01", "31.12.2024", "01/02/2024",
    "13/02/2024", "NA", "-", "\\N", "a", "Zoë", "", " 1", "1 ", "1,5", "--1", "1.5.2", "١٢",
    "DD0C2F09-F6C9-5BD9-9124-EB1E7C5791D8", "https://example.org/a",
  ]

  /// A word, or a number of random digits.
  private static func text(_ random: inout SeededRandom) -> String {
    guard random.below(3) == 0 else { return words[random.below(words.count)] }
    var digits = (0...random.below(20)).map { _ in String(random.below(10)) }
    if random.below(2) == 0 { digits.insert(".", at: random.below(digits.count)) }
    if random.below(3) == 0 { digits.insert("-", at: 0) }
    return digits.joined()
  }

  private static func reading(_ random: inout SeededRandom) -> ValueReading {
    let marks = random.below(3) == 0 ? MissingMarks(["7", "2024-05-01", "true"]) : .usual
    return ValueReading(
      decimalMark: random.below(4) == 0 ? .comma : .point,
      dates: [nil, .dayFirst, .monthFirst][random.below(3)], marks: marks)
  }

  @Test("Columns have the types that their texts have, one after the other")
  func types() {
    for round in RandomCases.rounds(of: 1) {
      var random = SeededRandom(seed: RandomCases.seed(round))
      let reading = Self.reading(&random)
      var bySight = ColumnTypeInference(reading)
      var byText = ColumnTypeInference(reading)
      let pool = (0...random.below(4)).map { _ in Self.text(&random) }
      // Enough, now and then, for the column to be text whatever comes.
      let count = random.below(50) == 0 ? 1_500 : random.below(12)
      var texts: [String] = []
      for _ in 0..<count {
        var text = pool[random.below(pool.count)]
        texts.append(text)
        byText.observe(.text(text))
        let plain = text.withUTF8 { bySight.observe(plain: $0) }
        if plain == nil { bySight.observe(.text(text)) }
      }
      #expect(bySight.type == byText.type, "round \(round): \(texts.suffix(12))")
      for kind in ColumnTypeInference.Kind.allCases {
        #expect(bySight[kind] == byText[kind], "round \(round): \(kind) in \(texts.suffix(12))")
      }
    }
  }

  @Test("The values are those of the texts")
  func values() throws {
    var seen = 0
    for round in RandomCases.rounds(of: 1) {
      var random = SeededRandom(seed: RandomCases.seed(round))
      var text = Self.text(&random)
      for kind in ColumnTypeInference.Kind.allCases {
        guard let field = text.withUTF8({ PlainField($0, like: kind) }) else { continue }
        seen += 1
        let value = ImportValue.text(text)
        switch field {
        case .integer(let integer):
          #expect(try value.converted(to: .integer64) == .integer(integer), "\(text)")
          #expect(try value.converted(to: .double) == .real(Double(integer)), "\(text)")
        case .real(let real):
          #expect(try value.converted(to: .double) == .real(real), "\(text)")
        case .boolean(let boolean):
          #expect(try value.converted(to: .boolean) == .integer(boolean ? 1 : 0), "\(text)")
        case .date(let seconds, let isDay):
          #expect(try value.converted(to: .date) == .real(seconds), "\(text)")
          #expect((try? value.converted(to: .calendarDate)) == (isDay ? .text(text) : nil))
        case .text: Issue.record("nothing is text at sight: \(text)")
        }
      }
    }
    #expect(seen > 0)
  }
}
