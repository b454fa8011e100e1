#if PostgreSQL
import DatastoreCore
package import DatastoreSQL
import Foundation

/// Values compare in the order of their classes: NULL, numbers, text, bytes. In PostgreSQL comparing text
/// with a number is an error, so classes are decided while a statement is built.
extension PostgreSQLDialect {
  /// The class as which an expression is compared.
  enum ComparedClass: Int {
    case number = 1
    case text, bytes
  }

  func comparedClass(_ sql: SQLFragment) -> ComparedClass? {
    if let constant = sql.constant {
      switch constant {
      case .null: return nil
      case .integer, .real: return .number
      case .text: return .text
      case .blob: return .bytes
      }
    }
    switch sql.type?.kind {
    case .boolean, .integer, .real, .decimal, .instant, .localTime: return .number
    case .text, .other, .day: return .text
    case .bytes, .uuid: return .bytes
    case .key, nil: return nil
    }
  }

  /// A refusal of an expression of an unknown type.
  func unknown(_ sql: SQLFragment) -> SQLFragment {
    SQLFragment(
      refusal: sql.refusal
        ?? "PostgreSQL compares values of one type, and of one of these it is not known.")
  }

  package func constant(_ holds: Bool) -> SQLFragment { holds ? "TRUE" : "FALSE" }

  package func number(ofCondition condition: SQLFragment) -> SQLFragment {
    ("(\(condition))::int4" as SQLFragment).typed(.count)
  }

  package func isSame(_ left: SQLFragment, _ right: SQLFragment) -> SQLFragment {
    "\(left) IS NOT DISTINCT FROM \(right)"
  }

  package func isNotSame(_ left: SQLFragment, _ right: SQLFragment) -> SQLFragment {
    "\(left) IS DISTINCT FROM \(right)"
  }

  package func untyped(_ sql: SQLFragment) -> SQLFragment { sql }

  /// Bytes are in the order of scalars; native columns are declared so already.
  package func binary(_ sql: SQLFragment) -> SQLFragment {
    switch sql.type?.kind {
    case .text: ("\(sql) COLLATE \"C\"" as SQLFragment).typed(sql.type)
    case .other, .day:
      ("\(sql)::text COLLATE \"C\"" as SQLFragment).typed(SQLType(.text))
    default: sql
    }
  }

  /// NULL comes first. If there can be no NULL, the clause is omitted: it would only prevent the use of
  /// indexes.
  package func sortTerm(_ sql: SQLFragment, ascending: Bool) -> SQLFragment {
    let term = comparedClass(sql) == .text ? binary(sql) : sql
    if sql.type?.mayBeNull == false { return ascending ? term : "\(term) DESC" }
    return ascending ? "\(term) NULLS FIRST" : "\(term) DESC NULLS LAST"
  }

  package func comparable(
    _ left: SQLOperand, _ right: SQLOperand
  ) -> (SQLFragment, SQLFragment) {
    var (a, b) = (left.sql, right.sql)
    if left.isDecimal { b = decimalConstant(b) }
    if right.isDecimal { a = decimalConstant(a) }
    if a.constant?.isNull == true, b.constant?.isNull == true {
      return ("NULL::int4", "NULL::int4")
    }
    if b.constant?.isNull == true { return (whole(a), "NULL") }
    if a.constant?.isNull == true { return ("NULL", whole(b)) }
    if case .key(_, let own)? = a.type?.kind, case .key(_, let others)? = b.type?.kind {
      return (row(own), row(others))
    }
    guard let first = comparedClass(a), let second = comparedClass(b) else {
      return (unknown(a), unknown(b))
    }
    guard first == second else { return (rank(a, first), rank(b, second)) }
    switch first {
    case .number: return numbers(a, b)
    case .text: return texts(a, b)
    case .bytes: return bytes(a, b)
    }
  }

  private func whole(_ sql: SQLFragment) -> SQLFragment {
    if case .key(_, let parts)? = sql.type?.kind { parts[0] } else { sql }
  }

  /// A stand-in for a value that is compared with another class: the rank of its class, or NULL.
  private func rank(_ sql: SQLFragment, _ place: ComparedClass) -> SQLFragment {
    if sql.constant != nil { return "\(number: place.rawValue)" }
    return "(CASE WHEN \(sql) IS NOT NULL THEN \(number: place.rawValue) END)"
  }

  private func decimalConstant(_ sql: SQLFragment) -> SQLFragment {
    guard case .text? = sql.constant, let value = sql.constant else { return sql }
    return "\(value.decimalNumber)"
  }

  // Text and bytes.

  private func texts(_ a: SQLFragment, _ b: SQLFragment) -> (SQLFragment, SQLFragment) {
    if hasNUL(a) || hasNUL(b) { return (encoded(a), encoded(b)) }
    return (byteOrdered(a), text(b))
  }

  /// Text that PostgreSQL compares byte by byte.
  func byteOrdered(_ sql: SQLFragment) -> SQLFragment {
    "\(text(sql)) COLLATE \"C\""
  }

  /// Text, for types that are read as text.
  func text(_ sql: SQLFragment) -> SQLFragment {
    switch sql.type?.kind {
    case .other, .day: "\(sql)::text"
    default: sql
    }
  }

  /// No text of PostgreSQL has a NUL character, but such a text has a place in the order.
  func hasNUL(_ sql: SQLFragment) -> Bool {
    if case .text(let text)? = sql.constant { text.utf8.contains(0) } else { false }
  }

  private func encoded(_ sql: SQLFragment) -> SQLFragment {
    if case .text(let text)? = sql.constant { return "\(Value.blob(Data(text.utf8)))" }
    return "convert_to(\(text(sql)), 'UTF8')"
  }

  private func bytes(_ a: SQLFragment, _ b: SQLFragment) -> (SQLFragment, SQLFragment) {
    if a.type?.kind == .uuid, b.type?.kind == .uuid { return (a, b) }
    if a.type?.kind == .uuid, let uuid = uuidConstant(b) { return (a, uuid) }
    if b.type?.kind == .uuid, let uuid = uuidConstant(a) { return (uuid, b) }
    func plain(_ sql: SQLFragment) -> SQLFragment {
      sql.type?.kind == .uuid ? "uuid_send(\(sql))" : sql
    }
    return (plain(a), plain(b))
  }

  private func uuidConstant(_ sql: SQLFragment) -> SQLFragment? {
    guard case .blob(let data)? = sql.constant, data.count == 16 else { return nil }
    return "\(.text(Hexadecimal.text(data)))::uuid"
  }

  // Numbers.

  private func numbers(_ a: SQLFragment, _ b: SQLFragment) -> (SQLFragment, SQLFragment) {
    if a.constant != nil, b.constant == nil {
      let (right, left) = numbers(b, a)
      return (left, right)
    }
    if let constant = b.constant { return number(a, beside: constant) }
    if a.constant == nil, a.type?.kind == b.type?.kind { return (a, b) }
    let (left, right) = (number(a), number(b))
    switch (left.type?.kind, right.type?.kind) {
    case (.integer, .real): return (exact(left), "ROW(\(right), 0)")
    case (.real, .integer): return ("ROW(\(left), 0)", exact(right))
    case (.decimal, .real): return ("\(left)::float8", right)
    case (.real, .decimal): return (left, "\(right)::float8")
    default: return (left, right)
    }
  }

  /// A column or an expression, and the constant in the form in which the two are compared.
  private func number(_ sql: SQLFragment, beside constant: Value) -> (SQLFragment, SQLFragment) {
    let value: SQLFragment = "\(constant)"
    if sql.constant != nil {
      guard case .integer = constant, case .integer? = sql.constant else {
        let order = Value.compare(sql.constant ?? .null, constant)
        return order == .same ? ("1", "1") : order == .ascending ? ("1", "2") : ("2", "1")
      }
      return (sql, value)
    }
    switch sql.type?.kind {
    case .boolean:
      if constant == .integer(0) { return (sql, "FALSE") }
      if constant == .integer(1) { return (sql, "TRUE") }
    case .instant, .localTime:
      if let instant = instant(constant, like: sql) { return (sql, instant) }
    case .decimal:
      if let digits = constant.fewDigits { return (sql, "\(.text(digits))::numeric") }
      if case .integer = constant { return (sql, "\(value)::numeric") }
      return ("\(sql)::float8", value)
    default: break
    }
    // A column stays as it is, so that its index is used: PostgreSQL compares its types of one kind with each
    // other.
    let number = sql.type?.kind == .integer || sql.type?.kind == .real ? sql : number(sql)
    guard number.type?.kind == .integer, case .real(let real) = constant else {
      return number.type?.kind == .real ? real(number, beside: constant) : (number, value)
    }
    if let integer = Int64(exactly: real) { return (number, "\(.integer(integer))") }
    // No integer equals it, and no integer beyond the range of a double lies on its other side.
    if abs(real) < 9_007_199_254_740_992 { return ("\(number)::float8", value) }
    return ("(CASE WHEN \(number) IS NOT NULL THEN 0 END)", real > 0 ? "1" : "-1")
  }

  private func real(_ sql: SQLFragment, beside constant: Value) -> (SQLFragment, SQLFragment) {
    guard case .integer(let integer) = constant else { return (sql, "\(constant)") }
    let nearest = Double(integer)
    if let exact = Int64(exactly: nearest), exact == integer { return (sql, "\(.real(nearest))") }
    // There is no other real between the integer and the nearest real.
    let side = Value.compare(.real(nearest), constant) == .descending ? -1 : 1
    return ("ROW(\(sql), 0)", "ROW(\(.real(nearest)), \(number: side))")
  }

  /// An integer in a form comparable with `ROW(real, 0)`: the nearest real, and the distance from it.
  private func exact(_ integer: SQLFragment) -> SQLFragment {
    """
    ROW(\(integer)::float8, coalesce(CASE WHEN \(integer)::float8 >= 9223372036854775808::float8 \
    THEN \(integer) - 9223372036854775807 - 1 ELSE \(integer) - \(integer)::float8::int8 END, 0))
    """
  }

  /// The moment that is read as a number of seconds, if there is one.
  private func instant(_ constant: Value, like sql: SQLFragment) -> SQLFragment? {
    let seconds: Double
    switch constant {
    case .integer(let integer): seconds = Double(integer)
    case .real(let real): seconds = real
    case .null, .text, .blob: return nil
    }
    // Years in which every microsecond is read as a different number.
    let microseconds = (seconds * 1e6).rounded()
    guard abs(seconds) < 8e9, microseconds / 1e6 == seconds else { return nil }
    return moment(microseconds, like: sql)
  }

  /// - Parameter microseconds: since 2001.
  private func moment(_ microseconds: Double, like sql: SQLFragment) -> SQLFragment {
    let whole = Int64(microseconds)
    let (seconds, rest) = whole.quotientAndRemainder(dividingBy: 1_000_000)
    let text = Value.text("\(seconds) seconds \(rest) microseconds")
    return sql.type?.kind == .instant
      ? "(timestamptz '2001-01-01 00:00:00+00' + \(text)::interval)"
      : "(timestamp '2001-01-01 00:00:00' + \(text)::interval)"
  }
}

extension Value {
  /// The number in decimal notation if that is exact: at most 15 digits.
  fileprivate var fewDigits: String? {
    switch self {
    case .integer(let integer): return String(integer)
    case .real(let real):
      let text = "\(real)"
      let digits = text.prefix { $0 != "e" }.filter(\.isNumber).drop { $0 == "0" }
      return real.isFinite && digits.count <= 15 ? text : nil
    case .null, .text, .blob: return nil
    }
  }
}
#endif
