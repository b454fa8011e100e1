/// The mapping between the keys of one of several stores and those of all stores that hold the same entities.
///
/// Two files have rows with the same number. The first store to hold an entity keeps its keys unchanged; to
/// those of the store after `n` others, `n` · 2⁵⁶ is added. So the key of an object contains its store, keys
/// of one store stay together and in their order, and no mapping has to be remembered. Adding a store later
/// changes no key of another one.
///
/// A "shared" key is the one that contexts use, an "own" key the one in the store.
struct KeyShift: Sendable {
  /// The size of each store's range of keys.
  static let width: Int64 = 1 << 56
  /// The greatest number of stores that may hold one entity.
  static let mostStores = 128
  /// The size of each store's range of keys for references that lead nowhere.
  private static let danglingWidth: Int64 = 1 << 33

  /// By entity, the number of stores that held it before this one.
  let ranks: ByEntity<Int>
  /// By entity, the slots of to-one relationships whose shared keys differ from the store's.
  private let references: ByEntity<[(slot: Slot, destination: EntityIndex)]>
  let schema: Schema

  init(ranks: ByEntity<Int>, schema: Schema) {
    self.ranks = ranks
    self.schema = schema
    references = ByEntity(
      schema.entities.map { entity in
        entity.links.compactMap(\.self)
          .filter { !$0.kind.isToMany && ranks[$0.destination] > 0 }
          .map { ($0.slot, $0.destination) }
      })
  }

  /// Whether shared rows of an entity and its descendants differ from the store's.
  func changes(_ entity: EntityIndex) -> Bool {
    schema.entities[entity].members.contains { ranks[$0] > 0 || !references[$0].isEmpty }
      || schema.entities[entity].links.contains { $0.map { ranks[$0.destination] > 0 } ?? false }
  }

  /// The number of stores before the one of a key.
  static func rank(of key: RowKey) -> Int {
    if DanglingKey.isOne(key) {
      return Int((key.rawValue - DanglingKey.range.lowerBound.rawValue) / danglingWidth)
    }
    return max(0, Int(((key.rawValue >> 55) + 1) >> 1))
  }

  /// The range of shared keys of a store's rows.
  static func keys(ofRank rank: Int) -> ClosedRange<RowKey> {
    let start = rank == 0 ? Int64.min : Int64(rank) * width - width / 2
    return RowKey(start)...RowKey(Int64(rank) * width + (width / 2 - 1))
  }

  func shared(_ key: RowKey, of entity: EntityIndex) -> RowKey {
    RowKey(key.rawValue &+ distance(of: key, ranks[entity]))
  }

  /// For a key of another store, a key that no row has.
  func own(_ key: RowKey, of entity: EntityIndex) -> RowKey {
    let rank = ranks[entity]
    if rank == 0 { return key }
    let (own, isTooLow) = key.rawValue.subtractingReportingOverflow(distance(of: key, rank))
    return RowKey(isTooLow ? .max : own)
  }

  private func distance(of key: RowKey, _ rank: Int) -> Int64 {
    Int64(rank) &* (DanglingKey.isOne(key) ? Self.danglingWidth : Self.width)
  }

  func shared(_ keys: [RowKey], of entity: EntityIndex) throws -> [RowKey] {
    try requireRoom(for: keys, of: entity)
    return ranks[entity] == 0 ? keys : keys.map { shared($0, of: entity) }
  }

  func own(_ keys: [RowKey], of entity: EntityIndex) -> [RowKey] {
    ranks[entity] == 0 ? keys : keys.map { own($0, of: entity) }
  }

  /// The value of a relationship to an entity.
  func shared(_ value: Value, of entity: EntityIndex) -> Value {
    value.key.map { .key(shared($0, of: entity)) } ?? value
  }

  func own(_ value: Value, of entity: EntityIndex) -> Value {
    value.key.map { .key(own($0, of: entity)) } ?? value
  }

  /// Checks that keys of the store do not collide with those of other stores. Native files never have such
  /// keys.
  ///
  /// - Throws: `StoreError.keyTooGreat`.
  func requireRoom(for keys: some Sequence<RowKey>, of entity: EntityIndex) throws {
    for key in keys where Self.rank(of: key) != 0 || isTooLow(key) {
      throw StoreError.keyTooGreat(entity: schema.entities[entity].name, key: key)
    }
  }

  private func isTooLow(_ key: RowKey) -> Bool {
    key.rawValue < -(Self.width / 2) && !DanglingKey.isOne(key)
  }

  // MARK: Rows

  /// The rows read by a store, with shared keys.
  ///
  /// - Throws: `StoreError.keyTooGreat`.
  func shared(_ pages: [RowPage], of entity: EntityIndex) throws -> [RowPage] {
    for page in pages where page.hasWideKeys {
      try requireRoom(for: (0..<page.rowCount).lazy.map(page.key(ofRow:)), of: entity)
    }
    if !changes(entity) { return pages }
    return pages.map { page in
      let copy = RowPage(columnCount: page.columnCount, rowCapacity: page.rowCount)
      for row in 0..<page.rowCount {
        let concrete = schema.entities[entity].index(ofRow: row, in: page)
        append(RowReference(page, row), of: concrete, to: copy, shared)
      }
      copy.seal()
      return copy
    }
  }

  /// Appends a row to a page, with other keys.
  ///
  /// - Parameters:
  ///   - entity: the entity of the row itself, not an ancestor.
  ///   - moved: converts a key of an entity.
  func append(
    _ row: RowReference, of entity: EntityIndex, to copy: RowPage,
    _ moved: (RowKey, EntityIndex) -> RowKey
  ) {
    let (page, source) = (row.page, row.row)
    let place = copy.appendRow(key: moved(page.key(ofRow: source), entity))
    for column in 0..<page.columnCount {
      copy.copyCell(from: page, row: source, to: place, column: column)
    }
    for (slot, destination) in references[entity] {
      guard page.tag(row: source, slot: slot) == .integer else { continue }
      copy.setKey(moved(page.key(row: source, slot: slot), destination), row: place, slot: slot)
    }
  }

  /// One row with other keys, on a page of its own.
  func copy(
    _ row: RowReference, of entity: EntityIndex, _ moved: (RowKey, EntityIndex) -> RowKey
  ) -> RowReference {
    let copy = RowPage(columnCount: row.page.columnCount, rowCapacity: 1)
    append(row, of: entity, to: copy, moved)
    copy.seal()
    return RowReference(copy, 0)
  }
}

extension RowPage {
  /// Whether some key takes more than four bytes.
  fileprivate var hasWideKeys: Bool { packing(columnCount).width == 8 }
}
