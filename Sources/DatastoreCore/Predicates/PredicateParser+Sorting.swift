import Basics

extension PredicateParser {
  mutating func parseSortDescriptors() throws(PredicateSyntaxError) -> [SortDescriptor] {
    if token.kind == .end { return [] }
    var descriptors = [try parseSortDescriptor()]
    while isNext(",") {
      advance()
      descriptors.append(try parseSortDescriptor())
    }
    try requireEnd(expected: "“,”, asc, desc or the end")
    return descriptors
  }

  private mutating func parseSortDescriptor() throws(PredicateSyntaxError) -> SortDescriptor {
    if let operand = namedColumn {
      advance()
      let options = try parseOptions()
      return SortDescriptor(operand, ascending: parseDirection(), options: options)
    }
    switch token.kind {
    case .collection(let name) where "@" + name == PredicatePath.rankStep:
      advance()
      return SortDescriptor(SortDescriptor.rank.operand, ascending: parseDirection())
    case .name: break
    case .word where token.keyword == nil || token.keyword == .self: break
    case .symbol("("), .symbol("-"), .number: break
    default:
      throw error(
        "Expected a property to sort by, found \(found).",
        expected: "a property of \(entity.name)",
        expectation: .property(entity: entity.index, isToMany: false))
    }
    let operand = stored(try requireOperand(try parseSum()))
    guard !operand.isThroughToMany else {
      let written = slice(operand.range)
      let count = operand.endsInToMany ? written + ".@count" : nil
      let hint = count.map { "; its number of objects is “\($0)”." } ?? "."
      throw error(
        "“\(written)” has no one value to sort by\(hint)", at: operand.range,
        expected: "an attribute, a to-one relationship, a count or an aggregate", suggestion: count)
    }
    let options = try parseOptions()
    return SortDescriptor(operand.operand, ascending: parseDirection(), options: options)
  }

  /// The operand of the column whose name comes next, if there is no property of that name.
  private var namedColumn: Predicate.Operand? {
    let name: String
    switch token.kind {
    case .name(let word), .word(let word): name = word
    default: return nil
    }
    if entity.slot(named: name) != nil || isSecond(".") || isSecond("(") { return nil }
    return columns.first { $0.name.isExactly(name) }?.operand
  }

  private mutating func parseDirection() -> Bool {
    guard case .word(let word) = token.kind else { return true }
    switch word.lowercased() {
    case "asc", "ascending":
      advance()
      return true
    case "desc", "descending":
      advance()
      return false
    default: return true
    }
  }
}
