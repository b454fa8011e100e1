extension ValueQuery {
  /// Parses the parts of a query. Names are checked against the schema.
  ///
  /// With `groupBy`, or with a function such as `avg(salary)` among the columns, the answer has a row for
  /// each group; `having` and `order` then refer to columns of the groups, whether these are shown or not.
  ///
  /// - Throws: `PredicateSyntaxError` for the first fault, in its part.
  package init(
    _ text: ValueQueryText, entity: Entity, in schema: Schema
  ) throws(PredicateSyntaxError) {
    self.init(entity: entity.name)
    if let format = text.predicate {
      predicate = try Predicate.parse(format, entity: entity, in: schema)
    }
    if let format = text.columns {
      columns = try Self.columns(format, entity, schema)
    }
    let isGrouped =
      text.groupBy != nil || text.having != nil || columns.contains { $0.term.isAggregate }
    guard isGrouped else {
      if let format = text.order {
        var parser = PredicateParser(format, arguments: [], entity: entity, schema: schema)
        parser.columns = columns.compactMap { column in
          if case .value(let operand) = column.term { (column.name, operand) } else { nil }
        }
        order = try parser.parseSortDescriptors()
        if order.hasRank(of: entity), !(predicate?.isRanked ?? false) {
          throw Self.rankFault(
            "Nothing is ranked: @rank needs a SEARCH in the condition that all rows meet.",
            in: format)
        }
      }
      return
    }
    try group(text, entity, schema)
  }

  private static func columns(
    _ format: String, _ entity: Entity, _ schema: Schema
  ) throws(PredicateSyntaxError) -> [QueryColumn] {
    var parser = PredicateParser(format, arguments: [], entity: entity, schema: schema)
    return try parser.parseColumns()
  }

  private mutating func group(
    _ text: ValueQueryText, _ entity: Entity, _ schema: Schema
  ) throws(PredicateSyntaxError) {
    var keys: [QueryColumn] = []
    if let format = text.groupBy {
      keys = try Self.columns(format, entity, schema)
      if let key = keys.first(where: { !$0.isValue }) {
        throw PredicateSyntaxError(
          "“\(key.name)” cannot make groups; name attributes or to-one relationships.",
          in: format, at: key.range, expected: "an attribute or a to-one relationship")
      }
    }
    if columns.isEmpty {
      columns = keys
      columns.append(Self.countColumn)
    }
    for column in columns where !column.term.isAggregate {
      guard column.term == .everything || !keys.contains(where: { $0.term == column.term }) else {
        continue
      }
      let hint =
        switch column.term {
        case .everything: "name the columns of the groups."
        case .value(.keyPath(["count"])):
          "write count(*) for the number of rows, or add it to --group-by."
        default: "add it to --group-by, or write min(\(column.name)) or max(\(column.name))."
        }
      throw PredicateSyntaxError(
        "“\(column.name)” has no one value in a group; \(hint)", in: text.columns ?? "",
        at: column.range, expected: "a column of the groups")
    }
    var others = [Self.countColumn]
    for format in [text.having, text.order] {
      others += try Self.terms(in: format ?? "", entity, schema)
    }
    let grouping = Self.grouping(keys: keys, shown: &columns, others)
    self.grouping = grouping
    let groups = grouping.schema.entities[0]
    if let format = text.having {
      self.grouping?.condition = try Predicate.parse(format, entity: groups, in: grouping.schema)
    }
    if let format = text.order {
      order = try SortDescriptor.parse(format, entity: groups, in: grouping.schema)
      if order.hasRank(of: groups) {
        throw Self.rankFault("Groups have no rank; sort them by their columns.", in: format)
      }
    }
    // The keys distinguish all groups, so that the order is total.
    for key in keys {
      guard let column = grouping.columns.first(where: { $0.term == key.term }) else { continue }
      if !order.contains(where: { $0.keyPath == [column.name] && $0.options.isEmpty }) {
        order.append(SortDescriptor([column.name]))
      }
    }
  }

  private static func rankFault(_ message: String, in format: String) -> PredicateSyntaxError {
    let bytes = format.utf8
    let start = format.firstRange(of: PredicatePath.rankStep).map {
      bytes.distance(from: bytes.startIndex, to: $0.lowerBound)
    }
    let place = start ?? 0
    return PredicateSyntaxError(
      message, in: format, at: place..<(place + PredicatePath.rankStep.utf8.count),
      expected: "a property")
  }

  private static var countColumn: QueryColumn {
    QueryColumn(
      name: "count", term: .countRows, type: .integer64, declaredType: nil,
      canonicalName: "count(*)", range: 0..<0)
  }

  /// The aggregate functions in a text.
  private static func terms(
    in format: String, _ entity: Entity, _ schema: Schema
  ) throws(PredicateSyntaxError) -> [QueryColumn] {
    var parser = PredicateParser(format, arguments: [], entity: entity, schema: schema)
    var terms: [QueryColumn] = []
    while parser.token.kind != .end {
      if case .word(let word) = parser.token.kind, parser.isSecond("("),
        QueryColumn.functions.contains(word.lowercased())
      {
        terms.append(try parser.parseTerm())
      } else {
        parser.advance()
      }
    }
    return terms
  }
}

extension QueryColumn {
  /// Whether its term is a value of each object.
  fileprivate var isValue: Bool {
    if case .value = term { true } else { false }
  }
}
