import DatastoreCore

/// A list of objects in sections: a `ListSnapshot`, and its adapters. Places that do not exist have
/// no objects.
///
/// A list without a group key has one section.
public protocol SectionedList<ListedObject> {
  /// The class of the objects.
  associatedtype ListedObject: DatastoreObject
  /// The number of objects in all sections. O(1).
  var objectCount: Int { get }
  /// The number of sections. O(1).
  var sectionCount: Int { get }
  /// A section: its name and its indices over all sections; nil if there is none. O(1).
  func section(at index: Int) -> ListSnapshot<ListedObject>.Section?
  /// The index of an object over all sections; nil when it is not in the list.
  func index(of id: DatastoreObjectID) -> Int?
  /// The objects at indices over all sections, read together, without those that no longer exist.
  @MainActor func objects(at places: Range<Int>) -> [ListedObject]
}

extension SectionedList {
  /// All sections, in order. O(sections).
  public var sections: [ListSnapshot<ListedObject>.Section] {
    (0..<sectionCount).compactMap { section(at: $0) }
  }

  /// The number of objects in a section. O(1).
  public func numberOfObjects(inSection index: Int) -> Int {
    section(at: index)?.indices.count ?? 0
  }

  /// The objects of a section, read together. O(objects of the section).
  @MainActor
  public func objects(inSection index: Int) -> [ListedObject] {
    section(at: index).map { objects(at: $0.indices) } ?? []
  }

  /// All objects, section after section, read together. O(objects).
  @MainActor
  public var fetchedObjects: [ListedObject] { objects(at: 0..<objectCount) }

  /// The index titles of the sections. Consecutive equal titles are merged. O(sections).
  public var indexTitles: [String] {
    sections.reduce(into: []) { titles, section in
      if let title = section.indexTitle, title != titles.last { titles.append(title) }
    }
  }

  /// The first section with an index title; if there is none, the last section up to `index`. O(sections).
  public func section(forSectionIndexTitle title: String, at index: Int) -> Int {
    sections.firstIndex { $0.indexTitle == title } ?? max(0, min(index, sectionCount - 1))
  }
}

extension FetchedObjectsController: @MainActor SectionedList {
  public var objectCount: Int { numberOfFetchedObjects }
  public var sectionCount: Int { numberOfSections }

  /// A section: its name and its places. O(1).
  public func section(at index: Int) -> ListSnapshot<T>.Section? {
    guard index < numberOfSections else { return nil }
    return .init(at: index, of: list, isSectioned: groupKeyPath != nil, sectionTitles)
  }

  /// The index of an object over all sections; nil when it is not in the list. As fast as `indexPath(for:)`.
  public func index(of id: DatastoreObjectID) -> Int? {
    guard id.store == viewContext.core.graph.storeID else { return nil }
    let object = viewContext.core.graph.object(entity: id.entity, key: id.key) as? T
    return object.flatMap { indexPath(for: $0) }.flatMap {
      list.index(section: $0.section, row: $0.row)
    }
  }

  public func objects(at places: Range<Int>) -> [T] { places.compactMap { object(at: $0) } }
}
