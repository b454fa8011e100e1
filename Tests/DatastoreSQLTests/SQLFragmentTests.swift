import DatastoreCore
import DatastoreSQL
import DatastoreSQLite
import DatastoreTestSupport
import Foundation
import Testing

#if PostgreSQL
import DatastorePostgreSQL
#endif

@Suite("Pieces of SQL")
struct SQLFragmentTests {
  private func sqlite(_ fragment: SQLFragment) -> (text: String, bindings: [Value]) {
    fragment.rendered(in: SQLiteDialect())
  }

  @Test func aLiteralIsText() {
    #expect(sqlite("SELECT 1").text == "SELECT 1")
    #expect(sqlite("SELECT 1").bindings == [])
  }

  @Test func valuesAreBoundInTheirOrder() {
    let (text, bindings) = sqlite("x = \(.integer(1)) AND y = \(.text("a'b"))")
    #expect(text == "x = ? AND y = ?")
    #expect(bindings == [1, "a'b"])
  }

  @Test func namesAreQuotedWithBackticksInQuestions() {
    #expect(sqlite("SELECT \(name: "a`b")").text == "SELECT `a``b`")
  }

  @Test func namesAreQuotedWithDoubleQuotesInDeclarations() {
    #expect(sqlite("CREATE TABLE \(name: "a\"b")").text == "CREATE TABLE \"a\"\"b\"")
    #expect(sqlite("ALTER TABLE \(name: "a`b")").text == "ALTER TABLE \"a`b\"")
  }

  @Test func literalsAreQuoted() {
    #expect(sqlite("CHECK (a = \(literal: "it's"))").text == "CHECK (a = 'it''s')")
  }

  @Test func numbersOfOurOwnAreWritten() {
    #expect(sqlite("LIMIT \(number: -3)").text == "LIMIT -3")
  }

  @Test func parametersKeepTheirNumbers() {
    #expect(sqlite("\(parameter: 2), \(parameter: 1)").text == "?2, ?1")
  }

  @Test func whatIsPutInsideKeepsItsBindings() {
    let inner: SQLFragment = "y = \(.integer(2))"
    let (text, bindings) = sqlite("x = \(.integer(1)) AND (\(inner)) AND z = \(.integer(3))")
    #expect(text == "x = ? AND (y = ?) AND z = ?")
    #expect(bindings == [1, 2, 3])
  }

  @Test func equalValuesAreBoundOnceEachInSQLite() {
    #expect(sqlite("\(.integer(1)) + \(.integer(1))").bindings == [1, 1])
  }

  @Test func fragmentsAreJoined() {
    let parts: [SQLFragment] = ["a", "b = \(.integer(1))", "c"]
    #expect(sqlite(parts.joined(by: ", ")).text == "a, b = ?, c")
    #expect(([] as [SQLFragment]).joined(by: ", ").isEmpty)
  }

  @Test func oneFragmentIsJoinedWithNothing() {
    #expect(sqlite((["a"] as [SQLFragment]).joined(by: ", ")).text == "a")
  }

  @Test func anEmptyTextIsEmpty() {
    #expect(SQLFragment().isEmpty)
    #expect(("" as SQLFragment).isEmpty)
    #expect(!(" " as SQLFragment).isEmpty)
  }

  @Test func aPrefixIsDropped() {
    #expect(sqlite((" WHERE a" as SQLFragment).droppingPrefix(" WHERE ")).text == "a")
    #expect(sqlite((" AND a" as SQLFragment).droppingPrefix(" WHERE ")).text == " AND a")
  }

  @Test func aBoundValueAloneIsAConstant() {
    #expect(("\(.integer(7))" as SQLFragment).constant == 7)
    #expect(("(\(.integer(7)))" as SQLFragment).constant == nil)
    #expect(("7" as SQLFragment).constant == nil)
  }

  @Test func aParameterAloneIsKnown() {
    #expect(("\(parameter: 3)" as SQLFragment).parameter == 3)
    #expect(("\(parameter: 3) " as SQLFragment).parameter == nil)
  }

  @Test func aRefusalIsFoundInWhateverItIsPartOf() {
    let refused = SQLFragment(refusal: "This cannot be said.")
    #expect(refused.refusal == "This cannot be said.")
    #expect(("a AND NOT (\(refused))" as SQLFragment).refusal == "This cannot be said.")
    #expect(("a" as SQLFragment).refusal == nil)
  }

  @Test func theTypeIsLostWhereMoreIsAdded() {
    var fragment = ("a" as SQLFragment).typed(.count)
    #expect(fragment.type == .count)
    fragment += " + 1"
    #expect(fragment.type == nil)
  }

  /// The value is between quotes of SQL there, so that none of it is SQL.
  @Test func declaredTextsAreQuoted() throws {
    let value = try #require(DeclaredValue("a'; --"))
    #expect(sqlite(value.literal).text == "'a''; --'")
  }

  @Test func declaredNumbersAreWritten() throws {
    #expect(sqlite(try #require(DeclaredValue(12)).literal).text == "12")
    #expect(sqlite(try #require(DeclaredValue(-12)).literal).text == "(-12)")
    #expect(sqlite(try #require(DeclaredValue(0.5)).literal).text == "0.5")
    #expect(sqlite(try #require(DeclaredValue(-0.5)).literal).text == "(-0.5)")
  }

  @Test func declaredBlobsAreHexadecimal() throws {
    #expect(
      sqlite(try #require(DeclaredValue(.blob(Data([0xCA, 0xFE])))).literal).text == "X'CAFE'")
  }

  @Test func nothingIsNotDeclared() {
    #expect(DeclaredValue(.null) == nil)
  }

  @Test func aRangeIsACondition() throws {
    let between = try #require(ValidationRule.range(minimum: 1, maximum: 9).condition(on: "a"))
    #expect(sqlite(between).text == "a BETWEEN 1 AND 9")
    #expect(
      sqlite(try #require(ValidationRule.range(minimum: 1, maximum: nil).condition(on: "a"))).text
        == "a >= 1")
    #expect(
      sqlite(try #require(ValidationRule.range(minimum: nil, maximum: 9).condition(on: "a"))).text
        == "a <= 9")
    #expect(ValidationRule.range(minimum: nil, maximum: nil).condition(on: "a") == nil)
  }

  @Test func aLengthIsACondition() throws {
    let rule = try #require(ValidationRule.length(minimum: 2, maximum: 5).condition(on: "a"))
    #expect(sqlite(rule).text == "length(a) BETWEEN 2 AND 5")
  }

  @Test func expressionsAreNoConditionOfATable() {
    #expect(ValidationRule.matches("a+").condition(on: "a") == nil)
    #expect(ValidationRule.email.condition(on: "a") == nil)
  }

  #if PostgreSQL
  private func postgreSQL(_ fragment: SQLFragment) -> (text: String, bindings: [Value]) {
    fragment.rendered(in: PostgreSQLDialect())
  }

  /// To PostgreSQL, `a + $1` in GROUP BY is another expression than `a + $2`.
  @Test func equalValuesShareANumberInPostgreSQL() {
    let (text, bindings) = postgreSQL("\(.integer(1)) + \(.text("1")) + \(.integer(1))")
    #expect(text == "$1::int8 + $2::text + $1::int8")
    #expect(bindings == [1, "1"])
  }

  /// Values come after the parameters, with which a statement is run again and again.
  @Test func boundValuesFollowParametersInPostgreSQL() {
    let (text, bindings) = postgreSQL("\(parameter: 2) = \(.real(0.5)) AND \(parameter: 1) = 1")
    #expect(text == "$2 = $3::float8 AND $1 = 1")
    #expect(bindings == [0.5])
  }

  @Test func nothingIsWrittenInPostgreSQL() {
    let (text, bindings) = postgreSQL("a = \(.null) AND b = \(.integer(1))")
    #expect(text == "a = NULL AND b = $1::int8")
    #expect(bindings == [1])
  }

  @Test func namesAreQuotedWithDoubleQuotesInPostgreSQL() {
    #expect(postgreSQL("SELECT \(name: "a\"b`c")").text == "SELECT \"a\"\"b`c\"")
  }

  @Test func valuesAreWrittenWhereNoneCanBeBound() {
    var dialect = PostgreSQLDialect()
    dialect.writesValues = true
    #expect(dialect.placeholder(ofBinding: 1, -5) == "'-5'::int8")
    #expect(dialect.placeholder(ofBinding: 1, .null) == "NULL")
    #expect(dialect.placeholder(ofBinding: 1, "it's") == "'it''s'::text")
  }
  #endif
}
