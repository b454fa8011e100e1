public import DatastoreCore

extension ListSnapshot {
  /// Consecutive objects with equal group keys.
  public struct Section: Sendable, Hashable, Identifiable {
    /// The identity of the section in its list and in later ones: the value that its objects share.
    public let id: ListSectionID
    /// The indices of its objects, over all sections.
    public let indices: Range<Int>
    let titles: SectionTitles?

    /// The value of the section; NULL if its objects have none, and for a list without sections.
    public var value: Value { id.value }

    /// The value as text (raw values of enums), unless the query makes names from values; empty if the
    /// objects have no value, whose `value` is NULL.
    public var name: String { id.value.sectionName(titles) ?? "" }

    /// The first letter of its name as a capital, for an index beside a long list; nil without a name.
    public var indexTitle: String? { name.first.map { $0.uppercased() } }

    /// Sections are equal when they have the same value and the same places.
    public static func == (left: Section, right: Section) -> Bool {
      left.id == right.id && left.indices == right.indices
    }

    /// Hashes its identifier and its places.
    public func hash(into hasher: inout Hasher) {
      hasher.combine(id)
      hasher.combine(indices)
    }
  }

  /// The number of sections: one without a group key, even if there are no objects. O(1).
  public var numberOfSections: Int { isSectioned ? list.sections.count : 1 }

  /// The section at a place, or nil when there is none. O(1).
  ///
  /// - Parameter index: the number of the section.
  public func section(at index: Int) -> Section? {
    Section(at: index, of: list, isSectioned: isSectioned, titles)
  }

  /// The identifiers of the sections, in order. O(sections).
  public var sectionIDs: [ListSectionID] { sections.map(\.id) }

  /// The section with a value, or nil. O(sections).
  ///
  /// - Parameter id: the identifier of the section.
  public func section(_ id: ListSectionID) -> Section? {
    sectionIndex(id).flatMap { section(at: $0) }
  }

  /// The section of an object; nil when it is not in the list. As fast as `index(of:)`.
  ///
  /// - Parameter id: the identifier of the object.
  public func section(containing id: DatastoreObjectID) -> Section? {
    index(of: id).flatMap { section(at: list.section(at: $0)) }
  }

  /// The identifiers of the objects of a section; empty when there is no such section. O(sections).
  ///
  /// - Parameter id: the identifier of the section.
  public func itemIDs(inSection id: ListSectionID) -> ListItemIDs {
    ListItemIDs(keys: list.keys, places: section(id)?.indices ?? 0..<0, origin: origin)
  }

  func sectionIndex(_ id: ListSectionID) -> Int? {
    (0..<numberOfSections).first { section(at: $0)?.id == id }
  }
}

/// The identity of a section of a `ListSnapshot`: the value that its objects share. Values that sort as
/// equal, such as 1 and 1.0, are the same section.
public struct ListSectionID: Sendable, Hashable {
  /// The value.
  public let value: Value

  /// The section of a value.
  ///
  /// - Parameter value: the value that its objects share.
  public init(_ value: Value) { self.value = value }

  /// Whether objects with either value are in the same section.
  public static func == (left: ListSectionID, right: ListSectionID) -> Bool {
    left.value.isSameSection(as: right.value)
  }

  /// Hashes the value.
  public func hash(into hasher: inout Hasher) { hasher.combine(SectionKey(value)) }
}

extension ListSnapshot.Section {
  /// nil if the list has no such section. A list without a group key has one, even if there are no objects.
  init?(at index: Int, of list: KeyList, isSectioned: Bool, _ titles: SectionTitles?) {
    guard list.sections.indices.contains(index) else {
      guard index == 0, !isSectioned else { return nil }
      self.init(id: ListSectionID(.null), indices: 0..<0, titles: nil)
      return
    }
    let start = list.starts[index]
    let section = list.sections[index]
    self.init(
      id: ListSectionID(section.value), indices: start..<start + section.count, titles: titles)
  }
}

extension ListSnapshot: SectionedList {
  public var objectCount: Int { count }
  public var sectionCount: Int { numberOfSections }

  @MainActor
  public func objects(at places: Range<Int>) -> [T] {
    publishers(in: places).compactMap { $0?.object }
  }
}
