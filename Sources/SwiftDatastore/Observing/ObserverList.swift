import DatastoreCore
import Dispatch

/// A token that keeps an observation on the main actor alive. The observation ends when the token is released
/// or cancelled.
public final class ObserverToken: Sendable {
  private let end: @Sendable () -> Void

  init(_ end: @escaping @Sendable () -> Void) {
    self.end = end
  }

  deinit { end() }

  /// Ends the observation. Does nothing the second time.
  public func cancel() { end() }
}

/// Closures that are called on the main actor for events, in the order they were added.
@MainActor
package struct ObserverList<Event> {
  @MainActor
  private final class Entry {
    var closure: (@MainActor (Event) -> Void)?
    /// The owner of the closure; nil when it has none, or the owner has been released.
    private(set) weak var owner: AnyObject?
    private let hasOwner: Bool

    init(_ closure: @escaping @MainActor (Event) -> Void, owner: AnyObject? = nil) {
      self.closure = closure
      self.owner = owner
      hasOwner = owner != nil
    }

    var hasEnded: Bool { closure == nil || hasOwner && owner == nil }
  }

  private var entries: [Entry] = []

  /// A list without closures.
  package nonisolated init() {}

  var isEmpty: Bool { entries.allSatisfy(\.hasEnded) }

  /// Adds a closure that is called for as long as the list exists.
  mutating func add(_ closure: @escaping @MainActor (Event) -> Void) {
    _ = addEntry(closure)
  }

  /// Adds a closure that is called for as long as its owner exists, and replaces an earlier one of the same
  /// owner.
  package mutating func add(
    owner: AnyObject, _ closure: @escaping @MainActor (Event) -> Void
  ) {
    remove(owner: owner)
    entries.append(Entry(closure, owner: owner))
  }

  /// Removes the closure of an owner.
  package mutating func remove(owner: AnyObject) {
    // A closure whose turn comes later in the current notification must not be called any more.
    for entry in entries where entry.owner === owner { entry.closure = nil }
    entries.removeAll(where: \.hasEnded)
  }

  private mutating func addEntry(_ closure: @escaping @MainActor (Event) -> Void) -> Entry {
    entries.removeAll(where: \.hasEnded)
    let entry = Entry(closure)
    entries.append(entry)
    return entry
  }

  /// Adds a closure that is called until the token is released or cancelled.
  mutating func addEnding(_ closure: @escaping @MainActor (Event) -> Void) -> ObserverToken {
    let cancelled = addEntry(closure)
    return ObserverToken { [weak cancelled] in
      if MainQueue.isCurrent {
        MainActor.assumeIsolated { cancelled?.closure = nil }
      } else {
        DispatchQueue.main.async { cancelled?.closure = nil }
      }
    }
  }

  /// Calls all closures that have not ended, in the order in which they were added.
  package func notify(_ event: Event) {
    for entry in entries where !entry.hasEnded { entry.closure?(event) }
  }
}
