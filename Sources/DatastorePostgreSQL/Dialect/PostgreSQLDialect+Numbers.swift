#if PostgreSQL
package import DatastoreCore
package import DatastoreSQL

/// Numbers. If a result is too large for its type, PostgreSQL ends the statement with an error and answers
/// nothing.
extension PostgreSQLDialect {
  /// An expression as the number that it is compared and computed as; NULL if it is no number.
  package func number(_ sql: SQLFragment) -> SQLFragment {
    if let constant = sql.constant {
      switch constant {
      case .integer: return sql.typed(SQLType(.integer, mayBeNull: false))
      case .real: return sql.typed(SQLType(.real, mayBeNull: false))
      case .null, .text, .blob: return ("NULL::float8" as SQLFragment).typed(SQLType(.real))
      }
    }
    let mayBeNull = sql.type?.mayBeNull ?? true
    switch sql.type?.kind {
    case .integer: return ("\(sql)::int8" as SQLFragment).typed(sql.type)
    case .real: return ("\(sql)::float8" as SQLFragment).typed(sql.type)
    case .decimal: return sql
    case .boolean:
      return ("\(sql)::int4::int8" as SQLFragment).typed(SQLType(.integer, mayBeNull: mayBeNull))
    case .instant, .localTime:
      return seconds(sql).typed(SQLType(.real, mayBeNull: mayBeNull))
    case .key, nil: return unknown(sql)
    case .text, .other, .day, .bytes, .uuid:
      return ("NULL::float8" as SQLFragment).typed(SQLType(.real))
    }
  }

  /// The seconds since 2001 that a moment is read as.
  func seconds(_ sql: SQLFragment) -> SQLFragment {
    "(extract(epoch FROM \(sql)) - 978307200)::float8"
  }

  package func decimal(_ column: SQLFragment) -> SQLFragment { column }

  package func arithmetic(
    _ left: SQLOperand, _ arithmetic: Predicate.Arithmetic, _ right: SQLOperand
  ) -> SQLFragment {
    let (a, b) = (number(left.sql), number(right.sql))
    let kinds = [a.type?.kind, b.type?.kind]
    let type: SQLType.Kind
    var result: SQLFragment
    if kinds == [.integer, .integer] {
      type = .integer
      result = calculated(a, arithmetic, b)
    } else {
      type = .real
      result = calculated("\(a)::float8", arithmetic, "\(b)::float8")
      if arithmetic == .divide, !kinds.contains(.real) {
        // A decimal without decimals is an integer, and integers are divided without a remainder.
        let whole = [a, b].map { "\($0)::numeric % 1 = 0" as SQLFragment }.joined(by: " AND ")
        result = """
          CASE WHEN \(whole) THEN div(\(a)::numeric, NULLIF(\(b)::numeric, 0))::float8 \
          ELSE \(result) END
          """
      }
      // Differences of infinities are no numbers.
      result = "NULLIF(\(result), 'NaN'::float8)"
    }
    return ("(\(result))" as SQLFragment).typed(SQLType(type))
  }

  private func calculated(
    _ a: SQLFragment, _ arithmetic: Predicate.Arithmetic, _ b: SQLFragment
  ) -> SQLFragment {
    switch arithmetic {
    case .add: "\(a) + \(b)"
    case .subtract: "\(a) - \(b)"
    case .multiply: "\(a) * \(b)"
    case .divide: "\(a) / NULLIF(\(b), 0)"
    }
  }

  package func aggregate(
    _ aggregate: Predicate.Aggregate, _ value: SQLFragment
  ) -> SQLFragment {
    switch aggregate {
    case .minimum: return extreme("min", "bool_and", value)
    case .maximum: return extreme("max", "bool_or", value)
    case .average: return mean(number(value))
    case .sum:
      let number = number(value)
      // The sum of integers is a decimal number in PostgreSQL, which has room for it.
      if number.type?.kind == .real {
        return ("NULLIF(sum(\(number)), 'NaN')" as SQLFragment).typed(SQLType(.real))
      }
      return ("sum(\(number))" as SQLFragment).typed(SQLType(.decimal))
    }
  }

  package func extreme(_ aggregate: Predicate.Aggregate, ofDecimals column: SQLFragment)
    -> SQLFragment
  {
    self.aggregate(aggregate, column)
  }

  /// PostgreSQL has no minimum of booleans, UUIDs or bytes. Their texts are in the same order.
  private func extreme(_ name: SQLFragment, _ boolean: SQLFragment, _ value: SQLFragment)
    -> SQLFragment
  {
    let result: SQLFragment =
      switch value.type?.kind {
      case .boolean: "\(boolean)(\(value))"
      case .uuid: "\(name)(\(value)::text)::uuid"
      case .bytes: "decode(\(name)(encode(\(value), 'hex')), 'hex')"
      case .text, .other, .day: "\(name)(\(binary(value)))"
      case .key:
        SQLFragment(refusal: "The keys of rows that are no numbers have no least and no greatest.")
      default: "\(name)(\(value))"
      }
    var type = value.type
    type?.mayBeNull = true
    return result.typed(type)
  }

  /// The sum divided by the count, as it is computed everywhere: the server's own average of whole numbers is
  /// a decimal number, which may be rounded to an adjacent floating-point number.
  package func mean(_ number: SQLFragment) -> SQLFragment {
    let mean: SQLFragment =
      number.type?.kind == .real
      ? "avg(\(number))" : "sum(\(number))::float8 / NULLIF(count(\(number)), 0)"
    return ("NULLIF(\(mean), 'NaN')" as SQLFragment).typed(SQLType(.real))
  }

  package func isWhole(_ sql: SQLFragment) -> SQLFragment {
    switch sql.type?.kind {
    case .integer, .boolean: "\(sql) IS NOT NULL"
    case .decimal: "\(sql) % 1 = 0"
    // A reference that is NULL in part leads nowhere.
    case .key(_, let parts): parts.map { "\($0) IS NOT NULL" as SQLFragment }.joined(by: " AND ")
    case nil: unknown(sql)
    default: constant(false)
    }
  }

  package func total(_ sql: SQLFragment) -> SQLFragment {
    ("coalesce(sum(\(sql))::float8, 0)" as SQLFragment).typed(SQLType(.real, mayBeNull: false))
  }

  package func truncated(_ sql: SQLFragment) -> SQLFragment { "trunc((\(sql))::float8)::int8" }
}
#endif
