public import Foundation
public import SwiftDatastore

/// CoreStore's names for changing a copy by places. What is not there is passed over.
extension ListSnapshot {
  /// What identifies an object.
  public typealias ItemID = DatastoreObjectID
  /// What identifies a section.
  public typealias SectionID = ListSectionID

  /// Puts objects in a row of a section: `insert(_:at:)`.
  public mutating func insertItems(
    withIDs ids: some Collection<ItemID>, at indexPath: IndexPath
  ) { insert(Array(ids), at: indexPath) }

  /// Takes an object out, and puts it in a row of a section: `move(from:to:)`.
  public mutating func moveItem(at indexPath: IndexPath, to newIndexPath: IndexPath) {
    move(from: indexPath, to: newIndexPath)
  }

  /// Names objects as changed.
  public mutating func reloadItems(at places: some Collection<IndexPath>) {
    let all = itemIDs
    reload(places.compactMap { index(at: $0).map { all[$0] } })
  }

  /// Puts sections after another one.
  public mutating func insertSections(
    withIDs ids: some Collection<SectionID>, afterSectionID other: SectionID
  ) {
    guard let place = indexOfSection(withID: other) else { return }
    insertSections(ids, at: place + 1)
  }

  /// Puts sections at a place.
  public mutating func insertSections(_ ids: some Collection<SectionID>, at index: Int) {
    let next = section(at: index)?.id
    for id in ids { insertSection(id, before: next) }
  }

  /// Takes sections out with their objects.
  public mutating func deleteSections(at places: some Collection<Int>) {
    for id in places.compactMap({ section(at: $0)?.id }) { deleteSection(id) }
  }

  /// Moves a section with its objects after another one.
  public mutating func moveSection(withID id: SectionID, afterSectionID other: SectionID) {
    moveSection(id, after: other)
  }

  /// Moves a section with its objects to a place.
  public mutating func moveSection(at index: Int, to newIndex: Int) {
    guard let moved = section(at: index), let other = section(at: newIndex) else { return }
    if newIndex > index {
      moveSection(moved.id, after: other.id)
    } else {
      moveSection(moved.id, before: other.id)
    }
  }

  /// Names the objects of sections as changed.
  public mutating func reloadSections(at places: some Collection<Int>) {
    for id in places.compactMap({ section(at: $0)?.id }) { reload(Array(itemIDs(inSection: id))) }
  }

  /// The publishers of the objects at places of a section.
  @MainActor
  public func items(
    inSectionWithID id: SectionID, atIndices places: some Sequence<Int>
  ) -> [ObjectPublisher<T>] {
    let first = section(id)?.indices.lowerBound ?? 0
    return places.map { self[first + $0] }
  }

  /// The publishers of the objects at places counted over all sections, each made when it is asked for.
  @MainActor
  public func lazy<S: Sequence<Int>>(atIndices places: S) -> LazyMapSequence<S, ObjectPublisher<T>>
  {
    places.lazy.map { self[$0] }
  }

  /// The publishers of the objects of a section, each made when it is asked for.
  @MainActor
  public func lazy(inSectionWithID id: SectionID) -> LazyMapSequence<Range<Int>, ObjectPublisher<T>>
  {
    lazy(atIndices: section(id)?.indices ?? 0..<0)
  }

  /// The sections, each a collection of publishers.
  public func sections() -> [SectionInfo] {
    sections.map { SectionInfo(list: self, section: $0) }
  }

  /// A section, on the main actor a collection of the publishers of its objects.
  public struct SectionInfo: Hashable, Sendable {
    let list: ListSnapshot
    let section: Section

    /// What identifies the section.
    public var sectionID: SectionID { section.id }
    /// What identifies its objects.
    public var itemIDs: ListItemIDs { list.itemIDs(inSection: section.id) }
    /// The name of the section.
    public var name: String? { section.name }
  }
}

extension ListSnapshot.SectionInfo: @MainActor RandomAccessCollection {
  @MainActor public var startIndex: Int { 0 }
  @MainActor public var endIndex: Int { section.indices.count }
  @MainActor public subscript(position: Int) -> ObjectPublisher<T> {
    list[section.indices.lowerBound + position]
  }
}
