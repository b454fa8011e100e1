import Basics
public import Foundation
public import SwiftDatastore

/// A list of objects that notifies its observers of its changes, object by object: a `ListPublisher`.
@preconcurrency @MainActor
public final class ListMonitor<O: DatastoreObject> {
  /// The class of the objects.
  public typealias ObjectType = O
  /// The publisher that follows the list.
  public let publisher: ListPublisher<O>
  /// The list as observers know it.
  public private(set) var snapshot: ListSnapshot<O>
  /// The sources of the change that observers are being notified of.
  public private(set) var changeSources: Set<ChangeSource> = []
  private var observers = ObserverList<@MainActor (any ListObserver<O>) -> Void>()
  private var token: ObserverToken?
  /// Whether the list is being read again.
  public private(set) var isPendingRefetch = false
  /// The objects with their order and sections.
  private var query: From<O>

  init(_ publisher: ListPublisher<O>, _ query: From<O>) {
    self.publisher = publisher
    self.query = query
    snapshot = publisher.snapshot
    token = publisher.observe { [weak self] in self?.follow($0) }
  }

  /// Notifies an observer of the list, and of objects and sections if it is a `ListObjectObserver` or a
  /// `ListSectionObserver`, as long as both exist: it is not kept alive. An observer that is added again is
  /// notified once.
  public func addObserver<U: ListObserver>(_ observer: U) where U.ListEntityType == O {
    observers.add(owner: observer) { [weak observer] tell in
      if let observer { tell(observer) }
    }
  }

  /// Stops notifying an observer.
  public func removeObserver(_ observer: some ListObserver) { observers.remove(owner: observer) }

  /// Custom values that a program attaches to the list.
  public var userInfo: UserInfo { publisher.userInfo }

  /// Reads the list again with another query; `listMonitorWillRefetch` and `listMonitorDidRefetch` are
  /// called.
  ///
  /// - Parameters:
  ///   - query: the objects with their order and sections.
  ///   - sourceIdentifier: the source of the request, for observers.
  /// - Throws: `StoreError` when the store cannot be read; `CancellationError`. The list then stays
  ///   unchanged.
  public func refetch(
    _ query: some ChainBuilder<O>, sourceIdentifier: (any Sendable)? = nil
  ) async throws {
    let query = query.from
    observers.notify { $0.listMonitorWillRefetch(self, sourceIdentifier: sourceIdentifier) }
    isPendingRefetch = true
    defer {
      isPendingRefetch = false
      snapshot = publisher.snapshot
      observers.notify { $0.listMonitorDidRefetch(self, sourceIdentifier: sourceIdentifier) }
    }
    try await publisher.refetch(query)
    self.query = query
  }

  /// Reads the list again in the background, with these clauses replacing those of the same kind; the others
  /// stay. Observers are notified as above. `publisher.fetchFailed` is called when that fails, and the list
  /// stays unchanged.
  ///
  /// - Parameters:
  ///   - clauses: conditions, orders and tweaks.
  ///   - sourceIdentifier: the source of the request, for observers.
  public func refetch(_ clauses: any FetchClause..., sourceIdentifier: (any Sendable)? = nil) {
    refetch(clauses, sourceIdentifier: sourceIdentifier)
  }

  /// Reads the list again in the background, with the clauses in an array.
  public func refetch(_ clauses: [any FetchClause], sourceIdentifier: (any Sendable)? = nil) {
    let changed = query.without(
      condition: clauses.contains { $0 is Where<O> }, order: clauses.contains { $0 is OrderBy<O> })
    let query = changed.applying(clauses)
    Task {
      do {
        try await refetch(query, sourceIdentifier: sourceIdentifier)
      } catch {
        publisher.fetchFailed?(error)
      }
    }
  }

  private func follow(_ change: ListChange<O>) {
    guard !isPendingRefetch else { return }
    let (old, new, batch) = (change.previous, change.snapshot, change.batch)
    changeSources = change.sources
    let source = change.sources.lazy.compactMap(\.identifier).first
    observers.notify { $0.listMonitorWillChange(self, sourceIdentifier: source) }
    snapshot = new
    tellSections(batch.insertedSections, of: new) {
      $0.listMonitor(self, didInsertSection: $1, toSectionIndex: $2, sourceIdentifier: source)
    }
    tellObjects(batch.deleted, of: old) {
      $0.listMonitor(self, didDeleteObject: $1, fromIndexPath: $2, sourceIdentifier: source)
    }
    tellObjects(batch.inserted, of: new) {
      $0.listMonitor(self, didInsertObject: $1, toIndexPath: $2, sourceIdentifier: source)
    }
    for move in batch.moved {
      tellObjects([move.to], of: new) {
        $0.listMonitor(
          self, didMoveObject: $1, fromIndexPath: move.from, toIndexPath: $2,
          sourceIdentifier: source)
      }
    }
    tellObjects(batch.updated, of: old) {
      $0.listMonitor(self, didUpdateObject: $1, atIndexPath: $2, sourceIdentifier: source)
    }
    tellSections(batch.deletedSections, of: old) {
      $0.listMonitor(self, didDeleteSection: $1, fromSectionIndex: $2, sourceIdentifier: source)
    }
    observers.notify { $0.listMonitorDidChange(self, sourceIdentifier: source) }
  }

  private func tellObjects(
    _ places: some Sequence<IndexPath>, of list: ListSnapshot<O>,
    _ tell: @escaping @MainActor (any ListObjectObserver<O>, O, IndexPath) -> Void
  ) {
    for place in places {
      guard let object = list[safe: place]?.lastObject else { continue }
      observers.notify { ($0 as? any ListObjectObserver<O>).map { tell($0, object, place) } }
    }
  }

  private func tellSections(
    _ indexes: some Sequence<Int>, of list: ListSnapshot<O>,
    _ tell: @escaping @MainActor (any ListSectionObserver<O>, ListSnapshot<O>.Section, Int) -> Void
  ) {
    for index in indexes {
      guard let section = list.section(at: index) else { continue }
      observers.notify { ($0 as? any ListSectionObserver<O>).map { tell($0, section, index) } }
    }
  }
}

/// The content of the list as observers know it.
extension ListMonitor: @MainActor SnapshotList, @MainActor PlacedList {
  public typealias ListedObject = O

  public subscript(safe index: Int) -> O? { snapshot[safe: index]?.object }
  public subscript(safe indexPath: IndexPath) -> O? { snapshot[safe: indexPath]?.object }

  /// The object at a place counted over all sections. Traps when there is none.
  public subscript(index: Int) -> O { required(self[safe: index], index) }
}

/// Monitors are equal when they are the same one.
extension ListMonitor: EqualByIdentity, @MainActor CoreStoreDebugStringConvertible {
  /// How many objects and sections there are.
  public var debugDescription: String {
    "ListMonitor of \(objectCount) \(O.entityName) in \(sectionCount) sections"
  }
}
