/// Unsaved changes in an order that only the store knows (`SortDescriptor.rank`).
extension ObjectGraph {
  /// Places changed objects in a list from the store. Each keeps its stored place, unless that contradicts
  /// the keys before the rank; the others come last among those equal in these keys.
  ///
  /// - Parameters:
  ///   - changed: the changed objects that belong to the list.
  ///   - stored: the list; changed objects that no longer belong to it are removed.
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
