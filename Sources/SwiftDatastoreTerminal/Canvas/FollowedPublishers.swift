import SwiftDatastore

/// The publishers that the screen was drawn from. A change of one of them asks for the screen to be drawn
/// again.
@MainActor
final class FollowedPublishers {
  private struct Entry {
    /// Keeps the publisher in memory, and with that the values of its object.
    let publisher: AnyObject
    let token: ObserverToken
    /// Returns when the publisher has taken in what has happened.
    let settled: @MainActor () async -> Void
  }

  private var entries: [ObjectIdentifier: Entry] = [:]
  /// Those of the picture before, while the next one is drawn.
  private var former: [ObjectIdentifier: Entry] = [:]
  private let changed: @MainActor () -> Void

  /// - Parameter changed: called after each change, as often as there are changes.
  init(changed: @escaping @MainActor () -> Void) { self.changed = changed }

  /// Begins a picture: what is not followed again until it ends is given up.
  func begin() { (former, entries) = (entries, [:]) }

  /// Ends it.
  func end() { former = [:] }

  /// Follows an object. Does nothing the second time.
  func follow<T>(_ publisher: ObjectPublisher<T>) {
    follow(publisher) { changed in
      Entry(publisher: publisher, token: publisher.observe { _ in changed() }) {}
    }
  }

  /// Follows a list. Does nothing the second time.
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

  /// How many are followed.
  var count: Int { entries.count }

  /// Returns when all lists have been read that are being read.
  func settled() async {
    for entry in entries.values { await entry.settled() }
  }
}
