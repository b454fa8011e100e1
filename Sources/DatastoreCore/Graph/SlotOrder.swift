/// A sort order whose keys are all in the rows of one entity themselves, resolved to slots: it compares two
/// rows without following paths by name.
///
/// The same order as `[SortDescriptor].compare(_:_:)`.
package struct SlotOrder: Sendable {
  private struct Key: Sendable {
    let slot: Slot
    let ascending: Bool
    let options: Predicate.StringOptions
    /// The part of a date to compare.
    let part: (part: DatePart, of: DateConvention)?
  }

  private let entity: Entity
  private let keys: [Key]

  /// nil when a key runs through a relationship or counts its objects, or is not compared in stored form.
  package init?(_ descriptors: [SortDescriptor], of entity: Entity, in schema: Schema) {
    var keys: [Key] = []
    for descriptor in descriptors {
      guard let names = descriptor.keyPath else { return nil }
      let path = entity.resolvingAliases(in: names, of: schema)
      guard let first = path.first, let slot = entity.slot(named: first),
        !(entity.links[slot]?.kind.isToMany ?? false),
        entity.properties[slot].attribute?.type != .decimal
      else { return nil }
      var part: (DatePart, DateConvention)?
      if path.count > 1 {
        guard path.count == 2, let dates = entity.properties[slot].attribute?.dates,
          let found = DatePart(step: path[1])
        else { return nil }
        part = (found, dates)
      }
      keys.append(
        Key(
          slot: slot, ascending: descriptor.ascending, options: descriptor.options, part: part))
    }
    self.entity = entity
    self.keys = keys
  }

  /// The order of two objects; nil when one of them is of another entity. Reads faults.
  package func compare(_ left: ManagedObject, _ right: ManagedObject) -> Value.Ordering? {
    guard left.entity === entity, right.entity === entity else { return nil }
    return compare(left.key, left.value(at:), right.key, right.value(at:))
  }

  /// The order of an object and a former row. Reads faults.
  package func compare(_ left: ManagedObject, _ right: FormerRow) -> Value.Ordering? {
    guard left.entity === entity else { return nil }
    return compare(left.key, left.value(at:), right.key, right.value(at:))
  }

  /// The value of the first sort key.
  package func firstValue(of row: FormerRow) -> Value? {
    keys.first.map { compared(row.value(at: $0.slot), $0) }
  }

  private func compare(
    _ leftKey: RowKey, _ left: (Slot) -> Value, _ rightKey: RowKey, _ right: (Slot) -> Value
  ) -> Value.Ordering {
    for key in keys {
      let ordering = Value.compare(
        compared(left(key.slot), key), compared(right(key.slot), key))
      if ordering != .same { return key.ascending ? ordering : ordering.reversed }
    }
    return Value.compare(.key(leftKey), .key(rightKey))
  }

  /// The compared form of a value.
  private func compared(_ value: Value, _ key: Key) -> Value {
    let value = key.part.map { $0.part.value(of: value, $0.of) } ?? value.withoutNaN
    return switch value {
    case .text(let text) where !key.options.isEmpty: .text(TextFolding.fold(text, key.options))
    default: value
    }
  }
}
