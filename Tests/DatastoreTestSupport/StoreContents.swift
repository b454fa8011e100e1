package import DatastoreCore
package import Foundation
package import SwiftDatastore

/// Everything that a store file holds, for comparing: each object as a line of text, by entity.
package struct StoreContents: Equatable, Sendable {
  /// One object: its key and its properties by name. To-one relationships are keys, to-many ones
  /// the list of their keys as text.
  package struct Row: Equatable, Sendable {
    package let key: RowKey
    package let values: [String: Value]

    package subscript(name: String) -> Value { values[name] ?? .null }
  }

  /// The rows of each entity, by ascending key.
  package private(set) var entities: [String: [Row]] = [:]

  /// Reads a file of any origin.
  ///
  /// - Throws: `StoreError` when it cannot be opened or read.
  package init(of url: URL) async throws {
    let datastore = try SwiftDatastore(opening: url, readOnly: true)
    try await self.init(of: datastore)
    try datastore.close()
  }

  /// Reads a store that is open.
  package init(of datastore: SwiftDatastore) async throws {
    entities = try await datastore.newContext().perform { context in
      var entities: [String: [Row]] = [:]
      for entity in context.core.graph.schema.entities {
        let objects: [DynamicObject] = try context.fetch(FetchRequest(entity: entity.name))
        entities[entity.name] = objects.map { object in
          var values: [String: Value] = [:]
          for (slot, property) in zip(entity.slots, entity.properties) {
            if property.relationship?.kind.isToMany ?? false {
              let keys = object.relatedKeys(at: slot).map(String.init)
              values[property.name] = .text(keys.joined(separator: ","))
            } else {
              values[property.name] = object.value(at: slot)
            }
          }
          return Row(key: object.key, values: values)
        }
      }
      return entities
    }
  }

  /// The rows of an entity; none if there is no such entity.
  package subscript(entity: String) -> [Row] { entities[entity] ?? [] }

  /// The first row whose property has that value.
  package func row(_ entity: String, where property: String, is value: Value) -> Row? {
    self[entity].first { $0[property] == value }
  }
}
