import DatastoreCore
public import Foundation

/// Editing a copy, for a user interface that shows a change before it is made. Stages nothing. Ignores
/// identifiers that are not in the list.
extension ListSnapshot {
  /// Adds objects to the end of a section.
  ///
  /// Ignores objects that are in the list already, or are of another entity.
  ///
  /// - Parameters:
  ///   - ids: the identifiers of the objects, in order.
  ///   - section: the section; the last one if nil. If there is no such section, nothing happens.
  public mutating func append(
    _ ids: some Sequence<DatastoreObjectID>, to section: ListSectionID? = nil
  ) {
    makeFirstSection()
    let index = section.map { sectionIndex($0) } ?? list.sections.count - 1
    guard let index, list.sections.indices.contains(index) else { return }
    insert(ids, at: list.starts[index] + list.sections[index].count, section: index)
  }

  /// Inserts objects before another one, in its section.
  ///
  /// - Parameters:
  ///   - ids: the identifiers of the objects, in order.
  ///   - other: the object that will follow them.
  public mutating func insert(
    _ ids: some Sequence<DatastoreObjectID>, before other: DatastoreObjectID
  ) {
    guard let place = index(of: other) else { return }
    insert(ids, at: place, section: list.section(at: place))
  }

  /// Inserts objects after another one, in its section.
  ///
  /// - Parameters:
  ///   - ids: the identifiers of the objects, in order.
  ///   - other: the object that they will follow.
  public mutating func insert(
    _ ids: some Sequence<DatastoreObjectID>, after other: DatastoreObjectID
  ) {
    guard let place = index(of: other) else { return }
    insert(ids, at: place + 1, section: list.section(at: place))
  }

  /// Inserts objects at a row of a section: before the object at that row, or at the end of the section.
  ///
  /// - Parameters:
  ///   - ids: the identifiers of the objects, in order.
  ///   - indexPath: a section and a row in it.
  public mutating func insert(_ ids: some Sequence<DatastoreObjectID>, at indexPath: IndexPath) {
    if let place = index(at: indexPath) {
      insert(ids, at: place, section: list.section(at: place))
    } else if let section = section(at: indexPath.section), section.indices.count == indexPath.row {
      append(ids, to: section.id)
    }
  }

  /// Removes objects from the list.
  ///
  /// - Parameter ids: the identifiers of the objects.
  public mutating func delete(_ ids: some Sequence<DatastoreObjectID>) {
    for id in ids {
      if let place = index(of: id) { remove(at: place) }
    }
  }

  /// Removes all objects and sections.
  public mutating func deleteAll() { list = KeyList() }

  /// Moves an object before another one, into its section.
  ///
  /// - Parameters:
  ///   - id: the identifier of the object.
  ///   - other: the object that will follow it.
  public mutating func move(_ id: DatastoreObjectID, before other: DatastoreObjectID) {
    move(id, to: other, offset: 0)
  }

  /// Moves an object after another one, into its section.
  ///
  /// - Parameters:
  ///   - id: the identifier of the object.
  ///   - other: the object that it will follow.
  public mutating func move(_ id: DatastoreObjectID, after other: DatastoreObjectID) {
    move(id, to: other, offset: 1)
  }

  /// Removes an object from a row of a section, and inserts it at another row, counted after the removal.
  ///
  /// - Parameters:
  ///   - indexPath: its current place.
  ///   - newIndexPath: its new place.
  public mutating func move(from indexPath: IndexPath, to newIndexPath: IndexPath) {
    guard let place = index(at: indexPath) else { return }
    let id = itemIDs[place]
    var moved = self
    moved.remove(at: place)
    moved.insert([id], at: newIndexPath)
    if moved.count == count { self = moved }
  }

  /// Marks objects as changed: a difference from an earlier snapshot has them among its updates.
  ///
  /// - Parameter ids: the identifiers of the objects.
  public mutating func reload(_ ids: some Sequence<DatastoreObjectID>) {
    reloaded.formUnion(ids.filter { origin.contains($0) }.map(\.key))
  }

  /// Adds an empty section after the others, or before another one. Does nothing if the section exists
  /// already, and in a list without sections.
  ///
  /// - Parameters:
  ///   - section: the value that its objects would share.
  ///   - other: the section that will follow it; if nil, the new one comes last.
  public mutating func insertSection(_ section: ListSectionID, before other: ListSectionID? = nil) {
    guard isSectioned, sectionIndex(section) == nil else { return }
    let place = other.map { sectionIndex($0) } ?? list.sections.count
    guard let place else { return }
    list.sections.insert(KeyList.Section(value: section.value, count: 0), at: place)
  }

  /// Removes a section with its objects. O(objects).
  ///
  /// - Parameter section: the identifier of the section.
  public mutating func deleteSection(_ section: ListSectionID) {
    guard let number = sectionIndex(section), list.sections.indices.contains(number) else { return }
    _ = takeSection(number)
  }

  /// Moves a section with its objects before another one. O(objects).
  ///
  /// - Parameters:
  ///   - section: the identifier of the section.
  ///   - other: the section that will follow it.
  public mutating func moveSection(_ section: ListSectionID, before other: ListSectionID) {
    moveSection(section, to: other, offset: 0)
  }

  /// Moves a section with its objects after another one. O(objects).
  ///
  /// - Parameters:
  ///   - section: the identifier of the section.
  ///   - other: the section that it will follow.
  public mutating func moveSection(_ section: ListSectionID, after other: ListSectionID) {
    moveSection(section, to: other, offset: 1)
  }

  private mutating func moveSection(
    _ section: ListSectionID, to other: ListSectionID, offset: Int
  ) {
    guard section != other, let number = sectionIndex(section), sectionIndex(other) != nil,
      list.sections.indices.contains(number)
    else { return }
    let (taken, keys) = takeSection(number)
    guard let place = sectionIndex(other).map({ $0 + offset }) else { return }
    let start = place < list.sections.count ? list.starts[place] : count
    var all = list.keys.unpacked(0..<start)
    all += keys
    all += list.keys.unpacked(start..<count)
    list.keys = KeyChunks(all)
    list.sections.insert(taken, at: place)
  }

  private mutating func takeSection(
    _ number: Int
  ) -> (KeyList.Section, ContiguousArray<RowKey>) {
    let start = list.starts[number]
    let end = start + list.sections[number].count
    let keys = list.keys.unpacked(start..<end)
    list.keys = KeyChunks(list.keys.unpacked(0..<start) + list.keys.unpacked(end..<count))
    return (list.sections.remove(at: number), keys)
  }

  /// A list without a group key has its only section as soon as it has an object.
  private mutating func makeFirstSection() {
    if !isSectioned, list.sections.isEmpty {
      list.sections = [KeyList.Section(value: .null, count: 0)]
    }
  }

  private mutating func insert(
    _ ids: some Sequence<DatastoreObjectID>, at place: Int, section: Int
  ) {
    var place = place
    for id in ids where origin.contains(id) && list.keys.firstIndex(of: id.key) == nil {
      list.keys.insert(id.key, at: place)
      list.sections[section].count += 1
      place += 1
    }
  }

  private mutating func remove(at place: Int) {
    list.sections[list.section(at: place)].count -= 1
    list.keys.remove(at: place)
  }

  private mutating func move(
    _ id: DatastoreObjectID, to other: DatastoreObjectID, offset: Int
  ) {
    guard id != other, let place = index(of: id), index(of: other) != nil else { return }
    remove(at: place)
    guard let target = index(of: other) else { return }
    insert([id], at: target + offset, section: list.section(at: target))
  }
}
