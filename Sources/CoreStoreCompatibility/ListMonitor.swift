import Basics
public import Foundation
public import SwiftDatastore

/// A list of objects that tells its observers what happens to it, object by object: a `ListPublisher`.
@MainActor
public final class ListMonitor<O: DatastoreObject> {
  /// What follows the list.
  public let publisher: ListPublisher<O>
  /// The list as observers know it.
  public private(set) var snapshot: ListSnapshot<O>
  /// Who made the change that observers are being told of.
  public private(set) var changeSources: Set<ChangeSource> = []
  private var observers = ObserverList<@MainActor (any ListObserver<O>) -> Void>()
  private var token: ObserverToken?
  /// Whether the list is being read again.
  public private(set) var isPendingRefetch = false

  init(_ publisher: ListPublisher<O>) {
    self.publisher = publisher
    snapshot = publisher.snapshot
    token = publisher.observe { [weak self] in self?.follow($0) }
  }

  /// Tells an observer of the list, and of objects and sections where it is a `ListObjectObserver` or a
  /// `ListSectionObserver`, as long as both are there: it is not kept alive. One that is added again is told once.
  public func addObserver<U: ListObserver>(_ observer: U) where U.ListEntityType == O {
    observers.add(owner: observer) { [weak observer] tell in
      if let observer { tell(observer) }
    }
  }

  /// Tells an observer nothing more.
  public func removeObserver(_ observer: some ListObserver) { observers.remove(owner: observer) }

  /// Reads the list again by another query; `listMonitorWillRefetch` and `listMonitorDidRefetch` are called.
  ///
  /// - Parameter query: which objects, in which order and sections.
  /// - Throws: `StoreError` when the store cannot be read; `CancellationError`. The list then stays as it was.
  public func refetch(_ query: From<O>) async throws {
    observers.notify { $0.listMonitorWillRefetch(self) }
    isPendingRefetch = true
    defer {
      isPendingRefetch = false
      snapshot = publisher.snapshot
      observers.notify { $0.listMonitorDidRefetch(self) }
    }
    try await publisher.refetch(query)
  }

  private func follow(_ change: ListChange<O>) {
    guard !isPendingRefetch else { return }
    let (old, new, batch) = (change.previous, change.snapshot, change.batch)
    changeSources = change.sources
    observers.notify { $0.listMonitorWillChange(self) }
    snapshot = new
    tellSections(batch.insertedSections, of: new) {
      $0.listMonitor(self, didInsertSection: $1, toSectionIndex: $2)
    }
    tellObjects(batch.deleted, of: old) {
      $0.listMonitor(self, didDeleteObject: $1, fromIndexPath: $2)
    }
    tellObjects(batch.inserted, of: new) {
      $0.listMonitor(self, didInsertObject: $1, toIndexPath: $2)
    }
    for move in batch.moved {
      tellObjects([move.to], of: new) {
        $0.listMonitor(self, didMoveObject: $1, fromIndexPath: move.from, toIndexPath: $2)
      }
    }
    tellObjects(batch.updated, of: old) {
      $0.listMonitor(self, didUpdateObject: $1, atIndexPath: $2)
    }
    tellSections(batch.deletedSections, of: old) {
      $0.listMonitor(self, didDeleteSection: $1, fromSectionIndex: $2)
    }
    observers.notify { $0.listMonitorDidChange(self) }
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

/// What is in the list. Places that are not there trap, but for `safe`.
extension ListMonitor {
  /// The object at a place counted over all sections; nil when there is none.
  public subscript(safe index: Int) -> O? { snapshot[safe: index]?.object }

  /// The object in a row of a section; nil when there is none.
  public subscript(safe indexPath: IndexPath) -> O? { snapshot[safe: indexPath]?.object }

  /// The object at a place counted over all sections.
  public subscript(index: Int) -> O { required(self[safe: index], index) }

  /// The object in a row of a section.
  public subscript(indexPath: IndexPath) -> O { required(self[safe: indexPath], indexPath) }

  /// The object in a row of a section.
  public subscript(section: Int, row: Int) -> O { self[IndexPath(row: row, section: section)] }

  private func required(_ object: O?, _ place: Any) -> O {
    guard let object else {
      trap("a list of \(snapshot.count) \(O.entityName) has none at \(place)")
    }
    return object
  }

  /// A section: its name and its places.
  public func sectionInfo(at index: Int) -> ListSnapshot<O>.Section {
    guard let section = snapshot.section(at: index) else {
      trap("a list of \(snapshot.numberOfSections) sections has none at \(index)")
    }
    return section
  }

  /// The same under its older name.
  ///
  /// - Parameter index: the number of the section.
  public func sectionInfoAtIndex(_ index: Int) -> ListSnapshot<O>.Section { sectionInfo(at: index) }
}
