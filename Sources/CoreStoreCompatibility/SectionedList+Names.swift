import Basics
public import Foundation
public import SwiftDatastore

/// CoreStore's names for the content of a list, section by section. `in` and `at` trap if there is no such
/// section; `safelyIn` and `safelyAt` return nil.
extension SectionedList {
  /// A section: its name and its indices.
  public typealias ListedSection = ListSnapshot<ListedObject>.Section

  /// Whether there is an object.
  public func hasObjects() -> Bool { objectCount > 0 }

  /// Whether a section has an object; false if there is no such section.
  public func hasObjects(in section: Int) -> Bool { numberOfObjects(inSection: section) > 0 }

  /// The number of objects in all sections.
  public func numberOfObjects() -> Int { objectCount }

  /// The number of objects of a section.
  public func numberOfObjects(in section: Int) -> Int { sectionInfo(at: section).indices.count }

  /// The number of objects of a section; nil if there is no such section.
  public func numberOfObjects(safelyIn index: Int) -> Int? { section(at: index)?.indices.count }

  /// A section: its name and its indices.
  public func sectionInfo(at index: Int) -> ListedSection {
    guard let section = section(at: index) else {
      trap("a list of \(sectionCount) sections has none at \(index)")
    }
    return section
  }

  /// `sectionInfo(at:)` under its older name.
  ///
  /// - Parameter index: the number of the section.
  public func sectionInfoAtIndex(_ index: Int) -> ListedSection { sectionInfo(at: index) }

  /// A section; nil when there is none.
  public func sectionInfo(safelyAt index: Int) -> ListedSection? { section(at: index) }

  /// All objects, section after section, read together. O(objects).
  @MainActor public func objectsInAllSections() -> [ListedObject] { fetchedObjects }

  /// The objects of a section, read together. O(objects of the section).
  @MainActor public func objects(in section: Int) -> [ListedObject] {
    objects(at: sectionInfo(at: section).indices)
  }

  /// The objects of a section, read together; nil if there is no such section.
  @MainActor public func objects(safelyIn index: Int) -> [ListedObject]? {
    section(at: index).map { objects(at: $0.indices) }
  }

  /// `objects(in:)` under its older name.
  @MainActor
  public func objectsInSection(_ section: Int) -> [ListedObject] { objects(in: section) }

  /// `objects(safelyIn:)` under its older name.
  @MainActor
  public func objectsInSection(safeSectionIndex index: Int) -> [ListedObject]? {
    objects(safelyIn: index)
  }

  /// The index of an object, counted over all sections; nil when it is not in the list.
  public func index(of object: ListedObject) -> Int? { index(of: object.objectID) }

  /// A title for each section: the first letter of its name as a capital. Equal titles that follow each other
  /// are merged.
  public func sectionIndexTitles() -> [String] { indexTitles }

  /// The first section with a title of `sectionIndexTitles()`; the last one before `index` if none has it.
  public func targetSection(forSectionIndexTitle title: String, at index: Int) -> Int {
    section(forSectionIndexTitle: title, at: index)
  }
}

/// CoreStore's names for the content of a list that is a snapshot, or has one.
extension SnapshotList {
  /// Whether there is a section.
  public func hasSections() -> Bool { snapshot.hasSections() }

  /// The number of sections.
  public func numberOfSections() -> Int { sectionCount }

  /// All sections.
  public func sections() -> [ListedSection] { sections }

  /// The index path of an object; nil when it is not in the list.
  public func indexPath(of object: ListedObject) -> IndexPath? {
    snapshot.indexPath(of: object.objectID)
  }
}

/// A list with one element for each of its objects: the object, or its publisher. Indices that do not exist
/// trap, except with `safe`.
public protocol PlacedList<Placed>: SectionedList {
  /// The type of an element.
  associatedtype Placed
  /// The element at an index counted over all sections; nil when there is none.
  subscript(safe index: Int) -> Placed? { get }
  /// The element in a row of a section; nil when there is none.
  subscript(safe indexPath: IndexPath) -> Placed? { get }
}

extension PlacedList {
  /// The element at an index counted over all sections; nil when there is none.
  public subscript(safeIndex index: Int) -> Placed? { self[safe: index] }

  /// The element in a row of a section; nil when there is none.
  public subscript(safeIndexPath indexPath: IndexPath) -> Placed? { self[safe: indexPath] }

  /// The element in a row of a section; nil when there is none.
  public subscript(safeSectionIndex section: Int, safeItemIndex row: Int) -> Placed? {
    self[safe: IndexPath(row: row, section: section)]
  }

  /// The element in a row of a section.
  public subscript(indexPath: IndexPath) -> Placed { required(self[safe: indexPath], indexPath) }

  /// The element in a row of a section.
  public subscript(section: Int, row: Int) -> Placed { self[IndexPath(row: row, section: section)] }

  func required(_ placed: Placed?, _ place: Any) -> Placed {
    guard let placed else {
      trap("a list of \(objectCount) \(ListedObject.entityName) has none at \(place)")
    }
    return placed
  }
}

extension ListSnapshot: @MainActor PlacedList {}
