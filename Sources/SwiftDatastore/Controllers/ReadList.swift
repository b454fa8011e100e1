import DatastoreCore

/// A list that was read, with what is staged put into its place, and what is known of it since.
struct ReadList {
  /// How much of the list was read when it was applied.
  enum Extent {
    case nothing
    /// The first rows: until all of it is read, or that fails, changes wait.
    case firstRows
    /// All of it. Where objects behind an unsaved change were too many to be put into their places, they get
    /// there when it is saved.
    case whole(awaitsSave: Bool)
    /// The keys around the places that were looked at: only the store puts saved objects into their places.
    /// Some keys are not in the store, those of new objects.
    case windows(pendingInsertions: Set<RowKey>)
  }

  /// What observers will be notified of when a list has to be read again.
  struct Outdated {
    /// Keys that have changed.
    var keys: Set<RowKey> = []
    var sources: Set<ChangeSource> = []
  }

  /// What happens while a list is being read.
  struct Meanwhile {
    /// Changes that have arrived; they are applied to the new list.
    var changes: [GraphChanges] = []
    /// What the context has saved: neither staged when the list is applied nor, perhaps, in the store when
    /// it was read.
    var saved = MergedKeys()
  }

  var list = KeyList()
  var extent = Extent.nothing
  /// Keys whose places were found by comparing with objects that may have been ahead of what the list has
  /// been notified; they are placed again with every change until it has caught up.
  var uncertainKeys: Set<RowKey> = []
  /// A change has asked for the list to be read again, and no list was applied since.
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

  /// The list has to be read again, which will report some keys.
  mutating func outdate(_ keys: Set<RowKey> = [], from sources: Set<ChangeSource> = []) {
    outdated = outdated ?? Outdated()
    outdated?.keys.formUnion(keys)
    outdated?.sources.formUnion(sources)
  }
}
