import DatastoreCore

/// Editing a list in an order that only the store knows.
extension KeyListEditor {
  /// Puts objects back in their places, as far as the keys before the rank allow.
  ///
  /// - Parameters:
  ///   - indices: the indices of the objects that belong to the list.
  ///   - places: the places of objects before all of them were removed.
  /// - Returns: the indices of the others.
  mutating func leave(
    _ objects: [ManagedObject], _ indices: [Int], at places: [RowKey: Int]
  ) -> [Int] {
    var vacant = places.values.sorted()
    var others: [Int] = []
    let known = indices.compactMap { index in places[objects[index].key].map { (index, $0) } }
    for (index, old) in known.sorted(by: { $0.1 < $1.1 }) {
      let gap = vacant.partitioningIndex { $0 >= old }
      guard mayBe(objects[index], at: old - gap) else {
        others.append(index)
        continue
      }
      put(objects[index], as: index, at: old - gap)
      vacant.remove(at: gap)
    }
    return others + indices.filter { places[objects[$0].key] == nil }
  }

  /// Whether the neighbours of a place allow an object there.
  private func mayBe(_ object: ManagedObject, at place: Int) -> Bool {
    let keys = list.keys
    if place > 0,
      !order.areInOrder(graph.object(entity: entity.index, key: keys[place - 1]), object)
    {
      return false
    }
    return place == keys.count
      || order.areInOrder(object, graph.object(entity: entity.index, key: keys[place]))
  }
}
