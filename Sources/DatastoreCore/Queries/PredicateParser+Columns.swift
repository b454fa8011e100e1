extension PredicateParser {
  /// `name, company.name AS employer, tasks.@count, avg(salary), *`: the columns of a query.
  ///
  /// ```text
  /// columns = column { "," column }
  /// column  = "*" | term ["AS" name]
  /// term    = "count" "(" ["*"] ")" | function "(" ["DISTINCT"] sum ")" | "count" | sum
  /// ```
  mutating func parseColumns() throws(PredicateSyntaxError) -> [QueryColumn] {
    // A constant is no column that anybody asks for.
    prefersNames = true
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
    if let name = try parseName() { column.name = name }
    return column
  }

  /// One term without its name.
  mutating func parseTerm() throws(PredicateSyntaxError) -> QueryColumn {
    guard case .word(let word) = token.kind, token.keyword == nil else { return try parseValue() }
    if let call = callName(), knows(call.name) { return try parseValue() }
    if isFunctionNext { return try parseValue() }
    // Parentheses make it a function, also where a column has its name.
    if isSecond("(") { return try parseCall(word) }
    if word.lowercased() == "count", !knows(word) {
      let range = token.range
      advance()
      return QueryColumn(
        name: word, term: .countRows, type: .integer64, declaredType: nil,
        canonicalName: "count(*)", range: range)
    }
    return try parseValue()
  }

  private mutating func parseValue() throws(PredicateSyntaxError) -> QueryColumn {
    let operand = try parseSingleOperand()
    let meaning = OperandMeaning(of: operand.operand, from: entity, in: schema)
    let name = written(operand.range)
    return QueryColumn(
      name: name, term: .value(operand.operand), type: meaning.type,
      declaredType: meaning.declaredType, dates: meaning.dates, canonicalName: name,
      range: operand.range)
  }

  /// `avg(salary)`, starting at the name of the function.
  private mutating func parseCall(_ word: String) throws(PredicateSyntaxError) -> QueryColumn {
    let start = token.range.lowerBound
    let function = word.lowercased()
    let aggregate = Predicate.Aggregate(word: function)
    guard function == "count" || aggregate != nil else {
      throw error(
        "“\(word)” is not a function; of groups there are count, sum, avg, min and max, of values "
          + "\(Self.functionNames).",
        expected: "a function",
        suggestion: Suggestion.closest(
          to: word, in: QueryColumn.functions + Predicate.Function.allCases.map(\.rawValue)))
    }
    advance()
    advance()
    let term: QueryColumn.Term
    var meaning = OperandMeaning(type: .integer64)
    if aggregate == nil, isNext("*") || isNext(")") {
      if isNext("*") { advance() }
      term = .countRows
    } else {
      let isDistinct = aggregate == nil && skipDistinct()
      let operand = stored(try parseSingleOperand())
      if let aggregate {
        try requireNumbers(operand.type, at: operand.range, for: aggregate)
        meaning = OperandMeaning(of: operand.operand, from: entity, in: schema)
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
      dates: meaning.dates,
      canonicalName: term == .countRows
        ? term.description : function + name.dropFirst(function.count),
      range: start..<end)
  }

  /// Consumes DISTINCT before an operand, unless it is a property of that name.
  private mutating func skipDistinct() -> Bool {
    guard case .word(let word) = token.kind, word.uppercased() == "DISTINCT", !isSecond(")"),
      !isSecond(".")
    else { return false }
    advance()
    return true
  }
}
