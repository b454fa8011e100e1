import Testing

@testable import DatastoreCore

/// The changes from one version of a model to the next, and their costs.
@Suite struct SchemaChangesTests {
  private func attribute(
    _ name: String = "p", _ type: AttributeType = .string,
    _ change: (inout AttributeDescription) -> Void = { _ in }
  ) -> PropertyDescription {
    var attribute = AttributeDescription(name: name, type: type)
    change(&attribute)
    return .attribute(attribute)
  }

  private func relationship(
    _ kind: RelationshipKind = .toOne, to destination: String = "A", inverse: String? = nil,
    isOptional: Bool = true, _ change: (inout RelationshipDescription) -> Void = { _ in }
  ) -> PropertyDescription {
    var relationship = RelationshipDescription(
      name: "r", kind: kind, destination: destination, inverse: inverse, isOptional: isOptional)
    change(&relationship)
    return .relationship(relationship)
  }

  private func changes(_ old: [EntityDescription], _ new: [EntityDescription]) throws
    -> [SchemaChange]
  {
    try SchemaDifference(from: Schema(old), to: Schema(new)).changes()
  }

  /// From an entity with some properties to one with others.
  private func changes(
    _ old: [PropertyDescription], _ new: [PropertyDescription]
  ) throws -> [SchemaChange] {
    try changes(
      [EntityDescription(name: "A", properties: old)],
      [EntityDescription(name: "A", properties: new)])
  }

  @Test func theSameModelHasNoChanges() throws {
    #expect(try changes([attribute(), relationship()], [attribute(), relationship()]) == [])
  }

  @Test func theOrderOfPropertiesIsNoChange() throws {
    #expect(
      try changes([attribute("p"), attribute("q")], [attribute("q"), attribute("p")]) == [])
  }

  @Test func anEntityIsAdded() throws {
    let a = EntityDescription(name: "A", properties: [])
    let b = EntityDescription(name: "B", properties: [])
    #expect(try changes([a], [a, b]) == [.entityAdded("B")])
  }

  @Test func anEntityIsRemoved() throws {
    let a = EntityDescription(name: "A", properties: [])
    let b = EntityDescription(name: "B", properties: [])
    #expect(try changes([a, b], [a]) == [.entityRemoved("B")])
  }

  @Test func anEntityIsRenamed() throws {
    let a = EntityDescription(name: "A", properties: [attribute()])
    let b = EntityDescription(name: "B", properties: [attribute()], renamedFrom: "A")
    #expect(try changes([a], [b]) == [.entityRenamed(from: "A", to: "B")])
  }

  /// A former name does not matter for a file that already has the new name.
  @Test func anEntityThatWasRenamedBeforeIsTheSame() throws {
    let b = EntityDescription(name: "B", properties: [attribute()], renamedFrom: "A")
    #expect(try changes([b], [b]) == [])
  }

  @Test func anOptionalAttributeIsAdded() throws {
    #expect(
      try changes([], [attribute()]) == [.attributeAdded(entity: "A", property: "p", .none)])
  }

  @Test func anAttributeIsAddedWithItsDefault() throws {
    #expect(
      try changes([], [attribute { $0.defaultValue = "x" }]) == [
        .attributeAdded(entity: "A", property: "p", .defaultValue)
      ])
  }

  @Test func aRequiredAttributeHasNoValueWhenItIsAdded() throws {
    #expect(
      try changes([], [attribute { $0.isOptional = false }]) == [
        .attributeAdded(entity: "A", property: "p", .missing)
      ])
  }

  @Test func aClosureMakesTheValuesOfARequiredAttribute() throws {
    let old = try Schema([EntityDescription(name: "A", properties: [])])
    let new = try Schema([
      EntityDescription(name: "A", properties: [attribute { $0.isOptional = false }])
    ])
    #expect(
      SchemaDifference(from: old, to: new).changes { entity, slot in entity == 0 && slot == 0 } == [
        .attributeAdded(entity: "A", property: "p", .initial)
      ])
  }

  @Test func anAttributeIsRemoved() throws {
    #expect(try changes([attribute()], []) == [.propertyRemoved(entity: "A", property: "p")])
  }

  @Test func anAttributeIsRenamed() throws {
    #expect(
      try changes([attribute("p")], [attribute("q") { $0.renamedFrom = "p" }]) == [
        .propertyRenamed(entity: "A", from: "p", to: "q")
      ])
  }

  @Test func twoNamesAreSwapped() throws {
    #expect(
      try changes(
        [attribute("p"), attribute("q", .integer64)],
        [
          attribute("q") { $0.renamedFrom = "p" },
          attribute("p", .integer64) { $0.renamedFrom = "q" },
        ])
        == [
          .propertyRenamed(entity: "A", from: "p", to: "q"),
          .propertyRenamed(entity: "A", from: "q", to: "p"),
        ])
  }

  /// The file does not see it.
  @Test func aNameInSwiftChangesRulesOnly() throws {
    #expect(
      try changes([attribute("p")], [attribute("q") { $0.storedName = "p" }]) == [
        .rulesChanged(entity: "A", property: "q")
      ])
  }

  @Test func aTypeChanges() throws {
    #expect(
      try changes([attribute("p", .string)], [attribute("p", .integer64)]) == [
        .typeChanged(entity: "A", property: "p", from: .string, to: .integer64)
      ])
  }

  @Test func anAttributeBecomesRequiredAndOptional() throws {
    let required = attribute { $0.isOptional = false }
    #expect(
      try changes([attribute()], [required]) == [
        .becameRequired(entity: "A", property: "p", hasDefault: false)
      ])
    #expect(
      try changes([required], [attribute()]) == [.becameOptional(entity: "A", property: "p")])
  }

  @Test func anAttributeBecomesUnique() throws {
    let unique = attribute { $0.isUnique = true }
    #expect(
      try changes([attribute()], [unique]) == [.becameUnique(entity: "A", properties: ["p"])])
    #expect(
      try changes([unique], [attribute()]) == [.noLongerUnique(entity: "A", properties: ["p"])])
  }

  @Test func anIndexComesAndGoes() throws {
    let indexed = attribute { $0.isIndexed = true }
    #expect(
      try changes([attribute()], [indexed]) == [
        .indexChanged(entity: "A", property: "p", isIndexed: true)
      ])
    #expect(
      try changes([indexed], [attribute()]) == [
        .indexChanged(entity: "A", property: "p", isIndexed: false)
      ])
  }

  @Test func anIndexOfWordsComes() throws {
    #expect(
      try changes([attribute()], [attribute { $0.isSearchable = true }]) == [
        .wordIndexChanged(entity: "A", property: "p", isSearchable: true)
      ])
  }

  @Test func aRuleThatSQLChecksIsAddedAndRemoved() throws {
    let rule = ValidationRule.length(minimum: 1, maximum: nil)
    let ruled = attribute { $0.rules = [rule] }
    #expect(
      try changes([attribute()], [ruled]) == [
        .ruleAdded(entity: "A", property: "p", rule, .string)
      ])
    #expect(
      try changes([ruled], [attribute()]) == [
        .ruleRemoved(entity: "A", property: "p", rule, .string)
      ])
  }

  @Test func aRuleThatOnlyWeCheckIsMetadata() throws {
    #expect(
      try changes([attribute()], [attribute { $0.rules = [.email] }]) == [
        .rulesChanged(entity: "A", property: "p")
      ])
  }

  @Test func aDefaultIsARule() throws {
    #expect(
      try changes([attribute()], [attribute { $0.defaultValue = "x" }]) == [
        .rulesChanged(entity: "A", property: "p")
      ])
  }

  @Test func aCoderChanges() throws {
    let coded = attribute("p", .coded)
    #expect(
      try changes([coded], [attribute("p", .coded) { $0.coder = "plist" }]) == [
        .coderChanged(entity: "A", property: "p", from: "json", to: "plist")
      ])
  }

  @Test func aRelationshipIsAdded() throws {
    #expect(
      try changes([], [relationship()]) == [.relationshipAdded(entity: "A", property: "r")])
  }

  @Test func aRequiredRelationshipIsAdded() throws {
    #expect(
      try changes([], [relationship(isOptional: false)]) == [
        .relationshipAdded(entity: "A", property: "r"),
        .becameRequired(entity: "A", property: "r", hasDefault: false),
      ])
  }

  @Test func aRelationshipChangesItsKind() throws {
    #expect(
      try changes([relationship(.toOne)], [relationship(.toMany)]) == [
        .kindChanged(entity: "A", property: "r", from: .toOne, to: .toMany)
      ])
  }

  @Test func aDeleteRuleIsMetadata() throws {
    #expect(
      try changes([relationship()], [relationship { $0.deleteRule = .cascade }]) == [
        .rulesChanged(entity: "A", property: "r")
      ])
  }

  @Test func anAttributeIsNoRelationship() throws {
    #expect(
      try changes([attribute("r")], [relationship()]) == [
        .relationshipAdded(entity: "A", property: "r"),
        .propertyRemoved(entity: "A", property: "r"),
      ])
  }

  @Test func aSetOfPropertiesBecomesUnique() throws {
    let properties = [attribute("p"), attribute("q")]
    let old = EntityDescription(name: "A", properties: properties)
    let new = EntityDescription(name: "A", properties: properties, uniqueness: [["p", "q"]])
    #expect(try changes([old], [new]) == [.becameUnique(entity: "A", properties: ["p", "q"])])
    #expect(try changes([new], [old]) == [.noLongerUnique(entity: "A", properties: ["p", "q"])])
  }

  /// The columns are the same.
  @Test func aUniqueSetIsTheSameUnderNewNames() throws {
    let old = EntityDescription(name: "A", properties: [attribute("p")], uniqueness: [["p"]])
    let new = EntityDescription(
      name: "A", properties: [attribute("q") { $0.renamedFrom = "p" }], uniqueness: [["q"]])
    #expect(try changes([old], [new]) == [.propertyRenamed(entity: "A", from: "p", to: "q")])
  }

  @Test func aParentChanges() throws {
    let a = EntityDescription(name: "A", properties: [])
    let alone = EntityDescription(name: "B", properties: [])
    let child = EntityDescription(name: "B", properties: [], parent: "A")
    #expect(
      try changes([a, alone], [a, child]) == [.parentChanged(entity: "B", from: nil, to: "A")])
    #expect(
      try changes([a, child], [a, alone]) == [.parentChanged(entity: "B", from: "A", to: nil)])
  }

  @Test func anInheritedPropertyChangesOnce() throws {
    func entities(_ property: PropertyDescription) -> [EntityDescription] {
      [
        EntityDescription(name: "A", properties: [property]),
        EntityDescription(name: "B", properties: [property], parent: "A"),
      ]
    }
    #expect(
      try changes(entities(attribute("p", .integer8)), entities(attribute("p", .integer64))) == [
        .typeChanged(entity: "A", property: "p", from: .integer8, to: .integer64)
      ])
  }

  @Test func versionsBetweenLeadNamesOn() throws {
    func version(_ name: String, from former: String?) throws -> Schema {
      try Schema([
        EntityDescription(name: "A", properties: [attribute(name) { $0.renamedFrom = former }])
      ])
    }
    let (first, second, third) = try (
      version("p", from: nil), version("q", from: "p"), version("s", from: "q")
    )
    #expect(
      SchemaDifference(from: first, through: [second], to: third).changes() == [
        .propertyRenamed(entity: "A", from: "p", to: "s")
      ])
    #expect(
      SchemaDifference(from: first, to: third).changes() == [
        .attributeAdded(entity: "A", property: "s", .none),
        .propertyRemoved(entity: "A", property: "p"),
      ])
  }

  @Test func aPairIsNamedByHand() throws {
    let old = try Schema([EntityDescription(name: "A", properties: [])])
    let new = try Schema([EntityDescription(name: "B", properties: [])])
    let difference = SchemaDifference(from: old, to: new, pairing: [("A", "B")])
    #expect(difference.changes() == [.entityRenamed(from: "A", to: "B")])
    #expect(difference.former(new.entities[0])?.name == "A")
    #expect(difference.later(old.entities[0])?.name == "B")
  }
}
