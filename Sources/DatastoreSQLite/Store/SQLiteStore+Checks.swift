package import DatastoreCore
import DatastoreSQL

extension SQLiteStore {
  /// The slots in a CHECK constraint: those whose columns it mentions, in their order there.
  ///
  /// - Parameter constraint: its name or its condition, as SQLite reports it.
  package func slots(ofCheck constraint: String, in entity: Entity) -> [Slot] {
    let mapped = mapping.entities[entity.index]
    let declared = mapped.declaration.flatMap {
      SQLTokens($0).condition(ofConstraint: constraint)
    }
    var slots: [Slot] = []
    for token in declared ?? SQLTokens(constraint).tokens[...] {
      let slot = mapped.slots.firstIndex { $0.columns.contains { token.isName($0.name) } }
      if let slot, !slots.contains(slot) { slots.append(slot) }
    }
    return slots
  }
}

extension SQLTokens {
  /// The condition in `CONSTRAINT name CHECK (…)`; nil without such a constraint.
  fileprivate func condition(ofConstraint name: String) -> ArraySlice<Token>? {
    for start in tokens.indices.dropLast(3)
    where tokens[start].isWord("CONSTRAINT") && tokens[start + 1].isName(name)
      && tokens[start + 2].isWord("CHECK")
    {
      var depth = 0
      for index in tokens.indices[(start + 3)...] {
        if tokens[index] == .symbol("(") { depth += 1 }
        if tokens[index] == .symbol(")") { depth -= 1 }
        if depth == 0 { return tokens[(start + 3)..<index] }
      }
    }
    return nil
  }
}
