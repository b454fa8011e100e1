public import DatastoreCore

/// A list of objects for a user interface that works with values: the current list and its changes.
///
/// ```swift
/// let publisher = ListPublisher<Employee>(
///   viewContext: datastore.sharedViewContext, where: \.$salary > 0, orderBy: [.asc(\.$name)])
/// try await publisher.performFetch()
/// publisher.addObserver(self) { change in
///   table.apply(change.batch, to: change.snapshot)
/// }
/// ```
///
/// It is built on a `FetchedObjectsController` and follows the same changes: saves of other contexts, edits
/// staged in the view context, batch operations, other processes, and related objects that its condition or
/// order depends on. Lives on the main actor.
@preconcurrency @MainActor
public final class ListPublisher<T: DatastoreObject> {
  /// The current list, as observers were last notified of it. O(1).
  public private(set) var snapshot: ListSnapshot<T>

  let controller: FetchedObjectsController<T>
  /// Values that programs keep with the list; the library stores nothing there.
  public private(set) lazy var userInfo = UserInfo()
  private let origin: ListOrigin
  private var observers = ObserverList<ListChange<T>>()

  init(_ controller: FetchedObjectsController<T>) {
    self.controller = controller
    // A snapshot is a value that has all of its objects, even when passed elsewhere.
    controller.mostKeys = .max
    origin = ListOrigin(
      controller.entity, store: controller.viewContext.core.graph.storeID,
      viewContext: controller.viewContext)
    snapshot = ListSnapshot(
      controller.list, isSectioned: controller.groupKeyPath != nil,
      titles: controller.sectionTitles, origin: origin, generation: 0)
    // Creates the table, which remembers deleted objects from now on.
    _ = controller.viewContext.followedObjects
    controller.listChanged = { [weak self] change in self?.follow(change) }
  }

  /// The context its objects belong to.
  public var viewContext: SwiftDatastoreViewContext { controller.viewContext }

  /// Called when a fetch that a change requires fails; the list then stays as it was.
  public var fetchFailed: ((any Error) -> Void)? {
    get { controller.fetchFailed }
    set { controller.fetchFailed = newValue }
  }

  /// Calls the closure after every change of the list, once for all that belongs together, for as long as the
  /// owner and the publisher exist. An owner has one closure: adding another one replaces it.
  ///
  /// - Parameters:
  ///   - owner: the object that the observation ends with; not kept alive.
  ///   - notifyInitial: whether to call the closure at once as well, with the current list.
  ///   - closure: receives the list and its change; on the main actor.
  public func addObserver(
    _ owner: AnyObject, notifyInitial: Bool = false,
    _ closure: @escaping @MainActor (ListChange<T>) -> Void
  ) {
    observers.add(owner: owner, closure)
    if notifyInitial { closure(initialChange) }
  }

  /// Ends the observation of an owner. Does nothing when there is none.
  ///
  /// - Parameter owner: the owner that was passed to `addObserver(_:notifyInitial:_:)`.
  public func removeObserver(_ owner: AnyObject) {
    observers.remove(owner: owner)
  }

  /// Calls the closure after every change of the list, until the token is released or cancelled.
  ///
  /// - Parameters:
  ///   - notifyInitial: whether to call the closure at once as well, with the current list.
  ///   - closure: receives the list and its change; on the main actor.
  /// - Returns: the token.
  public func observe(
    notifyInitial: Bool = false, _ closure: @escaping @MainActor (ListChange<T>) -> Void
  ) -> ObserverToken {
    let token = observers.addEnding(closure)
    if notifyInitial { closure(initialChange) }
    return token
  }

  /// The current list and the list after every change, as an asynchronous sequence. A slow reader receives
  /// the latest list; `difference(from:)` compares it with the one read before. The sequence keeps the
  /// publisher alive; it ends with the task that reads it.
  public var snapshots: AsyncStream<ListSnapshot<T>> {
    AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
      let token = observe(notifyInitial: true) { continuation.yield($0.snapshot) }
      continuation.onTermination = { _ in
        withExtendedLifetime(self) { token.cancel() }
      }
    }
  }

  private var initialChange: ListChange<T> {
    ListChange(
      snapshot: snapshot, previous: snapshot, sources: [], difference: ListDifference())
  }

  private func follow(_ change: KeyListChange) {
    // A list that was fetched without a notification is part of the next change.
    let isNext = change.former == snapshot.list
    let generation =
      if isNext, let changed = change.changed {
        origin.changes.append(change.difference, updated: changed)
      } else {
        origin.changes.removeAll()
      }
    publish(change.list, generation, isNext ? change.difference : nil, change.sources)
  }

  private func publish(
    _ list: KeyList, _ generation: Int, _ difference: ListDifference?, _ sources: Set<ChangeSource>
  ) {
    let previous = snapshot
    snapshot = ListSnapshot(
      list, isSectioned: controller.groupKeyPath != nil, titles: controller.sectionTitles,
      origin: origin, generation: generation)
    observers.notify(
      ListChange(snapshot: snapshot, previous: previous, sources: sources, difference: difference))
  }

  /// Notifies observers of a list that was read without a difference.
  func publishFetched() {
    let isSectioned = controller.groupKeyPath != nil
    guard
      controller.list != snapshot.list || isSectioned != snapshot.isSectioned
        || controller.sectionTitles != snapshot.titles
    else { return }
    publish(controller.list, origin.changes.removeAll(), nil, [])
  }
}

/// A change of the list of a `ListPublisher`.
public struct ListChange<T: DatastoreObject>: Sendable {
  /// The list after the change.
  public let snapshot: ListSnapshot<T>
  /// The list before it.
  public let previous: ListSnapshot<T>
  /// The sources of the change; several if changes arrived while the list was being reloaded, none if the
  /// program has fetched it.
  public let sources: Set<ChangeSource>
  /// nil for a list that was fetched: computed only on demand.
  let difference: ListDifference?

  /// The difference between the two lists, as places in an order in which it can be applied. O(changes);
  /// O(objects) after a fetch.
  public var batch: FetchedObjectsBatch {
    FetchedObjectsBatch(
      difference ?? snapshot.listDifference(from: previous), from: previous.list,
      to: snapshot.list, hasSections: snapshot.isSectioned || previous.isSectioned,
      sources: sources)
  }

  /// Whether objects have only changed, and none was added, removed or moved.
  public var isOnlyUpdates: Bool {
    guard let difference else { return false }
    return !difference.updated.isEmpty && difference.deleted.isEmpty
      && difference.inserted.isEmpty && difference.moved.isEmpty
      && difference.insertedSections.isEmpty && difference.deletedSections.isEmpty
  }
}

/// Publishers are equal when they are identical.
extension ListPublisher: EqualByIdentity {}
