import Basics
public import Foundation
public import SwiftDatastore

/// CoreStore's names for what is in a list, section by section. `in` and `at` trap where there is no such
/// section; `safelyIn` and `safelyAt` give nil.
extension SectionedList {
  /// A section: its name and its places.
  public typealias ListedSection = ListSnapshot<ListedObject>.Section

  /// Whether there is an object.
  public func hasObjects() -> Bool { objectCount > 0 }

  /// Whether a section has an object; false where there is no such section.
  public func hasObjects(in section: Int) -> Bool { numberOfObjects(inSection: section) > 0 }

  /// How many objects there are in all sections.
  public func numberOfObjects() -> Int { objectCount }

  /// How many objects a section has.
  public func numberOfObjects(in section: Int) -> Int { sectionInfo(at: section).indices.count }

  /// How many objects a section has; nil where there is no such section.
  public func numberOfObjects(safelyIn index: Int) -> Int? { section(at: index)?.indices.count }

  /// A section: its name and its places.
  public func sectionInfo(at index: Int) -> ListedSection {
    guard let section = section(at: index) else {
      trap("a list of \(sectionCount) sections has none at \(index)")
    }
    return section
  }

  /// The same under its older name.
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

  /// The objects of a section, read together; nil where there is no such section.
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

  /// The place of an object, counted over all sections; nil when it is not in the list.
  public func index(of object: ListedObject) -> Int? { index(of: object.objectID) }

  /// A title for each section: the first letter of its name as a capital. Equal titles that follow each other
  /// are one.
  public func sectionIndexTitles() -> [String] { indexTitles }

  /// The first section with a title of `sectionIndexTitles()`; the last one before `index` where none has it.
  public func targetSection(forSectionIndexTitle title: String, at index: Int) -> Int {
    section(forSectionIndexTitle: title, at: index)
  }
}

/// The same of a list that is a snapshot, or has one.
extension SnapshotList {
  /// Whether there is a section.
  public func hasSections() -> Bool { snapshot.hasSections() }

  /// How many sections there are.
  public func numberOfSections() -> Int { sectionCount }

  /// All sections.
  public func sections() -> [ListedSection] { sections }

  /// The place of an object; nil when it is not in the list.
  public func indexPath(of object: ListedObject) -> IndexPath? {
    snapshot.indexPath(of: object.objectID)
  }
}

/// A list with one thing for each of its objects: the object, or its publisher. Places that are not there
/// trap, but for `safe`.
public protocol PlacedList<Placed>: SectionedList {
  /// What is in a place.
  associatedtype Placed
  /// What is in a place counted over all sections; nil when there is none.
  subscript(safe index: Int) -> Placed? { get }
  /// What is in a row of a section; nil when there is none.
  subscript(safe indexPath: IndexPath) -> Placed? { get }
}

extension PlacedList {
  /// What is in a place counted over all sections; nil when there is none.
  public subscript(safeIndex index: Int) -> Placed? { self[safe: index] }

  /// What is in a row of a section; nil when there is none.
  public subscript(safeIndexPath indexPath: IndexPath) -> Placed? { self[safe: indexPath] }

  /// What is in a row of a section; nil when there is none.
  public subscript(safeSectionIndex section: Int, safeItemIndex row: Int) -> Placed? {
    self[safe: IndexPath(row: row, section: section)]
  }

  /// What is in a row of a section.
  public subscript(indexPath: IndexPath) -> Placed { required(self[safe: indexPath], indexPath) }

  /// What is in a row of a section.
  public subscript(section: Int, row: Int) -> Placed { self[IndexPath(row: row, section: section)] }

  func required(_ placed: Placed?, _ place: Any) -> Placed {
    guard let placed else {
      trap("a list of \(objectCount) \(ListedObject.entityName) has none at \(place)")
    }
    return placed
  }
}

extension ListSnapshot: @MainActor PlacedList {}
