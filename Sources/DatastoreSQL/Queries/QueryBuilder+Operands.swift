package import DatastoreCore

extension QueryBuilder {
  package func operand(_ path: ResolvedPath) throws -> SQLOperand {
    switch path {
    case .attribute(let sql, let column, let type, let alias):
      var operand = self.column(sql, column, type)
      operand.words = column.wordIndex.map { ($0, key: self.column(alias, $0.key)) }
      return operand
    case .datePart(let sql, let part):
      return SQLOperand(sql: sql, isText: !part.isNumber, isNumber: part.isNumber)
    case .key(let sql, let entity):
      if case .rowid = mapping.entities[entity].key {
        return SQLOperand(sql: sql, affinity: .integer)
      }
      return .expression(sql)
    case .reference(let foreign, let alias): return reference(foreign, alias)
    case .toMany(let link, _, _):
      throw StoreError.unsupportedPredicate(
        "“\(link.description.name)” leads to many objects and cannot be used as one value; "
          + "ask for ANY, ALL or NONE of them, or for their @count.")
    }
  }

  /// The value at a path, or of the calculation in its place.
  package func operand(at path: [String], in scope: QueryScope) throws -> SQLOperand {
    let entity = schema.entities[scope.entity]
    guard let calculation = Calculation(path, of: entity) else {
      return try operand(resolve(path, in: scope))
    }
    let computed: Predicate.Operand
    do {
      computed = try calculation.operand(of: entity, in: schema)
    } catch {
      throw StoreError.unsupportedPredicate(
        "“\(calculation.text)” cannot be computed: \(error.message)")
    }
    return try operand(computed, in: scope)
  }

  /// The key of another row in a row. A value that is not an integer refers to no rowid, and has a key that
  /// stands for it.
  package func reference(_ foreign: ForeignKey, _ alias: String) -> SQLOperand {
    let key = toOneKey(foreign, alias)
    guard foreign.reference == .rowid else { return .expression(key) }
    if mapping.isNative || foreign.columns[0].isStrict || foreign == integerReference {
      return SQLOperand(sql: key, affinity: .integer)
    }
    var result = SQLOperand.expression(dialect.reference(inAnyColumn: key))
    result.integerColumn = key
    return result
  }

  package func operand(_ operand: Predicate.Operand, in scope: QueryScope) throws -> SQLOperand {
    switch operand {
    case .value(let value): return .value(value)
    case .keyPath(let path): return try self.operand(at: path, in: scope)
    case .count(let path): return .expression(try count(path, in: scope))
    case .aggregate(let aggregate, let path):
      return try self.aggregate(aggregate, path, in: scope)
    case .arithmetic(let left, let arithmetic, let right):
      let left = try self.operand(left, in: scope)
      let right = try self.operand(right, in: scope)
      var result = SQLOperand.expression(dialect.arithmetic(left, arithmetic, right))
      result.isNumber = true
      return result
    case .function(let function, let arguments):
      let entity = schema.entities[scope.entity]
      return .expression(
        dialect.function(
          function, try arguments.map { try self.operand($0, in: scope).sql },
          dates: function.takesDates
            ? arguments.map { OperandType($0, from: entity, in: schema).dates } : []))
    case .list:
      throw StoreError.unsupportedPredicate(
        "A list can only appear to the right of IN or BETWEEN.")
    }
  }

  /// An aggregate as an answer: extremes of decimals have all their digits.
  package func aggregate(_ aggregate: Predicate.Aggregate, _ operand: SQLOperand) -> SQLFragment {
    if operand.isDecimal, aggregate.isExtreme, let stored = operand.stored {
      return dialect.extreme(aggregate, ofDecimals: stored)
    }
    return dialect.aggregate(aggregate, binary(operand))
  }

  /// The operand for sorting, grouping and comparing byte by byte.
  package func binary(_ operand: SQLOperand) -> SQLFragment {
    operand.isBinary ? operand.sql : dialect.binary(operand.sql)
  }

  /// A column; decimals as numbers, because long ones are stored as text.
  private func column(
    _ sql: SQLFragment, _ column: Column, _ type: AttributeType
  ) -> SQLOperand {
    if type == .decimal {
      return SQLOperand(sql: dialect.decimal(sql), isDecimal: true, stored: sql)
    }
    return SQLOperand(
      sql: sql, affinity: column.affinity, isBinary: column.isBinary,
      isText: column.affinity == .text && column.isStrict,
      isNumber: column.affinity.isNumeric && column.isStrict)
  }

  private func aggregate(
    _ aggregate: Predicate.Aggregate, _ path: [String], in scope: QueryScope
  ) throws -> SQLOperand {
    let resolved = try resolve(path, in: scope)
    guard case .toMany = resolved else {
      throw StoreError.unsupportedPredicate(
        "“\(path.joined(separator: "."))” does not lead through a to-many relationship, so there "
          + "is nothing to aggregate.")
    }
    let related = try self.related(resolved, eachRouteOnce: true)
    let end = try operand(related.end)
    let function = dialect.aggregate(aggregate, binary(end))
    let value: SQLFragment = "(SELECT \(function)\(related.from) WHERE \(related.condition))"
    var result = SQLOperand.expression(value.typed(function.type))
    result.isDecimal = end.isDecimal && (aggregate == .minimum || aggregate == .maximum)
    return result
  }
}
