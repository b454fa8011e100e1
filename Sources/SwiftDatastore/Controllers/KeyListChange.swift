package import DatastoreCore

/// A change of a controller's list, without an object for each row.
package struct KeyListChange: Sendable {
  /// The list as it is now.
  package let list: KeyList
  /// The keys of rows that were added, moved or changed; nil when any row may have changed.
  package let changed: Set<RowKey>?
  /// The number of added and removed rows.
  package let inserted: Int
  package let deleted: Int
  package let sources: Set<ChangeSource>
  /// The difference to the former list.
  let difference: ListDifference
  /// The former list; objects that were saved under another key since have the new key in it.
  let former: KeyList

  /// More changed rows than this are not named.
  private static let limit = 10_000

  /// - Parameter isKnown: whether the difference includes all changed rows.
  init(
    _ difference: ListDifference, from old: KeyList, to new: KeyList, sources: Set<ChangeSource>,
    isKnown: Bool = true
  ) {
    list = new
    former = old
    self.difference = difference
    inserted = difference.inserted.count
    deleted = difference.deleted.count
    self.sources = sources
    let count = inserted + difference.moved.count + difference.updated.count
    let came = difference.inserted.prefix(Self.limit).compactMap { new.keys.readKey(at: $0) }
    guard isKnown, count <= Self.limit, came.count == inserted else {
      changed = nil
      return
    }
    var changed = Set(came)
    changed.formUnion(difference.moved.map(\.key))
    changed.formUnion(difference.updated.map { old.keys[$0] })
    self.changed = changed
  }
}
