import DatastoreCore
import SwiftDatastore

/// Searching for objects by their names.
extension EffectRunner {
  /// Objects that a search shows at most.
  private static let mostFound = 100

  /// Looks for objects whose names contain a text, or whose key it is; ends the search before it.
  func searchObjects(_ number: Int, entity index: Int, _ text: String) {
    cancel(nameSearchWork)
    nameSearchWork = perform { runner in
      let entity = runner.schema.entities[index]
      let slot = DisplayName.slot(of: entity)
      var request = FetchRequest(entity: entity.name, limit: Self.mostFound)
      request.predicate = runner.condition(text, entity, slot)
      if let slot { request.sortDescriptors = [SortDescriptor([entity.properties[slot].name])] }
      do {
        let objects = try await runner.view.loadObjects(request)
        try Task.checkCancellation()
        let found = objects.map { object in
          ObjectName(
            key: object.key,
            name: DisplayName.name(slot.map { object[$0] } ?? .null, key: object.key))
        }
        runner.offered = Set(objects.map { runner.reference(to: $0, as: entity) })
        runner.send(.objectsFound(search: number, .success(found)))
      } catch is CancellationError {
        return
      } catch {
        runner.send(
          .objectsFound(
            search: number, .failure(CountFailure(message: String(describing: error)))))
      }
    }
  }

  private func condition(_ text: String, _ entity: Entity, _ slot: Int?) -> Predicate? {
    guard !text.isEmpty else { return nil }
    var conditions: [Predicate] = []
    if let slot {
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
