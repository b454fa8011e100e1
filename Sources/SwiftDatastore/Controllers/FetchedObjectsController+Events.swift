import DatastoreCore
public import Foundation

/// The change of one object of a list.
public enum FetchedObjectsChangeType<T: DatastoreObject> {
  /// The object was added, at this place after the batch.
  case inserted(T, IndexPath)
  /// The object has changed and keeps its place: its place before the batch.
  case updated(T, IndexPath)
  /// The object left the list: its place before the batch.
  case deleted(IndexPath)
  /// The object has moved: its place before the batch, and its place after it.
  case moved(T, IndexPath, IndexPath)
}

/// One step of a batch of changes.
///
/// A batch comes as `batchBegan`; inserted sections; inserted, deleted, moved and updated objects; deleted
/// sections; `batchEnded`. Removed sections and objects have their places before the batch, added ones their
/// places after it.
public enum FetchedObjectsEvent<T: DatastoreObject> {
  /// A batch begins: the events until `batchEnded` belong together.
  case batchBegan
  /// A section was added: its place after the batch.
  case sectionInserted(Int)
  /// An object has changed.
  case object(FetchedObjectsChangeType<T>)
  /// A section was removed: its place before the batch.
  case sectionDeleted(Int)
  /// The batch is complete.
  case batchEnded
}

extension FetchedObjectsController {
  /// Calls the closure once for every object that is inserted, updated, deleted or moved.
  ///
  /// It runs on the main actor, once the list has its new state, for as long as the controller lives. A
  /// closure that uses the controller keeps it alive, unless it captures it `weak` or `unowned`.
  public func observeChanges(
    _ closure: @escaping @MainActor (FetchedObjectsChangeType<T>) -> Void
  ) {
    observeEvents(Self.calling(closure))
  }

  /// Calls the closure until the token is released or cancelled. Chosen when a token is expected:
  ///
  /// ```swift
  /// let token: ObserverToken = controller.observeChanges { change in … }
  /// ```
  @_disfavoredOverload
  public func observeChanges(
    _ closure: @escaping @MainActor (FetchedObjectsChangeType<T>) -> Void
  ) -> ObserverToken {
    observeEvents(Self.calling(closure))
  }

  private static func calling(
    _ closure: @escaping @MainActor (FetchedObjectsChangeType<T>) -> Void
  ) -> @MainActor (FetchedObjectsEvent<T>) -> Void {
    { event in
      if case .object(let change) = event { closure(change) }
    }
  }

  /// Calls the closure for every step of every batch, sections included.
  ///
  /// Runs and ends like `observeChanges(_:)`.
  public func observeEvents(_ closure: @escaping @MainActor (FetchedObjectsEvent<T>) -> Void) {
    observers.add(closure)
  }

  /// Calls the closure until the token is released or cancelled.
  @_disfavoredOverload
  public func observeEvents(
    _ closure: @escaping @MainActor (FetchedObjectsEvent<T>) -> Void
  ) -> ObserverToken {
    observers.addEnding(closure)
  }

  /// Notifies the observers of the difference between the old list and the current one.
  ///
  /// - Parameters:
  ///   - isRekeyed: whether objects have other keys than before, which matters only to observers that keep
  ///     keys.
  ///   - isKnown: whether the difference includes all changed rows.
  func deliver(
    _ difference: ListDifference, from old: KeyList, sources: Set<ChangeSource>,
    isRekeyed: Bool = false, isKnown: Bool = true
  ) {
    guard !difference.isEmpty || isRekeyed || !isKnown else { return }
    listChanged?(
      KeyListChange(difference, from: old, to: list, sources: sources, isKnown: isKnown))
    guard !difference.isEmpty else { return }
    changeSources = sources
    if !batchStreams.isEmpty {
      batchStreams.yield(
        FetchedObjectsBatch(
          difference, from: old, to: list, hasSections: groupKeyPath != nil, sources: sources))
    }
    guard !observers.isEmpty else { return }
    let graph = viewContext.core.graph
    func object(_ key: RowKey) -> T? {
      // The objects have been read, unless an observer was added meanwhile.
      let object = graph.object(entity: entity.index, key: key)
      if object.state == .fault { graph.fulfil(object) }
      return object as? T
    }
    observers.notify(.batchBegan)
    let hasSections = groupKeyPath != nil
    for section in difference.insertedSections where hasSections {
      observers.notify(.sectionInserted(section))
    }
    for place in difference.deleted {
      observers.notify(.object(.deleted(old.indexPath(at: place))))
    }
    for place in difference.inserted {
      let key = list.keys.readKey(at: place)
      guard let object = key.flatMap(object) ?? self.object(at: place) else { continue }
      observers.notify(.object(.inserted(object, list.indexPath(at: place))))
    }
    for move in difference.moved {
      guard let object = object(move.key) else { continue }
      observers.notify(
        .object(.moved(object, old.indexPath(at: move.from), list.indexPath(at: move.to))))
    }
    for place in difference.updated {
      guard let object = object(old.keys[place]) else { continue }
      observers.notify(.object(.updated(object, old.indexPath(at: place))))
    }
    for section in difference.deletedSections where hasSections {
      observers.notify(.sectionDeleted(section))
    }
    observers.notify(.batchEnded)
  }
}

extension KeyList {
  /// The section and row of an index of `keys`. O(log sections).
  func indexPath(at index: Int) -> IndexPath {
    let section = section(at: index)
    return IndexPath(row: index - starts[section], section: section)
  }
}
