import DatastoreCore
public import Foundation

/// Changing a copy, as a user interface does that shows a change before it is made. Nothing is staged by
/// that. What is named and not in the list is passed over.
extension ListSnapshot {
  /// Puts objects at the end of a section.
  ///
  /// Those that are in the list already, or are of another entity, are passed over.
  ///
  /// - Parameters:
  ///   - ids: what identifies the objects, in order.
  ///   - section: the section; the last one without it. When there is no such section, nothing happens.
  public mutating func append(
    _ ids: some Sequence<DatastoreObjectID>, to section: ListSectionID? = nil
  ) {
    makeFirstSection()
    let index = section.map { sectionIndex($0) } ?? list.sections.count - 1
    guard let index, list.sections.indices.contains(index) else { return }
    insert(ids, at: list.starts[index] + list.sections[index].count, section: index)
  }

  /// Puts objects before another one, in its section.
  ///
  /// - Parameters:
  ///   - ids: what identifies the objects, in order.
  ///   - other: the one that follows them.
  public mutating func insert(
    _ ids: some Sequence<DatastoreObjectID>, before other: DatastoreObjectID
  ) {
    guard let place = index(of: other) else { return }
    insert(ids, at: place, section: list.section(at: place))
  }

  /// Puts objects after another one, in its section.
  ///
  /// - Parameters:
  ///   - ids: what identifies the objects, in order.
  ///   - other: the one that they follow.
  public mutating func insert(
    _ ids: some Sequence<DatastoreObjectID>, after other: DatastoreObjectID
  ) {
    guard let place = index(of: other) else { return }
    insert(ids, at: place + 1, section: list.section(at: place))
  }

  /// Puts objects in a row of a section: before the one at that place, or at its end.
  ///
  /// - Parameters:
  ///   - ids: what identifies the objects, in order.
  ///   - indexPath: a section and a row in it.
  public mutating func insert(_ ids: some Sequence<DatastoreObjectID>, at indexPath: IndexPath) {
    if let place = index(at: indexPath) {
      insert(ids, at: place, section: list.section(at: place))
    } else if let section = section(at: indexPath.section), section.indices.count == indexPath.row {
      append(ids, to: section.id)
    }
  }

  /// Takes objects out of the list.
  ///
  /// - Parameter ids: what identifies the objects.
  public mutating func delete(_ ids: some Sequence<DatastoreObjectID>) {
    for id in ids {
      if let place = index(of: id) { remove(at: place) }
    }
  }

  /// Takes all objects and sections out.
  public mutating func deleteAll() { list = KeyList() }

  /// Moves an object before another one, into its section.
  ///
  /// - Parameters:
  ///   - id: what identifies the object.
  ///   - other: the one that follows it then.
  public mutating func move(_ id: DatastoreObjectID, before other: DatastoreObjectID) {
    move(id, to: other, offset: 0)
  }

  /// Moves an object after another one, into its section.
  ///
  /// - Parameters:
  ///   - id: what identifies the object.
  ///   - other: the one that it follows then.
  public mutating func move(_ id: DatastoreObjectID, after other: DatastoreObjectID) {
    move(id, to: other, offset: 1)
  }

  /// Takes the object in a row of a section out, and puts it in another one, counted when it is out.
  ///
  /// - Parameters:
  ///   - indexPath: where it is.
  ///   - newIndexPath: where it is then.
  public mutating func move(from indexPath: IndexPath, to newIndexPath: IndexPath) {
    guard let place = index(at: indexPath) else { return }
    let id = itemIDs[place]
    var moved = self
    moved.remove(at: place)
    moved.insert([id], at: newIndexPath)
    if moved.count == count { self = moved }
  }

  /// Names objects as changed: a difference from an earlier snapshot has them among its updates.
  ///
  /// - Parameter ids: what identifies the objects.
  public mutating func reload(_ ids: some Sequence<DatastoreObjectID>) {
    reloaded.formUnion(ids.filter { origin.contains($0) }.map(\.key))
  }

  /// Puts a section without objects after the others, or before another one. Does nothing when there is such
  /// a section, and in a list without sections.
  ///
  /// - Parameters:
  ///   - section: what its objects would share.
  ///   - other: the section that follows it; without it, it comes last.
  public mutating func insertSection(_ section: ListSectionID, before other: ListSectionID? = nil) {
    guard isSectioned, sectionIndex(section) == nil else { return }
    let place = other.map { sectionIndex($0) } ?? list.sections.count
    guard let place else { return }
    list.sections.insert(KeyList.Section(value: section.value, count: 0), at: place)
  }

  /// Takes a section out, with its objects. O(objects).
  ///
  /// - Parameter section: what identifies it.
  public mutating func deleteSection(_ section: ListSectionID) {
    guard let number = sectionIndex(section), list.sections.indices.contains(number) else { return }
    _ = takeSection(number)
  }

  /// Moves a section with its objects before another one. O(objects).
  ///
  /// - Parameters:
  ///   - section: what identifies it.
  ///   - other: the section that follows it then.
  public mutating func moveSection(_ section: ListSectionID, before other: ListSectionID) {
    moveSection(section, to: other, offset: 0)
  }

  /// Moves a section with its objects after another one. O(objects).
  ///
  /// - Parameters:
  ///   - section: what identifies it.
  ///   - other: the section that it follows then.
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

  /// A list without a group key has its only section as soon as there is an object.
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
