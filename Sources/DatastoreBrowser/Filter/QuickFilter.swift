import DatastoreCore
import TerminalUI

/// Adding what is under the cursor to the filter.
extension BrowserState {
  /// Asks for the value under the cursor, to show only rows with it, or only those without it.
  mutating func beginQuickFilter(isExcluded: Bool) -> [Effect] {
    guard let table else { return [] }
    if focus == .detail { return filterByDetail(isExcluded: isExcluded) }
    switch table.currentLine {
    case .header(let section):
      guard let path = table.groupPath, table.list.sections.indices.contains(section) else {
        return []
      }
      return addToFilter(.keyPath(path), table.list.sections[section].value, isExcluded: isExcluded)
    case .row:
      guard let key = table.currentKey, let column = table.currentColumn else { return [] }
      return [
        .readFilterValue(
          ObjectReference(entity: table.query.entity, key: key), slot: column.slot,
          isExcluded: isExcluded)
      ]
    case nil: return []
    }
  }

  private mutating func filterByDetail(isExcluded: Bool) -> [Effect] {
    guard let object = detail.object else { return [] }
    switch detail.currentItem {
    case .field(let slot):
      return [.readFilterValue(object, slot: slot, isExcluded: isExcluded)]
    case .member(let slot, let member):
      let name = schema.entities[object.entity].properties[slot].name
      return addToFilter(
        .keyPath([name]), .key(member.key), isExcluded: isExcluded,
        quantifier: isExcluded ? .none : .any)
    case nil: return []
    }
  }

  /// Filters by a value that was read, if its table is still shown.
  mutating func quickFilter(
    _ object: ObjectReference, slot: Slot, _ value: Value, isExcluded: Bool
  ) -> [Effect] {
    guard let entity, entity.index == object.entity else { return [] }
    let property = entity.properties[slot]
    if property.relationship?.kind.isToMany ?? false {
      return addToFilter(.count([property.name]), value, isExcluded: isExcluded)
    }
    if case .blob(let data) = value, data.count > Self.longestBlob {
      message = Message(
        text:
          "This value has \(BlobText.size(data.count)); rows can be filtered by values of up to "
          + "\(BlobText.size(Self.longestBlob)).", severity: .warning)
      return []
    }
    return addToFilter(.keyPath([property.name]), value, isExcluded: isExcluded)
  }

  /// More bytes make a filter that nobody can read.
  private static let longestBlob = 1000

  /// Shows only those of the rows that have a value, or only the others.
  private mutating func addToFilter(
    _ operand: Predicate.Operand, _ value: Value, isExcluded: Bool,
    quantifier: Predicate.Quantifier = .direct
  ) -> [Effect] {
    let isNone = quantifier == .none
    let condition = Predicate.comparison(
      .init(
        operand, isExcluded && !isNone ? .notEqual : .equal, .value(value), quantifier: quantifier))
    guard let filter = table?.query.filter else { return setFilter(condition) }
    var parts = [filter]
    if case .and(let conditions) = filter { parts = conditions }
    guard !parts.contains(condition) else {
      message = Message(text: "The filter has this condition already.", severity: .warning)
      return []
    }
    return setFilter(.and(parts + [condition]))
  }
}
