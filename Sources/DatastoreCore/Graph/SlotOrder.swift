/// A sort order whose keys all stand in the rows of one entity themselves, resolved to slots: it
/// compares two rows without following paths by name.
///
/// The same order as `[SortDescriptor].compare(_:_:)`.
package struct SlotOrder: Sendable {
  private struct Key: Sendable {
    let slot: Int
    let ascending: Bool
    let options: Predicate.StringOptions
  }

  private let entity: Entity
  private let keys: [Key]

  /// Nil when a key runs through a relationship or counts its objects, or is not compared as it is stored.
  package init?(_ descriptors: [SortDescriptor], of entity: Entity, in schema: Schema) {
    var keys: [Key] = []
    for descriptor in descriptors {
      guard let names = descriptor.keyPath else { return nil }
      let path = entity.resolvingAliases(in: names, of: schema)
      guard path.count == 1, let slot = entity.slot(named: path[0]),
        !(entity.links[slot]?.kind.isToMany ?? false),
        entity.properties[slot].attribute?.type != .decimal
      else { return nil }
      keys.append(Key(slot: slot, ascending: descriptor.ascending, options: descriptor.options))
    }
    self.entity = entity
    self.keys = keys
  }

  /// The order of two objects; nil when one of them is of another entity. Reads faults.
  package func compare(_ left: ManagedObject, _ right: ManagedObject) -> Value.Ordering? {
    guard left.entity === entity, right.entity === entity else { return nil }
    return compare(left.key, left.value(at:), right.key, right.value(at:))
  }

  /// The order of an object and a row as it once was. Reads faults.
  package func compare(_ left: ManagedObject, _ right: FormerRow) -> Value.Ordering? {
    guard left.entity === entity else { return nil }
    return compare(left.key, left.value(at:), right.key, right.value(at:))
  }

  /// The value of the first sort key.
  package func firstValue(of row: FormerRow) -> Value? {
    keys.first.map { folded(row.value(at: $0.slot), $0.options) }
  }

  private func compare(
    _ leftKey: Int64, _ left: (Int) -> Value, _ rightKey: Int64, _ right: (Int) -> Value
  ) -> Value.Ordering {
    for key in keys {
      let ordering = Value.compare(
        folded(left(key.slot), key.options), folded(right(key.slot), key.options))
      if ordering != .same { return key.ascending ? ordering : ordering.reversed }
    }
    return Value.compare(.integer(leftKey), .integer(rightKey))
  }

  private func folded(_ value: Value, _ options: Predicate.StringOptions) -> Value {
    switch value.withoutNaN {
    case .text(let text) where !options.isEmpty: .text(TextFolding.fold(text, options))
    case let plain: plain
    }
  }
}
