import DatastoreCore
import Foundation
import Testing

/// Entities that inherit from each other in a schema.
@Suite struct EntityFamilyTests {
  private static let name = PropertyDescription.attribute(
    AttributeDescription(name: "name", type: .string))
  private static let size = PropertyDescription.attribute(
    AttributeDescription(name: "size", type: .integer64))

  @Test func familiesAreResolvedWhateverTheOrder() throws {
    let descriptions = [
      EntityDescription(name: "C", properties: [Self.name, Self.size], parent: "B"),
      EntityDescription(name: "Other", properties: [Self.size]),
      EntityDescription(name: "B", properties: [Self.name], parent: "A"),
      EntityDescription(name: "A", properties: [], isAbstract: true),
      EntityDescription(name: "AB", properties: [Self.size], parent: "A"),
    ]
    let schema = try Schema(descriptions)
    let a = try #require(schema.entity(named: "A"))
    let c = try #require(schema.entity(named: "C"))
    let other = try #require(schema.entity(named: "Other"))
    #expect(a.members.map { schema.entities[$0].name } == ["A", "AB", "B", "C"])
    #expect(c.ancestors.map { schema.entities[$0].name } == ["B", "A"])
    #expect(c.root == a.index && c.members == [c.index])
    #expect(a.entityColumn == 2 && a.pageColumnCount == 3)
    #expect(c.entityColumn == nil && c.pageColumnCount == 2 && c.isInFamily)
    #expect(other.root == other.index && other.members == [other.index] && !other.isInFamily)
    #expect(c.isKind(of: a) && !a.isKind(of: c) && !other.isKind(of: a) && other.isKind(of: other))
  }

  @Test func faultsAreListed() {
    #expect(
      faults([
        EntityDescription(name: "A", properties: [], parent: "Z"),
        EntityDescription(name: "B", properties: [], parent: "C"),
        EntityDescription(name: "C", properties: [], parent: "B"),
        EntityDescription(name: "D", properties: [Self.name, Self.size]),
        EntityDescription(name: "E", properties: [Self.size, Self.name], parent: "D"),
        EntityDescription(name: "F", properties: [Self.name, Self.size, Self.name], parent: "D"),
        EntityDescription(name: "G", properties: [], isAbstract: true),
      ]) == [
        .missingParent(entity: "A", parent: "Z"), .inheritanceCycle("B"), .inheritanceCycle("C"),
        .notInherited(entity: "E", parent: "D"),
        .overriddenProperty(entity: "F", property: "name", parent: "D"),
        .abstractWithoutChildren("G"),
      ])
    for fault in faults([EntityDescription(name: "A", properties: [], parent: "Z")]) {
      #expect(
        "\(fault)" == "A inherits from Z, which is not part of the model; add Z to it.")
    }
  }

  @Test func anInverseOfAParentLeadsToThePart() throws {
    func relationship(_ name: String, to destination: String, _ inverse: String)
      -> PropertyDescription
    {
      .relationship(
        RelationshipDescription(
          name: name, kind: name == "owner" ? .toOne : .toMany, destination: destination,
          inverse: inverse))
    }
    let owner = relationship("owner", to: "Person", "pets")
    let schema = try Schema([
      EntityDescription(name: "Pet", properties: [owner]),
      EntityDescription(name: "Cat", properties: [owner, Self.name], parent: "Pet"),
      EntityDescription(name: "Person", properties: [relationship("pets", to: "Pet", "owner")]),
    ])
    let link = try #require(schema.entities[1].links[0])
    #expect(link.entity == 0 && link.inverseSlot == 0 && link.destination == 2)
    #expect(
      faults([
        EntityDescription(name: "Pet", properties: [owner]),
        EntityDescription(name: "Cat", properties: [owner], parent: "Pet"),
        EntityDescription(name: "Person", properties: [relationship("pets", to: "Cat", "owner")]),
      ]) == [
        .inverseLeadsElsewhere(entity: "Pet", relationship: "owner", inverse: "pets")
      ])
  }

  @Test func descriptionsWithoutInheritanceAreWrittenAsBefore() throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys]
    let plain = EntityDescription(name: "A", properties: [Self.name], uniqueness: [["name"]])
    let json = String(decoding: try encoder.encode(plain), as: UTF8.self)
    #expect(!json.contains("parent") && !json.contains("isAbstract"))
    let child = EntityDescription(
      name: "B", properties: [Self.name], parent: "A", isAbstract: true, renamedFrom: "Old")
    for description in [plain, child] {
      let copy = try JSONDecoder().decode(
        EntityDescription.self, from: encoder.encode(description))
      #expect(copy == description)
    }
  }

  private func faults(_ descriptions: [EntityDescription]) -> [SchemaFault] {
    do {
      _ = try Schema(descriptions)
      return []
    } catch {
      return (error as? SchemaError)?.faults ?? []
    }
  }
}
