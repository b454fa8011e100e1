import DatastoreCore
import DatastoreTestSupport
import Foundation
import Testing

@testable import DatastoreImport

/// Conversion accepts everything that inference accepts: a file with inferred types loads without a fault.
@Suite("Types that were found take the values they were found from")
struct ConversionAgreementTests {
  private static let words = [
    "", "NA", "N/A", "NULL", "\\N", "-", "NaN", "0", "7", "-12", "007", "+3", "1.5", "-2e-7", "1e3",
    "1e999", "1e300", "9007199254740993", "9223372036854775808", "3.14159265358979323846", "inf",
    "-inf", "123456789012345678901234567890123456789.5", "true", "FALSE",
    "True", "yes", "2024-05-01", "2024-02-30", "1872-11-30", "2024-05-01T09:30:00Z",
    "2024-05-01 09:30", "31.12.2024", "1.5.2024", "31.12.2024 13:05", "2001/01/01", "2001/1/1",
    "01/02/2024", "13/02/2024", "02/13/2024", "1-2-2024", "30-12-1999", "99/99/2024", "1/2/24",
    "DD0C2F09-F6C9-5BD9-9124-EB1E7C5791D8", "https://example.org/a?b=c", "http://a.example/ü",
    "http://x/[a]", "http://x/%zz", "file:///tmp/x", "https://x y", "a", "Zoë", " 1", "1 ", "1,5",
    "1.234,5", "12:30", "#1", "x'00'",
  ]

  private static func value(_ random: inout SeededRandom, isTyped: Bool) -> ImportValue {
    if isTyped {
      switch random.below(8) {
      case 0: return .null
      case 1: return .boolean(random.below(2) == 0)
      case 2: return .integer(Int64(truncatingIfNeeded: random.next()) >> Int64(random.below(60)))
      case 3: return .real(Double(random.below(1_000_000)) / 64)
      case 4: return .list([.integer(1)])
      default: break
      }
    }
    return .text(words[random.below(words.count)])
  }

  @Test("Every value of a column is converted to the type that was found")
  func agreement() {
    for seed in RandomCases.rounds(of: 1).map({ RandomCases.seed($0) }) {
      var random = SeededRandom(seed: seed)
      let isTyped = random.below(4) == 0
      let marks = random.below(4) == 0 ? MissingMarks(["-"]) : .usual
      let orders: [DateOrder?] = [nil, nil, .dayFirst, .monthFirst]
      let mark = random.below(4) == 0 ? DecimalMark.comma : .point
      var reading = ValueReading(
        decimalMark: mark, dates: orders[random.below(4)], marks: marks,
        keepsText: random.below(4) == 0,
        takesEveryNumber: mark == .point && random.below(3) == 0)
      // Few different values, so that many columns are of one kind.
      let pool = (0...random.below(3)).map { _ in Self.value(&random, isTyped: isTyped) }
      let values = (0...random.below(8)).map { _ in pool[random.below(pool.count)] }
      var inference = ColumnTypeInference(reading)
      for value in values { inference.observe(value) }
      guard let type = inference.type else { continue }
      reading.dates = reading.dates ?? inference.dateOrder
      for value in values {
        do {
          let stored = try value.converted(to: type.attributeType, reading)
          // Only marks of a missing value are lost.
          if stored.isNull, value != .null, case .text(let text) = value {
            #expect(marks.contains(text), "seed \(seed): \(text) in \(values)")
          }
        } catch {
          Issue.record("seed \(seed): \(type): \(error.reason) in \(values)")
          return
        }
      }
    }
  }

  @Test("A column of URLs that are not all well-formed is text, and loads")
  func urls() async throws {
    let fixture = try LoadFixture()
    let file = try fixture.directory.write(
      "id,link\n1,https://example.org\n2,https://example.org/ü\n3,http://x/[a]\n", to: "links.csv")
    #expect(try await fixture.load([file]).report.inserted == 3)
    let rows = try await fixture.contents()["links"]
    #expect(
      rows.map { $0["link"] } == ["https://example.org", "https://example.org/ü", "http://x/[a]"])
  }

  @Test("Marks mean no value among numbers, are told, and stay text among texts")
  func marks() async throws {
    let fixture = try LoadFixture()
    let file = try fixture.directory.write(
      "country,price,born\nNA,NA,2000-01-01\nDE,1.5,N/A\nFR,NULL,\n", to: "t.csv")
    let report = try await fixture.load([file]).report
    let rows = try await fixture.contents()["t"]
    #expect(rows.map { $0["country"] } == ["NA", "DE", "FR"])
    #expect(rows.map { $0["price"] } == [.null, 1.5, .null])
    #expect(rows.map { $0["born"] } == ["2000-01-01", .null, .null])
    let notes = report.notes.joined(separator: "\n")
    #expect(notes.contains("in “price” NA (1) means no value."), "\(notes)")
    #expect(notes.contains("N/A, NULL mean no value, in columns of text, too"), "\(notes)")
  }

  @Test("\\N among numbers means no value among texts, too")
  func certainMarks() async throws {
    let fixture = try LoadFixture()
    let file = try fixture.directory.write(
      "id,name,size\n1,\\N,5\n2,Bo,\\N\n3,\"\\N\",6\n", to: "t.csv")
    try await fixture.load([file])
    #expect(try await fixture.contents()["t"].map { $0["name"] } == [.null, "Bo", "\\N"])
  }
}
