package import DatastoreCore

/// The model alone, without a store, for files of models.
extension CoreDataModel {
  /// The entities with everything that can be stored of them. O(properties).
  ///
  /// - Throws: `SchemaError` if they do not form a schema.
  package func schema() throws -> Schema { try Schema(CoreDataDescriptions(Alone(self)).all) }

  /// Its content beyond entities, attributes and relationships: sentences without their full stops.
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

  /// All properties are stored.
  private struct Alone: CoreDataPlaces {
    private(set) var entities: [Entity] = []
    private(set) var byName: [String: Entity] = [:]
    private var kept: [String: Set<String>] = [:]

    init(_ model: CoreDataModel) {
      let heirs = Dictionary(grouping: model.entities) { $0.parent }
      // An entity among its own ancestors is never reached.
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
