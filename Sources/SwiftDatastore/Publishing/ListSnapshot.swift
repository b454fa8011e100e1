import Basics
import DatastoreCore
public import Foundation

/// A list of objects at one time, in sections: a value that can be kept, compared and passed to any task.
///
/// ```swift
/// let list = publisher.snapshot
/// for section in list.sections {
///   print("-", section.name, section.indices.count)
/// }
/// print(list.itemIDs.first?.description ?? "empty")
/// ```
///
/// It holds keys, at most eight bytes a row and shared with the list that it was taken from, so taking a
/// snapshot is O(1) whatever the number of rows. It does not follow the list, and reads nothing. Snapshots
/// are equal when they have the same objects, in the same order and the same sections; comparing is O(1) for
/// copies and O(chunks of a few thousand keys) for lists of which one was made from the other.
///
/// On the main actor it is a collection of publishers, each made on access.
public struct ListSnapshot<T: DatastoreObject>: Sendable {
  var list: KeyList {
    didSet { isEdited = true }
  }
  /// Whether it has sections, maybe none: without a group key all objects are in one section without a value.
  package let isSectioned: Bool
  /// The names of sections; nil to use their values.
  let titles: SectionTitles?
  let origin: ListOrigin
  /// The number of the last change of its origin that it includes; see `ListChangeLog`.
  let generation: Int
  /// Whether it was edited after it was taken.
  private(set) var isEdited = false
  /// The keys named by `reload(_:)`.
  var reloaded: Set<RowKey> = []

  init(
    _ list: KeyList, isSectioned: Bool, titles: SectionTitles?, origin: ListOrigin,
    generation: Int
  ) {
    self.list = list
    self.titles = titles
    self.isSectioned = isSectioned
    self.origin = origin
    self.generation = generation
  }

  /// The number of objects in all sections. O(1).
  public var count: Int { list.keys.count }

  /// Whether there are no objects. O(1).
  public var isEmpty: Bool { list.keys.isEmpty }

  /// The identifiers of all objects, section after section. O(1).
  public var itemIDs: ListItemIDs {
    ListItemIDs(keys: list.keys, places: 0..<count, origin: origin)
  }

  /// The index of an object over all sections; nil when it is not in the list. O(objects), several at a time.
  ///
  /// - Parameter id: the identifier of the object.
  public func index(of id: DatastoreObjectID) -> Int? {
    origin.contains(id) ? list.keys.firstIndex(of: id.key) : nil
  }

  /// The place of an object; nil when it is not in the list. As fast as `index(of:)`.
  ///
  /// - Parameter id: the identifier of the object.
  public func indexPath(of id: DatastoreObjectID) -> IndexPath? {
    index(of: id).map { list.indexPath(at: $0) }
  }

  /// The index of a place over all sections; nil when there is no such place. O(1).
  ///
  /// - Parameter indexPath: a section and a row in it.
  public func index(at indexPath: IndexPath) -> Int? {
    indexPath.count == 2 ? list.index(section: indexPath.section, row: indexPath.row) : nil
  }
}

/// The origin of the rows of a list snapshot.
final class ListOrigin: Sendable {
  let entity: Entity
  let store: ObjectIdentifier
  let changes = ListChangeLog()
  weak let viewContext: SwiftDatastoreViewContext?

  init(_ entity: Entity, store: ObjectIdentifier, viewContext: SwiftDatastoreViewContext) {
    self.entity = entity
    self.store = store
    self.viewContext = viewContext
  }

  func id(_ key: RowKey) -> DatastoreObjectID {
    DatastoreObjectID(store: store, entity: entity, key: key)
  }

  /// Whether an identifier may belong to one of the rows.
  func contains(_ id: DatastoreObjectID) -> Bool { self.id(id.key) == id }
}

/// Lists are equal when they have the same objects, in the same order and the same sections.
extension ListSnapshot: Hashable {
  public static func == (left: ListSnapshot<T>, right: ListSnapshot<T>) -> Bool {
    left.origin.store == right.origin.store && left.origin.entity == right.origin.entity
      && left.isSectioned == right.isSectioned && left.list.sections == right.list.sections
      && left.list.keys == right.list.keys
  }

  /// Hashes the number of objects and a few of them. O(1).
  public func hash(into hasher: inout Hasher) {
    hasher.combine(count)
    for index in stride(from: 0, to: count, by: Swift.max(1, count / 8)) {
      hasher.combine(list.keys[index])
    }
  }
}

/// The identifiers of the objects of a `ListSnapshot`, or of one of its sections.
public struct ListItemIDs: RandomAccessCollection, Sendable {
  let keys: KeyChunks
  let places: Range<Int>
  let origin: ListOrigin

  public var startIndex: Int { 0 }
  public var endIndex: Int { places.count }

  /// The identifier of an object. O(log chunks). Traps when there is none.
  ///
  /// - Parameter index: the place of the object, from 0 to `count` - 1.
  public subscript(index: Int) -> DatastoreObjectID {
    require(index >= 0 && index < places.count, "a list has no object at \(index)")
    return origin.id(keys[places.lowerBound + index])
  }
}

/// The objects of the list, each as its publisher, which is made on access; nothing is read until the
/// publisher is asked for values. On the main actor.
extension ListSnapshot: @MainActor RandomAccessCollection {
  @MainActor public var startIndex: Int { 0 }
  @MainActor public var endIndex: Int { count }

  /// The publisher of the object at an index over all sections. Traps when there is none, or when the
  /// datastore no longer exists.
  ///
  /// - Parameter index: the index.
  @MainActor
  public subscript(index: Int) -> ObjectPublisher<T> {
    guard let publisher = self[safe: index] else {
      trap(
        "a list of \(count) objects of \(origin.entity.name) has none at \(index), or its datastore is closed"
      )
    }
    return publisher
  }

  /// The publisher of the object at an index over all sections; nil when there is none, or when the datastore
  /// no longer exists.
  ///
  /// - Parameter index: the index.
  @MainActor
  public subscript(safe index: Int) -> ObjectPublisher<T>? {
    guard index >= 0, index < count, let context = origin.viewContext else { return nil }
    return context.followedObjects.publisher(entity: origin.entity.index, key: list.keys[index])
  }

  /// The publishers of the objects of a range, reading values that are not in memory together; nil for places
  /// outside the list.
  @MainActor
  package func publishers(in range: Range<Int>) -> [ObjectPublisher<T>?] {
    let publishers = range.map { self[safe: $0] }
    origin.viewContext?.read(publishers.compactMap { $0?.followed })
    return publishers
  }

  /// The publisher of the object at a place; nil when there is none.
  ///
  /// - Parameter indexPath: a section and a row in it.
  @MainActor
  public subscript(safe indexPath: IndexPath) -> ObjectPublisher<T>? {
    self.index(at: indexPath).flatMap { self[safe: $0] }
  }

  /// The publisher of an object; nil when it is not in the list. As fast as `index(of:)`.
  ///
  /// - Parameter id: the identifier of the object.
  @MainActor
  public subscript(id id: DatastoreObjectID) -> ObjectPublisher<T>? {
    self.index(of: id).flatMap { self[safe: $0] }
  }
}

/// A list that has a snapshot: a `ListPublisher`, or an adapter of one.
public protocol SnapshotList<ListedObject>: SectionedList {
  /// The current list.
  var snapshot: ListSnapshot<ListedObject> { get }
}

extension SnapshotList {
  public var objectCount: Int { snapshot.count }
  public var sectionCount: Int { snapshot.numberOfSections }
  public func section(at index: Int) -> ListSnapshot<ListedObject>.Section? {
    snapshot.section(at: index)
  }
  public func index(of id: DatastoreObjectID) -> Int? { snapshot.index(of: id) }
  @MainActor
  public func objects(at places: Range<Int>) -> [ListedObject] { snapshot.objects(at: places) }
}

/// The list as observers know it.
extension ListPublisher: @MainActor SnapshotList {
  public typealias ListedObject = T
}
