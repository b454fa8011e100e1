import DatastoreCore
import Foundation
import Testing

@Suite("Versions of a model and their order")
struct SchemaHistoryTests {
  /// A version with one entity of some attributes.
  private func version(_ name: String?, _ attributes: String...) throws -> FrozenSchema {
    try FrozenSchema(
      [
        EntityDescription(
          name: "Person",
          properties: attributes.map { .attribute(AttributeDescription(name: $0, type: .string)) })
      ], modelVersion: name)
  }

  private func faults(_ body: () throws -> SchemaHistory) throws -> [String] {
    try #require(throws: SchemaError.self) { _ = try body() }.faults.map(\.description)
  }

  @Test("Chains are written as nothing, one name, a list or a dictionary")
  func literals() {
    let none: MigrationChain = nil
    let one: MigrationChain = "V1"
    let list: MigrationChain = ["V1", "V2", "V3"]
    let joining: MigrationChain = ["V1": "V3", "V2": "V3", "V3": "V4"]
    #expect(none.versions == [] && none.steps == [] && none.lastVersions == [])
    #expect(one.versions == ["V1"] && one.steps == [] && one.lastVersions == ["V1"])
    #expect(list.lastVersions == ["V3"] && joining.lastVersions == ["V4"])
    #expect(list == ["V2": "V3", "V1": "V2"])
    #expect(list.hashValue == (["V2": "V3", "V1": "V2"] as MigrationChain).hashValue)
    #expect(list != ["V1", "V2"] && list != joining && one != none)
    #expect(list.way(from: "V1", to: "V3")?.map(\.destination) == ["V2", "V3"])
    #expect(joining.way(from: "V2", to: "V4")?.map(\.destination) == ["V3", "V4"])
    #expect(list.way(from: "V2", to: "V2") == [])
    #expect(list.way(from: "V3", to: "V1") == nil)
    #expect(joining.way(from: "V1", to: "V2") == nil)
    for chain in [none, one, list, joining] { #expect(chain.isValid) }
  }

  @Test("Circles, second ways on and names that stand twice make a chain invalid")
  func invalidChains() {
    let chains: [MigrationChain] = [
      ["V1", "V2", "V1"], ["V1", "V1"], ["V1": "V1"], ["V1": "V2", "V2": "V1"],
      ["V1": "V2", "V1": "V3"], ["V0": "V1", "V1": "V2", "V2": "V1"],
    ]
    for chain in chains {
      #expect(!chain.isValid, "\(chain)")
      // No search for a way runs for ever.
      #expect(chain.way(from: "V1", to: "V9") == nil)
    }
  }

  @Test("The current version is the named, the only or the only last one")
  func current() throws {
    let (one, two, three) = (
      try version("V1", "a"), try version("V2", "a", "b"), try version("V3", "a", "b", "c")
    )
    #expect(try SchemaHistory(try version(nil, "a")).current.modelVersion == nil)
    #expect(try SchemaHistory(two).current.modelVersion == "V2")
    #expect(
      try SchemaHistory(two, three, one, migrationChain: ["V1", "V2", "V3"]).current.modelVersion
        == "V3")
    let older = try SchemaHistory(
      one, two, three, migrationChain: ["V1", "V2", "V3"], exactCurrentModelVersion: "V2")
    #expect(older.current.modelVersion == "V2")
    #expect(older.way(from: one)?.map(\.modelVersion) == ["V2"])
    #expect(older.way(from: three) == nil)
    #expect(older.version(named: "V3")?.schema === three.schema)
    #expect(older.version(named: "V4") == nil)
  }

  @Test("A file is recognised by its entities, whatever it is called")
  func recognised() throws {
    let history = try SchemaHistory(
      try version("V1", "a"), try version("V2", "a", "b"), migrationChain: ["V1", "V2"])
    #expect(history.version(of: try version("other", "b", "a").schema)?.modelVersion == "V2")
    #expect(history.version(of: try version(nil, "a").schema)?.modelVersion == "V1")
    #expect(history.version(of: try version("V1", "c").schema) == nil)
  }

  @Test("One error lists everything that is wrong")
  func faults() throws {
    let (one, two) = (try version("V1", "a"), try version("V2", "b"))
    #expect(
      try faults { try SchemaHistory([]) } == [
        "The history has no version; give it at least one."
      ])
    #expect(
      try faults { try SchemaHistory(one, two) } == [
        "Nothing says which version of the history is the current one; name the current one with "
          + "`exactCurrentModelVersion`."
      ])
    #expect(
      try faults { try SchemaHistory(one, two, exactCurrentModelVersion: "V3") } == [
        "The current version “V3” is not in the history; add it, or correct the name."
      ])
    #expect(
      try faults {
        try SchemaHistory(
          one, two, try version("V3", "c"), migrationChain: ["V1": "V3", "V2": "V4", "V5": "V6"])
      } == [
        "The migration chain names the version “V4”, which is not in the history; add it, or correct "
          + "the name.",
        "The migration chain names the version “V5”, which is not in the history; add it, or correct "
          + "the name.",
        "The migration chain names the version “V6”, which is not in the history; add it, or correct "
          + "the name.",
        "The migration chain ends in “V3” and “V4” and “V6”; name the current one with "
          + "`exactCurrentModelVersion`.",
      ])
    #expect(
      try faults {
        try SchemaHistory(
          try version("V1", "a"), try version(nil, "b"), try version("V1", "c"),
          try version("V4", "a"),
          migrationChain: ["V1": "V4", "V1": "V2", "V4": "V1"])
      } == [
        "Version 2 of the history has no name; give it one with `version:`.",
        "Two versions of the history are called “V1”; rename one of them.",
        "The versions “V1” and “V4” have the same entities, so that a file could be either; remove one "
          + "of them, or give it a `hashModifier`.",
        "The migration chain leads from “V1” to “V4” and “V2”; a version has one way on.",
        "The migration chain goes in a circle: “V1”, “V4”, “V1”.",
        "The migration chain names the version “V2”, which is not in the history; add it, or correct "
          + "the name.",
      ])
    #expect(
      try faults { try SchemaHistory(one, two, migrationChain: ["V1", "V2", "V1"]) } == [
        "The migration chain names “V1” twice; name each version once.",
        "The migration chain goes in a circle: “V1”, “V2”, “V1”.",
      ])
  }

  @Test("A lock tells the entity, the property and what has changed")
  func lock() throws {
    let schema = try Schema([
      EntityDescription(
        name: "Person",
        properties: [
          .attribute(
            AttributeDescription(name: "name", type: .string, isOptional: false, isUnique: true)),
          .attribute(AttributeDescription(name: "born", type: .date, storedName: "birth day")),
          .relationship(
            RelationshipDescription(name: "pets", kind: .toMany, destination: "Pet")),
        ], uniqueness: [["name", "born"]]),
      EntityDescription(name: "Pet", properties: [], hashModifier: "x"),
    ])
    let literal: VersionLock = [
      "Person": [
        "attribute name string required unique",
        "attribute birth day date optional",
        "relationship pets toMany Pet",
        "unique name birth day",
      ],
      "Pet": ["modifier - x"],
    ]
    #expect(VersionLock(schema) == literal)
    #expect(literal.differences(from: VersionLock(schema)) == [])
    #expect(
      VersionLock(schema).description == """
        [
          "Person": [
            "attribute birth day date optional",
            "attribute name string required unique",
            "relationship pets toMany Pet",
            "unique name birth day",
          ],
          "Pet": [
            "modifier - x",
          ],
        ]
        """)
    let other: VersionLock = [
      "Person": [
        "attribute name string optional unique", "attribute phone string optional",
        "relationship pets toMany Pet", "unique name",
      ],
      "Home": [],
    ]
    #expect(
      literal.differences(from: other) == [
        "Home is new",
        "Person.birth is gone: “attribute birth day date optional”",
        "Person.name was “attribute name string required unique” and is “attribute name string "
          + "optional unique”",
        "Person was “unique name birth day” and is “unique name”",
        "Person.phone is new: “attribute phone string optional”", "Pet is gone",
      ])
  }

  @Test(
    "What is no schema is not taken for one", arguments: ["", "{}", "[]", #"{"entities":[{}]}"#])
  func otherText(text: String) {
    #expect(throws: DecodingError.self) { try FrozenSchema(json: Data(text.utf8)) }
  }
}
