import Basics
package import DatastoreCore

/// A column of an answer, in SQL.
package struct AnswerTerm {
  package var column: AnswerColumn
  package let sql: SQLFragment
}

/// Tables of values: columns as stored, whatever their values.
extension QueryBuilder {
  /// The statement of a query, and its columns.
  package func answer(
    to query: ValueQuery, includingGenerated: Bool
  ) throws -> (sql: SQLFragment, columns: [AnswerColumn]) {
    let entity = try entity(named: query.entity)
    guard let grouping = query.grouping else {
      return try plainAnswer(to: query, entity, includingGenerated: includingGenerated)
    }
    let scope = makeScope(entity.index)
    if let window = grouping.window {
      scope.source = try rows(window.request(of: query.entity, where: query.predicate), of: entity)
    }
    var keys: [SQLFragment] = []
    let terms = try grouping.columns.map { column -> SQLFragment in
      let stored = try term(column.term, in: scope)
      // Without a column's type, so that conditions on groups compare the actual values.
      let value = dialect.untyped(stored)
      guard grouping.keys.contains(where: { $0.term == column.term }) else { return value }
      // Written once: engines recognise a subquery as the same only if it has the same names.
      let isBinary = try isBinaryColumn(column.term, in: scope)
      keys.append(dialect.groupKey(isBinary ? stored : value, isBinary: isBinary))
      return dialect.groupValue(value)
    }
    let values = zip(terms, grouping.columns).map { term, column in
      "\(term) AS \(name: column.name)" as SQLFragment
    }
    let condition = scope.source == nil ? try whereClause(query.predicate, in: scope) : ""
    var inner: SQLFragment = "SELECT \(values.joined(by: ", "))\(from(scope))\(condition)"
    if !keys.isEmpty { inner += " GROUP BY \(keys.joined(by: ", "))" }

    // The groups are a table, so conditions and orders on them are like those on any other.
    var name = "datastore_groups"
    while mapping.entities.contains(where: { $0.table.lowercased() == name }) { name += "_" }
    let groups = QueryBuilder(
      .groups(grouping, table: name, types: terms.map(\.type), dialect: dialect))
    let groupScope = groups.makeScope(0)
    let shown = query.columns.map { column in
      let type = zip(grouping.columns, terms).first { $0.0.name == column.name }?.1.type
      return dialect.selected(groups.column(groupScope.alias, column.name).typed(type))
    }
    let kept = try groups.whereClause(grouping.condition, in: groupScope)
    let order = try groups.sortTerms(query.order, in: groupScope)
    let outer: SQLFragment = """
      WITH \(name: name) AS (\(inner)) SELECT \(shown.joined(by: ", "))\(groups.from(groupScope))\
      \(kept)\(Self.orderBy(order))\(limit(query))
      """
    return (
      outer,
      query.columns.map { AnswerColumn(name: $0.name, type: $0.type, dates: $0.dates) }
    )
  }

  /// The inputs of groups, a row for each object that meets the condition of a query: values, and operands of
  /// aggregates.
  package func inputs(_ terms: [QueryColumn.Term], of query: ValueQuery) throws -> SQLFragment {
    let scope = makeScope(try entity(named: query.entity).index)
    let values = try terms.map { term in
      if case .aggregate(_, let argument) = term { return try operand(argument, in: scope).sql }
      return try self.term(term, in: scope)
    }
    let condition = try whereClause(query.predicate, in: scope)
    let shown = values.isEmpty ? "1" : values.joined(by: ", ")
    return "SELECT \(shown)\(from(scope))\(condition)"
  }

  /// The rows of a request as a table with the columns of the entity's table.
  private func rows(_ request: FetchRequest, of entity: Entity) throws -> SQLFragment {
    let scope = makeScope(entity.index)
    let tail = try clauses(request, in: scope)
    let mapped = mapping.entities[entity.index]
    var columns: SQLFragment = "\(name: scope.alias).*"
    if case .rowid(let key) = mapped.key, !mapped.allColumns.isEmpty,
      !mapped.allColumns.contains(key)
    {
      columns = "\(column(scope.alias, key)) AS \(name: key), \(columns)"
    }
    return "(SELECT \(columns)\(tail))"
  }

  private func plainAnswer(
    to query: ValueQuery, _ entity: Entity, includingGenerated: Bool
  ) throws -> (sql: SQLFragment, columns: [AnswerColumn]) {
    let scope = makeScope(entity.index)
    let isEverything = query.columns.isEmpty
    let everything = storedColumns(of: entity, scope.alias)
    var terms: [AnswerTerm] = isEverything ? everything : []
    for column in query.columns {
      if column.term == .everything {
        terms += everything
        continue
      }
      var answer = AnswerColumn(name: column.name, type: column.type, dates: column.dates)
      answer.storedName = column.isRenamed ? nil : storedName(of: column.term, in: entity)
      terms.append(
        AnswerTerm(column: answer, sql: dialect.selected(try term(column.term, in: scope))))
    }
    if !includingGenerated { terms.removeAll(where: \.column.isGenerated) }
    let rest = try rank(query.predicate, by: query.order, in: scope)
    let condition = try whereClause(rest, in: scope)
    var order = try sortTerms(query.order, in: scope)
    if !query.order.isEmpty || query.isOrderedByKey, needsTieBreaker(query.order, in: scope) {
      order += tieBreakers(entity.index, scope.alias)
    }
    // Selecting the columns of a broken view makes SQLite report its fault.
    let shown = terms.isEmpty ? "*" : terms.map(\.sql).joined(by: ", ")
    return (
      "SELECT \(shown)\(from(scope))\(condition)\(Self.orderBy(order))\(limit(query))",
      terms.map(\.column)
    )
  }

  /// All columns of an entity's table in the file's order; for native tables, the key and the columns of the
  /// entity.
  private func storedColumns(of entity: Entity, _ alias: String) -> [AnswerTerm] {
    let mapped = mapping.entities[entity.index]
    // By exact keys: column names that differ only in Unicode normalization are distinct.
    var known: [String: AnswerColumn] = [:]
    var types: [String: SQLType] = [:]
    var names: [String] = []
    if case .rowid(let key) = mapped.key {
      names.append(key)
      known[key.exactKey] = AnswerColumn(name: key, type: .integer64, isGenerated: false)
    }
    if let family = mapped.family {
      names.append(family.discriminator)
      known[family.discriminator.exactKey] = AnswerColumn(
        name: family.discriminator, type: .string, isGenerated: false)
    }
    for (slot, property) in zip(entity.slots, entity.properties) {
      switch mapped.slots[slot] {
      case .attribute(let column):
        let type = property.attribute?.type ?? .undefined
        types[column.name.exactKey] = column.type
        if known[column.name.exactKey] == nil { names.append(column.name) }
        known[column.name.exactKey] = AnswerColumn(
          name: mapping.isNative ? property.name : property.nameInFile, type: type,
          dates: property.attribute?.dateConvention,
          isGenerated: column.isGenerated)
      case .toOne(let foreign):
        for column in foreign.columns where known[column.name.exactKey] == nil {
          names.append(column.name)
          types[column.name.exactKey] = column.type
          known[column.name.exactKey] = mapping.answerColumn(column, of: property, in: entity)
        }
      case .toManyForeignKey, .toManyJoin: continue
      }
    }
    return (mapped.allColumns.isEmpty ? names : mapped.allColumns).map { name in
      var value = column(alias, name)
      if let family = mapped.family, family.discriminator.isExactly(name) {
        value = family.entityName(alias)
      }
      var answer =
        known[name.exactKey] ?? AnswerColumn(name: name, type: .undefined, isGenerated: false)
      answer.storedName = name
      return AnswerTerm(
        column: answer, sql: dialect.selected(value.typed(types[name.exactKey])))
    }
  }

  /// The column of the entity's table that a term is; nil for anything else.
  private func storedName(of term: QueryColumn.Term, in entity: Entity) -> String? {
    guard case .value(.keyPath(let path)) = term, path.count < 2 else { return nil }
    guard let name = path.first else {
      if case .rowid(let key) = mapping.entities[entity.index].key { return key }
      return nil
    }
    guard let slot = entity.slot(named: name) else { return nil }
    let columns = mapping.storedColumns(of: slot, in: entity)
    return columns.count == 1 ? columns[0].storedName : nil
  }

  private func tieBreakers(_ entity: EntityIndex, _ alias: String) -> [SQLFragment] {
    switch mapping.entities[entity].key {
    case .rowid(let name): [column(alias, name)]
    case .columns(let names): names.map { column(alias, $0) }
    case .wholeRow: []
    }
  }

  private func term(_ term: QueryColumn.Term, in scope: QueryScope) throws -> SQLFragment {
    switch term {
    case .everything: trap("all columns are put in one by one")
    case .value(let operand): return try stored(operand, in: scope)
    case .key(let path): return try operand(resolve(path, in: scope)).sql
    case .countRows: return ("count(*)" as SQLFragment).typed(.count)
    case .count(let operand):
      return ("count(\(try stored(operand, in: scope)))" as SQLFragment).typed(.count)
    case .countDistinct(let operand):
      let value = dialect.binary(dialect.untyped(try stored(operand, in: scope)))
      return ("count(DISTINCT \(value))" as SQLFragment).typed(.count)
    case .aggregate(let aggregate, let argument):
      let operand = try operand(argument, in: scope)
      return self.aggregate(aggregate, operand)
    }
  }

  /// Whether a term is a column that compares byte by byte by default.
  private func isBinaryColumn(_ term: QueryColumn.Term, in scope: QueryScope) throws -> Bool {
    guard case .value(.keyPath(let path)) = term, try referringColumn(path, in: scope) == nil,
      case .attribute(_, let column, _, _) = try resolve(path, in: scope)
    else { return false }
    return column.isBinary
  }

  private static func orderBy(_ terms: [SQLFragment]) -> SQLFragment {
    terms.isEmpty ? "" : " ORDER BY \(terms.joined(by: ", "))"
  }

  private func limit(_ query: ValueQuery) -> SQLFragment {
    dialect.limit(query.limit.map { max($0, 0) }, offset: max(query.offset, 0))
  }
}

/// Stored values, in places where a comparison would convert them.
extension QueryBuilder {
  private func stored(_ operand: Predicate.Operand, in scope: QueryScope) throws -> SQLFragment {
    guard case .keyPath(let path) = operand else {
      return try self.operand(operand, in: scope).sql
    }
    if let own = try referringColumn(path, in: scope) { return own }
    switch try resolve(path, in: scope) {
    case .attribute(let sql, _, _, _), .datePart(let sql, _): return sql
    case .reference(let foreign, let alias):
      return try onlyColumn(foreign.names, path, of: alias)
    case .key(let sql, let entity):
      switch mapping.entities[entity].key {
      case .rowid: return sql
      case .columns(let names): return try onlyColumn(names, path, of: scope.alias)
      case .wholeRow:
        throw StoreError.unsupportedPredicate(
          "\(schema.entities[entity].name) has no key that could be shown.")
      }
    case .toMany(let link, _, _):
      throw StoreError.unsupportedPredicate(
        "“\(link.description.name)” leads to many objects and has no one value.")
    }
  }

  private func onlyColumn(
    _ names: [String], _ path: [String], of alias: String
  ) throws -> SQLFragment {
    guard names.count == 1 else {
      throw StoreError.unsupportedPredicate(
        "“\(path.isEmpty ? "SELF" : path.joined(separator: "."))” is a key of several columns; name "
          + "them: \(names.joined(separator: ", ")).")
    }
    return column(alias, names[0])
  }

  /// For a path to the column that a foreign key refers to, the referring column itself: it needs no join,
  /// and exists even if the reference leads nowhere.
  private func referringColumn(_ path: [String], in scope: QueryScope) throws -> SQLFragment? {
    guard path.count > 1, let last = path.last,
      case .reference(let foreign, let alias) = try resolve(path.dropLast(), in: scope)
    else { return nil }
    let destination = mapping.entities[foreign.destination]
    guard let slot = schema.entities[foreign.destination].slot(named: last),
      case .attribute(let referenced) = destination.slots[slot]
    else { return nil }
    let names: [String]
    switch foreign.reference {
    case .rowid: names = destination.keySlot == slot ? [referenced.name] : []
    case .columns(let columns): names = columns
    case .primaryKey:
      guard case .columns(let columns) = destination.key else { return nil }
      names = columns
    }
    return names.place(ofName: referenced.name).map { column(alias, foreign.columns[$0]) }
  }
}

extension SchemaMapping {
  /// Groups of objects as a table.
  fileprivate static func groups(
    _ grouping: ValueQuery.Grouping, table: String, types: [SQLType?], dialect: any SQLDialect
  ) -> SchemaMapping {
    let columns = zip(grouping.columns, types).map {
      Column(name: $0.name, isBinary: false, type: $1)
    }
    return SchemaMapping(
      schema: grouping.schema,
      entities: [
        EntityMapping(
          table: table, kind: .view, key: .wholeRow, slots: BySlot(columns.map { .attribute($0) }),
          allColumns: columns.map(\.name))
      ], isNative: false, dialect: dialect)
  }
}
