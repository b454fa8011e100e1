import Testing

@testable import DatastoreCore

/// Faults of a model are reported when it is made, all of them at once.
@Suite struct SchemaFaultTests {
  private func faults(
    _ entities: EntityDescription..., configurations: [String: Set<String>] = [:]
  ) -> [SchemaFault] {
    do {
      _ = try Schema(entities, configurations: configurations)
      return []
    } catch {
      return (error as? SchemaError)?.faults ?? []
    }
  }

  private func text(_ name: String, stored: String? = nil) -> PropertyDescription {
    .attribute(AttributeDescription(name: name, type: .string, storedName: stored))
  }

  private func one(_ name: String, _ destination: String, _ inverse: String? = nil)
    -> PropertyDescription
  {
    .relationship(
      RelationshipDescription(name: name, kind: .toOne, destination: destination, inverse: inverse))
  }

  private func many(
    _ name: String, _ destination: String, _ inverse: String? = nil, minimum: Int = 0,
    maximum: Int = 0
  ) -> PropertyDescription {
    .relationship(
      RelationshipDescription(
        name: name, kind: .toMany, destination: destination, inverse: inverse,
        minimumCount: minimum, maximumCount: maximum))
  }

  private func ruled(
    _ type: AttributeType, _ rule: ValidationRule, defaultValue: Value = .null
  ) -> [SchemaFault] {
    faults(
      EntityDescription(
        name: "A",
        properties: [
          .attribute(
            AttributeDescription(name: "p", type: type, defaultValue: defaultValue, rules: [rule]))
        ]))
  }

  @Test func aModelOfNothingIsAModel() {
    #expect(faults() == [])
  }

  @Test func anEntityHasAName() {
    #expect(faults(EntityDescription(name: "", properties: [])) == [.emptyName(entity: "")])
  }

  @Test func namesOfEntitiesAreUnique() {
    let a = EntityDescription(name: "A", properties: [])
    #expect(faults(a, a) == [.duplicateEntity("A")])
  }

  @Test func namesOfPropertiesAreUnique() {
    #expect(
      faults(EntityDescription(name: "A", properties: [text("p"), one("p", "A")])).contains(
        .duplicateProperty(entity: "A", property: "p")))
  }

  @Test func twoPropertiesAreNotStoredUnderOneName() {
    #expect(
      faults(EntityDescription(name: "A", properties: [text("p"), text("q", stored: "p")])) == [
        .duplicateStoredName(entity: "A", properties: ["p", "q"], name: "p")
      ])
  }

  @Test func aPropertyIsStoredUnderAName() {
    #expect(
      faults(EntityDescription(name: "A", properties: [text("p", stored: "")])) == [
        .emptyName(entity: "A")
      ])
  }

  @Test func aRelationshipLeadsToAnEntity() {
    #expect(
      faults(EntityDescription(name: "A", properties: [one("b", "B")])) == [
        .missingDestination(entity: "A", relationship: "b", destination: "B")
      ])
  }

  @Test func anInverseIsARelationship() {
    #expect(
      faults(
        EntityDescription(name: "A", properties: [one("b", "B", "a")]),
        EntityDescription(name: "B", properties: [text("a")])) == [
          .missingInverse(entity: "A", relationship: "b", destination: "B", inverse: "a")
        ])
  }

  @Test func anInverseLeadsBack() {
    #expect(
      faults(
        EntityDescription(name: "A", properties: [one("b", "B", "a")]),
        EntityDescription(name: "B", properties: [many("a", "B")])) == [
          .inverseLeadsElsewhere(entity: "A", relationship: "b", inverse: "a")
        ])
  }

  @Test func anInverseNamesItsInverse() {
    #expect(
      faults(
        EntityDescription(name: "A", properties: [one("b", "B", "a")]),
        EntityDescription(name: "B", properties: [many("a", "A")])) == [
          .inverseLeadsElsewhere(entity: "A", relationship: "b", inverse: "a")
        ])
  }

  @Test func aRelationshipMayBeItsOwnInverse() {
    #expect(
      faults(EntityDescription(name: "A", properties: [many("friends", "A", "friends")])) == [])
  }

  @Test func aRelationshipNeedsNoInverse() {
    #expect(faults(EntityDescription(name: "A", properties: [one("a", "A")])) == [])
  }

  @Test func aMinimumIsNotAboveItsMaximum() {
    #expect(
      faults(EntityDescription(name: "A", properties: [many("a", "A", minimum: 3, maximum: 2)]))
        == [
          .invalidCounts(entity: "A", relationship: "a")
        ])
  }

  @Test func countsAreNotNegative() {
    #expect(
      faults(EntityDescription(name: "A", properties: [many("a", "A", minimum: -1)])) == [
        .invalidCounts(entity: "A", relationship: "a")
      ])
  }

  @Test func aMaximumOfZeroIsNone() {
    #expect(faults(EntityDescription(name: "A", properties: [many("a", "A", minimum: 3)])) == [])
  }

  @Test func whatIsUniqueIsAProperty() {
    #expect(
      faults(EntityDescription(name: "A", properties: [text("p")], uniqueness: [["p", "q"]])) == [
        .unknownUniqueAttribute(entity: "A", attribute: "q")
      ])
  }

  @Test func whatIsIndexedHasAColumn() {
    #expect(
      faults(
        EntityDescription(
          name: "A", properties: [text("p"), one("a", "A"), many("all", "A")],
          indexes: [IndexDescription([.init("p"), .init("a"), .init("all"), .init("q")])])) == [
          .unknownIndexedProperty(entity: "A", property: "all"),
          .unknownIndexedProperty(entity: "A", property: "q"),
        ])
  }

  @Test func aParentIsAnEntity() {
    #expect(
      faults(EntityDescription(name: "A", properties: [], parent: "B")) == [
        .missingParent(entity: "A", parent: "B")
      ])
  }

  @Test func noEntityInheritsFromItself() {
    #expect(
      faults(
        EntityDescription(name: "A", properties: [], parent: "B"),
        EntityDescription(name: "B", properties: [], parent: "A")) == [
          .inheritanceCycle("A"), .inheritanceCycle("B"),
        ])
  }

  @Test func anEntityBeginsWithWhatItInherits() {
    #expect(
      faults(
        EntityDescription(name: "A", properties: [text("p")]),
        EntityDescription(name: "B", properties: [text("q"), text("p")], parent: "A")) == [
          .notInherited(entity: "B", parent: "A")
        ])
  }

  @Test func whatIsInheritedIsNotDeclaredAgain() {
    #expect(
      faults(
        EntityDescription(name: "A", properties: [text("p")]),
        EntityDescription(name: "B", properties: [text("p"), text("p")], parent: "A")
      ).contains(
        .overriddenProperty(entity: "B", property: "p", parent: "A")))
  }

  @Test func anAbstractEntityHasChildren() {
    #expect(
      faults(EntityDescription(name: "A", properties: [], isAbstract: true)) == [
        .abstractWithoutChildren("A")
      ])
  }

  @Test func onlyWhatHasAnOrderHasARange() {
    #expect(ruled(.boolean, .range(minimum: 0, maximum: 1)).count == 1)
    #expect(ruled(.uuid, .range(minimum: 0, maximum: 1)).count == 1)
    #expect(ruled(.string, .range(minimum: "a", maximum: "b")) == [])
  }

  @Test func aRangeHasALimit() {
    #expect(
      ruled(.integer64, .range(minimum: nil, maximum: nil)) == [
        .invalidRule(entity: "A", property: "p", reason: "the range has no limit")
      ])
  }

  @Test func aRangeIsNotEmpty() {
    #expect(
      ruled(.integer64, .range(minimum: 2, maximum: 1)) == [
        .invalidRule(entity: "A", property: "p", reason: "its maximum is less than its minimum")
      ])
    #expect(ruled(.integer64, .range(minimum: 2, maximum: 2)) == [])
  }

  @Test func onlyTextAndBytesHaveALength() {
    #expect(ruled(.integer64, .length(minimum: 1, maximum: nil)).count == 1)
    #expect(ruled(.data, .length(minimum: 1, maximum: nil)) == [])
  }

  @Test func lengthsAreCounts() {
    #expect(ruled(.string, .length(minimum: nil, maximum: nil)).count == 1)
    #expect(ruled(.string, .length(minimum: -1, maximum: nil)).count == 1)
    #expect(ruled(.string, .length(minimum: 3, maximum: 2)).count == 1)
  }

  @Test func aPatternIsARegularExpression() {
    #expect(
      ruled(.string, .matches("(")) == [
        .invalidRule(entity: "A", property: "p", reason: "“(” is not a regular expression")
      ])
    #expect(ruled(.integer8, .matches(".")).count == 1)
  }

  @Test func onlyTextIsAMailAddress() {
    #expect(ruled(.url, .email).count == 1)
    #expect(ruled(.string, .email) == [])
  }

  @Test func aDefaultKeepsTheRule() {
    #expect(
      ruled(.integer64, .range(minimum: 1, maximum: nil), defaultValue: 0) == [
        .invalidRule(
          entity: "A", property: "p", reason: "the default 0 must be at least 1")
      ])
  }

  @Test func onlyTextIsSearchable() {
    let number = PropertyDescription.attribute(
      AttributeDescription(name: "p", type: .integer64, isSearchable: true))
    #expect(
      faults(EntityDescription(name: "A", properties: [number])) == [
        .notSearchable(
          entity: "A", property: "p", reason: "only texts have words that are searched for")
      ])
  }

  /// FTS5 has columns of these names: <https://www.sqlite.org/fts5.html#the_hidden_columns>.
  @Test func searchableTextIsNotStoredAsRank() {
    func searchable(_ name: String, stored: String? = nil) -> [SchemaFault] {
      faults(
        EntityDescription(
          name: "A",
          properties: [
            .attribute(
              AttributeDescription(
                name: name, type: .string, storedName: stored, isSearchable: true))
          ]))
    }
    #expect(searchable("Rank").count == 1)
    #expect(searchable("rowid").count == 1)
    #expect(searchable("rank", stored: "place") == [])
  }

  @Test func aConfigurationNamesEntities() {
    #expect(
      faults(EntityDescription(name: "A", properties: []), configurations: ["Local": ["A", "B"]])
        == [
          .unknownConfiguredEntity(configuration: "Local", entity: "B")
        ])
  }

  @Test func allFaultsAreSaidAtOnce() {
    let error = SchemaError(faults: [.duplicateEntity("A"), .emptyName(entity: "B")])
    #expect(
      error.description == """
        The model has 2 faults:
          - The entity “A” is declared twice; give each class its own `entityName`.
          - B has an empty name.
        """)
    #expect(
      SchemaError(faults: [.emptyName(entity: "B")]).description.hasPrefix("The model has a fault:")
    )
  }
}
