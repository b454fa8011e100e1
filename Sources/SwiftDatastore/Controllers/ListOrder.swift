import DatastoreCore

/// The query of a list: its objects, their order and sections.
struct ListQuery {
  /// The request to fetch, restricted to the chosen stores.
  private(set) var request: FetchRequest
  private let given: FetchRequest
  /// The names of sections; nil to use their values.
  let titles: SectionTitles?
  let order: ListOrder
  /// The paths of predicate, sort and group keys through other entities.
  let dependencies: QueryDependencies

  init(
    _ request: FetchRequest, groupBy group: [String]?, titles: SectionTitles?, of entity: Entity,
    in schema: Schema
  ) {
    self.request = request
    given = request
    self.titles = titles
    order = ListOrder(request, groupBy: group, of: entity, in: schema)
    dependencies = QueryDependencies(of: request, groupedBy: group, from: entity, in: schema)
  }

  /// Determines the rows of the stores that the request names: with each fetch, because stores may be added
  /// in between.
  ///
  /// - Throws: `StoreError` if none of the stores holds the class.
  mutating func resolveStores(in core: ContextCore) throws {
    if given.stores != nil { request = try core.resolved(given) }
  }
}

/// The sort order of a controller's list: the group key first, then the requested order, then the object's
/// key.
struct ListOrder: Sendable {
  /// The whole order, group key included.
  let descriptors: [SortDescriptor]
  /// The path of the group key; nil without sections.
  let group: [String]?
  /// The operand of the group key, if it is computed.
  private let groupValue: Predicate.Operand?
  /// The order by slots, if every key is in the rows themselves.
  private let slots: SlotOrder?
  /// Whether only the store knows the order of objects that are equal in the descriptors before their rank.
  let isRanked: Bool
  /// The descriptors that can be compared in memory.
  private let known: [SortDescriptor]

  init(_ request: FetchRequest, groupBy group: [String]?, of entity: Entity, in schema: Schema) {
    self.group = group
    groupValue = group.map { Predicate.Operand(at: $0, of: entity, in: schema) }
    descriptors = request.listOrder(groupBy: group, groupValue)
    slots = SlotOrder(descriptors, of: entity, in: schema)
    isRanked = descriptors.hasRank(of: entity)
    known = descriptors.beforeRank(of: entity)
  }

  /// Whether one object comes before another; in a ranked order, whether it may.
  func areInOrder(_ left: ManagedObject, _ right: ManagedObject) -> Bool {
    if isRanked { return known.compareValues(left, right) != .descending }
    return (slots?.compare(left, right) ?? descriptors.compare(left, right)) == .ascending
  }

  /// Whether an object comes before the place of a former row; nil when that cannot be determined.
  func isInOrder(_ left: ManagedObject, before right: FormerRow) -> Bool? {
    slots?.compare(left, right).map { $0 == .ascending }
  }

  /// The places of the section of a former row; nil when that cannot be determined.
  func section(of row: FormerRow, in list: KeyList) -> Range<Int>? {
    guard group != nil, let value = slots?.firstValue(of: row) else { return nil }
    return section(of: value, in: list)
  }

  /// The places of the section with a value, found by binary search; nil when there is none, or when sections
  /// are not ordered by their stored values.
  func section(of value: Value, in list: KeyList) -> Range<Int>? {
    guard group != nil, slots != nil else { return nil }
    let before: Value.Ordering = descriptors[0].ascending ? .ascending : .descending
    let index = list.sections.partitioningIndex { Value.compare($0.value, value) != before }
    guard list.sections.indices.contains(index), list.sections[index].value.isSameSection(as: value)
    else { return nil }
    return list.starts[index]..<(list.starts[index] + list.sections[index].count)
  }

  /// The value of an object's group key; NULL without sections.
  func sectionValue(of object: ManagedObject) -> Value {
    switch groupValue {
    case nil: return .null
    case .keyPath(let path): return object.predicateScalar(along: path, asStored: true)
    case .some(let computed): return computed.value(of: object)
    }
  }

  /// The sections of objects that are in order.
  func sections(of objects: [ManagedObject]) -> [KeyList.Section] {
    var sections: [KeyList.Section] = []
    for object in objects {
      let value = sectionValue(of: object)
      if let last = sections.last, last.value.isSameSection(as: value) {
        sections[sections.count - 1].count += 1
      } else {
        sections.append(KeyList.Section(value: value, count: 1))
      }
    }
    return sections
  }
}

extension Value {
  /// Values that sort as equal make one section, such as 1 and 1.0.
  func isSameSection(as other: Value) -> Bool {
    Value.compare(self, other) == .same
  }

  /// The value as the name of a section: raw values of enums, nil for NULL.
  var sectionName: String? {
    switch self {
    case .null: nil
    case .integer(let integer): String(integer)
    case .real(let real): String(real)
    case .text(let text): text
    case .blob(let data): Hexadecimal.text(data, Hexadecimal.lowercase)
    }
  }

  /// The name of a section, by the query's titles if it has any.
  func sectionName(_ titles: SectionTitles?) -> String? {
    guard let titles else { return sectionName }
    return sectionName.flatMap(titles.title)
  }
}
