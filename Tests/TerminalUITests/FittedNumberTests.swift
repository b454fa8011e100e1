import DatastoreTestSupport
import Foundation
import Testing

@testable import TerminalUI

/// Numbers that have less room than they take.
struct FittedNumberTests {
  private func shown(_ text: String, _ width: Int, _ truncation: Truncation = .number) -> String {
    var buffer = ScreenBuffer(size: Size(columns: width, rows: 1))
    buffer.draw(text, at: .origin, width: width, truncation: truncation)
    return buffer.picture[0]
  }

  @Test(arguments: [
    ("46800000", 8, "46800000"), ("46800000", 7, "4.68e7"), ("46800000", 6, "4.68e7"),
    ("46800000", 5, "~5e7"), ("46800000", 3, "###"), ("-46800000", 7, "-4.68e7"),
    // Blanks between the digits go first.
    ("46 812 345", 8, "46812345"), ("46 812 345", 7, "~4.68e7"), ("46 812 345", 4, "~5e7"),
    ("3.14159265", 6, "~3.142"), ("3.14159265", 3, "~3"), ("3.14159265", 1, "#"),
    ("0.00001234", 8, "1.234e-5"), ("0.00001234", 6, "~1e-5"), ("3000.00", 6, "3000"),
    ("1.2345678901234567e+16", 9, "~1.235e16"), ("9999999.9", 5, "~1e7"), ("999.96", 5, "~1000"),
    ("~1 234 567", 8, "~1234567"), ("0.0000", 2, "0"), ("-0.000049", 6, "~-5e-5"),
    ("-0.000049", 5, "#####"),
    ("9223372036854775807", 10, "~9.2234e18"),
    // Anything but a number is a text.
    ("12 apples", 5, "12 a…"), ("Infinity", 4, "Inf…"), ("1.2.3.4", 5, "1.2.…"), ("", 3, ""),
  ])
  func itsForms(_ text: String, width: Int, expected: String) {
    #expect(shown(text, width) == expected)
  }

  @Test func aTextInTheRoleOfANumberIsCutLikeOne() {
    var buffer = ScreenBuffer(size: Size(columns: 4, rows: 3))
    buffer.draw("12345678", at: .origin, width: 4, role: .number)
    buffer.draw("12345678", at: Position(column: 0, row: 1), width: 4)
    buffer.draw(
      "12345678", at: Position(column: 0, row: 2), width: 4, role: .number, truncation: .clip)
    #expect(buffer.picture == ["~1e7", "123…", "1234"])
  }

  // Promise: a number that does not fit its column → it is shown in a shorter form that says so, or not at
  // all; never as another number.
  // Also: (random numbers, all widths from 1 to 24), `NumberRoomTests`
  /// Whatever is shown is the number, or one near it with a mark before it, or no number at all.
  @Test func nothingShownIsAnotherNumber() throws {
    for round in 0..<RandomCases.count {
      var random = SeededRandom(seed: RandomCases.seed(round))
      let text: String
      switch random.below(4) {
      case 0: text = String(Int64(bitPattern: random.next()) >> Int64(random.below(64)))
      case 1: text = String(Double(bitPattern: random.next()))
      case 2: text = String(Double(Int64(bitPattern: random.next()) >> 30) / 1024)
      default:
        let digits = (0...random.below(30)).map { _ in String(random.below(10)) }
        text = (digits + ["."] + (0...random.below(12)).map { _ in String(random.below(10)) })
          .joined()
      }
      guard let value = Double(text), value.isFinite else { continue }
      for width in 1...24 {
        let form = shown(text, width).trimmingCharacters(in: .whitespaces)
        #expect(form.count <= width)
        if form.allSatisfy({ $0 == "#" }) {
          #expect(form.count == width && text.count > width)
        } else if form.hasPrefix("~") {
          let near = try #require(Double(form.dropFirst()), "\(text) \(form), seed \(random.seed)")
          let digits = form.prefix { $0 != "e" }.filter(\.isNumber)
          // Half of the last shown digit, and the error of comparing doubles.
          let significant = digits.drop { $0 == "0" }.count
          #expect(significant > 0, "\(text) \(form), seed \(random.seed)")
          let error = abs(near - value) / abs(value)
          #expect(
            error <= max(0.5001 / pow(10, Double(significant - 1)), 4e-16),
            "\(text) \(form), seed \(random.seed)")
        } else {
          #expect(Double(form) == value, "\(text) is shown as \(form), seed \(random.seed)")
        }
      }
    }
  }
}
