package import DatastoreCore

/// The options for opening a store at the far end.
package struct FarOptions: Codable, Sendable {
  /// The version of the protocol that this program speaks.
  package static let version = 3

  package var version = Self.version
  /// Whether messages are compressed if they are large enough.
  package var isCompressed = true
  package var isReadOnly = true
  /// The entities of the store if the program declares them; nil for those of the file.
  package var model: FarModel?
  package var showsJoinTables = false
  /// The user's annotations of its tables; nil for none.
  package var annotations: SchemaAnnotations?

  package init() {}
}

/// A schema in a message.
package struct FarModel: Codable, Sendable, Equatable {
  private let entities: [EntityDescription]
  /// The names of tables that differ from those of their entities, by the place of the entity.
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
