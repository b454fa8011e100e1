#if PostgreSQL
package import DatastoreCore
package import DatastoreSQL

extension PostgreSQLDialect {
  package func function(
    _ function: Predicate.Function, _ arguments: [SQLFragment], dates: [DateConvention?]
  ) -> SQLFragment {
    switch function {
    case .lowercase, .trim, .length, .left, .right, .uppercase, .replace:
      guard isKnownText(arguments[0]) else {
        if comparedClass(arguments[0]) == nil, arguments[0].constant == nil {
          return unknown(arguments[0])
        }
        return ("NULL::text" as SQLFragment).typed(SQLType(.text))
      }
      return ofText(function, text(arguments[0]), Array(arguments.dropFirst()))
    case .abs, .floor, .ceiling, .round: return ofNumber(function, arguments)
    case .concat: return concatenated(arguments)
    case .coalesce: return first(arguments)
    case .days: return days(arguments, dates)
    // Its values have no single type, as every expression of PostgreSQL must.
    case .json: return refused(.json)
    }
  }

  private func refused(_ function: Predicate.Function) -> SQLFragment {
    SQLFragment(refusal: "PostgreSQL cannot compute \(function.usage) as this program does.")
  }

  private func ofText(
    _ function: Predicate.Function, _ text: SQLFragment, _ rest: [SQLFragment]
  ) -> SQLFragment {
    if hasNUL(text) { return refused(function) }
    let value: SQLFragment
    switch function {
    case .lowercase:
      return folded(text.typed(SQLType(.text)), .caseInsensitive).typed(SQLType(.text))
    case .trim: value = "btrim(\(text), \(whiteSpace))"
    case .length: return ("char_length(\(text))" as SQLFragment).typed(SQLType(.integer))
    case .left, .right:
      let count = number(rest[0])
      let name: SQLFragment = function == .left ? "left" : "right"
      // At most the greatest length of a text.
      value = """
        \(name)(\(text), floor(least(greatest(\(count), 0), 1073741823))::int4 \
        + CASE WHEN \(count) IS NULL THEN NULL::int4 ELSE 0 END)
        """
    default: return refused(function)
    }
    return value.typed(SQLType(.text))
  }

  private func ofNumber(
    _ function: Predicate.Function, _ arguments: [SQLFragment]
  ) -> SQLFragment {
    let number = number(arguments[0])
    if number.type?.kind == .integer {
      return function == .abs ? ("abs(\(number))" as SQLFragment).typed(SQLType(.integer)) : number
    }
    let real: SQLFragment = "\(number)::float8"
    let whole: SQLFragment
    switch function {
    case .abs: return ("abs(\(real))" as SQLFragment).typed(SQLType(.real))
    case .floor: whole = "floor(\(real))"
    case .ceiling: whole = "ceil(\(real))"
    default:
      guard arguments.count > 1 else {
        whole = rounded(real)
        break
      }
      guard let decimals = arguments[1].constant?.number else { return refused(.round) }
      if decimals >= 16 { return number }
      var power = 1.0
      for _ in 0..<Int(max(0, decimals)) { power *= 10 }
      let scaled: SQLFragment = "(\(real) * \(.real(power)))"
      return ("\(rounded(scaled)) / \(.real(power))" as SQLFragment).typed(SQLType(.real))
    }
    return ("(\(whole))::int8" as SQLFragment).typed(SQLType(.integer))
  }

  /// Rounds halves away from zero; PostgreSQL's `round` rounds them to the even number.
  private func rounded(_ real: SQLFragment) -> SQLFragment {
    """
    (trunc(\(real)) + CASE WHEN abs(\(real) - trunc(\(real))) >= 0.5 THEN sign(\(real)) \
    ELSE 0 END)
    """
  }

  private func concatenated(_ arguments: [SQLFragment]) -> SQLFragment {
    var parts: [SQLFragment] = []
    for argument in arguments {
      if hasNUL(argument) { return refused(.concat) }
      switch comparedClass(argument) {
      case .text: parts.append("coalesce(\(text(argument)), '')")
      case .number:
        let number = number(argument)
        guard number.type?.kind == .integer else { return refused(.concat) }
        parts.append("coalesce(\(number)::text, '')")
      case .bytes: continue
      case nil where argument.constant?.isNull == true: continue
      case nil: return refused(.concat)
      }
    }
    let value: SQLFragment = parts.isEmpty ? "''::text" : "(\(parts.joined(by: " || ")))"
    return value.typed(SQLType(.text, mayBeNull: false))
  }

  private func first(_ arguments: [SQLFragment]) -> SQLFragment {
    var arguments = arguments.filter { $0.constant?.isNull != true }
    let classes = Set(arguments.map(comparedClass))
    if arguments.contains(where: hasNUL) { return refused(.coalesce) }
    guard let only = classes.first, classes.count == 1, let only else {
      return arguments.isEmpty ? "NULL::int4" : refused(.coalesce)
    }
    var kinds = Set(arguments.map { $0.type?.kind })
    switch only {
    case .text:
      arguments = arguments.map { "\(text($0)) COLLATE \"C\"" }
      kinds = [.text]
    case .number:
      if kinds.count > 1 || kinds.contains(nil) { arguments = arguments.map { number($0) } }
      kinds = Set(arguments.map { $0.type?.kind })
    case .bytes:
      if kinds.contains(.uuid), kinds.count > 1 { return refused(.coalesce) }
      if !kinds.contains(.uuid) { kinds = [.bytes] }
    }
    guard kinds.count == 1, let found = kinds.first, let kind = found else {
      return refused(.coalesce)
    }
    return ("coalesce(\(arguments.joined(by: ", ")))" as SQLFragment).typed(SQLType(kind))
  }

  private func days(_ arguments: [SQLFragment], _ dates: [DateConvention?]) -> SQLFragment {
    let isKnown = arguments.indices.allSatisfy { index in
      let convention = dates.indices.contains(index) ? dates[index] : nil
      let kind = arguments[index].type?.kind
      return (kind == .instant || kind == .localTime) && (convention ?? .own) == .own
    }
    guard isKnown else { return refused(.days) }
    let numbers = arguments.map(day)
    return ("(\(numbers[1]) - \(numbers[0]))" as SQLFragment).typed(SQLType(.integer))
  }

  /// A day by its number; NULL for infinite moments.
  private func day(_ moment: SQLFragment) -> SQLFragment {
    "floor(extract(epoch FROM CASE WHEN isfinite(\(moment)) THEN \(moment) END) / 86400)::int8"
  }

  package func datePart(
    _ part: DatePart, of column: SQLFragment, _ dates: DateConvention
  ) -> SQLFragment {
    let local: SQLFragment
    switch column.type?.kind {
    case .instant where dates == .own: local = "(\(column) AT TIME ZONE 'UTC')"
    case .localTime where dates == .own: local = column
    default:
      return SQLFragment(
        refusal: "The parts of dates are known of columns that PostgreSQL has as moments only.")
    }
    let value: SQLFragment =
      switch part {
      case .year: "extract(year FROM \(local))::int8"
      case .month: "to_char(\(local), 'YYYY-MM')"
      case .day: "to_char(\(local), 'YYYY-MM-DD')"
      case .quarter: "to_char(\(local), 'YYYY-\"Q\"Q')"
      case .week: "to_char(\(local), 'IYYY-\"W\"IW')"
      case .weekday: "extract(isodow FROM \(local))::int8"
      case .hour: "extract(hour FROM \(local))::int8"
      }
    let guarded: SQLFragment = "(CASE WHEN isfinite(\(local)) THEN \(value) END)"
    return guarded.typed(SQLType(part.isNumber ? .integer : .text))
  }
}
#endif
