import Basics
public import Foundation
public import SwiftDatastore

/// CoreStore's names for what is in a list, section by section. `in` and `at` trap where there is no such
/// section; `safelyIn` and `safelyAt` give nil.
extension SectionedList {
  /// Whether there is an object.
  public func hasObjects() -> Bool { objectCount > 0 }

  /// Whether a section has an object; false where there is no such section.
  public func hasObjects(in section: Int) -> Bool { numberOfObjects(inSection: section) > 0 }

  /// How many objects there are in all sections.
  public func numberOfObjects() -> Int { objectCount }

  /// How many objects a section has.
  public func numberOfObjects(in section: Int) -> Int { sectionInfo(at: section).indices.count }

  /// How many objects a section has; nil where there is no such section.
  public func numberOfObjects(safelyIn section: Int) -> Int? {
    sectionInfo(safelyAt: section)?.indices.count
  }

  /// A section: its name and its places.
  public func sectionInfo(at index: Int) -> ListSnapshot<ListedObject>.Section {
    guard let section = section(at: index) else {
      trap("a list of \(sectionCount) sections has none at \(index)")
    }
    return section
  }

  /// The same under its older name.
  ///
  /// - Parameter index: the number of the section.
  public func sectionInfoAtIndex(_ index: Int) -> ListSnapshot<ListedObject>.Section {
    sectionInfo(at: index)
  }

  /// A section; nil when there is none.
  public func sectionInfo(safelyAt index: Int) -> ListSnapshot<ListedObject>.Section? {
    section(at: index)
  }

  /// All objects, section after section, read together. O(objects).
  @MainActor public func objectsInAllSections() -> [ListedObject] { fetchedObjects }

  /// The objects of a section, read together. O(objects of the section).
  @MainActor
  public func objects(in section: Int) -> [ListedObject] {
    objects(at: sectionInfo(at: section).indices)
  }

  /// The objects of a section, read together; nil where there is no such section.
  @MainActor
  public func objects(safelyIn section: Int) -> [ListedObject]? {
    sectionInfo(safelyAt: section).map { objects(at: $0.indices) }
  }

  /// Where an object stands, counted over all sections; nil when it is not in the list.
  public func index(of object: ListedObject) -> Int? { index(of: object.objectID) }

  /// A title for each section: the first letter of its name as a capital. Equal titles that follow each other are one.
  public func sectionIndexTitles() -> [String] { indexTitles }

  /// The first section with a title of `sectionIndexTitles()`; the last one before `index` where none has it.
  public func targetSection(forSectionIndexTitle title: String, at index: Int) -> Int {
    section(forSectionIndexTitle: title, at: index)
  }
}

/// What is in the list as observers know it.
extension ListMonitor: @MainActor SectionedList {
  public var objectCount: Int { snapshot.count }
  public var sectionCount: Int { snapshot.numberOfSections }
  public func section(at index: Int) -> ListSnapshot<O>.Section? { snapshot.section(at: index) }
  public func index(of id: DatastoreObjectID) -> Int? { snapshot.index(of: id) }
  public func objects(at places: Range<Int>) -> [O] { snapshot.objects(at: places) }

  /// The object at a place counted over all sections; nil when there is none.
  public subscript(safeIndex index: Int) -> O? { self[safe: index] }

  /// The object in a row of a section; nil when there is none.
  public subscript(safeIndexPath indexPath: IndexPath) -> O? { self[safe: indexPath] }

  /// The object in a row of a section; nil when there is none.
  public subscript(safeSectionIndex section: Int, safeItemIndex row: Int) -> O? {
    self[safe: IndexPath(row: row, section: section)]
  }

  /// Whether there is a section.
  public func hasSections() -> Bool { snapshot.hasSections() }

  /// How many sections there are.
  public func numberOfSections() -> Int { sectionCount }

  /// All sections.
  public func sections() -> [ListSnapshot<O>.Section] { snapshot.sections }

  /// Where an object stands; nil when it is not in the list.
  public func indexPath(of object: O) -> IndexPath? { snapshot.indexPath(of: object.objectID) }
}

/// Monitors are equal when they are the same one.
extension ListMonitor: Hashable {
  public nonisolated static func == (left: ListMonitor<O>, right: ListMonitor<O>) -> Bool {
    left === right
  }
  public nonisolated func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

extension ListMonitor: @MainActor CustomDebugStringConvertible {
  /// How many objects and sections there are.
  public var debugDescription: String {
    "ListMonitor of \(snapshot.count) \(O.entityName) in \(sectionCount) sections"
  }
}
