/// The entities of each store, in a datastore of several.
extension Schema {
  /// The entities in a store of a configuration; all of them for nil. nil if there is no such configuration.
  package func entities(of configuration: String?) -> [Entity]? {
    guard let configuration else { return entities }
    guard let names = configurations[configuration] else { return nil }
    return entities.filter { names.contains($0.name) }
  }

  /// The entities of a configuration as a separate schema; this one for nil.
  ///
  /// - Throws: `SchemaError`, like `requireStores(of:)`.
  package func part(_ configuration: String?) throws -> Schema {
    guard let configuration else { return self }
    try requireStores(of: [configuration])
    return try Schema(
      (entities(of: configuration) ?? []).map(\.description), version: version, removes: removes)
  }

  /// Checks that separate stores can hold the entities of the configurations.
  ///
  /// - Throws: `SchemaError` with every obstacle: configurations that do not exist, relationships that would
  ///   lead from one store into another, families that would be split.
  package func requireStores(of configurations: [String]) throws {
    var faults: [SchemaFault] = []
    for name in configurations {
      guard let held = entities(of: name) else {
        faults.append(.unknownConfiguration(name, known: self.configurations.keys.sorted()))
        continue
      }
      faults += leavingFaults(of: held, in: name)
    }
    guard faults.isEmpty else { throw SchemaError(faults: faults) }
  }

  private func leavingFaults(of held: [Entity], in configuration: String) -> [SchemaFault] {
    let indexes = Set(held.map(\.index))
    return held.flatMap { entity -> [SchemaFault] in
      let relatives = (entity.ancestors + entity.members).filter { !indexes.contains($0) }
      let leaving = entity.links.compactMap(\.self).filter {
        $0.entity == entity.index && !indexes.contains($0.destination)
      }
      return relatives.map {
        .familyBetweenStores(
          entity: entity.name, relative: entities[$0].name, configuration: configuration)
      }
        + leaving.map {
          .relationshipBetweenStores(
            entity: entity.name, relationship: $0.description.name,
            destination: entities[$0.destination].name, configuration: configuration)
        }
    }
  }
}

extension SchemaFault {
  static func unknownEntities(
    in configurations: [String: Set<String>], isKnown: (String) -> Bool
  ) -> [SchemaFault] {
    configurations.sorted { $0.key < $1.key }.flatMap { configuration, names in
      names.sorted().filter { !isKnown($0) }.map {
        .unknownConfiguredEntity(configuration: configuration, entity: $0)
      }
    }
  }
}
