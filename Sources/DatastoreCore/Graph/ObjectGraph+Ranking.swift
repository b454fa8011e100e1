/// Unsaved changes in an order that only the store knows (`SortDescriptor.rank`).
extension ObjectGraph {
  /// Puts changed objects into a list from the store. Each stays where the store has it, unless that is out
  /// of order by what is compared before the rank; the others come last among those that are equal in that.
  ///
  /// - Parameters:
  ///   - changed: those that belong to the list.
  ///   - stored: the list; changed objects that do not belong to it any more are passed over.
  func lay(
    _ changed: [ManagedObject], over stored: [ManagedObject], in order: [SortDescriptor],
    of entity: Entity
  ) -> [ManagedObject] {
    let leading = order.beforeRank(of: entity)
    var coming = Set(changed.map(\.key))
    var merged: [ManagedObject] = []
    merged.reserveCapacity(stored.count + changed.count)
    for (place, object) in stored.enumerated() {
      if object.hasChanges {
        guard coming.contains(object.key) else { continue }
        let next = stored[(place + 1)...].first { !$0.hasChanges }
        guard merged.last.map({ leading.compareValues($0, object) != .descending }) ?? true,
          next.map({ leading.compareValues(object, $0) != .descending }) ?? true
        else { continue }
      }
      merged.append(object)
      coming.remove(object.key)
    }
    let others = changed.filter { coming.contains($0.key) }
    for object in others.sorted(by: { order.compare($0, $1) == .ascending }) {
      let place = merged.partitioningIndex { leading.compareValues(object, $0) == .ascending }
      merged.insert(object, at: place)
    }
    return merged
  }
}
