public import Foundation
public import SwiftDatastore

/// CoreStore's names for changing a copy. Objects and sections that are not in the list are ignored.
extension ListSnapshot {
  /// Appends objects to a section: `append(_:to:)`.
  public mutating func appendItems(
    withIDs ids: some Collection<ItemID>, toSectionWithID section: SectionID? = nil
  ) { append(ids, to: section) }

  /// Appends objects to a section.
  public mutating func appendItems(with ids: some Collection<ItemID>, toSectionAt index: Int) {
    if let section = section(at: index) { append(ids, to: section.id) }
  }

  /// Inserts objects before another one: `insert(_:before:)`.
  public mutating func insertItems(
    withIDs ids: some Collection<ItemID>, beforeItemID other: ItemID
  ) { insert(ids, before: other) }

  /// Inserts objects after another one: `insert(_:after:)`.
  public mutating func insertItems(
    withIDs ids: some Collection<ItemID>, afterItemID other: ItemID
  ) { insert(ids, after: other) }

  /// Inserts objects at a row of a section: `insert(_:at:)`.
  public mutating func insertItems(
    withIDs ids: some Collection<ItemID>, at indexPath: IndexPath
  ) { insert(ids, at: indexPath) }

  /// Removes objects: `delete(_:)`.
  public mutating func deleteItems(withIDs ids: some Collection<ItemID>) { delete(ids) }

  /// Removes the objects at index paths.
  public mutating func deleteItems(at places: some Collection<IndexPath>) {
    delete(ids(at: places))
  }

  /// Removes all objects and sections: `deleteAll()`.
  public mutating func deleteAllItems() { deleteAll() }

  /// Moves an object before another one: `move(_:before:)`.
  public mutating func moveItem(withID id: ItemID, beforeItemID other: ItemID) {
    move(id, before: other)
  }

  /// Moves an object after another one: `move(_:after:)`.
  public mutating func moveItem(withID id: ItemID, afterItemID other: ItemID) {
    move(id, after: other)
  }

  /// Moves an object to a row of a section: `move(from:to:)`.
  public mutating func moveItem(at indexPath: IndexPath, to newIndexPath: IndexPath) {
    move(from: indexPath, to: newIndexPath)
  }

  /// Marks objects as changed: `reload(_:)`.
  public mutating func reloadItems(withIDs ids: some Collection<ItemID>) { reload(ids) }

  /// Marks objects as changed.
  public mutating func reloadItems(at places: some Collection<IndexPath>) {
    reload(ids(at: places))
  }

  private func ids(at places: some Collection<IndexPath>) -> [ItemID] {
    let all = itemIDs
    return places.compactMap { index(at: $0).map { all[$0] } }
  }
}

/// CoreStore's names for changing sections with their objects.
extension ListSnapshot {
  /// Appends sections.
  public mutating func appendSections(withIDs ids: some Collection<SectionID>) {
    for id in ids { insertSection(id) }
  }

  /// Inserts sections before another one: `insertSection(_:before:)`.
  public mutating func insertSections(
    withIDs ids: some Collection<SectionID>, beforeSectionID other: SectionID
  ) { for id in ids { insertSection(id, before: other) } }

  /// Inserts sections after another one.
  public mutating func insertSections(
    withIDs ids: some Collection<SectionID>, afterSectionID other: SectionID
  ) { if let place = indexOfSection(withID: other) { insertSections(ids, at: place + 1) } }

  /// Inserts sections at an index.
  public mutating func insertSections(_ ids: some Collection<SectionID>, at index: Int) {
    let next = section(at: index)?.id
    for id in ids { insertSection(id, before: next) }
  }

  /// Removes sections: `deleteSection(_:)`.
  public mutating func deleteSections(withIDs ids: some Collection<SectionID>) {
    for id in ids { deleteSection(id) }
  }

  /// Removes sections.
  public mutating func deleteSections(at places: some Collection<Int>) {
    deleteSections(withIDs: ids(ofSectionsAt: places))
  }

  /// Moves a section before another one: `moveSection(_:before:)`.
  public mutating func moveSection(withID id: SectionID, beforeSectionID other: SectionID) {
    moveSection(id, before: other)
  }

  /// Moves a section after another one: `moveSection(_:after:)`.
  public mutating func moveSection(withID id: SectionID, afterSectionID other: SectionID) {
    moveSection(id, after: other)
  }

  /// Moves a section to an index.
  public mutating func moveSection(at index: Int, to newIndex: Int) {
    guard let id = section(at: index)?.id, let other = section(at: newIndex)?.id else { return }
    if newIndex > index { moveSection(id, after: other) } else { moveSection(id, before: other) }
  }

  /// Marks the objects of sections as changed.
  public mutating func reloadSections(withIDs ids: some Collection<SectionID>) {
    for id in ids { reload(itemIDs(inSection: id)) }
  }

  /// Marks the objects of sections as changed.
  public mutating func reloadSections(at places: some Collection<Int>) {
    reloadSections(withIDs: ids(ofSectionsAt: places))
  }

  private func ids(ofSectionsAt places: some Collection<Int>) -> [SectionID] {
    places.compactMap { section(at: $0)?.id }
  }
}
