public import Foundation
public import SwiftDatastore

/// A list of objects that tells its observers what happens to it, object by object: a `ListPublisher`.
///
/// ```swift
/// monitor = try dataStack.monitorList(
///   From<Person>().where(\.$age > 30).orderBy(.ascending(\.$name)))
/// monitor.addObserver(self)
/// ```
@MainActor
public final class ListMonitor<O: DatastoreObject> {
  /// What follows the list.
  public let publisher: ListPublisher<O>
  /// The list as observers know it.
  public private(set) var snapshot: ListSnapshot<O>
  /// Who made the change that observers are being told of.
  public private(set) var changeSources: Set<ChangeSource> = []
  private var observers = ObserverList<ListEvent<O>>()
  private var token: ObserverToken?
  private var isRefetching = false

  init(_ publisher: ListPublisher<O>) {
    self.publisher = publisher
    snapshot = publisher.snapshot
    token = publisher.observe { [weak self] in self?.follow($0) }
  }

  /// Tells an observer of the list, as long as both are there.
  ///
  /// - Parameter observer: is not kept alive; one that is added again is told once.
  public func addObserver<U: ListObserver>(_ observer: U) where U.ListEntityType == O {
    add(observer) { $0.hear($1, of: $2) }
  }

  /// Tells an observer of the list and of each object, as long as both are there.
  ///
  /// - Parameter observer: is not kept alive; one that is added again is told once.
  public func addObserver<U: ListObjectObserver>(_ observer: U) where U.ListEntityType == O {
    add(observer) { $0.hear(objects: $1, of: $2) }
  }

  /// Tells an observer of the list, of each object and each section, as long as both are there.
  ///
  /// - Parameter observer: is not kept alive; one that is added again is told once.
  public func addObserver<U: ListSectionObserver>(_ observer: U) where U.ListEntityType == O {
    add(observer) { $0.hear(sections: $1, of: $2) }
  }

  /// Tells an observer nothing more.
  ///
  /// - Parameter observer: one that was added.
  public func removeObserver(_ observer: some ListObserver) { observers.remove(owner: observer) }

  /// Reads the list again by another query; `listMonitorWillRefetch` and `listMonitorDidRefetch` are called.
  ///
  /// - Parameter query: which objects, in which order and sections.
  /// - Throws: `StoreError` when the store cannot be read; `CancellationError`. The list then stays as it was.
  public func refetch(_ query: From<O>) async throws {
    observers.notify(.willRefetch)
    isRefetching = true
    defer {
      isRefetching = false
      snapshot = publisher.snapshot
      observers.notify(.didRefetch)
    }
    try await publisher.refetch(query)
  }

  private func add<U: AnyObject>(
    _ observer: U, _ hear: @escaping @MainActor (U, ListEvent<O>, ListMonitor) -> Void
  ) {
    observers.add(owner: observer) { [weak observer, weak self] event in
      if let observer, let self { hear(observer, event, self) }
    }
  }

  private func follow(_ change: ListChange<O>) {
    guard !isRefetching else { return }
    let (old, new, batch) = (change.previous, change.snapshot, change.batch)
    changeSources = change.sources
    observers.notify(.willChange)
    snapshot = new
    for index in batch.insertedSections {
      if let section = new.section(at: index) { observers.notify(.sectionInserted(section, index)) }
    }
    func tell(_ list: ListSnapshot<O>, _ place: IndexPath, _ event: (O, IndexPath) -> ListEvent<O>)
    {
      if let object = list[safe: place]?.lastObject { observers.notify(event(object, place)) }
    }
    for place in batch.deleted { tell(old, place) { .deleted($0, $1) } }
    for place in batch.inserted { tell(new, place) { .inserted($0, $1) } }
    for move in batch.moved { tell(new, move.to) { .moved($0, move.from, $1) } }
    for place in batch.updated { tell(old, place) { .updated($0, $1) } }
    for index in batch.deletedSections {
      if let section = old.section(at: index) { observers.notify(.sectionDeleted(section, index)) }
    }
    observers.notify(.didChange)
  }
}

/// What is in the list. Places that are not there trap, but for `safe`.
extension ListMonitor {
  /// The object at a place counted over all sections; nil when there is none.
  ///
  /// - Parameter index: the place.
  public subscript(safe index: Int) -> O? { snapshot[safe: index]?.object }

  /// The object at a place; nil when there is none.
  ///
  /// - Parameter indexPath: a section and a row in it.
  public subscript(safe indexPath: IndexPath) -> O? { snapshot[safe: indexPath]?.object }

  /// The object at a place counted over all sections.
  ///
  /// - Parameter index: the place.
  public subscript(index: Int) -> O { required(self[safe: index], index) }

  /// The object at a place.
  ///
  /// - Parameter indexPath: a section and a row in it.
  public subscript(indexPath: IndexPath) -> O { required(self[safe: indexPath], indexPath) }

  /// The object at a place.
  ///
  /// - Parameters:
  ///   - section: the number of the section.
  ///   - row: the row in it.
  public subscript(section: Int, row: Int) -> O { self[IndexPath(row: row, section: section)] }

  private func required(_ object: O?, _ place: Any) -> O {
    guard let object else {
      preconditionFailure("a list of \(snapshot.count) \(O.entityName) has none at \(place)")
    }
    return object
  }

  /// A section: its name and its places.
  ///
  /// - Parameter index: the number of the section.
  public func sectionInfo(at index: Int) -> ListSnapshot<O>.Section {
    guard let section = snapshot.section(at: index) else {
      preconditionFailure("a list of \(snapshot.numberOfSections) sections has none at \(index)")
    }
    return section
  }

  /// The same under its older name.
  ///
  /// - Parameter index: the number of the section.
  public func sectionInfoAtIndex(_ index: Int) -> ListSnapshot<O>.Section { sectionInfo(at: index) }
}
