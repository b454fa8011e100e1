public import Foundation
public import SwiftDatastore

/// What is in the list, section by section. `in` and `at` trap where there is no such section; `safelyIn` and `safelyAt`
/// give nil.
extension ListMonitor {
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

  /// Whether there is an object.
  public func hasObjects() -> Bool { !snapshot.isEmpty }

  /// Whether a section has an object; false where there is no such section.
  public func hasObjects(in section: Int) -> Bool { (numberOfObjects(safelyIn: section) ?? 0) > 0 }

  /// How many sections there are.
  public func numberOfSections() -> Int { snapshot.numberOfSections }

  /// How many objects there are in all sections.
  public func numberOfObjects() -> Int { snapshot.count }

  /// How many objects a section has.
  public func numberOfObjects(in section: Int) -> Int { sectionInfo(at: section).indices.count }

  /// How many objects a section has; nil where there is no such section.
  public func numberOfObjects(safelyIn section: Int) -> Int? {
    sectionInfo(safelyAt: section)?.indices.count
  }

  /// A section; nil when there is none.
  public func sectionInfo(safelyAt index: Int) -> ListSnapshot<O>.Section? {
    snapshot.section(at: index)
  }

  /// All sections.
  public func sections() -> [ListSnapshot<O>.Section] { snapshot.sections }

  /// All objects, section after section, read together. O(objects).
  public func objectsInAllSections() -> [O] { objects(0..<snapshot.count) }

  /// The objects of a section, read together. O(objects of the section).
  public func objects(in section: Int) -> [O] { objects(sectionInfo(at: section).indices) }

  /// The objects of a section, read together; nil where there is no such section.
  public func objects(safelyIn section: Int) -> [O]? {
    sectionInfo(safelyAt: section).map { objects($0.indices) }
  }

  private func objects(_ places: Range<Int>) -> [O] {
    snapshot.publishers(in: places).compactMap { $0?.object }
  }

  /// Where an object stands, counted over all sections; nil when it is not in the list.
  public func index(of object: O) -> Int? { snapshot.index(of: object.objectID) }

  /// Where an object stands; nil when it is not in the list.
  public func indexPath(of object: O) -> IndexPath? { snapshot.indexPath(of: object.objectID) }

  /// A title for each section: the first letter of its name as a capital. Equal titles that follow each other are one.
  public func sectionIndexTitles() -> [String] {
    snapshot.sections.reduce(into: []) { titles, section in
      if let title = indexTitle(of: section), title != titles.last { titles.append(title) }
    }
  }

  /// The first section with a title of `sectionIndexTitles()`; the last one before `index` where none has it.
  public func targetSection(forSectionIndexTitle title: String, at index: Int) -> Int {
    let sections = snapshot.sections
    return sections.firstIndex { indexTitle(of: $0) == title }
      ?? max(0, min(index, sections.count - 1))
  }

  private func indexTitle(of section: ListSnapshot<O>.Section) -> String? {
    section.name?.first.map { $0.uppercased() }
  }
}

/// Monitors are equal when they are the same one.
extension ListMonitor: Hashable {
  public nonisolated static func == (left: ListMonitor<O>, right: ListMonitor<O>) -> Bool {
    left === right
  }
  public nonisolated func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
