package import DatastoreCore

/// The model by itself, without a store: what a file of models says.
extension CoreDataModel {
  /// The entities with all that can be stored of them. O(properties).
  ///
  /// - Throws: `SchemaError` where they are those of no schema.
  package func schema() throws -> Schema { try Schema(CoreDataDescriptions(Alone(self)).all) }

  /// What it says beyond entities, attributes and relationships: sentences without their full stops.
  package var remarks: [String] {
    entities.filter { !$0.isOfFramework }.flatMap { entity -> [String] in
      entity.fetchedProperties.map { "\(entity.name).\($0) is a fetched property" }
        + entity.attributes.compactMap { attribute in
          remark(on: attribute).map { "\(entity.name).\(attribute.name) \($0)" }
        }
        + entity.relationships.filter(\.isTransient).map {
          "\(entity.name).\($0.name) is transient: it is not stored"
        }
    }
  }

  private func remark(on attribute: Attribute) -> String? {
    if attribute.isTransient { return "is transient: it is not stored" }
    var parts: [String] = []
    if let derivation = attribute.derivation { parts.append("is derived from \(derivation)") }
    switch attribute.type {
    case .transformable: parts.append("is what \(attribute.transformer ?? "a transformer") made")
    case .composite: parts.append("is composite: its parts are not shown")
    default: break
    }
    if attribute.mayBeExternal { parts.append("may be in a file of its own") }
    return parts.isEmpty ? nil : parts.joined(separator: " and ")
  }

  /// Everything that is stored has a place.
  private struct Alone: CoreDataPlaces {
    private(set) var entities: [Entity] = []
    private(set) var byName: [String: Entity] = [:]
    private var kept: [String: Set<String>] = [:]

    init(_ model: CoreDataModel) {
      let heirs = Dictionary(grouping: model.entities) { $0.parent }
      // One that is among its own ancestors never comes.
      var open = heirs[nil] ?? []
      while let entity = open.popLast() {
        entities.append(entity)
        byName[entity.name] = entity
        kept[entity.name] = Set(
          entity.attributes.filter { !$0.isTransient && $0.type.type != .undefined }.map(\.name)
            + entity.relationships.filter { !$0.isTransient }.map(\.name))
        open += heirs[entity.name] ?? []
      }
    }

    func hasPlace(for property: String, of entity: Entity) -> Bool {
      kept[entity.name]?.contains(property) ?? false
    }

    func isIndexed(_ attribute: Attribute, of entity: Entity) -> Bool { attribute.isIndexed }

    func keepsOrder(of relationship: String, of entity: Entity) -> Bool { true }
  }
}
