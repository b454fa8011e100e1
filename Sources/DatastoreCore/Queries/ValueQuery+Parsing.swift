extension ValueQuery {
  /// Reads a query's parts. Names are checked against the schema.
  ///
  /// With `groupBy`, or with a function such as `avg(salary)` among the columns, the answer has a row
  /// for each group; `having` and `order` then speak of columns of the groups, whether these are
  /// shown or not.
  ///
  /// - Throws: `PredicateSyntaxError` for the first fault, in the part that has it.
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
        order = try SortDescriptor.parse(format, entity: entity, in: schema)
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
        column.term == .everything
        ? "name the columns of the groups."
        : "add it to --group-by, or write min(\(column.name)) or max(\(column.name))."
      throw PredicateSyntaxError(
        "“\(column.name)” has no one value in a group; \(hint)", in: text.columns ?? "",
        at: column.range, expected: "a column of the groups")
    }
    let grouping = try Self.grouping(keys: keys, shown: &columns, text, entity, schema)
    self.grouping = grouping
    let groups = grouping.schema.entities[0]
    if let format = text.having {
      self.grouping?.condition = try Predicate.parse(format, entity: groups, in: grouping.schema)
    }
    if let format = text.order {
      order = try SortDescriptor.parse(format, entity: groups, in: grouping.schema)
    }
    // The keys distinguish all groups, so that the order is total.
    for key in keys {
      guard let column = grouping.columns.first(where: { $0.term == key.term }) else { continue }
      if !order.contains(where: { $0.keyPath == [column.name] && $0.options.isEmpty }) {
        order.append(SortDescriptor([column.name]))
      }
    }
  }

  /// The columns of the groups: those that are shown, the keys, the count, and the terms that only the
  /// condition and the order name.
  private static func grouping(
    keys: [QueryColumn], shown: inout [QueryColumn], _ text: ValueQueryText, _ entity: Entity,
    _ schema: Schema
  ) throws(PredicateSyntaxError) -> Grouping {
    var names: Set<String> = []
    for index in shown.indices { shown[index].name = names.free(shown[index].name) }
    var hidden = keys
    hidden.append(countColumn)
    for format in [text.having, text.order] {
      hidden += try terms(in: format ?? "", entity, schema)
    }
    var all = shown
    for var column in hidden where !all.contains(where: { $0.term == column.term }) {
      column.name = names.free(column.name)
      all.append(column)
    }
    var aliases: [String: [String]] = [:]
    for column in (shown + hidden).reversed() {
      guard let known = all.first(where: { $0.term == column.term }) else { continue }
      for name in [column.name, column.canonicalName] { aliases[name] = [known.name] }
    }
    if let count = aliases["count(*)"], aliases["count"] == nil { aliases["count"] = count }
    for column in all { aliases[column.name] = nil }
    let properties = all.map { column -> PropertyDescription in
      var attribute = AttributeDescription(
        name: column.name, type: column.type, declaredType: column.declaredType)
      attribute.dateConvention = column.dates
      return .attribute(attribute)
    }
    do {
      let groups = EntityDescription(
        name: "The result", properties: properties, isReadOnly: true, aliases: aliases)
      return Grouping(keys: keys, columns: all, schema: try Schema([groups]))
    } catch {
      preconditionFailure("names were made unique, so the schema of groups has no faults: \(error)")
    }
  }

  private static var countColumn: QueryColumn {
    QueryColumn(
      name: "count", term: .countRows, type: .integer64, declaredType: nil,
      canonicalName: "count(*)", range: 0..<0)
  }

  /// The functions over groups that a text mentions.
  private static func terms(
    in format: String, _ entity: Entity, _ schema: Schema
  ) throws(PredicateSyntaxError) -> [QueryColumn] {
    var parser = PredicateParser(format, arguments: [], entity: entity, schema: schema)
    var terms: [QueryColumn] = []
    while parser.token.kind != .end {
      if case .word(let word) = parser.token.kind, parser.isSecond("("),
        QueryColumn.functions.contains(word.lowercased()), entity.slot(named: word) == nil
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
  /// Whether it holds a value of each object.
  fileprivate var isValue: Bool {
    if case .value = term { return true }
    return false
  }
}

extension Set<String> {
  /// The name itself, or with a number after it when it is taken; taken from now on.
  fileprivate mutating func free(_ name: String) -> String {
    let base = name.isEmpty ? "column" : name
    var candidate = base
    var number = 2
    while !insert(candidate).inserted {
      candidate = "\(base)_\(number)"
      number += 1
    }
    return candidate
  }
}
