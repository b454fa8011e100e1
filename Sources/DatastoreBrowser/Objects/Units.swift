import DatastoreCore

/// The user's units for the numbers of properties.
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

  /// The units of an entity, by slot.
  subscript(entity: EntityIndex) -> [Slot: String] {
    units.indices.contains(entity) ? units[entity] : [:]
  }
}
