import DatastoreCore
import DatastoreTestSupport
import Testing

@Suite("Edits of a schema by hand")
struct SchemaEditTests {
  private let file = [
    EntityDescription(
      name: "Person",
      properties: [
        .attribute(AttributeDescription(name: "name", type: .string)),
        .attribute(AttributeDescription(name: "tel", type: .string)),
        .relationship(
          RelationshipDescription(
            name: "company", kind: .toOne, destination: "Company", inverse: "people")),
      ], uniqueness: [["name", "tel"]], renamedFrom: "Human"),
    EntityDescription(
      name: "Company",
      properties: [
        .relationship(
          RelationshipDescription(
            name: "people", kind: .toMany, destination: "Person", inverse: "company"))
      ]),
    EntityDescription(
      name: "Boss",
      properties: [
        .attribute(AttributeDescription(name: "name", type: .string)),
        .attribute(AttributeDescription(name: "tel", type: .string)),
        .relationship(
          RelationshipDescription(
            name: "company", kind: .toOne, destination: "Company", inverse: "people")),
        .attribute(AttributeDescription(name: "car", type: .string)),
      ], parent: "Person"),
  ]

  private func applied(_ edits: SchemaEdit...) throws -> [EntityDescription] {
    try SchemaEdit.applied(edits, to: file)
  }

  private func fault(_ edits: SchemaEdit...) -> String? {
    do {
      _ = try SchemaEdit.applied(edits, to: file)
      return nil
    } catch { return error.description }
  }

  @Test("Names lead back to those of the file, however often they were changed")
  func renaming() throws {
    let entities = try applied(
      .renameEntity("Person", to: "P"), .renameEntity("P", to: "Employee"),
      .renameProperty(entity: "Employee", "tel", to: "t"),
      .renameProperty(entity: "Boss", "t", to: "phone"),
      .renameProperty(entity: "Employee", "company", to: "firm"))
    #expect(entities.map(\.name) == ["Employee", "Company", "Boss"])
    #expect(entities.map(\.renamedFrom) == ["Person", nil, nil])
    #expect(entities[2].parent == "Employee")
    for entity in [entities[0], entities[2]] {
      #expect(entity.properties[1].name == "phone")
      #expect(entity.properties[1].attribute?.renamedFrom == "tel")
      #expect(entity.properties[2].relationship?.renamedFrom == "company")
    }
    #expect(entities[0].uniqueness == [["name", "phone"]])
    #expect(entities[1].properties[0].relationship?.destination == "Employee")
    #expect(entities[1].properties[0].relationship?.inverse == "firm")
  }

  @Test("A property comes to all that inherit, and a relationship goes with its other end")
  func addingAndRemoving() throws {
    let phone = try PropertyDescription(definition: "fax text indexed", entities: [])
    let entities = try applied(
      .addProperty(entity: "Person", phone), .removeProperty(entity: "Boss", "company"),
      .removeProperty(entity: "Person", "tel"), .addEntity("Visit"),
      .addProperty(
        entity: "Visit",
        try PropertyDescription(definition: "guests Person many", entities: ["Person"])))
    #expect(entities[0].properties.map(\.name) == ["name", "fax"])
    #expect(entities[2].properties.map(\.name) == ["name", "fax", "car"])
    #expect(entities[1].properties.isEmpty)
    #expect(entities[0].uniqueness.isEmpty)
    #expect(entities[3].properties[0].relationship?.kind == .toMany)
  }

  @Test("What cannot be is a sentence")
  func faults() {
    #expect(fault(.removeEntity("Person")) == "Boss inherits from Person; remove it first.")
    #expect(
      fault(.removeEntity("Company"))?.hasSuffix("leads to Company; remove it first.") ?? false)
    #expect(fault(.addEntity("person")) == "There is an entity “Person” already.")
    #expect(
      fault(.renameProperty(entity: "Person", "tel", to: "NAME"))
        == "Person has a property “name” already.")
    #expect(
      fault(.renameProperty(entity: "Person", "tel", to: "car"))
        == "Boss has a property “car” already.")
    #expect(fault(.removeProperty(entity: "Person", "fax")) == "Person has no property “fax”.")
    #expect(fault(.renameEntity("Visit", to: "Call")) == "There is no entity “Visit”.")
  }

  @Test("Definitions are read as a person types them")
  func definitions() throws {
    func attribute(_ text: String) throws -> AttributeDescription? {
      try PropertyDescription(definition: text, entities: ["Person"]).attribute
    }
    #expect(
      try attribute("age integer required default 0")
        == AttributeDescription(
          name: "age", type: .integer64, isOptional: false, defaultValue: .integer(0)))
    #expect(
      try attribute("title text default New one")?.defaultValue == .text("New one"))
    #expect(try attribute("seen date-time")?.type == .date)
    #expect(try attribute("born date")?.type == .calendarDate)
    #expect(try attribute("id uuid unique")?.isUnique == true)
    #expect(try attribute("small integer16")?.type == .integer16)
    for text in ["", "age", "age number", "age integer default x", "age integer often"] {
      #expect(throws: SchemaEdit.Fault.self, "\(text)") { try attribute(text) }
    }
  }
}
