package import DatastoreCore

/// How a store is to be opened at the far end.
package struct FarOptions: Codable, Sendable {
  /// The protocol that this program speaks.
  package static let version = 1

  package var version = Self.version
  /// Whether messages are compressed where that pays.
  package var isCompressed = true
  package var isReadOnly = true
  /// The entities that it has, where the program knows them; nil for those of the file.
  package var model: FarModel?
  package var showsJoinTables = false
  /// What was said of its tables here; nil for nothing.
  package var annotations: SchemaAnnotations?

  package init() {}
}

/// A schema in a message.
package struct FarModel: Codable, Sendable, Equatable {
  private let entities: [EntityDescription]
  /// By the place of an entity: what its table is called, where that is another name.
  private let storedNames: [Int: String]
  private let version: String?
  private let configurations: [String: Set<String>]

  package init(_ schema: Schema) {
    entities = schema.entities.map(\.description)
    var names: [Int: String] = [:]
    for (place, entity) in entities.enumerated() { names[place] = entity.storedName }
    storedNames = names
    version = schema.version
    configurations = schema.configurations
  }

  /// - Throws: `SchemaError`.
  package var schema: Schema {
    get throws {
      var entities = entities
      for (place, name) in storedNames where entities.indices.contains(place) {
        entities[place].storedName = name
      }
      return try Schema(entities, version: version, configurations: configurations)
    }
  }
}
