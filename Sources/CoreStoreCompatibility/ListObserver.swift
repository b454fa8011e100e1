public import Foundation
public import SwiftDatastore

/// Is notified when the list of a `ListMonitor` changes: before, while the monitor still has the old list,
/// and after.
///
/// Each function exists with and without `sourceIdentifier`, which is that of the transaction that has made
/// the change. The monitor calls the one with it, which calls the other unless the observer implements it.
@MainActor public protocol ListObserver<ListEntityType>: AnyObject {
  /// The class of the objects.
  associatedtype ListEntityType: DatastoreObject
  /// The monitor that notifies.
  typealias Monitor = ListMonitor<ListEntityType>
  /// One of the objects.
  typealias Item = ListEntityType
  /// A section: its name and its indices.
  typealias Section = ListSnapshot<ListEntityType>.Section
  /// The list is about to change.
  func listMonitorWillChange(_ monitor: Monitor, sourceIdentifier: Any?)
  /// The list is about to change.
  func listMonitorWillChange(_ monitor: Monitor)
  /// The list has changed.
  func listMonitorDidChange(_ monitor: Monitor, sourceIdentifier: Any?)
  /// The list has changed.
  func listMonitorDidChange(_ monitor: Monitor)
  /// The list is about to be read again.
  func listMonitorWillRefetch(_ monitor: Monitor, sourceIdentifier: Any?)
  /// The list is about to be read again.
  func listMonitorWillRefetch(_ monitor: Monitor)
  /// The list was read again.
  func listMonitorDidRefetch(_ monitor: Monitor, sourceIdentifier: Any?)
  /// The list was read again.
  func listMonitorDidRefetch(_ monitor: Monitor)
}

extension ListObserver {
  public func listMonitorWillChange(_ m: Monitor, sourceIdentifier: Any?) {
    listMonitorWillChange(m)
  }
  public func listMonitorWillChange(_ monitor: Monitor) {}
  public func listMonitorDidChange(_ m: Monitor, sourceIdentifier: Any?) { listMonitorDidChange(m) }
  public func listMonitorDidChange(_ monitor: Monitor) {}
  public func listMonitorWillRefetch(_ monitor: Monitor, sourceIdentifier: Any?) {
    listMonitorWillRefetch(monitor)
  }
  public func listMonitorWillRefetch(_ monitor: Monitor) {}
  public func listMonitorDidRefetch(_ monitor: Monitor, sourceIdentifier: Any?) {
    listMonitorDidRefetch(monitor)
  }
  public func listMonitorDidRefetch(_ monitor: Monitor) {}
}

/// Is also notified of each object, between the two: of deleted, inserted, moved and updated ones, in this
/// order. The index paths of deleted and updated objects are those before the change.
public protocol ListObjectObserver<ListEntityType>: ListObserver {
  /// An object was inserted into the list.
  func listMonitor(
    _ monitor: Monitor, didInsertObject: Item, toIndexPath: IndexPath, sourceIdentifier: Any?)
  /// An object was inserted into the list.
  func listMonitor(_ monitor: Monitor, didInsertObject: Item, toIndexPath: IndexPath)
  /// An object left the list, or was deleted. Values of a deleted one that were not in memory cannot be read.
  func listMonitor(
    _ monitor: Monitor, didDeleteObject: Item, fromIndexPath: IndexPath, sourceIdentifier: Any?)
  /// An object left the list, or was deleted. Values of a deleted one that were not in memory cannot be read.
  func listMonitor(_ monitor: Monitor, didDeleteObject: Item, fromIndexPath: IndexPath)
  /// An object has changed and stays in its place.
  func listMonitor(
    _ monitor: Monitor, didUpdateObject: Item, atIndexPath: IndexPath, sourceIdentifier: Any?)
  /// An object has changed and stays in its place.
  func listMonitor(_ monitor: Monitor, didUpdateObject: Item, atIndexPath: IndexPath)
  /// An object has moved to another place.
  func listMonitor(
    _ monitor: Monitor, didMoveObject: Item, fromIndexPath: IndexPath, toIndexPath: IndexPath,
    sourceIdentifier: Any?)
  /// An object has moved to another place.
  func listMonitor(
    _ monitor: Monitor, didMoveObject: Item, fromIndexPath: IndexPath, toIndexPath: IndexPath)
}

extension ListObjectObserver {
  public func listMonitor(
    _ monitor: Monitor, didInsertObject: Item, toIndexPath: IndexPath, sourceIdentifier: Any?
  ) { listMonitor(monitor, didInsertObject: didInsertObject, toIndexPath: toIndexPath) }
  public func listMonitor(_: Monitor, didInsertObject: Item, toIndexPath: IndexPath) {}
  public func listMonitor(
    _ monitor: Monitor, didDeleteObject: Item, fromIndexPath: IndexPath, sourceIdentifier: Any?
  ) { listMonitor(monitor, didDeleteObject: didDeleteObject, fromIndexPath: fromIndexPath) }
  public func listMonitor(_: Monitor, didDeleteObject: Item, fromIndexPath: IndexPath) {}
  public func listMonitor(
    _ monitor: Monitor, didUpdateObject: Item, atIndexPath: IndexPath, sourceIdentifier: Any?
  ) { listMonitor(monitor, didUpdateObject: didUpdateObject, atIndexPath: atIndexPath) }
  public func listMonitor(_: Monitor, didUpdateObject: Item, atIndexPath: IndexPath) {}
  public func listMonitor(
    _ monitor: Monitor, didMoveObject object: Item, fromIndexPath old: IndexPath,
    toIndexPath new: IndexPath, sourceIdentifier: Any?
  ) { listMonitor(monitor, didMoveObject: object, fromIndexPath: old, toIndexPath: new) }
  public func listMonitor(
    _: Monitor, didMoveObject: Item, fromIndexPath: IndexPath, toIndexPath: IndexPath
  ) {}
}

/// Is also notified of each section: of inserted ones before any object, of deleted ones after all.
public protocol ListSectionObserver<ListEntityType>: ListObjectObserver {
  /// A section was inserted; its index is that after the change.
  func listMonitor(
    _ monitor: Monitor, didInsertSection: Section, toSectionIndex: Int, sourceIdentifier: Any?)
  /// A section was inserted; its index is that after the change.
  func listMonitor(_ monitor: Monitor, didInsertSection: Section, toSectionIndex: Int)
  /// A section was deleted; its index is that before the change.
  func listMonitor(
    _ monitor: Monitor, didDeleteSection: Section, fromSectionIndex: Int, sourceIdentifier: Any?)
  /// A section was deleted; its index is that before the change.
  func listMonitor(_ monitor: Monitor, didDeleteSection: Section, fromSectionIndex: Int)
}

extension ListSectionObserver {
  public func listMonitor(
    _ monitor: Monitor, didInsertSection: Section, toSectionIndex: Int, sourceIdentifier: Any?
  ) { listMonitor(monitor, didInsertSection: didInsertSection, toSectionIndex: toSectionIndex) }
  public func listMonitor(_: Monitor, didInsertSection: Section, toSectionIndex: Int) {}
  public func listMonitor(
    _ monitor: Monitor, didDeleteSection: Section, fromSectionIndex: Int, sourceIdentifier: Any?
  ) { listMonitor(monitor, didDeleteSection: didDeleteSection, fromSectionIndex: fromSectionIndex) }
  public func listMonitor(_: Monitor, didDeleteSection: Section, fromSectionIndex: Int) {}
}
