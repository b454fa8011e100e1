package import DatastoreCore

/// The SQL of an engine where engines differ.
///
/// `QueryBuilder`, `NativeTables` and `SchemaMapping` write the SQL that all engines share, and ask the
/// dialect for the rest: expressions in, an expression out. Its results must have the meaning of `Predicate`
/// in memory, where NULL equals NULL, values of different kinds have an order, and text is compared byte by
/// byte: lists are read by SQL and kept up to date in memory.
///
/// A dialect is a value without state that a mapping carries (`SchemaMapping.dialect`).
package protocol SQLDialect: Sendable {
  // Statements.

  /// The quotes of names, doubled inside them.
  var nameQuote: Unicode.Scalar { get }
  /// The quotes of names in declarations, which the database may keep verbatim.
  var declaredNameQuote: Unicode.Scalar { get }
  /// Whether placeholders have numbers, so that equal values share one wherever they occur. NULL has none
  /// then.
  var numbersBindings: Bool { get }
  /// The placeholder of a bound value of a fragment, by its number, from 1.
  func placeholder(ofBinding number: Int, _ value: Value) -> String
  /// The placeholder of a value that is bound each time a statement runs, by its number, from 1.
  func placeholder(ofParameter number: Int) -> String
  /// ` LIMIT …`, or nothing.
  ///
  /// - Parameter limit: nil for all rows.
  func limit(_ limit: Int?, offset: Int) -> SQLFragment
  /// ` JOIN ` whose left side is read first, whatever the engine's planner decides.
  var orderedJoin: SQLFragment { get }
  /// The join of two tables whose condition follows after WHERE.
  var plainJoin: SQLFragment { get }
  /// A column in a comparison: markers of missing values in it are NULL.
  func operand(_ column: SQLFragment) -> SQLFragment
  /// A query as a table to select from.
  func table(of query: SQLFragment) -> SQLFragment
  /// A column in a result: unchanged, or as text if its values are of an unknown kind.
  func selected(_ column: SQLFragment) -> SQLFragment
  /// The value of a group in the result: the same expression as in `GROUP BY` if the engine requires that.
  func groupValue(_ value: SQLFragment) -> SQLFragment
  /// A grouping key, compared byte by byte.
  ///
  /// - Parameter isBinary: whether it is a column that compares so by default.
  func groupKey(_ value: SQLFragment, isBinary: Bool) -> SQLFragment

  // Conditions and orders.

  func constant(_ holds: Bool) -> SQLFragment
  /// 1 if a condition holds, otherwise 0.
  func number(ofCondition condition: SQLFragment) -> SQLFragment
  /// Whether both are equal or both NULL; never NULL itself.
  func isSame(_ left: SQLFragment, _ right: SQLFragment) -> SQLFragment
  func isNotSame(_ left: SQLFragment, _ right: SQLFragment) -> SQLFragment
  /// Two operands in a form that the engine compares like `Value.compare`.
  func comparable(_ left: SQLOperand, _ right: SQLOperand) -> (SQLFragment, SQLFragment)
  /// An expression that is compared by its value, not by the declared type of a column.
  func untyped(_ sql: SQLFragment) -> SQLFragment
  /// Text that is compared, sorted and grouped byte by byte, whatever its column's collation.
  func binary(_ sql: SQLFragment) -> SQLFragment
  /// A term of `ORDER BY`; NULL is less than everything.
  func sortTerm(_ sql: SQLFragment, ascending: Bool) -> SQLFragment

  // Lists of keys, in one value: statements take a limited number of them.

  func keyList(_ keys: [Int64]) -> Value
  func isMember(_ key: SQLFragment, of keyList: SQLFragment) -> SQLFragment

  // Text.

  func isText(_ sql: SQLFragment) -> SQLFragment
  /// Text in a comparison with `[c]` or `[d]`; other values unchanged.
  func folded(_ sql: SQLFragment, _ options: Predicate.StringOptions) -> SQLFragment
  /// A comparison of texts; false unless both are text. If the right one is a part of the left one
  /// (`isPart`), both are folded text already.
  func holds(
    _ comparator: Predicate.TextComparator, _ text: SQLFragment, _ other: SQLFragment,
    _ options: Predicate.StringOptions
  ) -> SQLFragment
  /// BEGINSWITH, if an index of the column can find the rows; otherwise nil.
  func begins(_ column: SQLOperand, withIndexed prefix: String) -> SQLFragment?
  /// A query for the keys of the rows in an index that have the words; nil if there are no words.
  func keys(havingWords search: WordSearch, in index: WordIndex) -> SQLFragment?
  /// How an index finds and ranks rows; nil if the engine does not rank.
  ///
  /// - Parameters:
  ///   - words: the search, in the index's own columns.
  ///   - table: the index.
  ///   - key: the key of the index's rows in the searched row.
  ///   - alias: a name for the index in the statement.
  func ranking(
    by words: WordCondition, in table: String, key: SQLFragment, as alias: String
  ) -> WordRanking?
  /// Whether a column begins with a text, for suggestions: fast, and ignoring case where that is faster.
  func suggests(_ value: SQLFragment, _ prefix: String) -> SQLFragment
  /// Whether a displayed text contains another one, ignoring case.
  func shows(
    _ shown: SQLFragment, _ text: String, _ options: Predicate.StringOptions
  ) -> SQLFragment
  /// A column's value as the text on a screen; NULL for values that are not shown as text.
  ///
  /// - Parameter dates: how a number stores a date, if it does.
  func shownText(
    _ column: SQLFragment, _ type: AttributeType, _ dates: DateConvention?
  ) -> SQLFragment

  // Numbers and dates.

  /// A decimal column as a number.
  func decimal(_ column: SQLFragment) -> SQLFragment
  func arithmetic(
    _ left: SQLOperand, _ arithmetic: Predicate.Arithmetic, _ right: SQLOperand
  ) -> SQLFragment
  /// A function, with the results of `Predicate.Function`.
  ///
  /// - Parameter dates: for each argument, how it stores dates; empty if that makes no difference.
  func function(
    _ function: Predicate.Function, _ arguments: [SQLFragment], dates: [DateConvention?]
  ) -> SQLFragment
  func aggregate(_ aggregate: Predicate.Aggregate, _ value: SQLFragment) -> SQLFragment
  /// The least or the greatest value of a decimal column, as it is stored.
  func extreme(_ aggregate: Predicate.Aggregate, ofDecimals column: SQLFragment) -> SQLFragment
  func datePart(
    _ part: DatePart, of column: SQLFragment, _ dates: DateConvention
  ) -> SQLFragment

  // Counts of summaries.

  /// The value if it is a number, otherwise NULL.
  func number(_ sql: SQLFragment) -> SQLFragment
  func isWhole(_ sql: SQLFragment) -> SQLFragment
  /// The number of characters if the value is text, otherwise NULL.
  func textLength(_ sql: SQLFragment) -> SQLFragment
  func isEmptyText(_ sql: SQLFragment) -> SQLFragment
  func mean(_ number: SQLFragment) -> SQLFragment
  /// The sum as a floating-point number; 0 if there are no values.
  func total(_ sql: SQLFragment) -> SQLFragment
  /// A quotient without its fraction.
  func truncated(_ sql: SQLFragment) -> SQLFragment

  // Keys that are not integers, and references that lead nowhere (`KeyTable`, `DanglingKey`).

  /// The number of bytes of memory for the keys of rows without a key of their own.
  var keyBudget: UInt64 { get }
  /// The `Int64` key for other values.
  func internedKey(_ entity: EntityIndex, _ values: [SQLFragment]) -> SQLFragment
  /// One of the values of an interned key.
  func keyValue(_ entity: EntityIndex, _ key: SQLFragment, _ index: Int) -> SQLFragment
  /// The key of a reference that leads to no row.
  func danglingKey(_ values: [SQLFragment]) -> SQLFragment
  /// The stored values of a reference whose key leads to no row; NULL for other keys.
  func danglingValue(_ key: SQLFragment, _ index: Int) -> SQLFragment
  /// The key in a column that may hold values of any kind.
  func reference(inAnyColumn column: SQLFragment) -> SQLFragment

  // Declarations of native tables.

  /// The prefix that names of tables must not have, ignoring case.
  var reservedPrefix: String { get }
  /// The greatest number of UTF-8 bytes in a name; nil if there is no limit.
  var mostBytesOfNames: Int? { get }
  /// The column of an attribute in a native table.
  func column(_ name: String, for attribute: AttributeDescription) -> Column
  /// The column of a to-one relationship's key in a native table.
  func referenceColumn(_ name: String) -> Column
  /// The declaration after the name of an attribute's column: a blank and its type, or nothing.
  func declaration(of type: AttributeType) -> SQLFragment
  /// The declaration in a table that other programs also write, with the types that they expect.
  func plainDeclaration(of type: AttributeType) -> SQLFragment
  /// The declaration after the key of a plain table that counts up when an insert omits it.
  var plainCounter: SQLFragment { get }
  /// Whether two names may differ only in case.
  var distinguishesCapitals: Bool { get }
  /// The declaration after the name of a column of keys, or of places in an order.
  var keyType: SQLFragment { get }
  /// The declaration after the name of a column of entity names.
  var entityNameType: SQLFragment { get }
  /// The declaration after the name of the key column of a table.
  var keyDeclaration: SQLFragment { get }
  /// The property whose column distributes the rows of a native table over machines, and is the first part of
  /// its primary key; nil if there is none.
  ///
  /// - Parameter entity: an entity without a parent.
  func distributingProperty(of entity: Entity) -> String?
  /// Whether such tables are actually distributed, so that no reference and no uniqueness extends across
  /// machines.
  var spreadsTables: Bool { get }
  /// The options after the declaration of a table of pairs.
  var pairTableOptions: SQLFragment { get }
  /// Whether a table must exist before it is referred to, so that references are declared after all tables.
  var referencesFollow: Bool { get }
  /// The clause after a reference that defines when the engine checks it.
  var referenceTiming: SQLFragment { get }
  /// The literal after `DEFAULT`; nil if the column has none.
  func defaultLiteral(_ value: Value, for type: AttributeType) -> SQLFragment?
  /// The CHECK condition of a column; nil if SQL cannot express it.
  func condition(
    _ rule: ValidationRule, on column: SQLFragment, of type: AttributeType
  ) -> SQLFragment?
  /// The statement that creates an index, or a constraint that has one.
  ///
  /// - Parameter key: the key column of the table; nil for a table of pairs.
  func statement(for index: NativeIndex, key: String?) -> SQLFragment
}

extension SQLDialect {
  package func distributingProperty(of entity: Entity) -> String? { nil }

  package var spreadsTables: Bool { false }
}
