import DatastoreCore

/// The query of the table: the entity and its objects, their order and their sections.
struct TableQuery: Hashable, Sendable {
  var entity: EntityIndex
  /// The condition of the relationship that led here: its members.
  var scope: Predicate?
  /// The user's condition.
  var filter: Predicate?
  /// The text of the user's condition.
  var filterText = ""
  var order: [SortDescriptor] = []
  /// The path of the group key; nil for no sections.
  var groupBy: [String]?
  /// The order of the sections, if they are not in the order of their values.
  var sectionOrder: SectionOrder?

  /// The request for the whole list.
  func request(in schema: Schema) -> FetchRequest {
    let parts = [scope, filter].compactMap { $0 }
    return FetchRequest(
      entity: schema.entities[entity].name,
      predicate: parts.count > 1 ? .and(parts) : parts.first, sortDescriptors: order)
  }

  /// The attributes whose words all rows contain, in the order of the filter: rows can be ranked by them.
  var searched: [String] {
    [scope, filter].compactMap { $0 }.flatMap(\.conjuncts).compactMap(\.words).flatMap(\.attributes)
  }
}
