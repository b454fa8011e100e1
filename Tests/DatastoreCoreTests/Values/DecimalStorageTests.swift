import Foundation
import Testing

@testable import DatastoreCore

/// How decimals are stored: as integers, as reals of at most 15 digits, which are exact, and as text.
@Suite struct DecimalStorageTests {
  private func stored(_ text: String) throws -> Value {
    Value(decimal: try #require(Decimal(string: text)))
  }

  @Test func wholeNumbersAreIntegers() throws {
    #expect(try stored("12") == 12)
    #expect(try stored("-0") == 0)
    #expect(try stored("9223372036854775807") == .integer(.max))
  }

  @Test func wholeNumbersBeyondIntegersAreText() throws {
    #expect(try stored("9223372036854775808") == "9223372036854775808")
  }

  @Test func fifteenDigitsAreAReal() throws {
    #expect(try stored("0.1") == 0.1)
    #expect(try stored("12345678.9012345") == 12_345_678.9012345)
  }

  @Test func sixteenDigitsAreText() throws {
    #expect(try stored("12345678.90123456") == "12345678.90123456")
  }

  @Test func zerosAtTheEndsAreNoDigits() throws {
    #expect(Value(decimalText: "0.000000000000000000001") == 1e-21)
    #expect(Value(decimalText: "1000000000000000000000.0") == 1e21)
  }

  @Test func notANumberIsNoValue() {
    #expect(Value(decimal: .nan) == .null)
  }

  @Test func whatIsStoredComesBack() throws {
    let texts = ["0", "-1.5", "0.1", "99999999999999.9", "123456789012345678901234567890", "1.005"]
    for text in texts {
      let decimal = try #require(Decimal(string: text))
      #expect(Decimal(stored: Value(decimal: decimal)) == decimal, "\(text)")
    }
  }

  /// `Decimal(0.1)` has the digits of the binary fraction.
  @Test func aRealIsReadByItsDigits() {
    #expect(Decimal(stored: 0.1)?.description == "0.1")
  }

  @Test func whatIsNoNumberIsNoDecimal() {
    #expect(Decimal(stored: .null) == nil)
    #expect(Decimal(stored: .blob(Data([1]))) == nil)
    #expect(Decimal(stored: .real(.infinity)) == nil)
    #expect(Decimal(stored: "twelve") == nil)
  }

  /// `Decimal(string:)` reads the beginning of a text.
  @Test func aTextIsANumberAsAWholeOrNotAtAll() {
    #expect(Decimal(stored: "1.5") == Decimal(string: "1.5"))
    #expect(Decimal(stored: "1.5x") == nil)
    #expect(Decimal(stored: "1,5") == nil)
    #expect(Decimal(stored: " 1") == nil)
    #expect(Decimal(stored: "") == nil)
    #expect(Decimal(stored: ".") == nil)
  }

  @Test func aTextMayHaveASignAnExponentAndNoDigitBesideItsPoint() {
    #expect(Decimal(stored: "+2") == 2)
    #expect(Decimal(stored: "2.") == 2)
    #expect(Decimal(stored: ".5") == Decimal(string: "0.5"))
    #expect(Decimal(stored: "1e3") == 1000)
  }

  @Test func otherValuesBecomeDecimals() {
    #expect(Value(decimalFrom: 3) == 3)
    #expect(Value(decimalFrom: 3.0) == 3)
    #expect(Value(decimalFrom: "3.50") == 3.5)
    #expect(Value(decimalFrom: "x") == nil)
    #expect(Value(decimalFrom: .null) == nil)
  }

  @Test func theTextOfADecimalIsComparedAsANumber() {
    #expect(Value.text("12345678901234567890").decimalNumber == .real(12_345_678_901_234_567_168))
    #expect(Value.text("x").decimalNumber == "x")
    #expect(Value.text("nan").decimalNumber == "nan")
    #expect(Value.integer(3).decimalNumber == 3)
  }
}
