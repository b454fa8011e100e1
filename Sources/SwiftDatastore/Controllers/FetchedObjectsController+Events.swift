import DatastoreCore
public import Foundation

/// What happened to one object of a list.
public enum FetchedObjectsChangeType<T: DatastoreObject> {
  /// It is new in the list, at that place of the list as it is now.
  case inserted(T, IndexPath)
  /// It has changed and stays where it is: its place before the batch.
  case updated(T, IndexPath)
  /// It left the list: its place before the batch.
  case deleted(IndexPath)
  /// It has another place: the one before the batch, and the one after.
  case moved(T, IndexPath, IndexPath)
}

/// One step of a batch of changes.
///
/// A batch comes as `batchBegan`; inserted sections; inserted, deleted, moved and updated objects;
/// deleted sections; `batchEnded`. Places of sections and objects that go are those before the batch,
/// places of those that come are those after it.
public enum FetchedObjectsEvent<T: DatastoreObject> {
  /// What follows until `batchEnded` belongs together.
  case batchBegan
  /// A section is new: its place after the batch.
  case sectionInserted(Int)
  /// Something happened to an object.
  case object(FetchedObjectsChangeType<T>)
  /// A section is gone: its place before the batch.
  case sectionDeleted(Int)
  /// The batch is complete.
  case batchEnded
}

extension FetchedObjectsController {
  /// Calls the closure once for every object that is inserted, updated, deleted or moved.
  ///
  /// It runs on the main actor, when the list has its new state already, as long as the controller lives. A
  /// closure that uses the controller keeps it alive, unless it captures it `weak` or `unowned`.
  public func observeChanges(
    _ closure: @escaping @MainActor (FetchedObjectsChangeType<T>) -> Void
  ) {
    observeEvents(Self.calling(closure))
  }

  /// The same, until the token is released or cancelled. Taken where a token is asked for:
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

  /// The same, until the token is released or cancelled.
  @_disfavoredOverload
  public func observeEvents(
    _ closure: @escaping @MainActor (FetchedObjectsEvent<T>) -> Void
  ) -> ObserverToken {
    observers.addEnding(closure)
  }

  /// Notifies the observers of a difference between the list before and the list now.
  ///
  /// - Parameters:
  ///   - isRekeyed: whether objects have other keys than before, which only concerns who keeps keys.
  ///   - isKnown: whether the difference has all rows that have changed.
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
      // They have been read, unless an observer was added meanwhile.
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
