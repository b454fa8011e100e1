import DatastoreCore

/// A list that was read, with staged objects placed in it, and its state since.
struct ReadList {
  /// The part of the list that had been read when it was applied.
  enum Extent {
    case nothing
    /// The first rows: changes wait until the whole list is read or reading fails.
    case firstRows
    /// The whole list. If too many objects were affected by an unsaved change behind a relationship, they
    /// move to their places when it is saved.
    case whole(awaitsSave: Bool)
    /// The keys around the accessed places: only the store places saved objects. The keys of new objects are
    /// not in the store.
    case windows(pendingInsertions: Set<RowKey>)
  }

  /// The changes to report when the list has been read again.
  struct Outdated {
    /// Keys that have changed.
    var keys: Set<RowKey> = []
    var sources: Set<ChangeSource> = []
  }

  /// Events while a list is being read.
  struct Meanwhile {
    /// Changes that have arrived, to be applied to the new list.
    var changes: [GraphChanges] = []
    /// Rows that the context has saved: they are not staged when the list is applied, and may not have been
    /// in the store when it was read.
    var saved = MergedKeys()
  }

  var list = KeyList()
  var extent = Extent.nothing
  /// Keys that were placed by comparison with objects that may be newer than the changes the list has
  /// applied. They are placed again with every change until the list has caught up.
  var uncertainKeys: Set<RowKey> = []
  /// Set when a change requires reading the list again, until a list is applied.
  var outdated: Outdated?

  var hasFetched: Bool { if case .nothing = extent { false } else { true } }
  var isLong: Bool { if case .windows = extent { true } else { false } }
  var isComplete: Bool {
    switch extent {
    case .nothing, .firstRows: false
    case .whole, .windows: true
    }
  }

  /// Keys of a long list that are not in the store.
  var pendingInsertions: Set<RowKey> {
    get { if case .windows(let keys) = extent { keys } else { [] } }
    set { if isLong { extent = .windows(pendingInsertions: newValue) } }
  }

  /// Marks the list to be read again, and some keys to be reported then.
  mutating func outdate(_ keys: Set<RowKey> = [], from sources: Set<ChangeSource> = []) {
    outdated = outdated ?? Outdated()
    outdated?.keys.formUnion(keys)
    outdated?.sources.formUnion(sources)
  }
}
