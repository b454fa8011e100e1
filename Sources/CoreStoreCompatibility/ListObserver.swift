public import Foundation
public import SwiftDatastore

/// Is told when the list of a `ListMonitor` changes: before, when the monitor has the list as it was, and after.
@MainActor
public protocol ListObserver<ListEntityType>: AnyObject {
  /// The class of the objects.
  associatedtype ListEntityType: DatastoreObject
  /// The list is about to change.
  func listMonitorWillChange(_ monitor: ListMonitor<ListEntityType>)
  /// The list has changed.
  func listMonitorDidChange(_ monitor: ListMonitor<ListEntityType>)
  /// The list is about to be read again.
  func listMonitorWillRefetch(_ monitor: ListMonitor<ListEntityType>)
  /// The list was read again.
  func listMonitorDidRefetch(_ monitor: ListMonitor<ListEntityType>)
}

extension ListObserver {
  public func listMonitorWillChange(_ monitor: ListMonitor<ListEntityType>) {}
  public func listMonitorWillRefetch(_ monitor: ListMonitor<ListEntityType>) {}
}

/// Is also told of each object, between the two: of those that go, come, move and stay, in this order. Places of objects that go
/// or stay are those before the change.
public protocol ListObjectObserver<ListEntityType>: ListObserver {
  /// An object came into the list.
  func listMonitor(
    _ monitor: ListMonitor<ListEntityType>, didInsertObject object: ListEntityType,
    toIndexPath indexPath: IndexPath)
  /// An object left the list, or was deleted. What was not in memory of a deleted one cannot be read.
  func listMonitor(
    _ monitor: ListMonitor<ListEntityType>, didDeleteObject object: ListEntityType,
    fromIndexPath indexPath: IndexPath)
  /// An object has changed and stays where it is.
  func listMonitor(
    _ monitor: ListMonitor<ListEntityType>, didUpdateObject object: ListEntityType,
    atIndexPath indexPath: IndexPath)
  /// An object has another place.
  func listMonitor(
    _ monitor: ListMonitor<ListEntityType>, didMoveObject object: ListEntityType,
    fromIndexPath: IndexPath, toIndexPath: IndexPath)
}

extension ListObjectObserver {
  public func listMonitor(
    _ monitor: ListMonitor<ListEntityType>, didInsertObject object: ListEntityType,
    toIndexPath indexPath: IndexPath
  ) {}
  public func listMonitor(
    _ monitor: ListMonitor<ListEntityType>, didDeleteObject object: ListEntityType,
    fromIndexPath indexPath: IndexPath
  ) {}
  public func listMonitor(
    _ monitor: ListMonitor<ListEntityType>, didUpdateObject object: ListEntityType,
    atIndexPath indexPath: IndexPath
  ) {}
  public func listMonitor(
    _ monitor: ListMonitor<ListEntityType>, didMoveObject object: ListEntityType,
    fromIndexPath: IndexPath, toIndexPath: IndexPath
  ) {}
}

/// Is also told of each section: of those that come before any object, of those that go after all.
public protocol ListSectionObserver<ListEntityType>: ListObjectObserver {
  /// A section is new: its place after the change.
  func listMonitor(
    _ monitor: ListMonitor<ListEntityType>,
    didInsertSection sectionInfo: ListSnapshot<ListEntityType>.Section,
    toSectionIndex sectionIndex: Int)
  /// A section is gone: its place before the change.
  func listMonitor(
    _ monitor: ListMonitor<ListEntityType>,
    didDeleteSection sectionInfo: ListSnapshot<ListEntityType>.Section,
    fromSectionIndex sectionIndex: Int)
}
