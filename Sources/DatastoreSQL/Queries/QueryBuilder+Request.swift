package import DatastoreCore

extension QueryBuilder {
  /// `SELECT key, columns …` of whole rows.
  package func rows(_ request: FetchRequest) throws -> SQLFragment {
    let scope = makeScope(try entity(named: request.entity).index)
    let tail = try clauses(request, in: scope)
    return "SELECT \(rowColumns(scope.entity, scope.alias))\(tail)"
  }

  /// `SELECT key, columns …` of the row whose key is the first parameter, if it belongs to the entity.
  package func row(_ entity: EntityIndex) -> SQLFragment {
    let scope = makeScope(entity)
    return """
      SELECT \(rowColumns(entity, scope.alias))\(from(scope)) \
      WHERE \(isRow(entity, scope.alias, key: "\(parameter: 1)"))\(andIsMember(scope))
      """
  }

  /// ` AND …` with the condition that the rows of a scope belong to its entity, if others share the table.
  package func andIsMember(_ scope: QueryScope) -> SQLFragment {
    mapping.entities[scope.entity].family?.condition(scope.alias).map { " AND \($0)" } ?? ""
  }

  /// `SELECT key …`.
  package func keys(_ request: FetchRequest) throws -> SQLFragment {
    let scope = makeScope(try entity(named: request.entity).index)
    let tail = try clauses(request, in: scope)
    return "SELECT \(key(scope.entity, scope.alias))\(tail)"
  }

  /// `SELECT count(*) …` of the result of a request with its offset and limit.
  package func count(_ request: FetchRequest) throws -> SQLFragment {
    let scope = makeScope(try entity(named: request.entity).index)
    let condition = try whereClause(request.predicate, in: scope)
    let source = from(scope) + condition
    guard request.limit > 0 || request.offset > 0 else { return "SELECT count(*)\(source)" }
    return "SELECT count(*) FROM \(dialect.table(of: "SELECT 1\(source)\(limit(request))"))"
  }

  /// `SELECT key, group …` with the group key before the sort order.
  package func grouped(_ request: FetchRequest, by path: [String]) throws -> SQLFragment {
    let scope = makeScope(try entity(named: request.entity).index)
    let group = try operand(at: path, in: scope)
    let tail = try clauses(request, groupBy: path, in: scope)
    let value = dialect.selected(group.stored ?? group.sql)
    return "SELECT \(key(scope.entity, scope.alias)), \(value)\(tail)"
  }

  /// `SELECT group, count(*) … GROUP BY group`.
  package func sections(_ request: FetchRequest, by path: [String]) throws -> SQLFragment {
    let scope = makeScope(try entity(named: request.entity).index)
    let group = try operand(at: path, in: scope)
    let condition = try whereClause(request.predicate, in: scope)
    let value = group.stored ?? group.sql
    guard request.limit > 0 || request.offset > 0 else {
      let order = groupTerms(group).map { sortTerm($0, ascending: true) }
      return """
        SELECT \(dialect.groupValue(value)), count(*)\(from(scope))\(condition) \
        GROUP BY \(dialect.groupKey(value, isBinary: group.isBinaryColumn)) \
        ORDER BY \(order.joined(by: ", "))
        """
    }
    let tail = try clauses(request, groupBy: path, in: scope)
    let outer = ("value" as SQLFragment).typed(value.type)
    let order: SQLFragment = group.isDecimal ? "\(dialect.decimal(outer)), " : ""
    let bytes = dialect.binary(outer)
    return """
      SELECT \(dialect.groupValue(outer)), count(*) \
      FROM \(dialect.table(of: "SELECT \(value) AS value\(tail)")) \
      GROUP BY \(bytes) ORDER BY \(order)\(dialect.sortTerm(bytes, ascending: true))
      """
  }

  /// The sort terms of sections; decimals of equal value but different text stay together.
  private func groupTerms(_ group: SQLOperand) -> [SQLFragment] {
    [binary(group)] + (group.stored.map { [$0] } ?? [])
  }

  /// The key and the stored slots, in the order of `RowLayout`.
  package func rowColumns(_ entity: EntityIndex, _ alias: String) -> SQLFragment {
    var columns = [key(entity, alias)]
    if let family = mapping.entities[entity].family, family.members.count > 1 {
      columns += family.columns.map { column(alias, $0) } + [column(alias, family.discriminator)]
      return columns.joined(by: ", ")
    }
    for slot in mapping.entities[entity].slots {
      switch slot {
      case .attribute(let column):
        columns.append(dialect.selected(self.column(alias, column)))
      case .toOne(let foreign): columns.append(toOneKey(foreign, alias))
      case .toManyForeignKey, .toManyJoin: continue
      }
    }
    return columns.joined(by: ", ")
  }

  package func entity(named name: String) throws -> Entity {
    let entity = try schema.requiredEntity(named: name)
    if let unreadableReason = mapping.entities[entity.index].unreadableReason {
      throw StoreError.unreadable(entity: name, detail: unreadableReason)
    }
    return entity
  }

  /// `FROM … WHERE … ORDER BY … LIMIT …`.
  package func clauses(
    _ request: FetchRequest, groupBy path: [String]? = nil, in scope: QueryScope
  ) throws -> SQLFragment {
    let rest = try rank(request.predicate, by: request.sortDescriptors, in: scope)
    let condition = try whereClause(rest, in: scope)
    let order = try orderClause(
      request.sortDescriptors, groupBy: path, present: rest?.presentPaths ?? [], in: scope)
    return from(scope) + condition + order + limit(request)
  }

  package func whereClause(
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
    let condition =
      if let replacement, replacement.predicate == predicate {
        replacement.condition(scope)
      } else {
        try self.condition(predicate, in: scope)
      }
    return membership.map { " WHERE \($0) AND \(condition)" } ?? " WHERE \(condition)"
  }

  /// - Parameter present: the properties that have a value in every row.
  private func orderClause(
    _ descriptors: [SortDescriptor], groupBy path: [String]?, present: Set<[String]>,
    in scope: QueryScope
  ) throws -> SQLFragment {
    var terms: [SQLFragment] = []
    if let path {
      // Sections are descending if the first sort key asks for that, or follow the order of a property of the
      // objects that define them.
      let isReversed = descriptors.first.map { $0.leadsSections(by: path) && !$0.ascending }
      let leading = descriptors.prefix(1).filter { $0.ordersSections(by: path) }
      terms = try sortTerms(leading, in: scope)
      terms += try groupTerms(operand(at: path, in: scope)).map {
        sortTerm($0, ascending: isReversed != true)
      }
    }
    terms += try sortTerms(descriptors, present: present, in: scope)
    // Equal rows of a view cannot be distinguished, and its keys exist only once it has been read.
    if mapping.entities[scope.entity].key != .wholeRow,
      path != nil || needsTieBreaker(descriptors, in: scope)
    {
      terms.append(key(scope.entity, scope.alias))
    }
    return terms.isEmpty ? "" : " ORDER BY \(terms.joined(by: ", "))"
  }

  /// The sort terms, without a tie-breaker.
  ///
  /// - Parameter present: the properties that have a value in every row.
  func sortTerms(
    _ descriptors: [SortDescriptor], present: Set<[String]> = [], in scope: QueryScope
  ) throws -> [SQLFragment] {
    try descriptors.compactMap { descriptor in
      if descriptor.isRank(of: schema.entities[scope.entity]) {
        // If no index knows ranks, all rows are equal in them.
        return scope.ranking.map { dialect.sortTerm($0.order, ascending: descriptor.ascending) }
      }
      let operand = try folded(operand(descriptor.operand, in: scope), descriptor.options)
      let isPresent = descriptor.keyPath.map(present.contains) ?? false
      return sortTerm(binary(operand), isPresent: isPresent, ascending: descriptor.ascending)
    }
  }

  /// Native indexes declare the place of missing values, even if there can be none; third-party ones rarely
  /// do.
  private func sortTerm(
    _ term: SQLFragment, isPresent: Bool = false, ascending: Bool
  ) -> SQLFragment {
    var term = term
    if mapping.isNative {
      term.type?.mayBeNull = true
    } else if isPresent {
      term.type?.mayBeNull = false
    }
    return dialect.sortTerm(term, ascending: ascending)
  }

  func limit(_ request: FetchRequest) -> SQLFragment {
    dialect.limit(request.limit > 0 ? request.limit : nil, offset: max(request.offset, 0))
  }
}
