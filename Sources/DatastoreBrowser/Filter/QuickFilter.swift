import Basics
import DatastoreCore
import SwiftDatastore
import TerminalUI

/// Filtering by the value under the cursor.
extension BrowserState {
  /// Reads the value under the cursor, to show only the rows with it, or only those without it.
  mutating func beginQuickFilter(isExcluded: Bool) {
    guard let table else { return }
    if focus == .detail { return filterByDetail(isExcluded: isExcluded) }
    switch table.currentLine {
    case .header(let section):
      guard let path = table.groupPath, table.list.sections.indices.contains(section) else {
        return
      }
      let entity = schema.entities[table.query.entity]
      let value = table.list.sections[section].value
      if let reading = readingStoredValue(value, at: path, of: entity, isExcluded: isExcluded) {
        return request(reading)
      }
      addToFilter(
        Predicate.Operand(at: path, of: entity, in: schema), value, isExcluded: isExcluded)
    case .row:
      guard let key = table.currentKey, let column = table.currentColumn else { return }
      let object = ObjectReference(entity: table.query.entity, key: key)
      guard let slot = column.slot else {
        return request(.computeFilterValue(object, column.value, isExcluded: isExcluded))
      }
      readFilterValue(of: object, slot, isExcluded: isExcluded)
    case nil: break
    }
  }

  /// The effect that reads what the column of a relationship stores for an object; nil if that is its key, or
  /// the path ends in something else.
  private func readingStoredValue(
    _ value: Value, at path: [String], of entity: Entity, isExcluded: Bool
  ) -> Effect? {
    let stored = path + [PredicatePath.storedStep]
    guard let key = value.key,
      case .object(let owner)? = (try? PredicatePath(path, from: entity, in: schema))?.destination,
      case .attribute(let attribute)? =
        (try? PredicatePath(stored, from: entity, in: schema))?.destination,
      let slot = owner.slot(named: attribute.name), owner.properties[slot].attribute != nil
    else { return nil }
    return .readReferredValue(
      of: ObjectReference(entity: owner.index, key: key), slot, for: .keyPath(stored),
      in: entity.index, isExcluded: isExcluded)
  }

  private mutating func readFilterValue(
    of object: ObjectReference, _ slot: Slot, isExcluded: Bool
  ) {
    let property = schema.entities[object.entity].properties[slot]
    guard property.relationship?.referred != nil else {
      return request(.readFilterValue(object, slot: slot, isExcluded: isExcluded))
    }
    // The filter names the value that the column shows, not the number of a row.
    request(
      .computeFilterValue(
        object, .keyPath([property.name, PredicatePath.storedStep]), isExcluded: isExcluded))
  }

  private mutating func filterByDetail(isExcluded: Bool) {
    guard let object = detail.object else { return }
    switch detail.currentItem {
    case .field(let slot):
      readFilterValue(of: object, slot, isExcluded: isExcluded)
    case .member(let slot, let member):
      let name = schema.entities[object.entity].properties[slot].name
      addToFilter(
        .keyPath([name]), .key(member.key), isExcluded: isExcluded,
        quantifier: isExcluded ? .none : .any)
    case nil: break
    }
  }

  /// Filters by a value after it was read, if its table is still shown.
  mutating func quickFilter(
    _ object: ObjectReference, slot: Slot, _ value: Value, isExcluded: Bool
  ) {
    guard let entity, entity.index == object.entity else { return }
    let property = entity.properties[slot]
    if property.relationship?.kind.isToMany ?? false {
      return addToFilter(.count([property.name]), value, isExcluded: isExcluded)
    }
    if case .blob(let data) = value, data.count > Self.longestBlob {
      return tell(
        "This value has \(CountText.bytes(data.count)); rows can be filtered by values of up to "
          + "\(CountText.bytes(Self.longestBlob)).", .warning)
    }
    addToFilter(.keyPath([property.name]), value, isExcluded: isExcluded)
  }

  /// Filters by a computed value, if its table is still shown.
  fileprivate mutating func quickFilter(
    in index: EntityIndex, _ operand: Predicate.Operand, _ value: Result<Value, EffectFailure>,
    isExcluded: Bool
  ) {
    guard entity?.index == index else { return }
    switch value {
    case .success(let value): addToFilter(operand, value, isExcluded: isExcluded)
    case .failure(let failure): tellUnreadable(failure.message)
    }
  }

  /// The longest value of bytes in a filter; longer ones make it unreadable.
  private static let longestBlob = 1000

  /// Narrows the table to the rows with a value, or to the others.
  private mutating func addToFilter(
    _ operand: Predicate.Operand, _ value: Value, isExcluded: Bool,
    quantifier: Predicate.Quantifier = .direct
  ) {
    let isNone = quantifier == .none
    let condition = Predicate.comparison(
      .init(
        operand, isExcluded && !isNone ? .notEqual : .equal, .value(value), quantifier: quantifier))
    guard let filter = table?.query.filter else { return setFilter(condition) }
    var parts = [filter]
    if case .and(let conditions) = filter { parts = conditions }
    guard !parts.contains(condition) else {
      return tell("The filter has this condition already.", .warning)
    }
    setFilter(.and(parts + [condition]))
  }
}

extension Effect {
  fileprivate static func computeFilterValue(
    _ object: ObjectReference, _ operand: Predicate.Operand, isExcluded: Bool
  ) -> Effect {
    .answer { runner in
      let objects = try await runner.view.load(entity: object.entity, keys: [object.key])
      let values = try await runner.view.values(of: [operand], objects, entity: object.entity)
      return values[object.key]?.first ?? .null
    } then: {
      $0.quickFilter(in: object.entity, operand, $1, isExcluded: isExcluded)
    }
  }

  /// Reads the value by which an object is referred to, which is also known if the object is missing.
  fileprivate static func readReferredValue(
    of object: ObjectReference, _ slot: Slot, for operand: Predicate.Operand,
    in entity: EntityIndex, isExcluded: Bool
  ) -> Effect {
    .answer { runner in
      if let found = try await runner.view.load(object) { return found[slot] }
      let values = runner.view.keyValues(entity: object.entity, key: object.key)
      return values?.last ?? .null
    } then: {
      $0.quickFilter(in: entity, operand, $1, isExcluded: isExcluded)
    }
  }
}
