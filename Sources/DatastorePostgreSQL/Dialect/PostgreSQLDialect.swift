#if PostgreSQL
import Basics
package import DatastoreCore
package import DatastoreSQL

/// PostgreSQL's syntax for everything that engines express differently.
///
/// Every expression has one type in PostgreSQL, so a fragment carries its type (`SQLFragment.type`) if it
/// makes a difference. If PostgreSQL cannot express the meaning that a `Predicate` has in memory, the
/// fragment carries the reason, and no statement is made of it (`SQLFragment.rendered(for:)`).
package struct PostgreSQLDialect: SQLDialect {
  /// The server's capabilities, which decide how tables are declared.
  package let capabilities: ServerCapabilities

  /// The properties by which native tables are distributed.
  package let distribution: Distribution

  package init(
    _ capabilities: ServerCapabilities = .all, distribution: Distribution = Distribution()
  ) {
    self.capabilities = capabilities
    self.distribution = distribution
  }

  package var nameQuote: Unicode.Scalar { "\"" }

  package var declaredNameQuote: Unicode.Scalar { "\"" }

  package var numbersBindings: Bool { true }

  /// Whether values are written into the text of statements, for statements that take no parameters.
  package var writesValues = false

  /// The cast gives the type, so that values can be sent without one.
  package func placeholder(ofBinding number: Int, _ value: Value) -> String {
    switch value {
    case .null: "NULL"
    case .integer(let integer): "\(writesValues ? "'\(integer)'" : "$\(number)")::int8"
    case .real(let real): "\(writesValues ? "'\(real)'" : "$\(number)")::float8"
    case .text(let text): "\(writesValues ? Quoting.postgreSQLText(text) : "$\(number)")::text"
    case .blob(let data):
      "\(writesValues ? Quoting.postgreSQLText("\\x\(Hexadecimal.text(data))") : "$\(number)")::bytea"
    }
  }

  package func placeholder(ofParameter number: Int) -> String { "$\(number)" }

  /// `LIMIT -1` is an error: without the clause a statement returns all rows.
  package func limit(_ limit: Int?, offset: Int) -> SQLFragment {
    var result = SQLFragment()
    if let limit { result += " LIMIT \(.integer(Int64(limit)))" }
    if offset > 0 { result += " OFFSET \(.integer(Int64(offset)))" }
    return result
  }

  /// The planner chooses the order itself.
  package var orderedJoin: SQLFragment { plainJoin }

  /// `JOIN` requires a condition.
  package var plainJoin: SQLFragment { " CROSS JOIN " }

  /// NaN equals itself in PostgreSQL, and is greater than everything.
  package func operand(_ column: SQLFragment) -> SQLFragment {
    guard let type = column.type, type.mayBeNaN else { return column }
    let value: SQLFragment =
      type.kind == .decimal ? "NULLIF(\(column), 'NaN')" : "NULLIF(\(column)::float8, 'NaN')"
    return value.typed(SQLType(type.kind))
  }

  /// Before PostgreSQL 16 a subquery in `FROM` must have a name.
  package func table(of query: SQLFragment) -> SQLFragment { "(\(query)) AS \"rows\"" }

  package func selected(_ column: SQLFragment) -> SQLFragment {
    switch column.type?.kind {
    case .other, .day: "\(column)::text"
    default: column
    }
  }

  /// The selected expression has to be exactly the one in `GROUP BY`.
  package func groupValue(_ value: SQLFragment) -> SQLFragment { binary(value) }

  package func groupKey(_ value: SQLFragment, isBinary: Bool) -> SQLFragment { binary(value) }
}

extension SQLType {
  /// Whether values are arrays, which the server also takes apart where they are elements of one.
  var isArray: Bool { name?.hasSuffix("[]") ?? false }
}

extension SQLFragment {
  /// The text of a statement and its values.
  ///
  /// Integers, reals and texts are bound as texts, and blobs as bytes; the text of the statement casts them.
  ///
  /// - Throws: `StoreError.unsupportedPredicate` for a condition that PostgreSQL cannot express.
  package func rendered(
    for dialect: PostgreSQLDialect
  ) throws(StoreError) -> (text: String, bindings: [Value]) {
    if let refusal { throw .unsupportedPredicate(refusal) }
    let rendered = rendered(in: dialect)
    for case .text(let text) in rendered.bindings where text.utf8.contains(0) {
      throw .unsupportedPredicate(
        "No text in PostgreSQL has a NUL character, so it cannot compute with one.")
    }
    return rendered
  }

  /// The text of a statement with the values in their places.
  ///
  /// - Throws: `StoreError.unsupportedPredicate` for a condition that PostgreSQL cannot express.
  package func textWithValues() throws(StoreError) -> String {
    var dialect = PostgreSQLDialect()
    dialect.writesValues = true
    return try rendered(for: dialect).text
  }
}

// Keys.
extension PostgreSQLDialect {
  package var keyBudget: UInt64 { 1 << 30 }

  /// The keys in PostgreSQL's array syntax.
  package func keyList(_ keys: [Int64]) -> Value {
    .text("{" + keys.map(String.init).joined(separator: ",") + "}")
  }

  package func isMember(_ key: SQLFragment, of keyList: SQLFragment) -> SQLFragment {
    switch key.type?.kind {
    case .integer, nil: return "\(key) = ANY(\(keyList)::int8[])"
    case .boolean: return "\(key)::int4 = ANY(\(keyList)::int8[])"
    case .real: return "\(key)::numeric = ANY(\(keyList)::numeric[])"
    case .decimal: return "\(key) = ANY(\(keyList)::numeric[])"
    case .instant, .localTime: return "\(seconds(key)) = ANY(\(keyList)::float8[])"
    case .text, .other, .bytes, .uuid, .day: return constant(false)
    case .key(_, let parts):
      guard let first = keyList.parameter else {
        return SQLFragment(
          refusal: "Rows cannot be listed by number in a table whose key is not a number.")
      }
      return isMember(parts, of: parts.indices.map { "\(parameter: first + $0)" })
    }
  }

  /// The condition that a key is in a list, which is an array for each of its columns.
  func isMember(_ key: SQLFragment, ofColumns arrays: [String]) -> SQLFragment {
    guard case .key(_, let parts)? = key.type?.kind else {
      return isMember(key, of: "\(.text(arrays.first ?? "{}"))")
    }
    return isMember(parts, of: arrays.map { "\(.text($0))" })
  }

  /// - Parameter arrays: one for each column of the key.
  private func isMember(_ parts: [SQLFragment], of arrays: [SQLFragment]) -> SQLFragment {
    let names = listNames(parts)
    let values = zip(parts, names).map { element(of: $0, $1) }.joined(by: ", ")
    return """
      \(row(parts)) IN (SELECT \(values) \
      FROM unnest(\(lists(parts, arrays))) AS listed (\(names.joined(by: ", "))))
      """
  }

  /// A list of keys as a table `given`, with their `place`s, and the condition that a key is one of them.
  func numbered(
    _ key: SQLFragment, _ arrays: [String]
  ) -> (table: SQLFragment, isSame: SQLFragment) {
    var parts = [key]
    var list: SQLFragment = "\(.text(arrays.first ?? "{}"))::int8[]"
    if case .key(_, let columns)? = key.type?.kind {
      parts = columns
      list = lists(columns, arrays.map { "\(.text($0))" })
    }
    let names = listNames(parts)
    let same = zip(parts, names).map { "\($0) = \(element(of: $0, "given.\($1)"))" as SQLFragment }
    return (
      """
      unnest(\(list)) WITH ORDINALITY \
      AS given (\(names.joined(by: ", ")), place)
      """, same.joined(by: " AND ")
    )
  }

  private func listNames(_ parts: [SQLFragment]) -> [SQLFragment] {
    parts.indices.map { "k\(number: $0)" }
  }

  private func lists(_ parts: [SQLFragment], _ arrays: [SQLFragment]) -> SQLFragment {
    zip(parts, arrays).map { part, array in
      let type = part.type?.isArray == true ? "text" : part.type?.name ?? "text"
      return "\(array)::\(SQLFragment(stringLiteral: type))[]" as SQLFragment
    }.joined(by: ", ")
  }

  /// An element of a list as the type of a column. `unnest` would take arrays of arrays apart; therefore they
  /// are listed as texts.
  private func element(of column: SQLFragment, _ listed: SQLFragment) -> SQLFragment {
    guard let type = column.type, type.isArray, let name = type.name else { return listed }
    return "\(listed)::\(SQLFragment(stringLiteral: name))"
  }

  func row(_ parts: [SQLFragment]) -> SQLFragment {
    parts.count == 1 ? parts[0] : "ROW(\(parts.joined(by: ", ")))"
  }

  /// The columns of the key themselves: readers turn them into numbers (`KeyTable`).
  package func internedKey(_ entity: EntityIndex, _ values: [SQLFragment]) -> SQLFragment {
    let parts = values.map { selected($0).typed($0.type) }
    return row(parts).typed(SQLType(.key(entity, parts: values)))
  }

  /// - Parameter key: the first of the parameters that hold the parts of a key.
  package func keyValue(_ entity: EntityIndex, _ key: SQLFragment, _ index: Int) -> SQLFragment {
    guard let first = key.parameter else {
      return SQLFragment(
        refusal:
          "A key that is not a number can only be compared with the key of another row.")
    }
    return "\(parameter: first + index)"
  }

  /// PostgreSQL enforces references, so no foreign key leads nowhere.
  package func danglingKey(_ values: [SQLFragment]) -> SQLFragment { "NULL" }

  package func danglingValue(_ key: SQLFragment, _ index: Int) -> SQLFragment { "NULL" }

  package func reference(inAnyColumn column: SQLFragment) -> SQLFragment { column }
}
#endif
