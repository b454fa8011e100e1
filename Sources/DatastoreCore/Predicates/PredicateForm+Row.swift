extension PredicateForm.Row {
  /// The row of a comparison; nil when its sides are not a property and values.
  package init?(_ comparison: Predicate.Comparison, isNegated: Bool = false) {
    switch comparison.left {
    case .keyPath, .count, .aggregate: break
    case .value, .list, .arithmetic, .function: return nil
    }
    switch comparison.right {
    case .value: if comparison.comparator.takesList { return nil }
    case .list(let members):
      guard comparison.comparator.takesList, members.allSatisfy(\.isValue) else { return nil }
    case .keyPath, .count, .aggregate, .arithmetic, .function: return nil
    }
    self.comparison = comparison
    self.isNegated = isNegated
  }

  /// A new row for a property, without a value yet.
  package init(_ left: Predicate.Operand, entity: Entity, in schema: Schema) {
    comparison = Predicate.Comparison(left, .equal, .value(.null))
    isNegated = false
    setLeft(left, entity: entity, in: schema)
    forgetValues()
  }

  package var predicate: Predicate? {
    if lacksValue { return nil }
    return isNegated ? .not(.comparison(comparison)) : .comparison(comparison)
  }

  /// The values on the right side.
  package var values: [Value] {
    comparison.right.listed.compactMap { operand in
      if case .value(let value) = operand { return value }
      return nil
    }
  }

  /// Changes the property. Keeps operator and value as far as they make sense with it.
  package mutating func setLeft(
    _ left: Predicate.Operand, entity: Entity, in schema: Schema
  ) {
    let before = OperandType(comparison.left, from: entity, in: schema)
    let type = OperandType(left, from: entity, in: schema)
    comparison.left = left
    var isThroughToMany = false
    if case .keyPath(let path) = left,
      let resolved = try? PredicatePath(path, from: entity, in: schema)
    {
      isThroughToMany = resolved.isThroughToMany
    }
    if !isThroughToMany {
      comparison.quantifier = .direct
    } else if comparison.quantifier == .direct {
      comparison.quantifier = .any
    }
    if !type.comparators.contains(comparison.comparator) { setComparator(.equal) }
    if type != before || values.isEmpty || type == .key { forgetValues() }
    if type.isText == false { comparison.options = [] }
  }

  /// Changes the comparator; keeps as many values as it takes.
  package mutating func setComparator(_ comparator: Predicate.Comparator) {
    let values = values
    comparison.comparator = comparator
    switch comparator.kind {
    case .range:
      setValues(Array((values + [values.last ?? .null, .null]).prefix(2)))
      if values.count < 2 { lacksValue = true }
    case .membership: setValues(values)
    case .relation, .text:
      setValues([values.first ?? .null])
      if values.isEmpty { lacksValue = true }
      // Textual comparators take only text.
      if comparator.isTextual, case .text = self.values[0] {
      } else if comparator.isTextual {
        forgetValues()
      }
    }
    if comparator.isOrdering, values.contains(.null) { forgetValues() }
    if comparator == .matches, case .text(let pattern)? = values.first,
      !RegularExpression.isValid(pattern)
    {
      forgetValues()
    }
  }

  /// Sets the values of the right side: one, two for `BETWEEN`, any number for `IN`.
  package mutating func setValues(_ values: [Value]) {
    comparison.right =
      comparison.comparator.takesList ? .list(values.map { .value($0) }) : .value(values[0])
  }

  /// Sets one value of the right side; once all are set, the row is a condition.
  package mutating func setValue(_ value: Value, at index: Int) {
    var values = values
    if index < values.count { values[index] = value } else { values.append(value) }
    setValues(values)
    lacksValue = lacksValue && comparison.comparator == .between && values.contains(.null)
  }

  /// Sets the quantifier of a path through a to-many: at least one, every or no object.
  package mutating func setQuantifier(_ quantifier: Predicate.Quantifier) {
    comparison.quantifier = quantifier
  }

  /// Toggles whether case or accents are ignored.
  package mutating func toggle(_ option: Predicate.StringOptions) {
    comparison.options.formSymmetricDifference(option)
  }

  private mutating func forgetValues() {
    lacksValue = true
    switch comparison.comparator.kind {
    case .membership: setValues([])
    case .range: setValues([.null, .null])
    case .relation, .text: setValues([.null])
    }
  }
}

extension Predicate.Operand {
  fileprivate var isValue: Bool {
    if case .value = self { true } else { false }
  }
}
