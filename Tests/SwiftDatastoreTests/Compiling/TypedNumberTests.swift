import Testing

/// The index of an entity, a slot and a key are numbers of their own: one does not compile in the place of
/// another, and its harmless twin does.
@Suite struct TypedNumberTests {
  private func check(
    _ wrong: String, says part: String, unlike right: String,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let compiler = try SnippetCompiler()
    let errors = try compiler.errors(in: Self.function(wrong))
    #expect(errors.contains { $0.contains(part) }, "\(errors)", sourceLocation: sourceLocation)
    #expect(
      try compiler.errors(in: Self.function(right)) == [], sourceLocation: sourceLocation)
  }

  private static func function(_ body: String) -> String {
    """
    import SwiftDatastore
    func use(_ schema: Schema, _ entity: Entity, _ link: RelationshipLink, _ object: DynamicObject) {
      \(body)
    }
    """
  }

  @Test func aSlotIsNoEntity() throws {
    try check(
      "_ = schema.entities[link.slot]", says: "no exact matches in call to subscript",
      unlike: "_ = schema.entities[link.destination]")
    try check(
      "let index: EntityIndex = link.slot; _ = index",
      says: "value of type 'Slot' to specified type 'EntityIndex'",
      unlike: "let index: EntityIndex = link.entity; _ = index")
  }

  @Test func anEntityIsNoSlot() throws {
    try check(
      "_ = entity.links[entity.index]", says: "no exact matches in call to subscript",
      unlike: "_ = entity.links[link.slot]")
    try check(
      "_ = object[link.entity]", says: "no exact matches in call to subscript",
      unlike: "_ = object[link.slot]")
  }

  @Test func aCountIsNeither() throws {
    try check(
      "_ = object[entity.slotCount]", says: "'Int' to expected argument type 'Slot'",
      unlike: "_ = entity.slots.map { object[$0] }")
    try check(
      "let parent: EntityIndex? = schema.entities.count; _ = parent", says: "'Int'",
      unlike: "let parent: EntityIndex? = entity.parent; _ = parent")
  }
}
