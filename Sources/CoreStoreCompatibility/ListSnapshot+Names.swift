public import Foundation
public import SwiftDatastore

/// CoreStore's names for what a list has. A section that is not there is empty.
extension ListSnapshot {
  /// Whether there is a section.
  public func hasSections() -> Bool { isSectioned ? numberOfSections > 0 : !isEmpty }

  /// Whether there is an object.
  public func hasItems() -> Bool { !isEmpty }

  /// Whether a section has an object.
  public func hasItems(inSectionIndex index: Int) -> Bool {
    numberOfItems(inSectionIndex: index) > 0
  }

  /// Whether a section has an object.
  public func hasItems(inSectionWithID id: ListSectionID) -> Bool {
    numberOfItems(inSectionWithID: id) > 0
  }

  /// How many objects there are: `count`.
  public var numberOfItems: Int { count }

  /// How many objects a section has.
  public func numberOfItems(inSectionIndex index: Int) -> Int {
    section(at: index)?.indices.count ?? 0
  }

  /// How many objects a section has.
  public func numberOfItems(inSectionWithID id: ListSectionID) -> Int {
    section(id)?.indices.count ?? 0
  }

  /// The identifiers of the objects of a section: `itemIDs(inSection:)`.
  public func itemIDs(inSectionWithID id: ListSectionID) -> ListItemIDs { itemIDs(inSection: id) }

  /// The identifiers of the objects at places of a section.
  public func itemIDs(
    inSectionWithID id: ListSectionID, atIndices places: some Sequence<Int>
  ) -> [DatastoreObjectID] {
    let ids = itemIDs(inSection: id)
    return places.map { ids[$0] }
  }

  /// What identifies the section that an object is in.
  public func sectionID(containingItemWithID id: DatastoreObjectID) -> ListSectionID? {
    section(containing: id)?.id
  }

  /// The section that an object is in: `section(containing:)`.
  public func section(containingItemWithID id: DatastoreObjectID) -> Section? {
    section(containing: id)
  }

  /// Where an object stands, counted over all sections: `index(of:)`.
  public func indexOfItem(withID id: DatastoreObjectID) -> Int? { index(of: id) }

  /// The number of a section.
  public func indexOfSection(withID id: ListSectionID) -> Int? { sectionIDs.firstIndex(of: id) }

  /// What has changed: `updatedItemIDs`.
  public var updatedItemIdentifiers: Set<DatastoreObjectID> { updatedItemIDs }

  /// The publisher of the object at a place counted over all sections; nil when there is none.
  @MainActor
  public subscript(safeIndex index: Int) -> ObjectPublisher<T>? { self[safe: index] }

  /// The publisher of the object in a row of a section; nil when there is none.
  @MainActor
  public subscript(safeIndexPath indexPath: IndexPath) -> ObjectPublisher<T>? {
    self[safe: indexPath]
  }

  /// The publisher of the object in a row of a section. Traps when there is none.
  @MainActor
  public subscript(sectionIndex: Int, itemIndex: Int) -> ObjectPublisher<T> {
    self[IndexPath(row: itemIndex, section: sectionIndex)]
  }

  /// The publisher of the object in a row of a section; nil when there is none.
  @MainActor
  public subscript(
    safeSectionIndex section: Int, safeItemIndex row: Int
  ) -> ObjectPublisher<T>? { self[safe: IndexPath(row: row, section: section)] }

  /// The publishers of the objects at places counted over all sections.
  @MainActor
  public func items(atIndices places: some Sequence<Int>) -> [ObjectPublisher<T>] {
    places.map { self[$0] }
  }

  /// The publishers of the objects of a section, whose values are read together.
  @MainActor
  public func items(inSectionWithID id: ListSectionID) -> [ObjectPublisher<T>] {
    publishers(in: section(id)?.indices ?? 0..<0).compactMap(\.self)
  }

  /// The publishers of the objects of a section, whose values are read together.
  @MainActor
  public func items(inSectionIndex index: Int) -> [ObjectPublisher<T>] {
    publishers(in: section(at: index)?.indices ?? 0..<0).compactMap(\.self)
  }
}

/// CoreStore's names for changing a copy. What is named and not in the list is passed over.
extension ListSnapshot {
  /// Puts objects at the end of a section: `append(_:to:)`.
  public mutating func appendItems(
    withIDs ids: some Collection<DatastoreObjectID>, toSectionWithID section: ListSectionID? = nil
  ) { append(Array(ids), to: section) }

  /// Puts objects at the end of a section.
  public mutating func appendItems(
    with ids: some Collection<DatastoreObjectID>, toSectionAt index: Int
  ) {
    if let section = section(at: index) { append(Array(ids), to: section.id) }
  }

  /// Puts objects before another one: `insert(_:before:)`.
  public mutating func insertItems(
    withIDs ids: some Collection<DatastoreObjectID>, beforeItemID other: DatastoreObjectID
  ) { insert(Array(ids), before: other) }

  /// Puts objects after another one: `insert(_:after:)`.
  public mutating func insertItems(
    withIDs ids: some Collection<DatastoreObjectID>, afterItemID other: DatastoreObjectID
  ) { insert(Array(ids), after: other) }

  /// Takes objects out: `delete(_:)`.
  public mutating func deleteItems(withIDs ids: some Collection<DatastoreObjectID>) {
    delete(Array(ids))
  }

  /// Takes the objects at places out.
  public mutating func deleteItems(at places: some Collection<IndexPath>) {
    let all = itemIDs
    delete(places.compactMap { index(at: $0).map { all[$0] } })
  }

  /// Takes all objects and sections out: `deleteAll()`.
  public mutating func deleteAllItems() { deleteAll() }

  /// Moves an object before another one: `move(_:before:)`.
  public mutating func moveItem(
    withID id: DatastoreObjectID, beforeItemID other: DatastoreObjectID
  ) { move(id, before: other) }

  /// Moves an object after another one: `move(_:after:)`.
  public mutating func moveItem(
    withID id: DatastoreObjectID, afterItemID other: DatastoreObjectID
  ) { move(id, after: other) }

  /// Names objects as changed: `reload(_:)`.
  public mutating func reloadItems(withIDs ids: some Collection<DatastoreObjectID>) {
    reload(Array(ids))
  }

  /// Puts sections after the others.
  public mutating func appendSections(withIDs ids: some Collection<ListSectionID>) {
    for id in ids { insertSection(id) }
  }

  /// Puts sections before another one: `insertSection(_:before:)`.
  public mutating func insertSections(
    withIDs ids: some Collection<ListSectionID>, beforeSectionID other: ListSectionID
  ) { for id in ids { insertSection(id, before: other) } }

  /// Takes sections out with their objects: `deleteSection(_:)`.
  public mutating func deleteSections(withIDs ids: some Collection<ListSectionID>) {
    for id in ids { deleteSection(id) }
  }

  /// Moves a section with its objects: `moveSection(_:before:)`.
  public mutating func moveSection(
    withID id: ListSectionID, beforeSectionID other: ListSectionID
  ) { moveSection(id, before: other) }

  /// Names the objects of sections as changed.
  public mutating func reloadSections(withIDs ids: some Collection<ListSectionID>) {
    for id in ids { reload(Array(itemIDs(inSection: id))) }
  }
}

/// The sections of CoreStore are known by their names.
extension ListSectionID: ExpressibleByStringLiteral {
  /// The section of objects that share a text.
  public init(stringLiteral name: String) { self.init(.text(name)) }
}
