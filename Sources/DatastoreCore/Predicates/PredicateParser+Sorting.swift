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
    switch token.kind {
    case .name: break
    case .word where token.keyword == nil || token.keyword == .self: break
    default:
      throw error(
        "Expected a property to sort by, found \(found).",
        expected: "a property of \(entity.name)",
        expectation: .property(entity: entity.index, isToMany: false))
    }
    let operand = try parsePath()
    guard case .keyPath(let path) = operand.operand, !operand.isThroughToMany else {
      throw error(
        "“\(slice(operand.range))” has no one value to sort by.", at: operand.range,
        expected: "an attribute or a to-one relationship")
    }
    let options = try parseOptions()
    return SortDescriptor(path, ascending: takeDirection(), options: options)
  }

  private mutating func takeDirection() -> Bool {
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
