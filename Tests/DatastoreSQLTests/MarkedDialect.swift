import DatastoreCore
import DatastoreSQL

/// A dialect of no engine: it marks its answers, so that the rest of a statement is the text for all engines.
struct MarkedDialect: SQLDialect {
  let nameQuote: Unicode.Scalar = "\""
  let declaredNameQuote: Unicode.Scalar = "\""
  let orderedJoin: SQLFragment = " ⟦orderedJoin⟧ "
  let keyBudget: UInt64 = 1 << 20
  let reservedPrefix = "pg_"
  let keyType: SQLFragment = " ⟦keyType⟧"
  let entityNameType: SQLFragment = " ⟦entityNameType⟧"
  let keyDeclaration: SQLFragment = " ⟦keyDeclaration⟧"
  let pairTableOptions: SQLFragment = " ⟦pairTableOptions⟧"

  let numbersBindings = false
  let plainJoin: SQLFragment = " JOIN "
  let mostBytesOfNames: Int? = nil
  let referencesFollow = false
  let referenceTiming: SQLFragment = " DEFERRABLE INITIALLY DEFERRED"
  func operand(_ column: SQLFragment) -> SQLFragment { column }
  func defaultLiteral(_ value: Value, for type: AttributeType) -> SQLFragment? {
    DeclaredValue(value)?.literal
  }
  func condition(
    _ rule: ValidationRule, on column: SQLFragment, of type: AttributeType
  ) -> SQLFragment? { rule.condition(on: column) }
  func statement(for index: NativeIndex, key: String?) -> SQLFragment { index.statement }
  func placeholder(ofBinding number: Int, _ value: Value) -> String { "⟦$\(number)⟧" }
  func table(of query: SQLFragment) -> SQLFragment { "(\(query))" }
  func selected(_ column: SQLFragment) -> SQLFragment { column }
  func groupValue(_ value: SQLFragment) -> SQLFragment { value }
  func number(ofCondition condition: SQLFragment) -> SQLFragment { condition }
  func isEmptyText(_ sql: SQLFragment) -> SQLFragment { "⟦isEmptyText \(sql)⟧" }
  func mean(_ number: SQLFragment) -> SQLFragment { "⟦mean \(number)⟧" }
  func placeholder(ofParameter number: Int) -> String { "⟦parameter \(number)⟧" }

  func limit(_ limit: Int?, offset: Int) -> SQLFragment {
    limit == nil && offset == 0
      ? "" : " ⟦limit \(.integer(Int64(limit ?? -1))) \(number: offset)⟧"
  }

  func constant(_ holds: Bool) -> SQLFragment { holds ? "⟦true⟧" : "⟦false⟧" }
  func isSame(_ left: SQLFragment, _ right: SQLFragment) -> SQLFragment {
    "⟦isSame \(left) \(right)⟧"
  }
  func isNotSame(_ left: SQLFragment, _ right: SQLFragment) -> SQLFragment {
    "⟦isNotSame \(left) \(right)⟧"
  }
  func comparable(_ left: SQLOperand, _ right: SQLOperand) -> (SQLFragment, SQLFragment) {
    (left.sql, right.sql)
  }
  func untyped(_ sql: SQLFragment) -> SQLFragment { "⟦untyped \(sql)⟧" }
  func binary(_ sql: SQLFragment) -> SQLFragment { "⟦binary \(sql)⟧" }
  func sortTerm(_ sql: SQLFragment, ascending: Bool) -> SQLFragment { "⟦sortTerm \(sql)⟧" }

  func keyList(_ keys: [Int64]) -> Value { .text("keys") }
  func isMember(_ key: SQLFragment, of keyList: SQLFragment) -> SQLFragment {
    "⟦isMember \(key) \(keyList)⟧"
  }

  func isText(_ sql: SQLFragment) -> SQLFragment { "⟦isText \(sql)⟧" }
  func folded(_ sql: SQLFragment, _ options: Predicate.StringOptions) -> SQLFragment {
    "⟦folded \(sql)⟧"
  }
  func holds(
    _ comparator: Predicate.TextComparator, _ text: SQLFragment, _ other: SQLFragment,
    _ options: Predicate.StringOptions
  ) -> SQLFragment {
    "⟦\(SQLFragment(stringLiteral: comparator.rawValue)) \(text) \(other)⟧"
  }
  func begins(_ column: SQLOperand, withIndexed prefix: String) -> SQLFragment? { nil }
  func keys(havingWords search: WordSearch, in index: WordIndex) -> SQLFragment? {
    search.fullTextExpression.map { "⟦keys \(.text($0)) \(.text(index.table))⟧" }
  }
  func ranking(
    by words: WordCondition, in table: String, key: SQLFragment, as alias: String
  ) -> WordRanking? {
    WordRanking(
      source: "⟦words \(.text(table))⟧", condition: "⟦ranks \(key)⟧",
      order: "⟦rank \(.text(alias))⟧")
  }
  func suggests(_ value: SQLFragment, _ prefix: String) -> SQLFragment { "⟦suggests \(value)⟧" }
  func shows(
    _ shown: SQLFragment, _ text: String, _ options: Predicate.StringOptions
  ) -> SQLFragment { "⟦shows \(shown)⟧" }
  func shownText(
    _ column: SQLFragment, _ type: AttributeType, _ dates: DateConvention?
  ) -> SQLFragment { "⟦shownText \(column)⟧" }

  func groupKey(_ value: SQLFragment, isBinary: Bool) -> SQLFragment { "⟦groupKey \(value)⟧" }
  func decimal(_ column: SQLFragment) -> SQLFragment { "⟦decimal \(column)⟧" }
  func arithmetic(
    _ left: SQLOperand, _ arithmetic: Predicate.Arithmetic, _ right: SQLOperand
  ) -> SQLFragment { "⟦arithmetic \(left.sql) \(right.sql)⟧" }
  func aggregate(_ aggregate: Predicate.Aggregate, _ value: SQLFragment) -> SQLFragment {
    "⟦aggregate \(value)⟧"
  }
  func extreme(_ aggregate: Predicate.Aggregate, ofDecimals column: SQLFragment) -> SQLFragment {
    "⟦extreme \(column)⟧"
  }
  func function(
    _ function: Predicate.Function, _ arguments: [SQLFragment], dates: [DateConvention?]
  ) -> SQLFragment { "⟦function \(arguments.joined(by: " "))⟧" }
  func datePart(
    _ part: DatePart, of column: SQLFragment, _ dates: DateConvention
  ) -> SQLFragment { "⟦datePart \(column)⟧" }
  func number(_ sql: SQLFragment) -> SQLFragment { "⟦number \(sql)⟧" }
  func isWhole(_ sql: SQLFragment) -> SQLFragment { "⟦isWhole \(sql)⟧" }
  func textLength(_ sql: SQLFragment) -> SQLFragment { "⟦textLength \(sql)⟧" }
  func total(_ sql: SQLFragment) -> SQLFragment { "⟦total \(sql)⟧" }
  func truncated(_ sql: SQLFragment) -> SQLFragment { "⟦truncated \(sql)⟧" }

  func internedKey(_ entity: EntityIndex, _ values: [SQLFragment]) -> SQLFragment {
    "⟦internedKey⟧"
  }
  func keyValue(_ entity: EntityIndex, _ key: SQLFragment, _ index: Int) -> SQLFragment {
    "⟦keyValue \(key)⟧"
  }
  func danglingKey(_ values: [SQLFragment]) -> SQLFragment { "⟦danglingKey⟧" }
  func danglingValue(_ key: SQLFragment, _ index: Int) -> SQLFragment { "⟦danglingValue \(key)⟧" }
  func reference(inAnyColumn column: SQLFragment) -> SQLFragment { "⟦reference \(column)⟧" }

  func column(_ name: String, for attribute: AttributeDescription) -> Column {
    Column(name: name, affinity: .blob)
  }
  func referenceColumn(_ name: String) -> Column { Column(name: name, affinity: .integer) }
  func declaration(of type: AttributeType) -> SQLFragment { " ⟦type⟧" }
  func plainDeclaration(of type: AttributeType) -> SQLFragment { " ⟦plain type⟧" }
  var plainCounter: SQLFragment { " ⟦counter⟧" }
  var distinguishesCapitals: Bool { true }
}
