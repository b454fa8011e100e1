import DatastoreCore
package import SwiftDatastore

extension EvolvingStore {
  /// Makes the objects in an empty store of this version.
  package func fill(_ datastore: SwiftDatastore) async throws {
    try await datastore.write { context in
      var made: [Int: DynamicObject] = [:]
      let schema = context.core.graph.schema
      for (id, object) in objects.sorted(by: { $0.key < $1.key }) {
        guard let place = index(of: object.entity),
          let entity = schema.entity(named: entities[place].name)
        else { continue }
        guard let dynamic = try context.makeObject(of: entity) as? DynamicObject else { continue }
        for property in properties(of: entities[place]) {
          guard case .attribute = property.kind else { continue }
          dynamic[property.name] = object.values[property.number] ?? .null
        }
        made[id] = dynamic
      }
      for (id, object) in objects.sorted(by: { $0.key < $1.key }) {
        for (number, members) in object.members.sorted(by: { $0.key < $1.key }) {
          guard let property = self.property(number), let owner = made[id],
            case .relationship(let kind, _, _) = property.kind
          else { continue }
          if kind == .toOne {
            owner.set(members.first.flatMap { made[$0] }, for: property.name)
          } else {
            owner.set(members.compactMap { made[$0] }, for: property.name)
          }
        }
      }
    }
  }
}
