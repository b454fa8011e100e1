import DatastoreCore

/// The recent changes of a list, for comparing two of its snapshots: keys alone do not show that an object
/// has changed and kept its place.
///
/// Each change makes a generation, and a snapshot knows its own. The log is kept short: if it does not reach
/// back to a snapshot, all objects count as changed.
final class ListChangeLog: Sendable {
  /// The number of keys that are kept; about as many bytes as a page of rows.
  private static let limit = 10_000

  fileprivate struct Entry {
    /// Keys of objects that changed and kept their place.
    let updated: Set<RowKey>
    /// The difference from the list of the previous generation.
    let difference: ListDifference
  }

  private struct State {
    /// The entries of the generations up to `last`.
    var entries: [Entry] = []
    var last = 0
    var keyCount = 0
  }

  private let state = Lock(State())

  /// Adds the difference from the previous list. Returns the new generation.
  func append(_ difference: ListDifference, updated: Set<RowKey>) -> Int {
    state.withLock { state in
      state.entries.append(Entry(updated: updated, difference: difference))
      state.keyCount += Entry.size(updated, difference)
      state.last += 1
      while state.keyCount > Self.limit, let first = state.entries.first {
        state.keyCount -= Entry.size(first.updated, first.difference)
        state.entries.removeFirst()
      }
      return state.last
    }
  }

  /// Discards all entries: the list was read again for another request.
  func removeAll() -> Int {
    state.withLock { state in
      state.entries = []
      state.keyCount = 0
      state.last += 1
      return state.last
    }
  }

  /// The difference from the generation before, if it is known.
  func difference(to generation: Int) -> ListDifference? {
    state.withLock { state in
      let place = state.entries.count - 1 - (state.last - generation)
      return state.entries.indices.contains(place) ? state.entries[place].difference : nil
    }
  }

  /// The keys of objects that changed after one generation, up to another; nil when that is no longer known.
  func updated(after first: Int, upTo last: Int) -> Set<RowKey>? {
    if first == last { return [] }
    return state.withLock { state in
      let start = state.entries.count - (state.last - first)
      guard start >= 0, first < last, last <= state.last else { return nil }
      var keys: Set<RowKey> = []
      for entry in state.entries[start..<start + (last - first)] { keys.formUnion(entry.updated) }
      return keys
    }
  }
}

extension ListChangeLog.Entry {
  fileprivate static func size(_ updated: Set<RowKey>, _ difference: ListDifference) -> Int {
    updated.count + difference.deleted.count + difference.inserted.count
      + difference.moved.count + difference.updated.count + 1
  }
}
