extension PredicateParser {
  /// `name, company.name AS employer, tasks.@count, avg(salary), *`: the columns of a query.
  ///
  /// ```text
  /// columns = column { "," column }
  /// column  = "*" | term ["AS" name]
  /// term    = function "(" ("*" | ["DISTINCT"] sum) ")" | "count" | sum
  /// ```
  mutating func parseColumns() throws(PredicateSyntaxError) -> [QueryColumn] {
    var columns = [try parseColumn()]
    while isNext(",") {
      advance()
      columns.append(try parseColumn())
    }
    try requireEnd(expected: "“,”, AS or the end")
    return columns
  }

  private mutating func parseColumn() throws(PredicateSyntaxError) -> QueryColumn {
    let start = token.range.lowerBound
    if isNext("*") {
      advance()
      return QueryColumn(
        name: "*", term: .everything, type: .undefined, declaredType: nil, canonicalName: "*",
        range: start..<(start + 1))
    }
    var column = try parseTerm()
    guard case .word(let word) = token.kind, word.uppercased() == "AS" else { return column }
    advance()
    switch token.kind {
    case .word(let name), .name(let name), .text(let name): column.name = name
    default: throw error("Expected a name after AS, found \(found).", expected: "a name")
    }
    advance()
    return column
  }

  /// One term without its name.
  mutating func parseTerm() throws(PredicateSyntaxError) -> QueryColumn {
    guard case .word(let word) = token.kind, token.keyword == nil else { return try parseValue() }
    if let call = callName(), knows(call.name) { return try parseValue() }
    if entity.slot(named: word) == nil, entity.description.aliases[word] == nil {
      if isSecond("(") { return try parseCall(word) }
      if word.lowercased() == "count" {
        let range = token.range
        advance()
        return QueryColumn(
          name: word, term: .countRows, type: .integer64, declaredType: nil,
          canonicalName: "count(*)", range: range)
      }
    }
    return try parseValue()
  }

  private mutating func parseValue() throws(PredicateSyntaxError) -> QueryColumn {
    let operand = try parseSingleOperand()
    let meaning = QueryColumn.type(of: operand.operand, from: entity, in: schema)
    let name = written(operand.range)
    return QueryColumn(
      name: name, term: .value(operand.operand), type: meaning.type,
      declaredType: meaning.declaredType, dates: meaning.dates, canonicalName: name,
      range: operand.range)
  }

  /// `avg(salary)`, from the name of the function on.
  private mutating func parseCall(_ word: String) throws(PredicateSyntaxError) -> QueryColumn {
    let start = token.range.lowerBound
    let function = word.lowercased()
    let aggregate = Predicate.Aggregate(word: function)
    guard function == "count" || aggregate != nil else {
      throw error(
        "“\(word)” is not a function; there are count, sum, avg, min and max.",
        expected: "count, sum, avg, min or max",
        suggestion: Suggestion.closest(to: word, in: QueryColumn.functions))
    }
    advance()
    advance()
    let term: QueryColumn.Term
    var meaning = QueryColumn.Meaning(type: .integer64)
    if aggregate == nil, isNext("*") {
      advance()
      term = .countRows
    } else {
      let isDistinct = aggregate == nil && skipDistinct()
      let operand = try parseSingleOperand()
      if let aggregate {
        meaning = QueryColumn.type(of: operand.operand, from: entity, in: schema)
          .aggregated(aggregate)
        term = .aggregate(aggregate, operand.operand)
      } else {
        term = isDistinct ? .countDistinct(operand.operand) : .count(operand.operand)
      }
    }
    let end = token.range.upperBound
    try consume(")", expected: "“)”")
    let name = written(start..<end)
    return QueryColumn(
      name: name, term: term, type: meaning.type, declaredType: meaning.declaredType,
      dates: meaning.dates, canonicalName: function + name.dropFirst(function.count),
      range: start..<end)
  }

  /// Consumes DISTINCT before an operand; a property of that name is one.
  private mutating func skipDistinct() -> Bool {
    guard case .word(let word) = token.kind, word.uppercased() == "DISTINCT", !isSecond(")"),
      !isSecond(".")
    else { return false }
    advance()
    return true
  }

  /// An operand that has one value for each object, and nothing behind it.
  mutating func parseWholeOperand() throws(PredicateSyntaxError) -> Predicate.Operand {
    let operand = try parseSingleOperand()
    try requireEnd(expected: "an operator or the end")
    return operand.operand
  }

  /// An operand that has one value for each object.
  private mutating func parseSingleOperand() throws(PredicateSyntaxError) -> ParsedOperand {
    let operand = try requireOperand(try parseSum())
    guard !operand.isThroughToMany, !operand.endsInToMany else {
      throw error(
        "“\(slice(operand.range))” leads to many objects; ask for their number with @count, or for "
          + "a value of them as in tasks.@sum.estimate.", at: operand.range,
        expected: "an attribute or a to-one relationship")
    }
    return operand
  }
}
