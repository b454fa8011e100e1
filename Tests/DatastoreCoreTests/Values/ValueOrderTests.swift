import Foundation
import Testing

@testable import DatastoreCore

/// The order of values is that of SQLite's storage classes
/// (<https://www.sqlite.org/datatype3.html#comparison_expressions>).
@Suite struct ValueOrderTests {
  private func order(_ left: Value, _ right: Value) -> Value.Ordering {
    Value.compare(left, right)
  }

  @Test func nullIsSameAsNull() {
    #expect(order(.null, .null) == .same)
  }

  @Test func nullIsLessThanEveryNumber() {
    #expect(order(.null, .integer(.min)) == .ascending)
    #expect(order(.null, .real(-.infinity)) == .ascending)
  }

  @Test func numbersAreLessThanText() {
    #expect(order(.integer(.max), "") == .ascending)
    #expect(order(.real(.infinity), "") == .ascending)
  }

  @Test func textIsLessThanBlobs() {
    #expect(order("\u{10FFFF}", .blob(Data())) == .ascending)
  }

  @Test func theOrderIsTurnedAroundWithItsSides() {
    let values: [Value] = [.null, .integer(.min), -1, -0.5, 0, 0.5, 1, "", "a", .blob(Data([0]))]
    for (place, left) in values.enumerated() {
      for right in values[(place + 1)...] {
        #expect(order(left, right) == .ascending, "\(left) \(right)")
        #expect(order(right, left) == .descending, "\(right) \(left)")
      }
    }
  }

  @Test func integersAndRealsOfTheSameNumberAreTheSame() {
    #expect(order(1, 1.0) == .same)
    #expect(order(0, -0.0) == .same)
  }

  @Test func aFractionLiesBetweenIntegers() {
    #expect(order(1, 1.5) == .ascending)
    #expect(order(2, 1.5) == .descending)
    #expect(order(-1, -1.5) == .descending)
    #expect(order(-2, -1.5) == .ascending)
  }

  /// 2⁵³ + 1 has no double; converting it to one would make it equal to 2⁵³.
  @Test func integersThatNoDoubleHoldsAreComparedExactly() {
    #expect(order(9_007_199_254_740_993, 9_007_199_254_740_992.0) == .descending)
    #expect(order(-9_007_199_254_740_993, -9_007_199_254_740_992.0) == .ascending)
  }

  @Test func theGreatestIntegerIsLessThanTwoToThePowerOf63() {
    #expect(order(.integer(.max), .real(0x1p63)) == .ascending)
    #expect(order(.integer(.min), .real(-0x1p63)) == .same)
  }

  @Test func infinityIsBeyondEveryInteger() {
    #expect(order(.integer(.max), .real(.infinity)) == .ascending)
    #expect(order(.integer(.min), .real(-.infinity)) == .descending)
  }

  @Test func textIsComparedByteByByte() {
    #expect(order("Z", "a") == .ascending)
    #expect(order("a", "ab") == .ascending)
    #expect(order("zz", "é") == .ascending)
  }

  /// Swift's `==` says that they are equal.
  @Test func composedAndDecomposedLettersDiffer() {
    #expect("\u{E9}" == "e\u{301}")
    #expect(order("e\u{301}", "\u{E9}") == .ascending)
  }

  @Test func aTextEndsBehindItsNULCharacters() {
    #expect(order("a", "a\0") == .ascending)
    #expect(order("a\0b", "a\0c") == .ascending)
  }

  @Test func blobsAreComparedAsUnsignedBytes() {
    #expect(order(.blob(Data([0x7F])), .blob(Data([0x80]))) == .ascending)
    #expect(order(.blob(Data([1, 2])), .blob(Data([1]))) == .descending)
    #expect(order(.blob(Data([1])), .blob(Data([1]))) == .same)
  }

  @Test func orderingsAreReversed() {
    #expect(Value.Ordering.ascending.reversed == .descending)
    #expect(Value.Ordering.descending.reversed == .ascending)
    #expect(Value.Ordering.same.reversed == .same)
  }

  @Test func equalityKeepsTheClassesApart() {
    #expect(Value.integer(1) != .real(1))
    #expect(Value.text("1") != .integer(1))
    #expect(Value.text("") != .blob(Data()))
    #expect(Value.null == .null)
  }

  /// A stored NaN would never be equal to itself, so that every object that has one would be changed for
  /// ever.
  @Test func realsAreEqualByTheirBits() {
    #expect(Value.real(.nan) == .real(.nan))
    #expect(Value.real(0) != .real(-0.0))
  }

  @Test func textIsEqualByItsBytes() {
    #expect(Value.text("\u{E9}") != .text("e\u{301}"))
    #expect(Set([Value.text("\u{E9}"), .text("e\u{301}"), .text("é")]).count == 2)
  }

  @Test func valuesAreShownToPeople() {
    #expect(Value.null.description == "NULL")
    #expect(Value.integer(-3).description == "-3")
    #expect(Value.real(2).description == "2.0")
    #expect(Value.text("a").description == "“a”")
    #expect(Value.blob(Data([1, 2, 3])).description == "3 bytes")
  }

  @Test func onlyNumbersHaveANumber() {
    #expect(Value.integer(3).number == 3)
    #expect(Value.real(2.5).number == 2.5)
    #expect(Value.text("3").number == nil)
    #expect(Value.null.number == nil)
    #expect(Value.blob(Data([3])).number == nil)
  }

  @Test func onlyIntegersAreKeys() {
    #expect(Value.key(7) == .integer(7))
    #expect(Value.integer(7).key == 7)
    #expect(Value.real(7).key == nil)
    #expect(Value.text("7").key == nil)
  }

  @Test func theLeastIntegerHasNoLiteral() {
    #expect(!Value.integer(.min).hasExactLiteral)
    #expect(Value.integer(.min + 1).hasExactLiteral)
  }

  @Test func realsHaveALiteralWhereTheirDigitsComeBack() {
    #expect(Value.real(0.5).hasExactLiteral)
    #expect(Value.real(0).hasExactLiteral)
    #expect(!Value.real(.infinity).hasExactLiteral)
    #expect(!Value.real(.nan).hasExactLiteral)
    #expect(!Value.real(1e15).hasExactLiteral)
    #expect(!Value.real(1e-6).hasExactLiteral)
    #expect(!Value.real(0.1 + 0.2).hasExactLiteral)
  }

  @Test func textWithANULCharacterHasNoLiteral() {
    #expect(Value.text("it's").hasExactLiteral)
    #expect(!Value.text("a\0").hasExactLiteral)
  }

  @Test func noValueHasNoLiteral() {
    #expect(!Value.null.hasExactLiteral)
    #expect(Value.blob(Data()).hasExactLiteral)
  }
}
