import Basics

extension PredicateParser {
  /// A step of a path: its name, its range, and whether it is an aggregate such as `@count`.
  struct Step {
    let name: String
    let range: Range<Int>
    var isCollection = false
    /// The index of an element in JSON, if the step is one: `[0]`.
    var element: Int64?
  }

  /// A path that starts at the next token.
  mutating func parsePath() throws(PredicateSyntaxError) -> ParsedOperand {
    let start = token.range.lowerBound
    var steps = try parseFirstStep()
    while isNext(".") || isElementNext {
      if isElementNext {
        steps.append(try parseElement())
        continue
      }
      advance()
      let place = token
      switch place.kind {
      case .word(let name), .name(let name): steps.append(Step(name: name, range: place.range))
      case .collection(let name):
        steps.append(Step(name: name, range: place.range, isCollection: true))
      default: throw missingStep(behind: steps)
      }
      advance()
    }
    return try resolve(steps, at: start..<(previous?.range.upperBound ?? start))
  }

  private mutating func parseFirstStep() throws(PredicateSyntaxError) -> [Step] {
    let place = token
    var steps: [Step] = []
    // Columns of views and of groups may be called `avg(salary)`.
    if let call = callName(), knows(call.name) {
      let range = place.range.lowerBound..<tokens[call.end].range.upperBound
      position = call.end
      advance()
      return [Step(name: call.name, range: range)]
    }
    switch place.kind {
    case .word where place.keyword == .self && !isPreferredName: break
    case .word(let name), .name(let name): steps = [Step(name: name, range: place.range)]
    case .collection(let name) where "@" + name == PredicatePath.entityStep:
      steps = [Step(name: name, range: place.range, isCollection: true)]
    default:
      let names: [String]
      switch try consumeArgument() {
      case .keyPath(let path): names = path
      case .value(.text(let path)):
        names = path.parts(at: ".").map(String.init)
      default:
        throw error("%K expects a key path, but its argument is none.", expected: "a key path")
      }
      steps = names.map { name in
        name.begins(with: "@")
          ? Step(name: String(name.dropFirst()), range: place.range, isCollection: true)
          : Step(name: name, range: place.range)
      }
    }
    advance()
    return steps
  }

  /// Whether the next word is a name, whatever it means as a keyword.
  var isPreferredName: Bool {
    guard prefersNames, case .word(let word) = token.kind, !isSecond("(") else { return false }
    return knows(word)
  }

  func knows(_ name: String) -> Bool {
    entity.slot(named: name) != nil || alias(name, of: entity) != nil
  }

  /// The path that a name stands for. The text of a calculation has names of properties only: there, no name
  /// stands for a calculation, which would be itself if a column is called by its expression.
  func alias(_ name: String, of entity: Entity) -> [String]? {
    entity.description.aliases[name].flatMap { path in
      isCalculation && Calculation.isOne(path) ? nil : path
    }
  }

  /// Columns may have dots in their names, like columns of groups and members of JSON: if all steps joined
  /// are such a name, or the first ones are and there is no property for the first step, these are one step.
  private func joiningNames(in steps: [Step]) -> [Step] {
    guard let first = steps.first, steps.count > 1 else { return steps }
    for count in stride(from: steps.count, to: knows(first.name) ? steps.count - 1 : 1, by: -1) {
      let name = steps[..<count].map { $0.isCollection ? "@" + $0.name : $0.name }
        .joined(separator: ".")
      guard knows(name) else { continue }
      let range = first.range.lowerBound..<steps[count - 1].range.upperBound
      return [Step(name: name, range: range)] + steps[count...]
    }
    return steps
  }

  private func missingStep(behind steps: [Step]) -> PredicateSyntaxError {
    if let place = jsonPlace(of: steps) {
      return error(
        "Expected the name of a member after the dot, found \(found).", expected: "a name",
        expectation: .member(of: place.path, place.steps))
    }
    do {
      let (path, _) = try expand(joiningNames(in: steps).filter { !$0.isCollection })
      let resolved = try PredicatePath(path, from: entity, in: schema)
      guard case .object(let owner) = resolved.destination else {
        if case .attribute(let attribute) = resolved.destination, attribute.dates != nil {
          return error(
            "Expected @year, @month or @day after the dot, found \(found).",
            expected: "@year, @month or @day", expectation: .datePart)
        }
        return error(
          "“\(path.last ?? "")” is an attribute, so a path cannot continue after it.",
          expected: "a comparison")
      }
      return error(
        "Expected a property of \(owner.name) after the dot, found \(found).",
        expected: "a property of \(owner.name)",
        expectation: .property(entity: owner.index, isToMany: resolved.isThroughToMany))
    } catch let fault as PredicateSyntaxError {
      return fault
    } catch {
      return self.error("Expected a name after the dot, found \(found).", expected: "a name")
    }
  }

  private func resolve(
    _ steps: [Step], at range: Range<Int>
  ) throws(PredicateSyntaxError) -> ParsedOperand {
    let steps = joiningNames(in: steps)
    if let calculated = try calculation(of: steps, at: range) { return calculated }
    if steps.count > 1, let place = jsonPlace(of: steps), !place.steps.isEmpty {
      let operands = [.keyPath(place.path)] + place.steps.map { Predicate.Operand.value($0) }
      return ParsedOperand(
        operand: .function(.json, operands), type: OperandType(.json, []), range: range, depth: 1)
    }
    guard let place = steps.firstIndex(where: \.isCollection) else {
      let (path, resolved) = try expand(steps)
      return ParsedOperand(
        operand: .keyPath(path), type: OperandType(resolved.destination), range: range,
        isThroughToMany: resolved.isThroughToMany, endsInToMany: resolved.endsInToMany)
    }
    let collection = steps[place]
    let head = Array(steps[..<place])
    let (path, owner) = try expand(head)
    if var part = try datePart(collection.name, of: owner, behind: path, at: collection.range) {
      part.range = range
      if place + 1 < steps.count {
        throw error(
          "A path cannot continue after @\(collection.name).", at: steps[place + 1].range,
          expected: "a comparison")
      }
      return part
    }
    if "@" + collection.name == PredicatePath.entityStep, place == steps.count - 1,
      case .object = owner.destination
    {
      return ParsedOperand(
        operand: .keyPath(path + [PredicatePath.entityStep]), type: .attribute(.string),
        range: range, isThroughToMany: owner.isThroughToMany)
    }
    guard case .object = owner.destination, owner.isThroughToMany else {
      throw error(
        "@\(collection.name) needs a path to many objects before it, as in tasks.@count.",
        at: collection.range, expected: "a path to many objects")
    }
    if collection.name == "count" {
      if place + 1 < steps.count {
        throw error(
          "A path cannot continue after @count.", at: steps[place + 1].range,
          expected: "a comparison")
      }
      return ParsedOperand(operand: .count(path), type: .number, range: range)
    }
    guard let aggregate = Predicate.Aggregate(word: collection.name) else {
      let closest = Suggestion.closest(to: collection.name, in: Predicate.Aggregate.words)
      throw error(
        "“@\(collection.name)” is unknown; there are @count, @sum, @avg, @min and @max.",
        at: collection.range, expected: "@count, @sum, @avg, @min or @max",
        suggestion: closest.map { "@" + $0 })
    }
    let tail = Array(steps[(place + 1)...])
    if let nested = tail.first(where: \.isCollection) {
      throw error(
        "A path can hold one aggregate only.", at: nested.range, expected: "a property")
    }
    let (whole, resolved) = try expand(head + tail)
    guard !tail.isEmpty, case .attribute = resolved.destination else {
      let end = range.upperBound..<range.upperBound
      throw error(
        "@\(collection.name) needs an attribute after it, as in tasks.@sum.estimate.",
        at: tail.last?.range ?? end, expected: "an attribute")
    }
    try requireNumbers(OperandType(resolved.destination), at: range, for: aggregate)
    let operand = Predicate.Operand.aggregate(aggregate, whole)
    return ParsedOperand(
      operand: operand, type: OperandType(operand, from: entity, in: schema), range: range)
  }

  /// `created.@month`: a part of a date; nil if the path before it leads to something else.
  private func datePart(
    _ name: String, of owner: PredicatePath, behind path: [String], at range: Range<Int>
  ) throws(PredicateSyntaxError) -> ParsedOperand? {
    let whole = path + ["@" + name]
    switch owner.destination {
    case .object(let entity):
      // A property may have the name of a part.
      guard DatePart(step: "@" + name) != nil, entity.slot(named: "@" + name) != nil else {
        return nil
      }
    case .attribute(let attribute):
      guard attribute.dates != nil else {
        if DatePart(step: "@" + name) == nil { return nil }
        throw error(
          "“\(path.joined(separator: "."))” is not known to hold dates, so it has no @\(name).",
          at: range, expected: "a date before it")
      }
      guard DatePart(step: "@" + name) != nil else {
        let words = DatePart.allCases.map(\.rawValue)
        let steps = DatePart.allCases.map(\.step)
        let (most, last) = (steps.dropLast().joined(separator: ", "), steps.last ?? "")
        throw error(
          "“@\(name)” is unknown; after a date there are \(most) and \(last).", at: range,
          expected: "\(most) or \(last)",
          suggestion: Suggestion.closest(to: name, in: words).map { "@" + $0 })
      }
    }
    let resolved = try resolved(whole, at: range)
    return ParsedOperand(
      operand: .keyPath(whole), type: OperandType(resolved.destination), range: range,
      isThroughToMany: resolved.isThroughToMany, endsInToMany: resolved.endsInToMany)
  }

  /// Replaces aliases by their paths and resolves the path.
  private func expand(
    _ steps: [Step]
  ) throws(PredicateSyntaxError) -> ([String], PredicatePath) {
    let (path, end, count) = try lead(along: steps)
    guard count == steps.count else {
      throw error(
        "“\(path.last ?? "")” is an attribute, so a path cannot continue after it.",
        at: steps[count].range, expected: "a comparison")
    }
    return (path, end)
  }

  /// Replaces aliases by their paths and resolves the path up to the first attribute.
  ///
  /// - Returns: also the number of steps up to there.
  func lead(
    along steps: [Step]
  ) throws(PredicateSyntaxError) -> (path: [String], end: PredicatePath, count: Int) {
    var path: [String] = []
    var owner = entity
    for (index, step) in steps.enumerated() {
      if owner.slot(named: step.name) != nil {
        path.append(step.name)
      } else if let other = alias(step.name, of: owner) {
        path += other
      } else {
        throw unknown(step.name, in: owner, at: step.range)
      }
      let end = try resolved(path, at: step.range)
      guard case .object(let next) = end.destination else { return (path, end, index + 1) }
      owner = next
    }
    return (path, try resolved(path, at: steps.last?.range ?? token.range), steps.count)
  }

  private func resolved(
    _ path: [String], at range: Range<Int>
  ) throws(PredicateSyntaxError) -> PredicatePath {
    do {
      return try PredicatePath(path, from: entity, in: schema)
    } catch {
      switch error {
      case .unknown(let index, let owner): throw unknown(path[index], in: owner, at: range)
      case .attributeInside(let index, _):
        throw self.error(
          "“\(path[index])” is an attribute, so a path cannot continue after it.", at: range,
          expected: "a comparison")
      }
    }
  }

  private func unknown(
    _ name: String, in entity: Entity, at range: Range<Int>
  ) -> PredicateSyntaxError {
    let names = entity.properties.map(\.name) + entity.description.aliases.keys.sorted()
    let closest = Suggestion.closest(to: name, in: names)
    let hint = closest.map { "; did you mean “\($0)”?" } ?? "."
    return error(
      "\(entity.name) has no property “\(name)”\(hint)", at: range,
      expected: "a property of \(entity.name)", suggestion: closest.map(PredicateFormatter.name))
  }
}

extension Predicate.Aggregate {
  static let words = ["count", "sum", "avg", "min", "max"]

  init?(word: String) {
    switch word {
    case "sum": self = .sum
    case "avg": self = .average
    case "min": self = .minimum
    case "max": self = .maximum
    default: return nil
    }
  }

  /// The word after `@`.
  var word: String {
    switch self {
    case .sum: "sum"
    case .average: "avg"
    case .minimum: "min"
    case .maximum: "max"
    }
  }
}

extension PredicateParser {
  /// The name formed by a word and the parentheses after it, such as `avg(salary)`; nil without parentheses.
  /// Consumes nothing.
  func callName() -> (name: String, end: Int)? {
    guard case .word(let word) = token.kind, isSecond("(") else { return nil }
    var end = position + 2
    while end < tokens.count, tokens[end].kind != .symbol(")") {
      if tokens[end].kind == .end || tokens[end].kind == .symbol("(") { return nil }
      end += 1
    }
    guard end < tokens.count else { return nil }
    let name = written(token.range.lowerBound..<tokens[end].range.upperBound)
    return (word.lowercased() + name.dropFirst(word.count), end)
  }

  /// The text of a range without backticks, and without white space but between words.
  func written(_ range: Range<Int>) -> String {
    var text = ""
    var isBehindWord = false
    for token in tokens where range.contains(token.range.lowerBound) && token.kind != .end {
      if isBehindWord, token.isWord { text += " " }
      isBehindWord = token.isWord
      if case .name(let name) = token.kind { text += name } else { text += slice(token.range) }
    }
    return text
  }
}
