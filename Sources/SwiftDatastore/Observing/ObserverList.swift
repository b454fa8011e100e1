import Dispatch

/// A token that keeps an observation on the main actor alive; it ends when the token is released or
/// cancelled.
public final class ObserverToken: Sendable {
  private let end: @Sendable () -> Void

  init(_ end: @escaping @Sendable () -> Void) {
    self.end = end
  }

  deinit { end() }

  /// Ends the observation. Does nothing the second time.
  public func cancel() { end() }
}

/// Closures on the main actor that want to hear of events, in the order they were added.
@MainActor
struct ObserverList<Event> {
  @MainActor
  private final class Entry {
    var closure: (@MainActor (Event) -> Void)?

    init(_ closure: @escaping @MainActor (Event) -> Void) {
      self.closure = closure
    }
  }

  private var entries: [Entry] = []

  var isEmpty: Bool { !entries.contains { $0.closure != nil } }

  /// Adds a closure that is called as long as the list is there.
  mutating func add(_ closure: @escaping @MainActor (Event) -> Void) {
    _ = addEntry(closure)
  }

  private mutating func addEntry(_ closure: @escaping @MainActor (Event) -> Void) -> Entry {
    entries.removeAll { $0.closure == nil }
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

  func notify(_ event: Event) {
    for entry in entries { entry.closure?(event) }
  }
}
