import DatastoreCore
import SwiftDatastore

extension Lane {
  static let objectSearch = Lane("object search", .latest)
}

extension Effect {
  /// Searches for objects whose names contain a text, or that have it as their key; the search before it
  /// ends.
  ///
  /// - Parameter present: the key of an object that comes first if it is not among the found ones.
  static func searchObjects(
    _ number: Int, entity: EntityIndex, _ text: String, present: RowKey? = nil
  ) -> Effect {
    .answer(in: .objectSearch) {
      try await $0.objects(entity: entity, named: text, present: present)
    } as: {
      EditingEvent.objectsFound(search: number, $0)
    }
  }
}

extension EffectRunner {
  /// The most objects that a search shows.
  private static let mostFound = 100

  fileprivate func objects(
    entity index: EntityIndex, named text: String, present: RowKey?
  ) async throws -> [ObjectName] {
    let entity = schema.entities[index]
    let slots = labels[index].attributes
    var request = FetchRequest(entity: entity.name, limit: Self.mostFound)
    request.predicate = condition(text, entity, slots)
    request.sortDescriptors = slots.map { SortDescriptor([entity.properties[$0].name]) }
    var found = try await view.loadObjects(request)
    if let present, !found.contains(where: { $0.key == present }) {
      found = try await view.load(entity: index, keys: [present]) + found
    }
    service(OfferedRows.self).rows = Set(found.map { reference(to: $0, as: entity) })
    let names = try await names(of: found, as: index)
    return found.map { object in
      ObjectName(
        key: object.key, name: names[object.key] ?? DisplayName.placeholder(key: object.key))
    }
  }

  private func condition(_ text: String, _ entity: Entity, _ slots: [Slot]) -> Predicate? {
    guard !text.isEmpty else { return nil }
    var conditions: [Predicate] = []
    for slot in slots {
      conditions.append(
        .comparison(
          Predicate.Comparison(
            .keyPath([entity.properties[slot].name]), .contains, .value(.text(text)),
            options: [.caseInsensitive, .diacriticInsensitive])))
    }
    let digits = text.hasPrefix("#") ? text.dropFirst() : text[...]
    if let key = Int64(digits) {
      conditions.append(
        .comparison(Predicate.Comparison(.keyPath([]), .equal, .value(.integer(key)))))
    }
    return conditions.count == 1 ? conditions[0] : .or(conditions)
  }
}
