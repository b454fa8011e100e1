package import DatastoreCore

extension QueryBuilder {
  /// A comparison whose left side is resolved; its right side belongs to `scope`.
  package func compare(
    _ left: SQLOperand, _ comparison: Predicate.Comparison, right scope: QueryScope
  ) throws -> SQLFragment {
    let options = comparison.options
    switch comparison.comparator.kind {
    case .membership:
      return try isIn(left, comparison.right, options, scope)
    case .range:
      guard case .list(let bounds) = comparison.right, bounds.count == 2 else {
        throw StoreError.unsupportedPredicate("BETWEEN needs a list of two bounds.")
      }
      let lower = try operand(bounds[0], in: scope)
      let upper = try operand(bounds[1], in: scope)
      return """
        (\(relation(left, .greaterThanOrEqual, lower, options)) \
        AND \(relation(left, .lessThanOrEqual, upper, options)))
        """
    case .relation(let relation):
      let right = try operand(comparison.right, in: scope)
      return self.relation(left, relation, right, options)
    case .text(let comparator):
      let right = try operand(comparison.right, in: scope)
      return try text(left, comparator, right, options)
    }
  }

  /// `=`, `<` and so on.
  private func relation(
    _ left: SQLOperand, _ relation: Predicate.Relation, _ right: SQLOperand,
    _ options: Predicate.StringOptions
  ) -> SQLFragment {
    if let holds = keyRelation(left, relation, right) { return holds }
    let (a, b) = dialect.comparable(folded(left, options), folded(right, options))
    let hasValue = Self.isPresent(left.constant) != Self.isPresent(right.constant)
    switch relation {
    case .equal:
      if right.constant?.isNull == true { return "\(a) IS NULL" }
      if right.constant?.isStoredKey == true, options.isEmpty, let column = left.integerColumn {
        return "\(column) = \(right.sql)"
      }
      // For a value that is not NULL, `=` is as two-valued as `IS`, and works with every index.
      return hasValue ? "\(a) = \(b)" : dialect.isSame(a, b)
    case .notEqual:
      return right.constant?.isNull == true ? "\(a) IS NOT NULL" : dialect.isNotSame(a, b)
    case .lessThan: return "\(a) < \(b)"
    case .lessThanOrEqual: return "\(a) <= \(b)"
    case .greaterThan: return "\(a) > \(b)"
    case .greaterThanOrEqual: return "\(a) >= \(b)"
    }
  }

  private static func isPresent(_ value: Value?) -> Bool {
    value.map { !$0.isNull } ?? false
  }

  private func isIn(
    _ left: SQLOperand, _ right: Predicate.Operand, _ options: Predicate.StringOptions,
    _ scope: QueryScope
  ) throws -> SQLFragment {
    if case .keyPath(let path) = right {
      let resolved = try resolve(path, in: scope)
      if case .toMany = resolved {
        let related = try self.related(resolved)
        let isSame = try relation(left, .equal, operand(related.end), options)
        return "EXISTS (SELECT 1\(related.from) WHERE \(related.condition) AND \(isSame))"
      }
    }
    guard case .list(let elements) = right else {
      return try relation(left, .equal, operand(right, in: scope), options)
    }
    if left.sql.type?.isKey != true, let integers = Self.manyIntegers(elements),
      left.constant == nil, options.isEmpty
    {
      // A statement takes some thousand values at most; one list of keys takes any number.
      let (a, _) = dialect.comparable(left, .value(.integer(0)))
      return dialect.isMember(left.integerColumn ?? a, of: "\(dialect.keyList(integers))")
    }
    var alternatives: [SQLFragment] = []
    // By the text of the left side, which depends on the value it is compared with.
    var lists: [(left: SQLFragment, values: [SQLFragment])] = []
    for element in elements {
      let member = try operand(element, in: scope)
      guard Self.isPresent(member.constant), left.constant == nil, left.sql.type?.isKey != true
      else {
        alternatives.append(relation(left, .equal, member, options))
        continue
      }
      var (a, b) = dialect.comparable(folded(left, options), folded(member, options))
      if member.constant?.isStoredKey == true, options.isEmpty, let column = left.integerColumn {
        (a, b) = (column, member.sql)
      }
      if let index = lists.firstIndex(where: { $0.left == a }) {
        lists[index].values.append(b)
      } else {
        lists.append((a, [b]))
      }
    }
    alternatives += lists.map { "\($0.left) IN (\($0.values.joined(by: ", ")))" }
    return alternatives.isEmpty ? dialect.constant(false) : "(\(alternatives.joined(by: " OR ")))"
  }
}

extension QueryBuilder {
  /// The elements of a long list of whole numbers, such as keys; nil for any other list.
  private static func manyIntegers(_ elements: [Predicate.Operand]) -> [Int64]? {
    guard elements.count > 1000 else { return nil }
    var integers: [Int64] = []
    integers.reserveCapacity(elements.count)
    for element in elements {
      guard case .value(.integer(let integer)) = element, !DanglingKey.isOne(RowKey(integer)) else {
        return nil
      }
      integers.append(integer)
    }
    return integers
  }
}

extension QueryBuilder {
  /// A comparison of a key that is not an integer, in engines that compare its columns.
  private func keyRelation(
    _ left: SQLOperand, _ relation: Predicate.Relation, _ right: SQLOperand
  ) -> SQLFragment? {
    guard case .key(let entity, let parts)? = left.sql.type?.kind, let constant = right.constant,
      !constant.isNull
    else { return nil }
    if relation.isOrdering {
      return SQLFragment(
        refusal: "Keys of rows that are not numbers can only be compared for equality.")
    }
    var isSame = dialect.constant(false)
    // A number that was never assigned belongs to no row.
    if let key = constant.equalKey, let values = mapping.keyTables[entity].values(of: key) {
      isSame = zip(parts, values).map { part, value in
        let (a, b) = dialect.comparable(.expression(part), .value(value))
        return "\(a) = \(b)" as SQLFragment
      }.joined(by: " AND ")
    }
    return relation == .equal ? "(\(isSame))" : "((\(isSame)) IS NOT TRUE)"
  }
}

extension QueryBuilder {
  /// The operand in a comparison with `[c]` or `[d]`; operands other than text are unchanged.
  package func folded(_ operand: SQLOperand, _ options: Predicate.StringOptions) -> SQLOperand {
    if options.isEmpty { return operand }
    var result = operand
    result.sql = dialect.folded(operand.sql, options)
    result.affinity = nil
    result.isBinary = true
    return result
  }
}

extension Value {
  /// Whether a column of keys could hold it.
  fileprivate var isStoredKey: Bool {
    if let key { return !DanglingKey.isOne(key) }
    return false
  }

  /// The key that equals the number, whatever the type of the number.
  fileprivate var equalKey: RowKey? {
    guard case .real(let number) = self else { return key }
    return Int64(exactly: number).map { RowKey($0) }
  }
}
