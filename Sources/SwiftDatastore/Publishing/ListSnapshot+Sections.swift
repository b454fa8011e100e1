public import DatastoreCore

extension ListSnapshot {
  /// Objects with equal group keys, one after the other.
  public struct Section: Sendable, Hashable, Identifiable {
    /// What identifies the section in its list and in later ones: the value that its objects share.
    public let id: ListSectionID
    /// Its objects, as places counted over all sections.
    public let indices: Range<Int>
    let titles: SectionTitles?

    /// The value that makes the section; NULL where objects have none, and for a list without sections.
    public var value: Value { id.value }

    /// The value as text (raw values of enums), unless the query makes names of it; empty where objects
    /// have no value, whose `value` is NULL.
    public var name: String { id.value.sectionName(titles) ?? "" }

    /// The first letter of its name as a capital, for a list of letters beside a long list; nil without a
    /// name.
    public var indexTitle: String? { name.first.map { $0.uppercased() } }

    /// Sections are equal when they have the same value and the same places.
    public static func == (left: Section, right: Section) -> Bool {
      left.id == right.id && left.indices == right.indices
    }

    /// Hashes what identifies it, and its places.
    public func hash(into hasher: inout Hasher) {
      hasher.combine(id)
      hasher.combine(indices)
    }
  }

  /// How many sections there are: without a group key one, also for no objects. O(1).
  public var numberOfSections: Int { isSectioned ? list.sections.count : 1 }

  /// The section at a place, or nil when there is none. O(1).
  ///
  /// - Parameter index: the number of the section.
  public func section(at index: Int) -> Section? {
    Section(at: index, of: list, isSectioned: isSectioned, titles)
  }

  /// What identifies the sections, in order. O(sections).
  public var sectionIDs: [ListSectionID] { sections.map(\.id) }

  /// The section with a value, or nil. O(sections).
  ///
  /// - Parameter id: what identifies the section.
  public func section(_ id: ListSectionID) -> Section? {
    sectionIndex(id).flatMap { section(at: $0) }
  }

  /// The section that an object is in; nil when it is not in the list. As fast as `index(of:)`.
  ///
  /// - Parameter id: what identifies the object.
  public func section(containing id: DatastoreObjectID) -> Section? {
    index(of: id).flatMap { section(at: list.section(at: $0)) }
  }

  /// The identifiers of the objects of a section; empty when there is no such section. O(sections).
  ///
  /// - Parameter id: what identifies the section.
  public func itemIDs(inSection id: ListSectionID) -> ListItemIDs {
    ListItemIDs(keys: list.keys, places: section(id)?.indices ?? 0..<0, origin: origin)
  }

  func sectionIndex(_ id: ListSectionID) -> Int? {
    (0..<numberOfSections).first { section(at: $0)?.id == id }
  }
}

/// What identifies a section of a `ListSnapshot`: the value that its objects share. Values that sort alike,
/// such as 1 and 1.0, make one section.
public struct ListSectionID: Sendable, Hashable {
  /// The value.
  public let value: Value

  /// The section of a value.
  ///
  /// - Parameter value: what its objects share.
  public init(_ value: Value) { self.value = value }

  /// Whether objects with the one value and objects with the other are in the same section.
  public static func == (left: ListSectionID, right: ListSectionID) -> Bool {
    left.value.isSameSection(as: right.value)
  }

  /// Hashes what identifies it.
  public func hash(into hasher: inout Hasher) { hasher.combine(SectionKey(value)) }
}

extension ListSnapshot.Section {
  /// nil where the list has no such section. A list without a group key has one, also for no objects.
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
