import Testing

import struct Foundation.Data

@testable import DatastoreCore

/// The answers of each function for each kind of value.
@Suite struct FunctionValueTests {
  private func value(_ function: Predicate.Function, _ arguments: Value...) -> Value {
    function.value(of: arguments)
  }

  @Test func lettersChangeTheirCase() {
    #expect(value(.lowercase, "ÄbC") == "äbc")
    #expect(value(.uppercase, "äbß") == "ÄBSS")
  }

  @Test func textFunctionsOfOtherValuesHaveNoValue() {
    for function in [Predicate.Function.lowercase, .uppercase, .trim, .length] {
      for other in [Value.null, 1, 1.5, .blob(Data([1]))] {
        #expect(value(function, other) == .null, "\(function) \(other)")
      }
    }
  }

  @Test func trimmingTakesWhitespaceOffBothEnds() {
    #expect(value(.trim, " \t a b\n\u{A0}") == "a b")
    #expect(value(.trim, "   ") == "")
    #expect(value(.trim, "") == "")
  }

  @Test func lengthsCountScalars() {
    #expect(value(.length, "") == 0)
    #expect(value(.length, "äb") == 2)
    #expect(value(.length, "e\u{301}") == 2)
    #expect(value(.length, "😀") == 1)
  }

  @Test func theBeginningAndTheEndOfATextAreCut() {
    #expect(value(.left, "Straße", 4) == "Stra")
    #expect(value(.right, "Straße", 2) == "ße")
  }

  @Test func cutsAreNoLongerThanTheText() {
    #expect(value(.left, "ab", 5) == "ab")
    #expect(value(.right, "ab", 5) == "ab")
    #expect(value(.left, "ab", .integer(.max)) == "ab")
  }

  @Test func cutsOfNothingAreEmpty() {
    #expect(value(.left, "ab", 0) == "")
    #expect(value(.right, "ab", -3) == "")
  }

  @Test func cutsCountWholeCharacters() {
    #expect(value(.left, "abc", 1.9) == "a")
    #expect(value(.left, "abc", .null) == .null)
    #expect(value(.left, "abc", "1") == .null)
  }

  @Test func textIsReplacedEverywhere() {
    #expect(value(.replace, "a-b-c", "-", "+") == "a+b+c")
    #expect(value(.replace, "aaa", "aa", "b") == "ba")
    #expect(value(.replace, "abc", "x", "y") == "abc")
    #expect(value(.replace, "abc", "b", "") == "ac")
  }

  @Test func replacingNothingChangesNothing() {
    #expect(value(.replace, "abc", "", "x") == "abc")
  }

  @Test func replacingNeedsTexts() {
    #expect(value(.replace, "abc", 1, "x") == .null)
    #expect(value(.replace, "abc", "b", .null) == .null)
  }

  @Test func valuesAreJoinedAsTheyAreWritten() {
    #expect(value(.concat, "a", 1, 1.5) == "a11.5")
    #expect(value(.concat, 2.0) == "2.0")
  }

  @Test func whatHasNoTextJoinsNothing() {
    #expect(value(.concat, .null, "a", .blob(Data([1]))) == "a")
    #expect(value(.concat, .null) == "")
  }

  @Test func theDistanceFromZeroKeepsItsKind() {
    #expect(value(.abs, -3) == 3)
    #expect(value(.abs, -3.5) == 3.5)
    #expect(value(.abs, 0) == 0)
  }

  @Test func theLeastIntegerHasNoPositiveOne() {
    #expect(value(.abs, .integer(.min)) == .real(0x1p63))
  }

  @Test func numberFunctionsOfOtherValuesHaveNoValue() {
    for function in [Predicate.Function.abs, .round, .floor, .ceiling] {
      for other in [Value.null, "1", .blob(Data([1]))] {
        #expect(value(function, other) == .null, "\(function) \(other)")
      }
    }
  }

  @Test func halvesAreRoundedAwayFromZero() {
    #expect(value(.round, 2.5) == 3)
    #expect(value(.round, -2.5) == -3)
    #expect(value(.round, 2.4) == 2)
  }

  @Test func decimalsAreRounded() {
    #expect(value(.round, 2.345, 1) == 2.3)
    #expect(value(.round, 1250.0, -2) == 1250.0)
    #expect(value(.round, 0.125, 2) == 0.13)
  }

  @Test func moreDecimalsThanAReadHasChangeNothing() {
    #expect(value(.round, 0.1, 16) == 0.1)
    #expect(value(.round, 0.1, .null) == .null)
  }

  @Test func integersAreRoundAlready() {
    #expect(value(.round, 7) == 7)
    #expect(value(.round, 7, 2) == 7)
    #expect(value(.floor, 7) == 7)
    #expect(value(.ceiling, .integer(.max)) == .integer(.max))
  }

  @Test func numbersAreRoundedDownAndUp() {
    #expect(value(.floor, -1.5) == -2)
    #expect(value(.ceiling, -1.5) == -1)
    #expect(value(.floor, 1.5) == 1)
    #expect(value(.ceiling, 1.5) == 2)
  }

  @Test func wholeNumbersBeyondIntegersStayReal() {
    #expect(value(.floor, 1e300) == 1e300)
    #expect(value(.round, .real(.infinity)) == .real(.infinity))
    #expect(value(.round, .real(.nan)) == .null)
  }

  @Test func theFirstValueIsTaken() {
    #expect(value(.coalesce, .null, 2, 3) == 2)
    #expect(value(.coalesce, "", 2) == "")
    #expect(value(.coalesce, .null, .null) == .null)
  }

  @Test func daysAreCountedBetweenDates() {
    #expect(value(.days, "2024-02-28", "2024-03-01") == 2)
    #expect(value(.days, "2024-03-01", "2024-02-28") == -2)
    #expect(value(.days, "2024-03-01", "2024-03-01") == 0)
  }

  @Test func daysAreCountedByCalendarDaysNotHours() {
    #expect(value(.days, "2024-03-01 23:59:59", "2024-03-02 00:00:00") == 1)
  }

  @Test func daysAreCountedBetweenNumbersAndTexts() {
    // 2001-01-02 00:00:00.
    #expect(value(.days, 86_400.0, "2001-01-05") == 3)
    #expect(
      Predicate.Function.days.value(
        of: [.integer(1_709_211_909), "2024-03-01"], dates: [.unixSeconds, nil]) == 1)
  }

  @Test func daysOfWhatIsNoDateHaveNoValue() {
    #expect(value(.days, "soon", "2024-03-01") == .null)
    #expect(value(.days, .null, "2024-03-01") == .null)
  }

  /// SQL calls them by these numbers, and views in files keep them.
  @Test func functionsHaveNumbers() {
    #expect(
      Predicate.Function.allCases.map(\.rawValue) == [
        "lowercase", "uppercase", "trim", "length", "left", "right", "replace", "concat", "abs",
        "round", "floor", "ceiling", "days", "coalesce", "json",
      ])
    #expect(Predicate.Function.allCases.map(\.code) == Array(0..<15))
  }

  @Test func functionsTakeTheirNumberOfArguments() {
    #expect(Predicate.Function.abs.argumentCounts == 1...1)
    #expect(Predicate.Function.round.argumentCounts == 1...2)
    #expect(Predicate.Function.left.argumentCounts == 2...2)
    #expect(Predicate.Function.replace.argumentCounts == 3...3)
    #expect(Predicate.Function.concat.argumentCounts == 1...20)
  }
}
