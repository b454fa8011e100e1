import DatastoreCore
import DatastoreExport
import DatastoreSQLite
import DatastoreTestSupport
import Foundation
import SampleModel
import SwiftDatastore
import TerminalUI
import Testing

@Suite("Schema formats")
struct SchemaFormatTests {
  private static func relationship(
    _ name: String, _ kind: RelationshipKind, _ destination: String, inverse: String? = nil,
    rule: DeleteRule = .nullify
  ) -> PropertyDescription {
    .relationship(
      RelationshipDescription(
        name: name, kind: kind, destination: destination, inverse: inverse, deleteRule: rule))
  }

  private static let outline = SchemaOutline(entities: [
    EntityOutline(
      EntityDescription(
        name: "Team",
        properties: [
          .attribute(
            AttributeDescription(name: "name", type: .string, isOptional: false, isUnique: true)),
          relationship("members", .toMany, "Person", inverse: "team", rule: .cascade),
        ]), kind: "table",
      indexes: [
        .init(name: "Team_name_index", columns: ["name", nil], isUnique: true, isPartial: false)
      ]),
    EntityOutline(
      EntityDescription(
        name: "Person",
        properties: [
          .attribute(AttributeDescription(name: "age", type: .integer16, defaultValue: 18)),
          relationship("team", .toOne, "Team", inverse: "members"),
          relationship("boss", .toOne, "Person"),
        ], uniqueness: [["age", "team"]]), kind: "table"),
  ])

  @Test("A tree lists everything in columns")
  func tree() {
    #expect(
      SchemaFormat.text.text(of: Self.outline) == """
        Team (table)
        ├─ name     text             required, unique
        ├─ members  ⇉ Person         to many, inverse team, cascade
        └─ index    Team_name_index  (name, expression), unique

        Person (table)
        ├─ age     integer    default 18
        ├─ team    → Team     to one, inverse members, nullify
        ├─ boss    → Person   to one, nullify
        └─ unique  age, team

        """)
    #expect(
      SchemaFormat.text.text(of: Self.outline, glyphs: .ascii).utf8.allSatisfy { $0 < 0x80 })
  }

  @Test("A graph joins each relationship with its inverse, or with the title it leads to")
  func graph() {
    #expect(
      SchemaFormat.graph.text(of: Self.outline) == """
        ┌────────────────────┐
        │ Team               │
        │   members ⇉ Person ├───┐
        └────────────────────┘   │
                                 │
        ┌────────────────────┐   │
        │ Person             ├─┐ │
        │   team → Team      ├─┼─┘
        │   boss → Person    ├─┘
        └────────────────────┘

        """)
    #expect(
      SchemaFormat.graph.text(of: Self.outline, glyphs: .ascii) == """
        +---------------------+
        | Team                |
        |   members => Person +---+
        +---------------------+   |
                                  |
        +---------------------+   |
        | Person              +-+ |
        |   team -> Team      +-+-+
        |   boss -> Person    +-+
        +---------------------+

        """)
  }

  @Test("Mermaid and Graphviz get each pair of relationships once")
  func diagrams() {
    #expect(
      SchemaFormat.mermaid.text(of: Self.outline) == """
        erDiagram
          "Team" {
            text name UK
          }
          "Person" {
            integer age
          }
          "Team" |o--o{ "Person" : "members / team"
          "Person" }o--o| "Person" : "boss"

        """)
    let dot = SchemaFormat.dot.text(of: Self.outline)
    #expect(
      dot.contains(
        "\"Team\" -> \"Person\" [label=\"members / team\", arrowtail=none, arrowhead=crow];"))
    #expect(
      dot.contains("\"Person\" -> \"Person\" [label=\"boss\", arrowtail=none, arrowhead=normal];"))
    #expect(dot.hasSuffix("}\n"))
  }

  @Test("JSON holds everything")
  func json() throws {
    let text = SchemaFormat.json.text(of: Self.outline)
    let root = try #require(
      try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
    let entities = try #require(root["entities"] as? [[String: Any]])
    #expect(entities.map { $0["name"] as? String } == ["Team", "Person"])
    let attributes = try #require(entities[1]["attributes"] as? [[String: Any]])
    #expect(attributes[0]["type"] as? String == "integer16")
    #expect(attributes[0]["default"] as? Int == 18)
    let relationships = try #require(entities[0]["relationships"] as? [[String: Any]])
    #expect(relationships[0]["inverse"] as? String == "team")
    #expect(relationships[0]["deleteRule"] as? String == "cascade")
    let indexes = try #require(entities[0]["indexes"] as? [[String: Any]])
    #expect(indexes[0]["name"] as? String == "Team_name_index")
  }

  @Test(
    "Names from the file cannot speak to a terminal or to the format",
    arguments: SchemaFormat.allCases)
  func hostileNames(format: SchemaFormat) throws {
    let name = "a\u{1B}[2J\"\n\u{202E}<b>|"
    let outline = SchemaOutline(entities: [
      EntityOutline(
        EntityDescription(
          name: name,
          properties: [
            .attribute(
              AttributeDescription(name: name, type: .string, declaredType: "TEXT\u{1B}c")),
            .attribute(AttributeDescription(name: "\u{9B}", type: .undefined, declaredType: "")),
          ]), kind: "table")
    ])
    let text = format.text(of: outline)
    let harmful = text.unicodeScalars.filter { scalar in
      scalar != "\n" && (scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value))
        || (0x202A...0x202E).contains(scalar.value)
    }
    #expect(harmful.isEmpty, "\(text)")
  }

  @Test(
    "A model for Core Data has its smallest type that holds all values",
    arguments: [
      (AttributeType.integer8, "Integer 16"), (.unsigned8, "Integer 16"),
      (.unsigned16, "Integer 32"), (.unsigned32, "Integer 64"), (.calendarDate, "String"),
      (.url, "URI"), (.date, "Date"), (.coded, "Binary"), (.undefined, "Binary"),
    ])
  func coreDataTypes(type: AttributeType, word: String) {
    let entity = EntityDescription(
      name: "T", properties: [.attribute(AttributeDescription(name: "a", type: type))])
    let outline = SchemaOutline(entities: [EntityOutline(entity, kind: "table")])
    #expect(
      SchemaFormat.xcdatamodel.text(of: outline)
        .contains(#"<attribute name="a" optional="YES" attributeType="\#(word)""#))
  }

  @Test("Classes of the sample model are the ones it was made of")
  func sampleClasses() throws {
    let schema = try SwiftDatastoreModel.sampleCompanies().schema
    let outline = SchemaOutline(
      entities: schema.entities.map { EntityOutline($0.description, kind: "table") })
    let text = SchemaFormat.swift.text(of: outline)
    for line in [
      "final class Employee: DatastoreObject {",
      "  @Attribute.NotOptional(unique: true) var id: Int",
      "  @Attribute.NotOptional(indexed: true) var surname: String",
      "  @Attribute.NotOptional var age: Int16 = 0",
      "  @Attribute.NotOptional var salary: Decimal = 0",
      "  @Attribute.Optional(indexed: true) var position: String?",
      "  @Attribute.NotOptional var isRemote: Bool = false",
      "  @Relationship.ToMany(inverse: \\.$company, deleteRule: .cascade) var offices: Set<Office>",
      "  @Relationship.ToOne var company: Company?",
      "  @Relationship.ToMany.Ordered(inverse: \\.$employee, deleteRule: .cascade) var tasks: [Task]",
    ] {
      #expect(text.contains(line + "\n"), "\(line) in \(text)")
    }
  }

  @Test("A relationship that is its own inverse says so")
  func ownInverse() {
    let outline = SchemaOutline(entities: [
      EntityOutline(
        EntityDescription(
          name: "Person",
          properties: [
            Self.relationship("spouse", .toOne, "Person", inverse: "spouse"),
            Self.relationship("friends", .toMany, "Person", inverse: "friends"),
          ]), kind: "table")
    ])
    let text = SchemaFormat.swift.text(of: outline)
    #expect(
      text.contains("  @Relationship.ToOne(isSymmetric: true) var spouse: Person?\n"), "\(text)")
    #expect(
      text.contains("  @Relationship.ToMany(isSymmetric: true) var friends: Set<Person>\n"),
      "\(text)")
  }

  @Test("A family shows who inherits from whom, and its classes declare what is theirs")
  func family() throws {
    let name = PropertyDescription.attribute(AttributeDescription(name: "name", type: .string))
    let owner = Self.relationship("owner", .toOne, "Person", inverse: "pets")
    let outline = SchemaOutline(entities: [
      EntityOutline(
        EntityDescription(name: "Pet", properties: [name, owner], isAbstract: true), kind: "table"),
      EntityOutline(
        EntityDescription(
          name: "Cat",
          properties: [
            name, owner, .attribute(AttributeDescription(name: "lives", type: .integer64)),
          ], parent: "Pet"), kind: "table"),
      EntityOutline(
        EntityDescription(
          name: "Person", properties: [Self.relationship("pets", .toMany, "Pet", inverse: "owner")]),
        kind: "table"),
    ])
    #expect(
      SchemaFormat.swift.text(of: outline).contains(
        """
        class Pet: DatastoreObject {
          override class var isAbstract: Bool { self == Pet.self }
          @Attribute.Optional var name: String?
          @Relationship.ToOne(inverse: \\.$pets) var owner: Person?
        }

        final class Cat: Pet {
          @Attribute.Optional var lives: Int?
        }

        final class Person: DatastoreObject {
          @Relationship.ToMany var pets: Set<Pet>
        }

        """))
    let tree = SchemaFormat.text.text(of: outline)
    #expect(tree.contains("Pet (table, abstract)\n"))
    #expect(tree.contains("Cat (table, inherits from Pet)\n├─ name "))
    #expect(
      SchemaFormat.graph.text(of: outline) == """
        ┌──────────────────┐
        │ Pet              │
        │   owner → Person ├─┐
        └──────────────────┘ │
                             │
        ┌──────────────────┐ │
        │ Cat: Pet         │ │
        └──────────────────┘ │
                             │
        ┌──────────────────┐ │
        │ Person           │ │
        │   pets ⇉ Pet     ├─┘
        └──────────────────┘

        """)
    let mermaid = SchemaFormat.mermaid.text(of: outline)
    #expect(mermaid.contains("  \"Cat\" |o--|| \"Pet\" : \"is a\"\n"))
    #expect(mermaid.split(separator: "\n").count { $0.contains("owner / pets") } == 1)
    let dot = SchemaFormat.dot.text(of: outline)
    #expect(dot.contains("  \"Cat\" -> \"Pet\" [arrowtail=none, arrowhead=empty];\n"))
    let json = SchemaFormat.json.text(of: outline)
    let root = try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any]
    let entities = try #require(root?["entities"] as? [[String: Any]])
    #expect(entities.map { $0["parent"] as? String } == [nil, "Pet", nil])
    #expect(entities.map { $0["abstract"] as? Bool } == [true, false, false])
  }

  @Test("The indexes of a file are found")
  func indexes() throws {
    let directory = try TemporaryDirectory()
    let url = directory.url.appending(path: "t.sqlite")
    try SQLiteFile.make(
      at: url,
      """
      CREATE TABLE t (a INTEGER PRIMARY KEY, b TEXT UNIQUE, c TEXT);
      CREATE UNIQUE INDEX first ON t (c, b) WHERE a > 3; CREATE INDEX second ON t (lower(c));
      """)
    let store = try SQLiteStore(existing: url, isReadOnly: true)
    let text = SchemaFormat.text.text(of: try SchemaOutline(store))
    #expect(text.contains("index  first    (c, b), unique, partial\n"), "\(text)")
    #expect(text.contains("index  second   (expression)\n"), "\(text)")
    try store.close()
  }
}
