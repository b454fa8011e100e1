import DatastoreCore

/// What has happened to a list lately, so that two of its snapshots can be compared: keys alone
/// do not say that an object has changed and stayed where it is.
///
/// Each change makes a generation, and a snapshot knows the one that it has seen. The log is kept short:
/// where it does not reach back to a snapshot, all objects count as changed.
final class ListChangeLog: Sendable {
  /// Keys that are kept; about as many bytes as a page of rows.
  private static let limit = 10_000

  fileprivate struct Entry {
    /// Keys of objects that changed and stayed where they are.
    let updated: Set<RowKey>
    /// What makes the list of this generation of the one before.
    let difference: ListDifference
  }

  private struct State {
    /// Of the generations up to `last`.
    var entries: [Entry] = []
    var last = 0
    var keyCount = 0
  }

  private let state = Lock(State())

  var generation: Int { state.withLock { $0.last } }

  /// Adds what has made the list of the one before. Returns the new generation.
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

  /// Forgets everything: the list was read again for another request.
  func removeAll() -> Int {
    state.withLock { state in
      state.entries = []
      state.keyCount = 0
      state.last += 1
      return state.last
    }
  }

  /// What makes the list of a generation of the one before it, if it is known.
  func difference(to generation: Int) -> ListDifference? {
    state.withLock { state in
      let place = state.entries.count - 1 - (state.last - generation)
      return state.entries.indices.contains(place) ? state.entries[place].difference : nil
    }
  }

  /// The keys of objects that changed after one generation, up to the other; nil when that is no longer
  /// known.
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
