import DatastoreCore

/// What the numbers of properties are measured in, as the user says.
struct Units: Hashable, Sendable {
  private var units: ByEntity<[Slot: String]> = []

  init(_ schema: Schema, _ annotations: SchemaAnnotations?) {
    units = ByEntity(
      schema.entities.map { entity in
        Dictionary(
          (annotations?.units(in: entity.name) ?? [:]).compactMap { name, unit in
            entity.slot(named: name).map { ($0, unit) }
          },
          uniquingKeysWith: { first, _ in first })
      })
  }

  /// By slot of an entity.
  subscript(entity: EntityIndex) -> [Slot: String] {
    units.indices.contains(entity) ? units[entity] : [:]
  }
}
