import DatastoreCore

/// Inserts single objects into a sorted key list, or removes them.
///
/// Each object costs O(log n) comparisons, reading the rows it is compared with. If its former row is not
/// known, it also costs a scan of the keys for its old place.
struct KeyListEditor {
  private(set) var list: KeyList
  private(set) var edits: [KeyEdit] = []
  let entity: Entity
  let order: ListOrder
  private let predicate: Predicate?
  let graph: ObjectGraph
  private let former: [RowKey: FormerRow]
  private let isLong: Bool

  /// - Parameters:
  ///   - list: the list to edit.
  ///   - entity: the entity of its objects.
  ///   - order: the order of the list.
  ///   - predicate: which objects belong to it; all if nil.
  ///   - graph: the graph of the objects.
  ///   - former: the former rows of changed objects when the list was made, if known.
  ///   - isLong: whether to compare nothing with its objects: added ones come last in their section.
  init(
    _ list: KeyList, of entity: Entity, order: ListOrder, predicate: Predicate?,
    graph: ObjectGraph, former: [RowKey: FormerRow] = [:], isLong: Bool = false
  ) {
    self.former = former
    self.isLong = isLong
    self.list = list
    self.entity = entity
    self.order = order
    self.predicate = predicate
    self.graph = graph
  }

  /// With more keys than this, one pass over the list is faster.
  private static var scanLimit: Int { 64 }

  /// Updates the places of changed objects: each is removed, and inserted again where it belongs if it still
  /// meets the condition. No object twice.
  ///
  /// In a ranked order, which only the store knows, an object keeps its place for as long as the keys before
  /// the rank allow; a new object comes last among those equal in these keys.
  mutating func place(_ objects: [ManagedObject]) {
    let oldPlaces = remove(keys: Set(objects.map(\.key)))
    edits = objects.map { KeyEdit(key: $0.key, old: oldPlaces[$0.key]) }
    var coming = objects.indices.filter { belongs(objects[$0]) }
    if order.isRanked { coming = leave(objects, coming, at: oldPlaces) }
    for index in coming { put(objects[index], as: index, at: insertionPlace(of: objects[index])) }
  }

  /// Inserts the object of an edit.
  mutating func put(_ object: ManagedObject, as index: Int, at place: Int) {
    let place = insert(object, at: place)
    // Only a few edits are distinguished later; the places of many are not needed.
    guard edits.count <= Self.scanLimit else { return }
    for other in edits.indices {
      if let later = edits[other].new, later >= place { edits[other].new = later + 1 }
    }
    edits[index].new = place
  }

  /// Removes keys without notifying observers.
  mutating func remove(_ keys: Set<RowKey>) {
    _ = remove(keys: keys)
  }

  private func belongs(_ object: ManagedObject) -> Bool {
    if object.state == .fault { graph.fulfil(object) }
    return !object.isKnownDeleted && object.entity.isKind(of: entity)
      && predicate?.admits(object) ?? true
  }

  /// The place of a key. O(log n) comparisons if its former row leads there; otherwise, also when the list
  /// was not made from that row, O(keys of the list).
  private func place(of key: RowKey) -> Int? {
    if !isLong, let row = former[key], let place = place(of: row) { return place }
    return list.keys.firstIndex(of: key)
  }

  private func place(of row: FormerRow) -> Int? {
    let keys = list.keys
    let section = order.section(of: row, in: list) ?? 0..<keys.count
    var low = section.lowerBound
    var high = section.upperBound
    while low < high {
      let middle = (low + high) / 2
      let key = keys[middle]
      if key == row.key { return middle }
      let other = graph.object(entity: entity.index, key: key)
      guard let isBefore = order.isInOrder(other, before: row) else { return nil }
      if isBefore { low = middle + 1 } else { high = middle }
    }
    return nil
  }

  /// Removes keys and returns their places.
  private mutating func remove(keys: Set<RowKey>) -> [RowKey: Int] {
    var places: [RowKey: Int] = [:]
    if keys.count <= Self.scanLimit {
      for key in keys { places[key] = place(of: key) }
    } else {
      for (place, key) in list.keys.readKeys where keys.contains(key) { places[key] = place }
    }
    guard !places.isEmpty else { return places }
    var sections = list.sections
    for place in places.values { sections[list.section(at: place)].count -= 1 }
    if keys.count <= Self.scanLimit || !list.keys.isRead {
      for place in places.values.sorted(by: >) { list.keys.remove(at: place) }
    } else {
      list.keys = KeyChunks(list.keys.filter { !keys.contains($0) })
    }
    list.sections = sections.filter { $0.count > 0 }
    return places
  }

  private func insertionPlace(of object: ManagedObject) -> Int {
    let section =
      order.section(of: order.sectionValue(of: object), in: list) ?? 0..<list.keys.count
    if isLong { return section.upperBound }
    return list.keys[section].partitioningIndex { key in
      let other = graph.object(entity: entity.index, key: key)
      return !order.areInOrder(other, object)
    }
  }

  /// - Returns: its actual place, which its section may shift.
  private mutating func insert(_ object: ManagedObject, at place: Int) -> Int {
    let value = order.sectionValue(of: object)
    var sections = list.sections
    var target = place
    // At the border of two sections the object belongs to the one of its value.
    let candidates = [place - 1, place].filter { list.keys.indices.contains($0) }
      .map { list.section(at: $0) }
    if let section = candidates.first(where: { sections[$0].value.isSameSection(as: value) }) {
      sections[section].count += 1
    } else if let section = sections.firstIndex(where: { $0.value.isSameSection(as: value) }) {
      // The neighbouring rows are newer than the list; the object is placed again when the list has caught up
      // with them.
      target = list.starts[section]
      sections[section].count += 1
    } else {
      // For the same reason the place may be inside a section, which must stay in one piece.
      let position = list.starts.partitioningIndex { $0 >= place }
      target = position < list.starts.count ? list.starts[position] : list.keys.count
      sections.insert(KeyList.Section(value: value, count: 1), at: position)
    }
    list.keys.insert(object.key, at: target)
    list.sections = sections
    return target
  }
}
