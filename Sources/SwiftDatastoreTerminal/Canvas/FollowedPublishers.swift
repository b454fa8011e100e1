import SwiftDatastore

/// The publishers that the screen was drawn from. A change of any of them requests a redraw.
@MainActor
final class FollowedPublishers {
  private struct Entry {
    /// Keeps the publisher, and so the values of its object, in memory.
    let publisher: AnyObject
    let token: ObserverToken
    /// Returns when the publisher has applied all changes so far.
    let settled: @MainActor () async -> Void
  }

  private var entries: [ObjectIdentifier: Entry] = [:]
  /// The entries of the previous picture, while the next one is drawn.
  private var former: [ObjectIdentifier: Entry] = [:]
  private let changed: @MainActor () -> Void

  /// - Parameter changed: called once after each change.
  init(changed: @escaping @MainActor () -> Void) { self.changed = changed }

  /// Begins a picture. A publisher that is not followed again before `end()` is no longer followed.
  func begin() { (former, entries) = (entries, [:]) }

  /// Ends the picture.
  func end() { former = [:] }

  /// Follows an object; has no effect if it is followed already.
  func follow<T>(_ publisher: ObjectPublisher<T>) {
    follow(publisher) { changed in
      Entry(publisher: publisher, token: publisher.observe { _ in changed() }) {}
    }
  }

  /// Follows a list; has no effect if it is followed already.
  ///
  /// - Parameter settled: returns when the list has been read.
  func follow<T>(_ publisher: ListPublisher<T>, settled: @escaping @MainActor () async -> Void) {
    follow(publisher) { changed in
      Entry(publisher: publisher, token: publisher.observe { _ in changed() }, settled: settled)
    }
  }

  private func follow(
    _ publisher: AnyObject, _ observe: (@escaping @MainActor () -> Void) -> Entry
  ) {
    let id = ObjectIdentifier(publisher)
    guard entries[id] == nil else { return }
    entries[id] = former.removeValue(forKey: id) ?? observe(changed)
  }

  /// Returns when all lists that are being read have been read.
  func settled() async {
    for entry in entries.values { await entry.settled() }
  }
}
