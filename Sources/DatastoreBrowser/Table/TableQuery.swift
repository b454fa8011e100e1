import DatastoreCore

/// What the table shows: which objects of which entity, in which order and sections.
struct TableQuery: Hashable, Sendable {
  /// The index of the entity.
  var entity: EntityIndex
  /// A condition that the way here set: the members of a relationship.
  var scope: Predicate?
  /// The condition the user typed.
  var filter: Predicate?
  /// Its text.
  var filterText = ""
  var order: [SortDescriptor] = []
  /// The path of the group key; nil for no sections.
  var groupBy: [String]?
  /// What the sections are in the order of, where that is not their values.
  var sectionOrder: SectionOrder?

  init(entity: EntityIndex) {
    self.entity = entity
  }

  /// The request for the whole list.
  func request(in schema: Schema) -> FetchRequest {
    let parts = [scope, filter].compactMap { $0 }
    return FetchRequest(
      entity: schema.entities[entity].name,
      predicate: parts.count > 1 ? .and(parts) : parts.first, sortDescriptors: order)
  }

  /// The attributes whose words all rows have, in the order of the filter: rows may be ranked by them.
  var searched: [String] {
    [scope, filter].compactMap { $0 }.flatMap(\.conjuncts).compactMap(\.words).flatMap(\.attributes)
  }
}
