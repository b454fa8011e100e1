import DatastoreTestSupport
import Testing

@testable import DatastoreCore

/// Configurations, delete rules and the properties of an entity.
@Suite struct SchemaPartTests {
  private func text(_ name: String) -> PropertyDescription {
    .attribute(AttributeDescription(name: name, type: .string))
  }

  private func one(_ name: String, _ destination: String) -> PropertyDescription {
    .relationship(RelationshipDescription(name: name, kind: .toOne, destination: destination))
  }

  private func schema(_ configurations: [String: Set<String>]) throws -> Schema {
    try Schema(
      [
        EntityDescription(name: "A", properties: [text("p")]),
        EntityDescription(name: "B", properties: [one("a", "A")]),
        EntityDescription(name: "C", properties: [text("p")], parent: "A"),
      ], configurations: configurations)
  }

  @Test func withoutAConfigurationAllEntitiesAreMeant() throws {
    let schema = try schema([:])
    #expect(schema.entities(of: nil)?.map(\.name) == ["A", "B", "C"])
    #expect(try schema.part(nil) === schema)
  }

  @Test func aConfigurationHasItsEntities() throws {
    let schema = try schema(["Local": ["A", "C"]])
    #expect(schema.entities(of: "Local")?.map(\.name) == ["A", "C"])
    #expect(try schema.part("Local").entities.map(\.name) == ["A", "C"])
    #expect(schema.entities(of: "Cloud") == nil)
  }

  @Test func anUnknownConfigurationIsNamed() throws {
    let schema = try schema(["Local": ["A", "C"]])
    let error = try #require(throws: SchemaError.self) { try schema.part("Cloud") }
    #expect(error.faults == [.unknownConfiguration("Cloud", known: ["Local"])])
  }

  @Test func noRelationshipLeadsOutOfAConfiguration() throws {
    let schema = try schema(["Local": ["B"]])
    let error = try #require(throws: SchemaError.self) { try schema.requireStores(of: ["Local"]) }
    #expect(
      error.faults == [
        .relationshipBetweenStores(
          entity: "B", relationship: "a", destination: "A", configuration: "Local")
      ])
  }

  @Test func aFamilyIsInOneConfiguration() throws {
    let schema = try schema(["Local": ["A"]])
    let error = try #require(throws: SchemaError.self) { try schema.requireStores(of: ["Local"]) }
    #expect(
      error.faults == [.familyBetweenStores(entity: "A", relative: "C", configuration: "Local")])
  }

  @Test func aFamilyHasARootMembersAndAncestors() throws {
    let schema = try schema([:])
    let a = try #require(schema.entity(named: "A"))
    let c = try #require(schema.entity(named: "C"))
    #expect(a.members == [0, 2])
    #expect(c.members == [2])
    #expect(c.ancestors == [0])
    #expect(c.root == 0)
    #expect(a.isInFamily && c.isInFamily)
    #expect(c.isKind(of: a) && !a.isKind(of: c))
  }

  /// Pages of a family name the entity of each row.
  @Test func pagesOfAFamilyHaveOneMoreColumn() throws {
    let schema = try schema([:])
    #expect(schema.entity(named: "A")?.pageColumnCount == 2)
    #expect(schema.entity(named: "C")?.pageColumnCount == 1)
    #expect(schema.entity(named: "B")?.pageColumnCount == 1)
  }

  @Test func unknownEntitiesAndPropertiesAreNone() {
    #expect(CompanySchema.schema.entity(named: "company") == nil)
    #expect(CompanySchema.schema.entity(named: "Company")?.slot(named: "Name") == nil)
  }

  @Test func slotsAreInTheOrderOfProperties() throws {
    let employee = try #require(CompanySchema.schema.entity(named: "Employee"))
    #expect(employee.slots.map { employee.properties[$0].name } == employee.properties.map(\.name))
    #expect(employee.slot(named: "tags") == 8)
    #expect(employee.relationshipSlots == [6, 7, 8])
  }

  @Test func rowsHoldAttributesAndToOneRelationships() throws {
    let employee = try #require(CompanySchema.schema.entity(named: "Employee"))
    #expect(Array(employee.rowSlots) == [0, 1, 2, 3, 4, 5, 6])
  }

  @Test func entitiesWithManyPropertiesFindThemAll() throws {
    let schema = try Schema([
      EntityDescription(name: "Wide", properties: (0..<100).map { text("p\($0)") })
    ])
    let wide = try #require(schema.entity(named: "Wide"))
    for place in 0..<100 { #expect(wide.slot(named: "p\(place)") == Slot(place)) }
    #expect(wide.slot(named: "p100") == nil)
  }

  @Test func linksKnowTheirInverse() throws {
    let schema = CompanySchema.schema
    let employee = try #require(schema.entity(named: "Employee"))
    let company = try #require(employee.links[6])
    #expect(company.kind == .toOne)
    #expect(schema.entities[company.destination].name == "Company")
    #expect(schema.entities.inverse(of: company)?.description.name == "employees")
    #expect(!company.isOwnInverse)
  }

  @Test func aSymmetricRelationshipIsItsOwnInverse() throws {
    let schema = try Schema([
      EntityDescription(
        name: "A",
        properties: [
          .relationship(
            RelationshipDescription(
              name: "friends", kind: .toMany, destination: "A", inverse: "friends"))
        ])
    ])
    #expect(schema.entities[0].links[0]?.isOwnInverse == true)
  }

  @Test func readOnlyPropertiesAreKnown() throws {
    let schema = try Schema([
      EntityDescription(
        name: "A",
        properties: [
          .attribute(AttributeDescription(name: "sum", type: .integer64, isReadOnly: true)),
          text("p"),
        ]),
      EntityDescription(name: "View", properties: [text("p")], isReadOnly: true),
    ])
    #expect(Array(schema.entities[0].readOnlySlots) == [0])
    #expect(Array(schema.entities[1].readOnlySlots) == [0])
  }

  @Test func initialValuesAreTheDefaults() throws {
    let schema = try Schema([
      EntityDescription(
        name: "A",
        properties: [
          .attribute(AttributeDescription(name: "n", type: .integer64, defaultValue: 7)), text("p"),
        ])
    ])
    #expect(Array(schema.entities[0].initialValues) == [7, .null])
  }

  @Test func theNameOfACallerIsNotKeptTwice() {
    let attribute = AttributeDescription(name: "p", type: .string, storedName: "p")
    #expect(attribute.storedName == nil)
    #expect(attribute.nameInFile == "p")
    #expect(AttributeDescription(name: "p", type: .string, storedName: "q").nameInFile == "q")
  }

  @Test func onlyAToOneRelationshipIsRequired() {
    let one = RelationshipDescription(name: "a", kind: .toOne, destination: "A", isOptional: false)
    let many = RelationshipDescription(
      name: "a", kind: .toMany, destination: "A", isOptional: false)
    #expect(!one.isOptional)
    #expect(many.isOptional)
  }

  @Test func aCountIsNoFaultWithinItsLimits() {
    let relationship = RelationshipDescription(
      name: "a", kind: .toMany, destination: "A", minimumCount: 2, maximumCount: 3)
    #expect(relationship.limitsCount)
    #expect(relationship.fault(ofCount: 1) == .tooFew(minimum: 2))
    #expect(relationship.fault(ofCount: 2) == nil)
    #expect(relationship.fault(ofCount: 3) == nil)
    #expect(relationship.fault(ofCount: 4) == .tooMany(maximum: 3))
  }

  /// As in Core Data, a minimum is one of those that are there.
  @Test func noMembersAreNeverTooFew() {
    let relationship = RelationshipDescription(
      name: "a", kind: .toMany, destination: "A", minimumCount: 2)
    #expect(relationship.fault(ofCount: 0) == nil)
  }
}

/// The objects deleted with an object, by the delete rules alone.
@Suite struct DeletePlanTests {
  private func schema(_ rule: DeleteRule, inverse: RelationshipKind = .toOne) throws -> Schema {
    try Schema([
      EntityDescription(
        name: "Owner",
        properties: [
          .relationship(
            RelationshipDescription(
              name: "parts", kind: .toMany, destination: "Part", inverse: "owner",
              deleteRule: rule))
        ]),
      EntityDescription(
        name: "Part",
        properties: [
          .relationship(
            RelationshipDescription(
              name: "owner", kind: inverse, destination: "Owner", inverse: "parts"))
        ]),
    ])
  }

  private func names(_ links: [RelationshipLink]) -> [String] { links.map(\.description.name) }

  @Test func nullifyLeaves() throws {
    let rules = try schema(.nullify).deleteRules(of: 0)
    #expect(names(rules.leaving) == ["parts"])
    #expect(rules.spreading.isEmpty && rules.denying.isEmpty && rules.keeping.isEmpty)
  }

  @Test func cascadeSpreadsAndLeaves() throws {
    let rules = try schema(.cascade).deleteRules(of: 0)
    #expect(names(rules.spreading) == ["parts"])
    #expect(names(rules.leaving) == ["parts"])
  }

  @Test func denyDenies() throws {
    let rules = try schema(.deny).deleteRules(of: 0)
    #expect(names(rules.denying) == ["parts"])
    #expect(rules.leaving.isEmpty)
  }

  @Test func noActionKeepsTheReferenceOfTheOtherSide() throws {
    let rules = try schema(.noAction).deleteRules(of: 0)
    #expect(names(rules.keeping) == ["parts"])
    #expect(rules.leaving.isEmpty)
  }

  /// A pair of keys in a join table cannot stay without its row.
  @Test func noActionOfManyToManyLeaves() throws {
    let rules = try schema(.noAction, inverse: .toMany).deleteRules(of: 0)
    #expect(names(rules.leaving) == ["parts"])
    #expect(rules.keeping.isEmpty)
  }

  @Test func aRelationshipWithoutInverseIsLeftByItsDestination() throws {
    let schema = try Schema([
      EntityDescription(
        name: "A",
        properties: [
          .relationship(RelationshipDescription(name: "b", kind: .toOne, destination: "B"))
        ]),
      EntityDescription(name: "B", properties: []),
    ])
    #expect(names(schema.deleteRules(of: 1).oneWay) == ["b"])
    #expect(schema.deleteRules(of: 0).oneWay.isEmpty)
  }

  @Test func aPlanGoesFromGenerationToGeneration() throws {
    let schema = try schema(.cascade)
    var plan = DeletePlan(schema)
    plan.found(0)
    let first = plan.nextGeneration()
    plan.found(1)
    let second = plan.nextGeneration()
    let third = plan.nextGeneration()
    #expect(first.map(names) == ["parts"])
    #expect(second.map(names) == [])
    #expect(third == nil)
    #expect(plan.families == [0, 1])
  }

  @Test func aPlanLooksAtAFamilyAgainWhereMoreOfItIsFound() throws {
    var plan = DeletePlan(try schema(.cascade))
    plan.found(0)
    _ = plan.nextGeneration()
    plan.found(0)
    let again = plan.nextGeneration()
    #expect(again.map(names) == ["parts"])
    #expect(plan.families == [0])
  }

  @Test func theRulesOfAFamilyAreThoseOfAllItsMembers() throws {
    let parts = PropertyDescription.relationship(
      RelationshipDescription(
        name: "parts", kind: .toMany, destination: "Part", deleteRule: .cascade))
    let schema = try Schema([
      EntityDescription(name: "Base", properties: []),
      EntityDescription(name: "Child", properties: [parts], parent: "Base"),
      EntityDescription(name: "Part", properties: []),
    ])
    #expect(names(schema.deleteRules(of: 0).spreading) == ["parts"])
    #expect(names(schema.deleteRules(of: 1).spreading) == ["parts"])
  }
}

/// The values that rules accept, and the descriptions of rules.
@Suite struct ValidationRuleValueTests {
  @Test func noValueKeepsEveryRule() {
    for rule in [
      ValidationRule.range(minimum: 1, maximum: 2), .length(minimum: 1, maximum: 1),
      .matches("x"), .email,
    ] {
      #expect(rule.accepts(.null, of: .string))
    }
  }

  @Test func limitsAreInTheRange() {
    let rule = ValidationRule.range(minimum: 1, maximum: 3)
    #expect([0, 1, 3, 4].map { rule.accepts($0, of: .integer64) } == [false, true, true, false])
  }

  @Test func aRangeMayHaveOneLimit() {
    #expect(ValidationRule.range(minimum: nil, maximum: 3).accepts(-100, of: .integer64))
    #expect(!ValidationRule.range(minimum: 1, maximum: nil).accepts(0, of: .integer64))
  }

  /// Stored as text, 9 would come after 10.
  @Test func decimalsAreComparedAsNumbers() {
    let rule = ValidationRule.range(minimum: "9.00000000000000000001", maximum: nil)
    #expect(rule.accepts("10.00000000000000000001", of: .decimal))
    #expect(!rule.accepts(9, of: .decimal))
  }

  @Test func lengthsCountScalarsAndBytes() {
    let rule = ValidationRule.length(minimum: 1, maximum: 2)
    #expect(rule.accepts("äb", of: .string))
    #expect(!rule.accepts("", of: .string))
    #expect(!rule.accepts("abc", of: .string))
    #expect(rule.accepts(.blob(.init([1, 2])), of: .data))
    #expect(!rule.accepts(12, of: .string))
  }

  /// `length()` of SQLite ends there: <https://www.sqlite.org/lang_corefunc.html#length>.
  @Test func aLengthEndsAtANULCharacter() {
    #expect(ValidationRule.length(minimum: nil, maximum: 1).accepts("a\0bc", of: .string))
  }

  @Test func aPatternIsAboutTheWholeText() {
    #expect(ValidationRule.matches("[0-9]+").accepts("123", of: .string))
    #expect(!ValidationRule.matches("[0-9]+").accepts("123a", of: .string))
    #expect(!ValidationRule.matches("[0-9]+").accepts(123, of: .string))
  }

  @Test(arguments: ["a@b.c", "first.last@mail.example.org"])
  func mailAddresses(text: String) {
    #expect(ValidationRule.email.accepts(.text(text), of: .string))
  }

  @Test(arguments: ["", "a", "a@b", "@b.c", "a@b..c", "a@.c", "a@b.c.", "a b@c.d", "a@b@c.d"])
  func noMailAddresses(text: String) {
    #expect(!ValidationRule.email.accepts(.text(text), of: .string))
  }

  @Test func rangesAreSaid() {
    func words(_ low: Value?, _ high: Value?) -> String {
      ValidationRule.range(minimum: low, maximum: high).words(of: .integer64)
    }
    #expect(words(1, 3) == "from 1 to 3")
    #expect(words(2, 2) == "2")
    #expect(words(1, nil) == "at least 1")
    #expect(words(nil, 3) == "at most 3")
  }

  @Test func lengthsAreSaid() {
    func words(_ low: Int?, _ high: Int?, _ type: AttributeType = .string) -> String {
      ValidationRule.length(minimum: low, maximum: high).words(of: type)
    }
    #expect(words(1, 3) == "1 to 3 characters")
    #expect(words(1, 1) == "exactly 1 character")
    #expect(words(1, nil, .data) == "at least 1 byte")
    #expect(words(nil, 3, .data) == "at most 3 bytes")
  }

  @Test func demandsAreSaid() {
    #expect(ValidationRule.email.demand(of: .string) == "be a mail address")
    #expect(ValidationRule.matches("x").demand(of: .string) == "match “x”")
    #expect(
      ValidationRule.length(minimum: 1, maximum: nil).demand(of: .string)
        == "have at least 1 character")
  }

  @Test func whatSQLCanCheckIsAConstraint() {
    #expect(ValidationRule.length(minimum: 1, maximum: nil).isConstraint(of: .string))
    #expect(ValidationRule.range(minimum: 1, maximum: nil).isConstraint(of: .integer64))
    #expect(!ValidationRule.range(minimum: 1, maximum: nil).isConstraint(of: .decimal))
    #expect(
      !ValidationRule.range(minimum: .integer(.min), maximum: nil).isConstraint(of: .integer64))
    #expect(!ValidationRule.matches("x").isConstraint(of: .string))
    #expect(!ValidationRule.email.isConstraint(of: .string))
  }
}
