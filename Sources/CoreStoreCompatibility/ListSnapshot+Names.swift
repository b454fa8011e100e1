public import SwiftDatastore

/// CoreStore's names for what a list has. A section that is not there is empty.
extension ListSnapshot {
  /// The class of the objects.
  public typealias ObjectType = T
  /// What identifies an object.
  public typealias ItemID = DatastoreObjectID
  /// What identifies a section.
  public typealias SectionID = ListSectionID

  /// Whether there is a section.
  public func hasSections() -> Bool { isSectioned ? numberOfSections > 0 : !isEmpty }

  /// Whether there is an object.
  public func hasItems() -> Bool { !isEmpty }

  /// Whether a section has an object.
  public func hasItems(inSectionIndex index: Int) -> Bool { numberOfObjects(inSection: index) > 0 }

  /// Whether a section has an object.
  public func hasItems(inSectionWithID id: SectionID) -> Bool { !itemIDs(inSection: id).isEmpty }

  /// How many objects there are: `count`.
  public var numberOfItems: Int { count }

  /// How many objects a section has.
  public func numberOfItems(inSectionIndex index: Int) -> Int { numberOfObjects(inSection: index) }

  /// How many objects a section has.
  public func numberOfItems(inSectionWithID id: SectionID) -> Int { itemIDs(inSection: id).count }

  /// The identifiers of the objects of a section: `itemIDs(inSection:)`.
  public func itemIDs(inSectionWithID id: SectionID) -> ListItemIDs { itemIDs(inSection: id) }

  /// The identifiers of the objects at places of a section.
  public func itemIDs(
    inSectionWithID id: SectionID, atIndices places: some Sequence<Int>
  ) -> [ItemID] { places.map { itemIDs(inSection: id)[$0] } }

  /// What identifies the section that an object is in.
  public func sectionID(containingItemWithID id: ItemID) -> SectionID? {
    section(containing: id)?.id
  }

  /// The section that an object is in: `section(containing:)`.
  public func section(containingItemWithID id: ItemID) -> Section? { section(containing: id) }

  /// The place of an object, counted over all sections: `index(of:)`.
  public func indexOfItem(withID id: ItemID) -> Int? { index(of: id) }

  /// The number of a section.
  public func indexOfSection(withID id: SectionID) -> Int? { sectionIDs.firstIndex(of: id) }

  /// What has changed: `updatedItemIDs`.
  public var updatedItemIdentifiers: Set<ItemID> { updatedItemIDs }
}

/// Publishers, each made when it is asked for. A place that is not there traps.
@MainActor extension ListSnapshot {
  /// Those at places counted over all sections.
  public func items(atIndices places: some Sequence<Int>) -> [ObjectPublisher<T>] {
    places.map { self[$0] }
  }

  /// Those of a section, whose values are read together.
  public func items(inSectionWithID id: SectionID) -> [ObjectPublisher<T>] {
    publishers(in: section(id)?.indices ?? 0..<0).compactMap(\.self)
  }

  /// Those of a section, whose values are read together.
  public func items(inSectionIndex index: Int) -> [ObjectPublisher<T>] {
    publishers(in: section(at: index)?.indices ?? 0..<0).compactMap(\.self)
  }

  /// Those at places of a section.
  public func items(
    inSectionWithID id: SectionID, atIndices places: some Sequence<Int>
  ) -> [ObjectPublisher<T>] { Array(lazy(inSectionWithID: id, atIndices: places)) }

  /// Those at places counted over all sections, one by one.
  public func lazy<S: Sequence<Int>>(atIndices places: S) -> LazyMapSequence<S, ObjectPublisher<T>>
  { places.lazy.map { self[$0] } }

  /// Those of a section, one by one.
  public func lazy(inSectionWithID id: SectionID) -> LazyMapSequence<Range<Int>, ObjectPublisher<T>>
  { lazy(atIndices: section(id)?.indices ?? 0..<0) }

  /// Those at places of a section, one by one.
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

/// The sections of CoreStore are known by their names.
extension ListSectionID: ExpressibleByStringLiteral {
  /// The section of objects that share a text.
  public init(stringLiteral name: String) { self.init(.text(name)) }
}
