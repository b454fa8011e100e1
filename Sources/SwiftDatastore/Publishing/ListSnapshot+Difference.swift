import DatastoreCore

extension ListSnapshot {
  /// The objects that changed with the last change of the list, and those named by `reload(_:)`. If that is
  /// not known, as after a fetch, all objects.
  public var updatedItemIDs: Set<DatastoreObjectID> {
    let updated = origin.changes.updated(after: generation - 1, upTo: generation)
    return Set((updated ?? Set(list.keys)).union(reloaded).lazy.map { origin.id($0) })
  }

  /// The difference from another list, as places in an order in which it can be applied: see
  /// `FetchedObjectsBatch`.
  ///
  /// Its updates include the objects that have changed since the other list was taken and kept their place.
  /// If that is not known, because the lists are of different publishers, the list was fetched again in
  /// between, or a great many objects have changed, they include all objects in both lists.
  ///
  /// For consecutive lists it is the change that the publisher reported, O(1). Otherwise O(chunks of a few
  /// thousand keys + keys of the changed chunks), and O(objects), several at a time, for each object that has
  /// changed and kept its place; for lists that share nothing, O(objects).
  ///
  /// - Parameter old: the list before.
  /// - Returns: places in the list before and in this one, without a source.
  public func difference(from old: ListSnapshot<T>) -> FetchedObjectsBatch {
    FetchedObjectsBatch(
      listDifference(from: old), from: old.list, to: list,
      hasSections: isSectioned || old.isSectioned, sources: [])
  }

  func listDifference(from old: ListSnapshot<T>) -> ListDifference {
    let isSameOrigin = origin === old.origin
    if isSameOrigin, generation == old.generation + 1, !isEdited, !old.isEdited,
      reloaded.isEmpty, let known = origin.changes.difference(to: generation)
    {
      return known
    }
    let changed =
      isSameOrigin
      ? origin.changes.updated(
        after: Swift.min(generation, old.generation),
        upTo: Swift.max(generation, old.generation)) : nil
    return ListDifference(
      from: old.list, to: list, changed: changed?.union(reloaded) ?? Set(old.list.keys))
  }
}
