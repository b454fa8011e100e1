import DatastoreCore

/// Writes by others that a context has not merged yet, in the order of their commits.
///
/// A context merges one change in each turn of its queue. A context that is pinned to a state of the store
/// merges all that have arrived, and moves to the state after them.
final class MergeInbox: Sendable {
  typealias Change = @Sendable (ObjectGraph) -> Void

  private struct State {
    /// By arrival number, which counts up.
    var changes: [Int: Change] = [:]
    var first = 0
    var end = 0
    var isPinned = false
    /// The state of the store after the last of the changes, for a pinned context; nil if the context already
    /// has it.
    var snapshot: (any StoreSnapshot)?

    mutating func leave(_ snapshot: (any StoreSnapshot)?) {
      guard isPinned else { return }
      self.snapshot = snapshot
      if snapshot == nil { isPinned = false }
    }
  }

  private let state = Lock(State())

  /// Whether everything that has arrived is merged.
  var isEmpty: Bool { state.withLock { $0.changes.isEmpty } }

  /// Whether writers are to leave the state after their write.
  var isPinned: Bool { state.withLock { $0.isPinned } }

  /// Adds a change and the state after it. Without a state, a pinned context is unpinned.
  func append(_ snapshot: (any StoreSnapshot)?, _ change: @escaping Change) {
    state.withLock { state in
      state.changes[state.end] = change
      state.end += 1
      state.leave(snapshot)
    }
  }

  /// Adds a change that leads to no other state.
  func append(_ change: @escaping Change) {
    state.withLock { state in
      state.changes[state.end] = change
      state.end += 1
    }
  }

  /// Leaves the state after a write of the context itself.
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

  /// The state to move to, if any, and the end of the changes that lead there.
  func arrive() -> (snapshot: (any StoreSnapshot)?, end: Int, isPinned: Bool) {
    state.withLock { state in
      defer { state.snapshot = nil }
      return (
        state.snapshot, state.isPinned ? state.end : min(state.first + 1, state.end), state.isPinned
      )
    }
  }

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
