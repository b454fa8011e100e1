import DatastoreCore

extension QueryBuilder {
  /// `SELECT key, columns …` of whole rows.
  func rows(_ request: FetchRequest) throws -> SQLFragment {
    let scope = makeScope(try entity(named: request.entity).index)
    let tail = try clauses(request, in: scope)
    return "SELECT \(rowColumns(scope.entity, scope.alias))\(tail)"
  }

  /// `SELECT key, columns …` of the row whose key is the first parameter, if it is of the entity.
  func row(_ entity: Int) -> SQLFragment {
    let scope = makeScope(entity)
    return """
      SELECT \(rowColumns(entity, scope.alias))\(from(scope)) \
      WHERE \(isRow(entity, scope.alias, key: "?1"))\(andIsMember(scope))
      """
  }

  /// ` AND …` that the rows of a scope are of its entity, where others share the table.
  func andIsMember(_ scope: QueryScope) -> SQLFragment {
    mapping.entities[scope.entity].family?.condition(scope.alias).map { " AND \($0)" } ?? ""
  }

  /// `SELECT key …`.
  func keys(_ request: FetchRequest) throws -> SQLFragment {
    let scope = makeScope(try entity(named: request.entity).index)
    let tail = try clauses(request, in: scope)
    return "SELECT \(key(scope.entity, scope.alias))\(tail)"
  }

  /// `SELECT count(*) …`, of what a request with that offset and limit would return.
  func count(_ request: FetchRequest) throws -> SQLFragment {
    let scope = makeScope(try entity(named: request.entity).index)
    let condition = try whereClause(request.predicate, in: scope)
    let source = from(scope) + condition
    guard request.limit > 0 || request.offset > 0 else { return "SELECT count(*)\(source)" }
    return "SELECT count(*) FROM (SELECT 1\(source)\(Self.limit(request)))"
  }

  /// `SELECT key, group …` with the group key before the sort order.
  func grouped(_ request: FetchRequest, by path: [String]) throws -> SQLFragment {
    let scope = makeScope(try entity(named: request.entity).index)
    let group = try operand(resolve(path, in: scope))
    let tail = try clauses(request, groupBy: path, in: scope)
    return "SELECT \(key(scope.entity, scope.alias)), \(group.stored ?? group.sql)\(tail)"
  }

  /// `SELECT group, count(*) … GROUP BY group`.
  func sections(_ request: FetchRequest, by path: [String]) throws -> SQLFragment {
    let scope = makeScope(try entity(named: request.entity).index)
    let group = try operand(resolve(path, in: scope))
    let condition = try whereClause(request.predicate, in: scope)
    let value = group.stored ?? group.sql
    guard request.limit > 0 || request.offset > 0 else {
      let order = Self.groupTerms(group)
      return """
        SELECT \(value), count(*)\(from(scope))\(condition) \
        GROUP BY \(value) COLLATE BINARY ORDER BY \(order.joined(by: ", "))
        """
    }
    let tail = try clauses(request, groupBy: path, in: scope)
    let order: SQLFragment = group.isDecimal ? "datastore_decimal(value), " : ""
    return """
      SELECT value, count(*) FROM (SELECT \(value) AS value\(tail)) \
      GROUP BY value COLLATE BINARY ORDER BY \(order)value COLLATE BINARY
      """
  }

  /// What sections are ordered by; decimals of equal value but different text stay together.
  private static func groupTerms(_ group: SQLOperand) -> [SQLFragment] {
    [group.isBinary ? group.sql : group.sql + " COLLATE BINARY"] + (group.stored.map { [$0] } ?? [])
  }

  /// The key and the stored slots, in the order of `RowLayout`.
  func rowColumns(_ entity: Int, _ alias: String) -> SQLFragment {
    var columns = [key(entity, alias)]
    if let family = mapping.entities[entity].family, family.members.count > 1 {
      columns += family.columns.map { column(alias, $0) } + [column(alias, family.discriminator)]
      return columns.joined(by: ", ")
    }
    for slot in mapping.entities[entity].slots {
      switch slot {
      case .attribute(let column): columns.append(self.column(alias, column.name))
      case .toOne(let foreign): columns.append(toOneKey(foreign, alias))
      case .toManyForeignKey, .toManyJoin: continue
      }
    }
    return columns.joined(by: ", ")
  }

  func entity(named name: String) throws -> Entity {
    guard let entity = schema.entity(named: name) else { throw StoreError.unknownEntity(name) }
    if let unreadableReason = mapping.entities[entity.index].unreadableReason {
      throw StoreError.unreadable(entity: name, detail: unreadableReason)
    }
    return entity
  }

  /// `FROM … WHERE … ORDER BY … LIMIT …`.
  func clauses(
    _ request: FetchRequest, groupBy path: [String]? = nil, in scope: QueryScope
  ) throws -> SQLFragment {
    let condition = try whereClause(request.predicate, in: scope)
    let order = try orderClause(request.sortDescriptors, groupBy: path, in: scope)
    return from(scope) + condition + order + Self.limit(request)
  }

  func whereClause(
    _ predicate: Predicate?, in scope: QueryScope
  ) throws -> SQLFragment {
    let membership = mapping.entities[scope.entity].family?.condition(scope.alias)
    guard let predicate, predicate != .constant(true) else {
      return membership.map { " WHERE \($0)" } ?? ""
    }
    do {
      try predicate.requireShallow()
    } catch {
      throw StoreError.unsupportedPredicate(error.description)
    }
    let condition = try condition(predicate, in: scope)
    return membership.map { " WHERE \($0) AND \(condition)" } ?? " WHERE \(condition)"
  }

  private func orderClause(
    _ descriptors: [SortDescriptor], groupBy path: [String]?, in scope: QueryScope
  ) throws -> SQLFragment {
    var terms: [SQLFragment] = []
    if let path {
      terms = try Self.groupTerms(operand(resolve(path, in: scope)))
      // Sections come the other way round when the first sort key asks for that, or in the order of what it
      // says of the objects that make them.
      if let first = descriptors.first, first.leadsSections(by: path), !first.ascending {
        terms = terms.map { $0 + " DESC" }
      } else if let first = descriptors.first, first.ordersSections(by: path) {
        terms = try sortTerms([first], in: scope) + terms
      }
    }
    terms += try sortTerms(descriptors, in: scope)
    // Equal rows of a view cannot be distinguished, and its keys exist only once it has been read.
    if mapping.entities[scope.entity].key != .wholeRow {
      terms.append(key(scope.entity, scope.alias))
    }
    return terms.isEmpty ? "" : " ORDER BY \(terms.joined(by: ", "))"
  }

  /// What rows are ordered by, without a tie-breaker.
  func sortTerms(
    _ descriptors: [SortDescriptor], in scope: QueryScope
  ) throws -> [SQLFragment] {
    try descriptors.map { descriptor in
      let operand = try operand(descriptor.operand, in: scope).folded(descriptor.options)
      var term = operand.sql
      if !operand.isBinary { term += " COLLATE BINARY" }
      if !descriptor.ascending { term += " DESC" }
      return term
    }
  }

  private static func limit(_ request: FetchRequest) -> SQLFragment {
    let offset = max(request.offset, 0)
    let limit = request.limit > 0 ? request.limit : -1
    if limit < 0, offset == 0 { return "" }
    return offset == 0
      ? " LIMIT \(.integer(Int64(limit)))"
      : " LIMIT \(.integer(Int64(limit))) OFFSET \(.integer(Int64(offset)))"
  }
}
