/// The reason why a predicate cannot be used on an entity.
public struct PredicateFault: Error, Sendable, Hashable, CustomStringConvertible {
  /// A sentence that names the faulty part and the remedy.
  public let description: String

  init(_ description: String) {
    self.description = description
  }
}

extension Predicate {
  /// Checks that the predicate can be evaluated on an entity and rendered as SQL: that names exist, that
  /// to-many paths are alone on the left, lists to the right of `IN` and `BETWEEN`, that regular expressions
  /// compile, and that it is not nested too deeply. Results of `parse` are valid. O(tree).
  ///
  /// - Throws: `PredicateFault` for the first faulty part.
  public func validate(for entity: Entity, in schema: Schema) throws(PredicateFault) {
    try requireShallow()
    try validateParts(for: entity, in: schema)
  }

  private func validateParts(for entity: Entity, in schema: Schema) throws(PredicateFault) {
    switch self {
    case .constant: return
    case .and(let parts), .or(let parts):
      for part in parts { try part.validateParts(for: entity, in: schema) }
    case .not(let part): try part.validateParts(for: entity, in: schema)
    case .comparison(let comparison): try comparison.validate(for: entity, in: schema)
    }
  }
}

extension Predicate.Comparison {
  fileprivate func validate(for entity: Entity, in schema: Schema) throws(PredicateFault) {
    if case .keyPath(let path) = left {
      _ = try PredicateFault.resolve(path, from: entity, in: schema)
    } else {
      guard quantifier == .direct else {
        throw PredicateFault("ANY, ALL and NONE need a path to the left of the comparison.")
      }
      try left.validate(for: entity, in: schema)
    }
    if case .list(let members) = right {
      guard comparator.takesList else {
        throw PredicateFault("A list can only appear to the right of IN or BETWEEN.")
      }
      for member in members { try member.validate(for: entity, in: schema) }
    } else {
      try right.validate(for: entity, in: schema)
    }
    if comparator == .between, right.listed.count != 2 {
      throw PredicateFault("BETWEEN takes a list of two bounds, the lower and the upper.")
    }
    if comparator == .matches, case .value(.text(let pattern)) = right,
      !RegularExpression.isValid(pattern)
    {
      throw PredicateFault("“\(pattern)” is not a valid regular expression.")
    }
  }
}

extension Predicate.Operand {
  fileprivate func validate(for entity: Entity, in schema: Schema) throws(PredicateFault) {
    switch self {
    case .value: return
    case .keyPath(let path):
      if try PredicateFault.resolve(path, from: entity, in: schema).isThroughToMany {
        throw PredicateFault(
          "“\(path.joined(separator: "."))” leads to many objects, so it can only appear alone to the "
            + "left of a comparison.")
      }
    case .count(let path):
      let resolved = try PredicateFault.resolve(path, from: entity, in: schema)
      guard case .object = resolved.destination, resolved.isThroughToMany else {
        throw PredicateFault(
          "“\(path.joined(separator: "."))” does not lead to many objects, so there is nothing to "
            + "count.")
      }
    case .aggregate(_, let path):
      let resolved = try PredicateFault.resolve(path, from: entity, in: schema)
      guard case .attribute = resolved.destination, resolved.isThroughToMany else {
        throw PredicateFault(
          "“\(path.joined(separator: "."))” is not an attribute after a to-many relationship, so there "
            + "is nothing to aggregate.")
      }
    case .arithmetic(let left, _, let right):
      try left.validate(for: entity, in: schema)
      try right.validate(for: entity, in: schema)
    case .function(let function, let arguments):
      guard function.argumentCounts.contains(arguments.count) else {
        throw PredicateFault("Write \(function.usage).")
      }
      for argument in arguments { try argument.validate(for: entity, in: schema) }
    case .list:
      throw PredicateFault("A list can only appear to the right of IN or BETWEEN.")
    }
  }
}

extension PredicateFault {
  fileprivate static func resolve(
    _ path: [String], from entity: Entity, in schema: Schema
  ) throws(PredicateFault) -> PredicatePath {
    do {
      return try PredicatePath(path, from: entity, in: schema)
    } catch {
      switch error {
      case .unknown(let index, let owner):
        throw PredicateFault("\(owner.name) has no property “\(path[index])”.")
      case .attributeInside(let index, let owner):
        throw PredicateFault(
          "\(owner.name).\(path[index]) is an attribute, so a path cannot continue after it.")
      }
    }
  }
}
