import Basics

extension Predicate {
  /// Whether the condition holds for an object in memory, by the same rules as its SQL form.
  ///
  /// - **Logic** is two-valued: a comparison is true or false, and `NOT` inverts it.
  /// - **Decimals** stored as text compare as numbers (`Value.decimalNumber`), and so does a text constant
  ///   compared with one; textual comparisons use the stored text.
  /// - **`==`, `!=`, `IN`** treat NULL as a value (SQL's `IS`). Numbers are equal by exact numeric
  ///   value across integers and reals; text and blobs by bytes; different classes never.
  /// - **`<`, `<=`, `>`, `>=`, `BETWEEN`** are false when a side is NULL; otherwise they follow
  ///   `Value.compare`, so any number < any text < any blob. No column affinity is applied.
  /// - **`CONTAINS`, `BEGINSWITH`, `ENDSWITH`, `LIKE`, `MATCHES`** are false unless both sides are
  ///   text: see `TextMatching`.
  /// - **`[c]` and `[d]`** fold both sides with `TextFolding` where they are text (`MATCHES` uses
  ///   the regular expression's own case-insensitivity).
  /// - **Paths**: a missing to-one gives NULL. A left path through a to-many is compared once for
  ///   each route; `direct` means `any`. `all` of none is true, `none` is the opposite of `any`.
  ///   On a path without a to-many, `any` and `all` are the plain comparison.
  /// - **Arithmetic** is `Value.arithmetic`, aggregates are `AggregateAccumulator`.
  ///
  /// Cost: proportional to the tree times the objects on its to-many paths.
  ///
  /// - Precondition: the predicate is valid for the subject's entity (`validate(for:in:)`).
  /// - Throws: `RegularExpression.Exhaustion` when a text takes an expression too many steps.
  package func evaluate(
    with subject: some PredicateSubject
  ) throws(RegularExpression.Exhaustion) -> Bool {
    switch self {
    case .constant(let truth): return truth
    case .and(let parts):
      for part in parts where try !part.evaluate(with: subject) { return false }
      return true
    case .or(let parts):
      for part in parts where try part.evaluate(with: subject) { return true }
      return false
    case .not(let part): return try !part.evaluate(with: subject)
    case .comparison(let comparison): return try comparison.evaluate(with: subject)
    }
  }

  /// Whether the condition holds for an object of a list. An object that exhausts a regular expression does
  /// not belong to the list: reading the list in SQL reports it.
  package func admits(_ subject: some PredicateSubject) -> Bool {
    (try? evaluate(with: subject)) ?? false
  }
}

extension Predicate.Comparison {
  fileprivate func evaluate(
    with subject: some PredicateSubject
  ) throws(RegularExpression.Exhaustion) -> Bool {
    let isTextual = comparator.isTextual
    let members = right.listed
    let hasText = !isTextual && (left.isText || members.contains(where: \.isText))
    func side(_ operand: Predicate.Operand, _ value: Value) -> ComparedValue {
      ComparedValue(
        value: fold(value), isText: operand.isText,
        isDecimal: hasText && operand.isDecimal(for: subject))
    }
    let rights = members.map { side($0, $0.value(for: subject, asStored: isTextual)) }
    func holds(_ value: Value) throws(RegularExpression.Exhaustion) -> Bool {
      try comparator.holds(side(left, value), rights, options: options)
    }
    guard case .keyPath(let path) = left else {
      // For a left side with one value, only `none` changes the result.
      return try holds(left.value(for: subject)) != (quantifier == .none)
    }
    // One value settles it: one that holds for `any` and `none`, one that does not for `all`.
    let settling = quantifier != .all
    for value in subject.predicateValues(along: path, asStored: isTextual)
    where try holds(value) == settling {
      return quantifier == .direct || quantifier == .any
    }
    return quantifier == .all || quantifier == .none
  }

  private func fold(_ value: Value) -> Value {
    guard !options.isEmpty, comparator.text?.isFolded != false, case .text(let text) = value
    else { return value }
    return .text(TextFolding.fold(text, options))
  }
}

/// One side of a comparison.
private struct ComparedValue {
  let value: Value
  /// Whether it is a text constant.
  let isText: Bool
  let isDecimal: Bool

  /// The value in a comparison with another side.
  func beside(_ other: ComparedValue) -> Value {
    isText && other.isDecimal ? value.decimalNumber : value
  }
}

extension Predicate.Comparator {
  /// Compares folded values; every comparator but `in` and `between` takes one right side.
  fileprivate func holds(
    _ left: ComparedValue, _ rights: [ComparedValue], options: Predicate.StringOptions
  ) throws(RegularExpression.Exhaustion) -> Bool {
    switch kind {
    case .membership: return rights.contains { Predicate.Relation.equal.holds(left, $0) }
    case .range:
      require(rights.count == 2, "BETWEEN takes a list of two bounds; validate it first.")
      return Predicate.Relation.greaterThanOrEqual.holds(left, rights[0])
        && Predicate.Relation.lessThanOrEqual.holds(left, rights[1])
    case .relation(let relation):
      require(rights.count == 1, "Only IN and BETWEEN take a list; validate it first.")
      return relation.holds(left, rights[0])
    case .text(let comparator):
      require(rights.count == 1, "Only IN and BETWEEN take a list; validate it first.")
      guard case .text(let text) = left.value, case .text(let other) = rights[0].value else {
        return false
      }
      return try TextMatching.holds(comparator, text, other, options: options)
    }
  }
}

extension Predicate.Relation {
  fileprivate func holds(_ left: ComparedValue, _ right: ComparedValue) -> Bool {
    let (left, right) = (left.beside(right), right.beside(left))
    if isOrdering, left.isNull || right.isNull { return false }
    let ordering = Value.compare(left, right)
    return switch self {
    case .equal: ordering == .same
    case .notEqual: ordering != .same
    case .lessThan: ordering == .ascending
    case .lessThanOrEqual: ordering != .descending
    case .greaterThan: ordering == .descending
    case .greaterThanOrEqual: ordering != .ascending
    }
  }
}

extension Predicate.Operand {
  /// The members of a list; the operand itself otherwise.
  var listed: [Predicate.Operand] {
    if case .list(let members) = self { members } else { [self] }
  }

  fileprivate var isText: Bool {
    if case .value(.text) = self { true } else { false }
  }

  fileprivate func isDecimal(for subject: some PredicateSubject) -> Bool {
    switch self {
    case .keyPath(let path), .aggregate(.minimum, let path), .aggregate(.maximum, let path):
      subject.predicateIsDecimal(along: path)
    default: false
    }
  }

  /// The one value of an operand that is not a list.
  func value(
    for subject: some PredicateSubject, asStored: Bool = false
  ) -> Value {
    switch self {
    case .value(let value):
      return value.withoutNaN
    case .keyPath(let path):
      return subject.predicateScalar(along: path, asStored: asStored)
    case .count(let path):
      return .integer(Int64(subject.predicateCount(along: path)))
    case .aggregate(let aggregate, let path):
      var accumulator = AggregateAccumulator(aggregate)
      for value in subject.predicateValues(along: path) { accumulator.add(value) }
      return accumulator.result
    case .arithmetic(let left, let operation, let right):
      return Value.arithmetic(
        left.value(for: subject), operation, right.value(for: subject))
    case .function(let function, let arguments):
      let (entity, schema) = (subject.predicateEntity, subject.predicateSchema)
      return function.value(
        of: arguments.map { $0.value(for: subject) },
        dates: function.takesDates
          ? arguments.map { OperandType($0, from: entity, in: schema).dates } : [])
    case .list:
      trap("A list can only appear to the right of IN or BETWEEN.")
    }
  }
}
