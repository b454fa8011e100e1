public import SwiftDatastore

/// CoreStore's names for the content of a list. A section that does not exist is empty.
extension ListSnapshot {
  /// The class of the objects.
  public typealias ObjectType = T
  /// The identifier of an object.
  public typealias ItemID = DatastoreObjectID
  /// The identifier of a section.
  public typealias SectionID = ListSectionID

  /// Whether there is a section.
  public func hasSections() -> Bool { isSectioned ? numberOfSections > 0 : !isEmpty }

  /// Whether there is an object.
  public func hasItems() -> Bool { !isEmpty }

  /// Whether a section has an object.
  public func hasItems(inSectionIndex index: Int) -> Bool { numberOfObjects(inSection: index) > 0 }

  /// Whether a section has an object.
  public func hasItems(inSectionWithID id: SectionID) -> Bool { !itemIDs(inSection: id).isEmpty }

  /// The number of objects: `count`.
  public var numberOfItems: Int { count }

  /// The number of objects of a section.
  public func numberOfItems(inSectionIndex index: Int) -> Int { numberOfObjects(inSection: index) }

  /// The number of objects of a section.
  public func numberOfItems(inSectionWithID id: SectionID) -> Int { itemIDs(inSection: id).count }

  /// The identifiers of the objects of a section: `itemIDs(inSection:)`.
  public func itemIDs(inSectionWithID id: SectionID) -> ListItemIDs { itemIDs(inSection: id) }

  /// The identifiers of the objects at indices of a section.
  public func itemIDs(
    inSectionWithID id: SectionID, atIndices places: some Sequence<Int>
  ) -> [ItemID] { places.map { itemIDs(inSection: id)[$0] } }

  /// The identifier of the section that contains an object.
  public func sectionID(containingItemWithID id: ItemID) -> SectionID? {
    section(containing: id)?.id
  }

  /// The section that contains an object: `section(containing:)`.
  public func section(containingItemWithID id: ItemID) -> Section? { section(containing: id) }

  /// The index of an object, counted over all sections: `index(of:)`.
  public func indexOfItem(withID id: ItemID) -> Int? { index(of: id) }

  /// The index of a section.
  public func indexOfSection(withID id: SectionID) -> Int? { sectionIDs.firstIndex(of: id) }

  /// The identifiers of changed objects: `updatedItemIDs`.
  public var updatedItemIdentifiers: Set<ItemID> { updatedItemIDs }
}

/// Publishers, each created on demand. An index that does not exist traps.
@MainActor extension ListSnapshot {
  /// The publishers at indices counted over all sections.
  public func items(atIndices places: some Sequence<Int>) -> [ObjectPublisher<T>] {
    places.map { self[$0] }
  }

  /// The publishers of a section, whose values are read together.
  public func items(inSectionWithID id: SectionID) -> [ObjectPublisher<T>] {
    publishers(in: section(id)?.indices ?? 0..<0).compactMap(\.self)
  }

  /// The publishers of a section, whose values are read together.
  public func items(inSectionIndex index: Int) -> [ObjectPublisher<T>] {
    publishers(in: section(at: index)?.indices ?? 0..<0).compactMap(\.self)
  }

  /// The publishers at indices of a section.
  public func items(
    inSectionWithID id: SectionID, atIndices places: some Sequence<Int>
  ) -> [ObjectPublisher<T>] { Array(lazy(inSectionWithID: id, atIndices: places)) }

  /// The publishers at indices counted over all sections, one by one.
  public func lazy<S: Sequence<Int>>(atIndices places: S) -> LazyMapSequence<S, ObjectPublisher<T>>
  { places.lazy.map { self[$0] } }

  /// The publishers of a section, one by one.
  public func lazy(inSectionWithID id: SectionID) -> LazyMapSequence<Range<Int>, ObjectPublisher<T>>
  { lazy(atIndices: section(id)?.indices ?? 0..<0) }

  /// The publishers at indices of a section, one by one.
  public func lazy<S: Sequence<Int>>(
    inSectionWithID id: SectionID, atIndices places: S
  ) -> LazyMapSequence<S, ObjectPublisher<T>> {
    let first = section(id)?.indices.lowerBound ?? 0
    return places.lazy.map { self[first + $0] }
  }

  /// The sections, each a collection of publishers.
  public nonisolated func sections() -> [SectionInfo] {
    sections.map { SectionInfo(list: self, section: $0) }
  }

  /// A section, on the main actor a collection of the publishers of its objects.
  public struct SectionInfo: Hashable, Sendable {
    let list: ListSnapshot
    let section: Section

    /// The identifier of the section.
    public var sectionID: SectionID { section.id }
    /// The identifiers of its objects.
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

/// CoreStore's sections are identified by their names.
extension ListSectionID: ExpressibleByStringLiteral {
  /// The section of objects that share a text.
  public init(stringLiteral name: String) { self.init(.text(name)) }
}
