import Basics
public import DatastoreCore
public import Foundation

/// A list of objects for a user interface, in sections, kept up to date.
///
/// ```swift
/// let controller = FetchedObjectsController<Employee>(
///   viewContext: datastore.sharedViewContext, where: \.$age > 22,
///   orderBy: [.asc(\.$name)], groupBy: \.$position)
/// controller.observeChanges { change in … }
/// try controller.performFetch()
/// ```
///
/// It holds keys, at most eight bytes a row, not objects: objects are read in pages around the requested one.
/// Unsaved changes of its context are included. For places that do not exist, its methods return nil or 0.
///
/// If the list has more than a million objects and an index has its order, only the keys around the accessed
/// places are in memory, and the others are looked up on access. In such a list staged changes move no
/// objects before they are saved, new objects come last in their section, and a save that moves others is
/// reported as rows added or removed at the ends of sections. In an order that no index has, all keys are
/// read.
///
/// A change places single objects, in O(log objects). Only the store knows the order of a list sorted by
/// ``OrderBy/rank``, so that list is read again when searched texts are saved, or rows are added or removed.
///
/// Lives on the main actor. Swift 5 mode does not enforce that for callers, so that a controller can be
/// created at the top level of `main.swift`; calls from other threads trap in debug builds.
@preconcurrency @MainActor
public final class FetchedObjectsController<T: DatastoreObject> {
  /// The context its objects belong to.
  public let viewContext: SwiftDatastoreViewContext
  let entity: Entity
  var query: ListQuery
  /// The current list and its state.
  var content = ReadList()
  /// Changes that arrive while the list is being read, until they are applied.
  var reading: ReadList.Meanwhile?
  /// The number of the running or last fetch.
  var generation = 0
  var fetchTask: Task<Void, any Error>?
  /// Called when a fetch that a change requires fails; the list then stays as it was.
  public var fetchFailed: ((any Error) -> Void)?
  /// Whether objects whose deletion is staged keep their places until it is saved. Set it before the first
  /// fetch.
  package var keepsDeletedObjects = false
  /// Called for every change of the list, before the observers and without an object for each row.
  package var listChanged: ((KeyListChange) -> Void)?

  var observers = ObserverList<FetchedObjectsEvent<T>>()
  let batchStreams = BatchStreams()
  /// The sources of the batch that observers are being notified of, or were notified of last.
  public internal(set) var changeSources: Set<ChangeSource> = []
  /// A list with more keys is not read as a whole, but in windows where it is accessed.
  package var mostKeys = 1_000_000
  /// The places accessed last: the keys of a long list are read around them.
  var lastRange = 0..<200
  /// Keeps the objects accessed last, so that they are not read again and again.
  private var recent: [RowKey: T] = [:]
  private let pageSize = 128

  init(
    viewContext: SwiftDatastoreViewContext, request: FetchRequest, groupKeyPath: [String]?,
    titles: SectionTitles? = nil, entity: Entity
  ) {
    self.viewContext = viewContext
    self.entity = entity
    query = ListQuery(
      request, groupBy: groupKeyPath, titles: titles, of: entity,
      in: viewContext.core.graph.schema)
    viewContext.add(self)
  }

  /// A controller for one class; `performFetch()` reads the list.
  ///
  /// Traps without an order, and for a class that is not part of the datastore's model.
  ///
  /// - Parameters:
  ///   - viewContext: the context its objects belong to.
  ///   - condition: which objects; all if nil.
  ///   - order: the order; must not be empty.
  ///   - group: the property whose value defines the sections; if nil, there is one section. Sections come by
  ///     ascending value (descending, if the first sort key is the same property, descending), and objects of
  ///     equal value are in one section whatever the order.
  public convenience init<P: ComparableProperty>(
    viewContext: SwiftDatastoreViewContext, where condition: Where<T>? = nil,
    orderBy order: [OrderBy<T>], groupBy group: any KeyPath<T, P> & Sendable
  ) {
    self.init(
      viewContext: viewContext, From(where: condition, orderBy: order).sectionBy(group))
  }

  /// A controller without sections: all objects are in one.
  ///
  /// Traps without an order, and for a class that is not part of the datastore's model.
  public convenience init(
    viewContext: SwiftDatastoreViewContext, where condition: Where<T>? = nil,
    orderBy order: [OrderBy<T>]
  ) {
    self.init(viewContext: viewContext, From(where: condition, orderBy: order))
  }

  /// A controller for a query; `performFetch()` reads the list.
  ///
  /// Traps without an order, and for a class that is not part of the datastore's model.
  ///
  /// - Parameters:
  ///   - viewContext: the context its objects belong to.
  ///   - query: the objects, their order and their sections. Sections come by ascending value (descending, if
  ///     the first sort key is the same property, descending), and objects of equal value are in one section
  ///     whatever the order.
  public convenience init(viewContext: SwiftDatastoreViewContext, _ query: From<T>) {
    query.requireList()
    guard let entity = viewContext.core.graph.schema.entity(named: query.request.entity) else {
      trap("\(query.request.entity) is not part of the datastore's model")
    }
    self.init(
      viewContext: viewContext, request: query.request, groupKeyPath: query.sectionPath,
      titles: query.sectionTitles, entity: entity)
  }

  deinit {
    fetchTask?.cancel()
  }
}

extension FetchedObjectsController where T == DynamicObject {
  /// A controller for an entity without a compiled class.
  ///
  /// - Throws: `UnknownEntityError`, or `PredicateFault` when the condition does not fit the entity.
  public convenience init(
    viewContext: SwiftDatastoreViewContext, request: FetchRequest, groupBy: [String]? = nil
  ) throws {
    let core = viewContext.core
    let entity = try core.entity(named: request.entity)
    try request.predicate?.validate(for: entity, in: core.graph.schema)
    self.init(
      viewContext: viewContext, request: request, groupKeyPath: groupBy, entity: entity)
  }
}

extension FetchedObjectsController {
  /// The query and its order. After a fetch, a condition on `SELF` expresses the chosen stores, if any.
  public var request: FetchRequest { query.request }
  /// The path of the property whose value defines the sections.
  package var groupKeyPath: [String]? { query.order.group }
  /// The names of sections; nil to use their values.
  var sectionTitles: SectionTitles? { query.titles }
  var order: ListOrder { query.order }

  /// The current list. O(1); changing the list later copies it while someone holds this.
  package var list: KeyList { content.list }
  /// Whether the whole list has been read, not only its first rows.
  public var isComplete: Bool { content.isComplete }
  /// Whether the list or its first rows have been read.
  var hasFetched: Bool { content.hasFetched }
  /// Whether only parts of the list had been read when it was applied.
  package var isLong: Bool { content.isLong }

  /// The number of objects in all sections. O(1).
  public var numberOfFetchedObjects: Int { list.keys.count }

  /// The number of sections: one without a group key, even if there are no objects. O(1).
  public var numberOfSections: Int {
    groupKeyPath == nil && hasFetched ? 1 : list.sections.count
  }

  /// The name of a section: its value as text (raw values of enums), unless the query makes names from
  /// values. nil if its objects have no value or the section does not exist.
  public func sectionName(inSection section: Int) -> String? {
    sectionValue(inSection: section)?.sectionName(sectionTitles)
  }

  /// The value of a section; for sections by a to-one relationship, the key of the object.
  public func sectionValue(inSection section: Int) -> Value? {
    list.sections.indices.contains(section) ? list.sections[section].value : nil
  }

  /// The object at a place, or nil. Reads a page of objects around it if necessary.
  ///
  /// The returned object can be read even if others delete it meanwhile. Also nil if another context has
  /// deleted the row and the list is not updated yet.
  public func getObject(at indexPath: IndexPath) -> T? {
    guard let index = list.index(section: indexPath.section, row: indexPath.row) else { return nil }
    return object(at: index)
  }

  /// The place of an object, or nil. O(objects); in a list of more than a million, reads the store if the
  /// object was not accessed.
  public func indexPath(for object: T) -> IndexPath? {
    do {
      return try indexNow(of: object.key).map { list.indexPath(at: $0) }
    } catch {
      viewContext.core.graph.faultFailed(error)
    }
    return nil
  }

  /// The object at an index over all sections, or nil, as in `getObject(at:)`.
  public func object(at index: Int) -> T? {
    guard list.keys.indices.contains(index) else { return nil }
    if let object = loadedObject(at: index) { return object }
    let window = max(0, index - pageSize / 2)..<min(list.keys.count, index + pageSize / 2)
    do {
      try readKeysNow(window)
      let graph = viewContext.core.graph
      let keys = window.compactMap { list.keys.readKey(at: $0) }.filter { isMissing($0, graph) }
      adopt(try graph.store.rows(entity: entity.index, keys: Array(keys)))
    } catch {
      viewContext.core.graph.faultFailed(error)
    }
    return loadedObject(at: index)
  }

  /// The object at an index if its values are in memory, otherwise nil. Never reads. O(1).
  public func loadedObject(at index: Int) -> T? {
    guard let key = list.keys.readKey(at: index) else { return nil }
    let object = viewContext.core.graph.registeredObject(entity: entity.index, key: key)
    guard let object, object.state != .fault else { return nil }
    return object as? T
  }

  /// Reads the objects of a range off the main actor, so that `loadedObject(at:)` finds them.
  ///
  /// - Throws: `StoreError` when the store cannot be read; `CancellationError`.
  public func load(_ range: Range<Int>) async throws {
    try await readKeys(range)
    let graph = viewContext.core.graph
    let keys = range.clamped(to: 0..<list.keys.count).compactMap { list.keys.readKey(at: $0) }
    guard keys.contains(where: { isMissing($0, graph) }) else { return }
    keepRecent(try await viewContext.readObjects(entity: entity.index, keys: keys))
  }

  private func isMissing(_ key: RowKey, _ graph: ObjectGraph) -> Bool {
    graph.registeredObject(entity: entity.index, key: key).map { $0.state == .fault } ?? true
  }

  private func adopt(_ pages: [RowPage]) {
    keepRecent(viewContext.core.graph.objects(entity: entity.index, pages: pages))
  }

  /// The keys of the objects accessed last.
  var recentKeys: Set<RowKey> { Set(recent.keys) }

  /// Keeps accessed objects, and releases old ones.
  func keepRecent(_ objects: [ManagedObject]) {
    if recent.count > 16 * pageSize { recent.removeAll() }
    for case let object as T in objects { recent[object.key] = object }
  }
}

extension IndexPath {
  /// A place in a sectioned list.
  public init(row: Int, section: Int) {
    self.init(indexes: [section, row])
  }

  /// The section of the place.
  public var section: Int { self[0] }
  /// The row within the section.
  public var row: Int { self[1] }

  /// The same place, by the name that collection views use.
  public init(item: Int, section: Int) { self.init(row: item, section: section) }

  /// The row, by the name that collection views use.
  public var item: Int { row }
}
