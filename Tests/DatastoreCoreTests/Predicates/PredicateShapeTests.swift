import Testing

@testable import DatastoreCore

/// How conditions are made flat, and how deep they may be.
@Suite struct PredicateShapeTests {
  private let a = Predicate.comparison(.init(.keyPath(["age"]), .equal, .value(1)))
  private let b = Predicate.comparison(.init(.keyPath(["age"]), .equal, .value(2)))
  private let c = Predicate.constant(true)

  @Test func listsInsideOfListsOfTheSameKindAreOneList() {
    #expect(Predicate.and([a, .and([b, .and([c])])]).flattened == .and([a, b, c]))
    #expect(Predicate.or([.or([a, b]), c]).flattened == .or([a, b, c]))
  }

  @Test func listsOfTheOtherKindStay() {
    #expect(Predicate.and([a, .or([b, c])]).flattened == .and([a, .or([b, c])]))
  }

  @Test func twoNegationsAreNone() {
    #expect(Predicate.not(.not(a)).flattened == a)
    #expect(Predicate.not(.not(.not(a))).flattened == .not(a))
    #expect(Predicate.and([.not(.not(.and([a, b]))), c]).flattened == .and([a, b, c]))
  }

  @Test func oneNegationStays() {
    #expect(Predicate.not(.and([a, b])).flattened == .not(.and([a, b])))
  }

  @Test func twentyFiveLevelsArePossible() {
    func nested(_ levels: Int) -> Predicate {
      (0..<levels).reduce(a) { inner, level in level % 2 == 0 ? .and([inner, b]) : .or([inner, b]) }
    }
    #expect(throws: Never.self) { try nested(25).requireShallow() }
    #expect(throws: PredicateFault.self) { try nested(26).requireShallow() }
  }

  @Test func listsOfTheSameKindAreOneLevel() {
    let long = (0..<100).reduce(a) { inner, _ in .and([inner, b]) }
    #expect(throws: Never.self) { try long.requireShallow() }
  }

  @Test func treesOfTheSameKindHaveADepthTheyMayNotExceed() {
    let deep = (0..<200).reduce(a) { inner, _ in .and([inner, b]) }
    #expect(throws: PredicateFault.self) { try deep.requireShallow() }
  }

  @Test func wildcardsOfSQLAreTakenForAMistake() {
    let like = Predicate.comparison(.init(.keyPath(["name"]), .like, .value("A%_")))
    #expect(like.advice.count == 1)
    #expect(like.advice[0].contains("\"A*?\""))
  }

  @Test func escapedSignsAreMeant() {
    #expect(Predicate.comparison(.init(.keyPath(["name"]), .like, .value("50\\%"))).advice == [])
  }

  @Test func wildcardsOfOurGrammarAreNoMistake() {
    #expect(Predicate.comparison(.init(.keyPath(["name"]), .like, .value("A*"))).advice == [])
    #expect(Predicate.comparison(.init(.keyPath(["name"]), .like, .value("100%*"))).advice == [])
    #expect(Predicate.comparison(.init(.keyPath(["name"]), .contains, .value("%"))).advice == [])
  }

  @Test func adviceIsFoundInEveryPart() {
    let like = Predicate.comparison(.init(.keyPath(["name"]), .like, .value("%")))
    #expect(Predicate.and([a, .not(like), .or([like])]).advice.count == 2)
  }

  @Test func quotedFormsOfATextAreBoth() {
    #expect(TextFolding.forms(of: "abc") == ["abc"])
    #expect(
      TextFolding.forms(of: "é").map { Array($0.utf8) } == [[0xC3, 0xA9], [0x65, 0xCC, 0x81]])
  }

  @Test func sentencesNameTheClosestName() {
    #expect(Suggestion.closest(to: "nmae", in: ["age", "name"]) == "name")
    #expect(Suggestion.closest(to: "NAME", in: ["name"]) == "name")
    #expect(Suggestion.closest(to: "xyz", in: ["name", "age"]) == nil)
    #expect(Suggestion.closest(to: "", in: ["a"]) == nil)
  }

  @Test func theFirstOfEquallyCloseNamesIsNamed() {
    #expect(Suggestion.closest(to: "cat", in: ["bat", "hat"]) == "bat")
  }
}

@Suite struct WordSearchTests {
  @Test func wordsAreBetweenSpaces() {
    #expect(WordSearch("apple  pie").phrases.map(\.text) == ["apple", "pie"])
  }

  @Test func quotedWordsAreOnePhrase() {
    #expect(WordSearch("\"apple pie\" cream").phrases.map(\.text) == ["apple pie", "cream"])
  }

  @Test func aQuoteMayStayOpen() {
    #expect(WordSearch("\"apple pie").phrases.map(\.text) == ["apple pie"])
  }

  @Test func aStarMakesABeginning() {
    let phrases = WordSearch("app* pie").phrases
    #expect(phrases.map(\.isPrefix) == [true, false])
    #expect(phrases.map(\.text) == ["app", "pie"])
  }

  @Test func whatHasNoWordIsNoPhrase() {
    #expect(WordSearch("* - \"!\"").phrases == [])
    #expect(WordSearch("").phrases == [])
  }

  /// <https://www.sqlite.org/fts5.html#full_text_query_syntax>
  @Test func theIndexIsAskedInItsLanguage() {
    #expect(WordSearch("apple pie").fullTextExpression == "\"apple\" AND \"pie\"")
    #expect(WordSearch("\"apple pi\"*").fullTextExpression == "\"apple pi\" *")
    #expect(WordSearch("-").fullTextExpression == nil)
  }

  @Test func allWordsHaveToBeThere() {
    #expect(WordSearch("pie apple").matches("an apple pie"))
    #expect(!WordSearch("pie cherry").matches("an apple pie"))
  }

  @Test func aSearchForNothingFindsNothing() {
    #expect(!WordSearch("").matches("anything"))
    #expect(!WordSearch("!").matches("!"))
  }

  @Test func lettersAreFoldedAndMarksDropped() {
    #expect(WordTable.role(of: "A") == .letter("a"))
    #expect(WordTable.role(of: "É") == .letter("e"))
    #expect(WordTable.role(of: "\u{301}") == .mark)
    #expect(WordTable.role(of: "-") == .separator)
    #expect(WordTable.role(of: "7") == .letter("7"))
    #expect(WordTable.role(of: "ß") == .letter("ß"))
  }
}

@Suite struct RegularExpressionRuleTests {
  @Test func aPatternMatchesTheWholeText() throws {
    #expect(try RegularExpression.matches("abc", "a.c"))
    #expect(try !RegularExpression.matches("abcd", "a.c"))
    #expect(try !RegularExpression.matches("xabc", "a.c"))
  }

  @Test func anAlternativeIsTriedAgainstTheWholeText() throws {
    #expect(try RegularExpression.matches("ab", "a|ab"))
  }

  @Test func theEmptyPatternMatchesTheEmptyText() throws {
    #expect(RegularExpression.isValid(""))
    #expect(try RegularExpression.matches("", ""))
    #expect(try !RegularExpression.matches("a", ""))
  }

  @Test func brokenPatternsMatchNothing() throws {
    #expect(!RegularExpression.isValid("("))
    #expect(!RegularExpression.isValid("a)(b"))
    #expect(try !RegularExpression.matches("(", "("))
  }

  @Test func caseIsIgnoredWhereAsked() throws {
    #expect(try RegularExpression.matches("ÄB", "äb", ignoringCase: true))
    #expect(try !RegularExpression.matches("ÄB", "äb"))
  }
}
