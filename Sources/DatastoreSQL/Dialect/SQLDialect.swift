package import DatastoreCore

/// How an engine says what engines say in different words.
///
/// `QueryBuilder`, `NativeTables` and `SchemaMapping` write the SQL that all engines read alike, and ask the
/// dialect for the rest: expressions in, an expression out. What it answers must mean what `Predicate` means
/// in memory, where NULL equals NULL, values of different kinds have an order, and text is compared byte by
/// byte: lists are read by SQL and kept up to date by the memory.
///
/// A dialect is a value without state that a mapping carries (`SchemaMapping.dialect`).
package protocol SQLDialect: Sendable {
  // Statements.

  /// The quotes of names, doubled inside of them.
  var nameQuote: Unicode.Scalar { get }
  /// The same in declarations, which the database may keep as they are.
  var declaredNameQuote: Unicode.Scalar { get }
  /// Whether placeholders have numbers, so that equal values share one wherever they are. NULL has none
  /// then.
  var numbersBindings: Bool { get }
  /// The placeholder of the value with this number, from 1, that a fragment carries.
  func placeholder(ofBinding number: Int, _ value: Value) -> String
  /// The placeholder of the value with this number, from 1, that is bound each time a statement runs.
  func placeholder(ofParameter number: Int) -> String
  /// ` LIMIT …`, or nothing.
  ///
  /// - Parameter limit: nil for all rows.
  func limit(_ limit: Int?, offset: Int) -> SQLFragment
  /// ` JOIN ` whose left side is read first, whatever the engine's planner thinks.
  var orderedJoin: SQLFragment { get }
  /// What joins two tables whose condition follows behind WHERE.
  var plainJoin: SQLFragment { get }
  /// A column as it is compared: marks of no value in it are NULL.
  func operand(_ column: SQLFragment) -> SQLFragment
  /// A query as a table to read from.
  func table(of query: SQLFragment) -> SQLFragment
  /// A column as it is read: as it is, or as text where its values are of no kind that we have.
  func selected(_ column: SQLFragment) -> SQLFragment
  /// The value that rows are put together by, as the answer has it: the same expression as in `GROUP BY`
  /// where the engine asks for that.
  func groupValue(_ value: SQLFragment) -> SQLFragment
  /// What rows are put together by, byte by byte.
  ///
  /// - Parameter isBinary: whether it is a column that is compared so by default.
  func groupKey(_ value: SQLFragment, isBinary: Bool) -> SQLFragment

  // Conditions and orders.

  func constant(_ holds: Bool) -> SQLFragment
  /// 1 where a condition holds, else 0.
  func number(ofCondition condition: SQLFragment) -> SQLFragment
  /// Whether both are equal or both NULL; never NULL itself.
  func isSame(_ left: SQLFragment, _ right: SQLFragment) -> SQLFragment
  func isNotSame(_ left: SQLFragment, _ right: SQLFragment) -> SQLFragment
  /// Two operands, made such that the engine compares them as `Value.compare` does.
  func comparable(_ left: SQLOperand, _ right: SQLOperand) -> (SQLFragment, SQLFragment)
  /// An expression that is compared as what it holds, not as what a column is declared to hold.
  func untyped(_ sql: SQLFragment) -> SQLFragment
  /// Text that is compared, sorted and grouped byte by byte, whatever its column's collation is.
  func binary(_ sql: SQLFragment) -> SQLFragment
  /// A term of `ORDER BY`; NULL is less than everything.
  func sortTerm(_ sql: SQLFragment, ascending: Bool) -> SQLFragment

  // Lists of keys, in one value: statements take a limited number of them.

  func keyList(_ keys: [Int64]) -> Value
  func isMember(_ key: SQLFragment, of keyList: SQLFragment) -> SQLFragment

  // Text.

  func isText(_ sql: SQLFragment) -> SQLFragment
  /// Text as it is compared with `[c]` or `[d]`; other values as they are.
  func folded(_ sql: SQLFragment, _ options: Predicate.StringOptions) -> SQLFragment
  func contains(_ text: SQLFragment, _ part: SQLFragment) -> SQLFragment
  func begins(_ text: SQLFragment, with prefix: SQLFragment) -> SQLFragment
  func ends(_ text: SQLFragment, with suffix: SQLFragment) -> SQLFragment
  /// BEGINSWITH, where an index of the column can find the rows; nil elsewhere.
  func begins(_ column: SQLOperand, withIndexed prefix: String) -> SQLFragment?
  func like(
    _ text: SQLFragment, _ pattern: SQLFragment, _ options: Predicate.StringOptions
  ) -> SQLFragment
  func matches(
    _ text: SQLFragment, _ pattern: SQLFragment, _ options: Predicate.StringOptions
  ) -> SQLFragment
  /// Whether a text has the words that another one asks for (`WordSearch`); false unless both are text.
  func searches(_ text: SQLFragment, _ words: SQLFragment) -> SQLFragment
  /// A query for the keys of the rows whose words an index has, which asks for them; nil where there are
  /// none.
  func keys(havingWords search: WordSearch, in index: WordIndex) -> SQLFragment?
  /// How an index finds and ranks rows; nil where the engine does not rank.
  ///
  /// - Parameters:
  ///   - words: what it is asked for, in its own columns.
  ///   - table: the index.
  ///   - key: what the keys of its rows are, in the row that is found.
  ///   - alias: a name for the index in the statement.
  func ranking(
    by words: WordCondition, in table: String, key: SQLFragment, as alias: String
  ) -> WordRanking?
  /// Whether a column begins with a text, for suggestions: quick, and in any case of letters where that is
  /// quicker.
  func suggests(_ value: SQLFragment, _ prefix: String) -> SQLFragment
  /// Whether a text that is shown contains another one, in any case of letters.
  func shows(
    _ shown: SQLFragment, _ text: String, _ options: Predicate.StringOptions
  ) -> SQLFragment
  /// A column's value as the text that a screen shows; NULL for what is not shown as text.
  ///
  /// - Parameter dates: how a number stores a date, where it does.
  func shownText(
    _ column: SQLFragment, _ type: AttributeType, _ dates: DateConvention?
  ) -> SQLFragment

  // Numbers and dates.

  /// A decimal column as a number.
  func decimal(_ column: SQLFragment) -> SQLFragment
  func arithmetic(
    _ left: SQLOperand, _ arithmetic: Predicate.Arithmetic, _ right: SQLOperand
  ) -> SQLFragment
  /// A function of values, as `Predicate.Function` computes it.
  ///
  /// - Parameter dates: by argument: how it stores dates; empty where that makes no difference.
  func function(
    _ function: Predicate.Function, _ arguments: [SQLFragment], dates: [DateConvention?]
  ) -> SQLFragment
  func aggregate(_ aggregate: Predicate.Aggregate, _ value: SQLFragment) -> SQLFragment
  func datePart(
    _ part: DatePart, of column: SQLFragment, _ dates: DateConvention
  ) -> SQLFragment

  // What summaries count.

  /// The value where it is a number, else NULL.
  func number(_ sql: SQLFragment) -> SQLFragment
  func isWhole(_ sql: SQLFragment) -> SQLFragment
  /// The number of characters where the value is text, else NULL.
  func textLength(_ sql: SQLFragment) -> SQLFragment
  func isEmptyText(_ sql: SQLFragment) -> SQLFragment
  func least(_ value: SQLFragment) -> SQLFragment
  func greatest(_ value: SQLFragment) -> SQLFragment
  func mean(_ number: SQLFragment) -> SQLFragment
  /// The sum as a floating-point number; 0 of nothing.
  func total(_ sql: SQLFragment) -> SQLFragment
  /// A quotient without what follows its point.
  func truncated(_ sql: SQLFragment) -> SQLFragment

  // Keys that are not integers, and references that lead nowhere (`KeyTable`, `DanglingKey`).

  /// Bytes that the keys of rows without a key of their own may take in memory.
  var keyBudget: UInt64 { get }
  /// The `Int64` of a key of other values.
  func internedKey(_ entity: EntityIndex, _ values: [SQLFragment]) -> SQLFragment
  /// One of the values of an interned key.
  func keyValue(_ entity: EntityIndex, _ key: SQLFragment, _ index: Int) -> SQLFragment
  /// The key of a reference that leads to no row.
  func danglingKey(_ values: [SQLFragment]) -> SQLFragment
  /// What a reference holds whose key leads to no row; NULL for other keys.
  func danglingValue(_ key: SQLFragment, _ index: Int) -> SQLFragment
  /// The key that a column holds which may hold values of any kind.
  func reference(inAnyColumn column: SQLFragment) -> SQLFragment

  // Declarations of tables of our own.

  /// Tables cannot have names that begin so, in any case of letters.
  var reservedPrefix: String { get }
  /// How many bytes of UTF-8 a name may have; nil where there is no limit.
  var mostBytesOfNames: Int? { get }
  /// How a native table stores an attribute.
  func column(_ name: String, for attribute: AttributeDescription) -> Column
  /// How a native table stores the key that a to-one relationship leads to.
  func referenceColumn(_ name: String) -> Column
  /// What follows the name of a column that holds an attribute: a blank and its type, or nothing.
  func declaration(of type: AttributeType) -> SQLFragment
  /// The same in a table that other programs write, too: of the types that they expect.
  func plainDeclaration(of type: AttributeType) -> SQLFragment
  /// What follows the key of a plain table that is the next number where an insert says none.
  var plainCounter: SQLFragment { get }
  /// Whether two names may differ in capitals only.
  var distinguishesCapitals: Bool { get }
  /// What follows the name of a column that holds keys of rows, or places in an order.
  var keyType: SQLFragment { get }
  /// What follows the name of a column that holds names of entities.
  var entityNameType: SQLFragment { get }
  /// What follows the name of the key column of a table.
  var keyDeclaration: SQLFragment { get }
  /// The property by whose column the rows of a native table are distributed over machines, which is the
  /// first part of its primary key; nil where there is none.
  ///
  /// - Parameter entity: one that inherits from none.
  func distributingProperty(of entity: Entity) -> String?
  /// Whether such tables are distributed indeed, so that no reference and no uniqueness reaches over
  /// machines.
  var spreadsTables: Bool { get }
  /// What follows the declaration of a table of pairs.
  var pairTableOptions: SQLFragment { get }
  /// Whether a table can be referred to only when it is there, so that references are declared behind all
  /// tables.
  var referencesFollow: Bool { get }
  /// What follows a reference: when the engine looks whether it leads anywhere.
  var referenceTiming: SQLFragment { get }
  /// What follows `DEFAULT`; nil where the column has none.
  func defaultLiteral(_ value: Value, for type: AttributeType) -> SQLFragment?
  /// What a CHECK says of a column; nil where SQL cannot say it.
  func condition(
    _ rule: ValidationRule, on column: SQLFragment, of type: AttributeType
  ) -> SQLFragment?
  /// The statement that makes an index, or a constraint that is kept by one.
  ///
  /// - Parameter key: the column with the keys of the table's rows; nil of a table of pairs.
  func statement(for index: NativeIndex, key: String?) -> SQLFragment
}

extension SQLDialect {
  package func distributingProperty(of entity: Entity) -> String? { nil }

  package var spreadsTables: Bool { false }
}
