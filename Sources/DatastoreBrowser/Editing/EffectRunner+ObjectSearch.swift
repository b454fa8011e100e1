import Basics
import DatastoreCore
import SwiftDatastore

extension Effect {
  /// Searches for objects whose names contain a text, or that a relationship refers to by it: by their key,
  /// or by the column that its foreign key refers to. The search before it ends.
  ///
  /// - Parameters:
  ///   - entity: the entity of the objects.
  ///   - target: the relationship.
  ///   - present: the key of an object that comes first if it is not among the found ones.
  static func searchObjects(
    _ number: Int, entity: EntityIndex, for target: EditTarget, _ text: String,
    present: RowKey? = nil
  ) -> Effect {
    .answer(in: Lane("object search", .latest)) {
      try await $0.objects(entity: entity, for: target, named: text, present: present)
    } then: { state, found in
      switch found {
      case .success(let found):
        state.changeOverlay(as: ObjectPicker.self) { $0.apply(found, search: number) }
        if state.overlay(as: ObjectPicker.self)?.isPickAwaited ?? false {
          state.change(ObjectPicker.self) { $0.pick(in: &$1) }
        }
      case .failure(let failure):
        state.changeOverlay(as: ObjectPicker.self) { $0.fail(failure.message, search: number) }
      }
    }
  }
}

extension EffectRunner {
  /// The most objects that a search shows.
  private static let mostFound = 100

  fileprivate func objects(
    entity index: EntityIndex, for target: EditTarget, named text: String, present: RowKey?
  ) async throws -> [ObjectName] {
    let entity = schema.entities[index]
    let slots = labels[index].attributes
    var request = FetchRequest(entity: entity.name, limit: Self.mostFound)
    request.predicate = condition(
      text, entity, slots,
      referred: referred(by: target.slot, in: schema.entities[target.object.entity]))
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

  /// The attribute whose values a foreign key holds; nil for the key of the row, and for several columns.
  func referred(by slot: Slot, in owner: Entity) -> AttributeDescription? {
    let columns = view.store.storedColumns(of: slot, in: owner)
    guard let link = owner.links[slot], columns.count == 1,
      let column = columns[0].referenced
    else { return nil }
    let entity = schema.entities[link.destination]
    let found = entity.slots.first { slot in
      entity.links[slot] == nil
        && view.store.storedColumns(of: slot, in: entity).contains {
          $0.storedName?.isExactly(column) ?? false
        }
    }
    guard let found, found != view.store.keySlot(of: entity.index) else { return nil }
    return entity.properties[found].attribute
  }

  private func condition(
    _ text: String, _ entity: Entity, _ slots: [Slot], referred: AttributeDescription?
  ) -> Predicate? {
    guard !text.isEmpty else { return nil }
    var conditions: [Predicate] = []
    for slot in slots {
      conditions.append(
        .comparison(
          Predicate.Comparison(
            .keyPath([entity.properties[slot].name]), .contains, .value(.text(text)),
            options: [.caseInsensitive, .diacriticInsensitive])))
    }
    if let referred, let value = try? ValueForm(referred).parse(text) {
      conditions.append(
        .comparison(Predicate.Comparison(.keyPath([referred.name]), .equal, .value(value))))
    }
    let isNumbered = text.hasPrefix("#")
    // A bare number is what the column itself holds.
    if isNumbered || referred == nil, let key = Int64(isNumbered ? text.dropFirst() : text[...]) {
      conditions.append(
        .comparison(Predicate.Comparison(.keyPath([]), .equal, .value(.integer(key)))))
    }
    return conditions.count == 1 ? conditions[0] : .or(conditions)
  }
}
