import DatastoreCore

/// What others have written and a context has still to take in, in the order of the commits.
///
/// A context takes in one change in each turn of its queue. One that is pinned to a state of the store takes
/// in all that have come, and moves to the state that they lead to.
final class MergeInbox: Sendable {
  typealias Change = @Sendable (ObjectGraph) -> Void

  private struct State {
    /// By the number of their arrival, which counts up.
    var changes: [Int: Change] = [:]
    var first = 0
    var end = 0
    var isPinned = false
    /// The state of the store after the last of the changes, for a context that is pinned; nil where it has
    /// that already.
    var snapshot: (any StoreSnapshot)?

    mutating func leave(_ snapshot: (any StoreSnapshot)?) {
      guard isPinned else { return }
      self.snapshot = snapshot
      if snapshot == nil { isPinned = false }
    }
  }

  private let state = Lock(State())

  /// Whether everything that has come is taken in.
  var isEmpty: Bool { state.withLock { $0.changes.isEmpty } }

  /// Whether who writes is to leave the state that it has made.
  var isPinned: Bool { state.withLock { $0.isPinned } }

  /// Adds a change, and the state that it leads to. Without one, a context that is pinned is so no longer.
  func append(_ snapshot: (any StoreSnapshot)?, _ change: @escaping Change) {
    state.withLock { state in
      state.changes[state.end] = change
      state.end += 1
      state.leave(snapshot)
    }
  }

  /// Adds what leads to no other state.
  func append(_ change: @escaping Change) {
    state.withLock { state in
      state.changes[state.end] = change
      state.end += 1
    }
  }

  /// Leaves the state that the context itself has made.
  func leave(_ snapshot: (any StoreSnapshot)?) {
    state.withLock { $0.leave(snapshot) }
  }

  func pin(_ snapshot: any StoreSnapshot) {
    state.withLock { state in
      state.isPinned = true
      state.snapshot = snapshot
    }
  }

  func unpin() {
    state.withLock { state in
      state.isPinned = false
      state.snapshot = nil
    }
  }

  /// The state to move to, if any, and where the changes end that lead there.
  func arrive() -> (snapshot: (any StoreSnapshot)?, end: Int, isPinned: Bool) {
    state.withLock { state in
      defer { state.snapshot = nil }
      return (
        state.snapshot, state.isPinned ? state.end : min(state.first + 1, state.end), state.isPinned
      )
    }
  }

  /// The next change before that end.
  func next(before end: Int) -> Change? {
    state.withLock { state in
      guard state.first < end, let change = state.changes.removeValue(forKey: state.first) else {
        return nil
      }
      state.first += 1
      return change
    }
  }
}
