@testable import DatastoreCore

/// A store of dictionaries, for testing the graph: does for it what a SQLite file does, in the plainest way.
///
/// It knows no families, does not check uniqueness, and goes through all rows for every question.
final class MemoryStore: ObjectStore {
  let schema: Schema
  private let state: Lock<State>

  /// The stored objects.
  struct State {
    /// Values by key. Slots of to-many relationships hold nothing.
    var rows: ByEntity<[RowKey: BySlot<Value>]>
    /// Pairs of relationships that both sides have many of, seen from the side that writes them.
    var pairs: [Place: Set<[RowKey]>] = [:]
    /// The members of ordered relationships, by owner.
    var orders: [Place: [RowKey: [RowKey]]] = [:]
    var lastKey: RowKey = 0
  }

  /// A relationship.
  struct Place: Hashable {
    let entity: EntityIndex
    let slot: Slot
  }

  /// Deliberate mistakes of a store, for tests of tests.
  enum Flaw: CaseIterable {
    case overwritesConflicts, forgetsOrders, missesRows, losesMarks
  }

  private let flaw: Flaw?

  init(_ schema: Schema, with flaw: Flaw? = nil) {
    self.flaw = flaw
    precondition(!schema.entities.contains(where: \.isInFamily))
    self.schema = schema
    state = Lock(State(rows: ByEntity(repeating: [:], count: schema.entities.count)))
  }

  private var current: State { state.withLock { $0 } }

  func makeKey(entity: EntityIndex) -> RowKey {
    state.withLock { state in
      state.lastKey = RowKey(state.lastKey.rawValue + 1)
      return state.lastKey
    }
  }

  func rows(entity: EntityIndex, keys: [RowKey]) -> [RowPage] {
    pages(current, entity, keys.filter { current.rows[entity][$0] != nil })
  }

  func relatedKeys(entity: EntityIndex, slot: Slot, key: RowKey) -> [RowKey] {
    guard let link = schema.entities[entity].links[slot] else { return [] }
    return members(current, link, key)
  }

  func fetch(_ request: FetchRequest) -> [RowPage] { rowPages(request) }

  func rowPages(_ request: FetchRequest) -> [RowPage] {
    guard let entity = schema.entity(named: request.entity) else { return [] }
    return pages(current, entity.index, fetchKeys(request))
  }

  func fetchKeys(_ request: FetchRequest) -> [RowKey] {
    guard let entity = schema.entity(named: request.entity) else { return [] }
    let state = current
    // Rows that are equal in an order come by ascending key.
    let all = state.rows[entity.index].keys.sorted().map {
      StoredObject(store: self, state: state, entity: entity, key: $0)
    }
    let matching = all.filter { request.predicate?.admits($0) ?? true }
      .sorted { request.sortDescriptors.compare($0, $1) == .ascending }
      .dropFirst(request.offset)
    let found = (request.limit > 0 ? matching.prefix(request.limit) : matching).map(\.key)
    return flaw == .missesRows && request.predicate != nil ? found.dropLast() : found
  }

  /// The values of paths in the rows of a request, with their keys.
  func values(
    of paths: [[String]], in request: FetchRequest
  ) throws -> [(key: RowKey, values: [Value])] {
    guard let entity = schema.entity(named: request.entity) else { return [] }
    let state = current
    let operands = paths.map { Predicate.Operand.keyPath($0) }
    return fetchKeys(request).map { key in
      let object = StoredObject(store: self, state: state, entity: entity, key: key)
      return (key, operands.map { $0.value(for: object) })
    }
  }

  func count(_ request: FetchRequest) -> Int { fetchKeys(request).count }

  func members(_ state: State, _ link: RelationshipLink, _ owner: RowKey) -> [RowKey] {
    var found: [RowKey]
    if let inverse = link.inverseSlot,
      schema.entities[link.destination].links[inverse]?.kind == .toOne
    {
      found = state.rows[link.destination].filter { $0.value[inverse] == .key(owner) }
        .map(\.key).sorted()
    } else {
      let (place, isOwnSide) = place(of: link)
      found = (state.pairs[place] ?? []).filter { $0[isOwnSide ? 0 : 1] == owner }
        .map { $0[isOwnSide ? 1 : 0] }.sorted()
    }
    guard link.kind == .orderedToMany else { return found }
    let order = state.orders[Place(entity: link.entity, slot: link.slot)]?[owner] ?? []
    // Members without a place come last.
    let placed = order.filter { found.contains($0) }
    return placed + found.filter { !placed.contains($0) }
  }

  /// The place of a relationship's pairs, and whether they begin with its owner.
  private func place(of link: RelationshipLink) -> (Place, isOwnSide: Bool) {
    guard !link.isCanonical, let inverse = link.inverseSlot else {
      return (Place(entity: link.entity, slot: link.slot), true)
    }
    return (Place(entity: link.destination, slot: inverse), false)
  }

  private func pages(_ state: State, _ entity: EntityIndex, _ keys: [RowKey]) -> [RowPage] {
    if keys.isEmpty { return [] }
    let page = RowPage(columnCount: schema.entities[entity].slotCount)
    for key in keys {
      let row = page.appendRow(key: key)
      for (slot, value) in (state.rows[entity][key] ?? []).placed {
        page.setValue(value, row: row, slot: slot)
      }
    }
    page.seal()
    return [page]
  }
}

/// Saving.
extension MemoryStore {
  func save(_ changes: ChangeSet) throws -> SaveResult {
    try state.withLock { state in
      let conflicts =
        flaw == .overwritesConflicts
        ? [] : changes.entities.flatMap { self.conflicts(of: $0, with: state) }
      if !conflicts.isEmpty { throw ConflictError(conflicts: conflicts) }
      var next = state
      for entity in changes.entities { write(entity, to: &next) }
      for link in changes.links {
        let place = Place(entity: link.entity, slot: link.slot)
        for pair in link.removed { next.pairs[place]?.remove([pair.source, pair.destination]) }
        for pair in link.added {
          next.pairs[place, default: []].insert([pair.source, pair.destination])
        }
      }
      for order in changes.orders where flaw != .forgetsOrders {
        let place = Place(entity: order.entity, slot: order.slot)
        next.orders[place, default: [:]][order.key] = order.members
      }
      for entity in changes.entities {
        for deletion in entity.deleted { delete(deletion.key, of: entity.entity, from: &next) }
      }
      try requireReferences(in: next)
      state = next
    }
    return SaveResult()
  }

  /// A reference would have led nowhere. Nothing was saved.
  struct DanglingReference: Error {
    let entity: String
    let key: RowKey
  }

  /// Checks references as foreign keys do.
  private func requireReferences(in state: State) throws {
    for entity in schema.entities {
      for link in entity.links.compactMap(\.self) where link.kind == .toOne {
        for (key, values) in state.rows[entity.index] {
          guard let destination = values[link.slot].key else { continue }
          if state.rows[link.destination][destination] == nil {
            throw DanglingReference(entity: entity.name, key: key)
          }
        }
      }
    }
  }

  /// Rows that differ from the originals of the edits.
  private func conflicts(of changes: EntityChanges, with state: State) -> [Conflict] {
    let entity = schema.entities[changes.entity]
    let updates = changes.updated.compactMap { update -> Conflict? in
      guard let stored = state.rows[entity.index][update.key] else {
        return Conflict(entity: entity.name, key: update.key, properties: [], isDeleted: true)
      }
      let properties = update.slots.compactMap { slot -> Conflict.Property? in
        let original = update.original.value(row: update.originalRow, slot: slot)
        if update.overwrites || stored[slot] == original { return nil }
        return Conflict.Property(
          name: entity.properties[slot].name, original: original,
          mine: update.page.value(row: update.row, slot: slot), theirs: stored[slot])
      }
      return properties.isEmpty
        ? nil
        : Conflict(
          entity: entity.name, key: update.key, properties: properties, isDeleted: false)
    }
    let deletions = changes.deleted.compactMap { deletion -> Conflict? in
      let stored = state.rows[entity.index][deletion.key]
      let isSame = deletion.original.map { original in
        stored?.indices.allSatisfy {
          stored?[$0] == original.value(row: deletion.originalRow, slot: $0)
        } ?? false
      }
      if stored != nil, isSame ?? true { return nil }
      return Conflict(
        entity: entity.name, key: deletion.key, properties: [], isDeleted: stored == nil,
        wasToBeDeleted: true)
    }
    return updates + deletions
  }

  private func write(_ changes: EntityChanges, to state: inout State) {
    let slots = schema.entities[changes.entity].slots
    for page in changes.inserted {
      for row in 0..<page.rowCount {
        state.rows[changes.entity][page.key(ofRow: row)] = BySlot(
          slots.map { written(page.value(row: row, slot: $0)) })
      }
    }
    for update in changes.updated {
      for slot in update.slots {
        state.rows[changes.entity][update.key]?[slot] = update.page.value(
          row: update.row, slot: slot)
      }
    }
  }

  private func written(_ value: Value) -> Value {
    guard flaw == .losesMarks, case .text(let text) = value else { return value }
    return .text(String(String.UnicodeScalarView(text.unicodeScalars.filter { $0 != "\u{301}" })))
  }

  /// Removes a row and the pairs that it is part of.
  private func delete(_ key: RowKey, of entity: EntityIndex, from state: inout State) {
    state.rows[entity][key] = nil
    for link in schema.entities.flatMap(\.links).compactMap(\.self) where link.kind.isToMany {
      let (place, isOwnSide) = place(of: link)
      if link.entity == entity {
        state.pairs[place] = state.pairs[place]?.filter { $0[isOwnSide ? 0 : 1] != key }
      }
      if link.destination == entity {
        state.pairs[place] = state.pairs[place]?.filter { $0[isOwnSide ? 1 : 0] != key }
      }
    }
  }
}

/// A row that predicates look at.
private struct StoredObject: PredicateSubject {
  let store: MemoryStore
  let state: MemoryStore.State
  let entity: Entity
  let key: RowKey

  var predicateEntity: Entity { entity }
  var predicateSchema: Schema { store.schema }
  var predicateKey: RowKey { key }

  func predicateValue(_ property: String) -> Value {
    guard let slot = entity.slot(named: property) else { return .null }
    return state.rows[entity.index][key]?[slot] ?? .null
  }

  func predicateRelated(_ relationship: String) -> [any PredicateSubject] {
    guard let slot = entity.slot(named: relationship), let link = entity.links[slot] else {
      return []
    }
    var keys: [RowKey] = []
    if link.kind.isToMany {
      keys = store.members(state, link, key)
    } else if let destination = predicateValue(relationship).key {
      keys = [destination]
    }
    return keys.filter { state.rows[link.destination][$0] != nil }.map {
      StoredObject(
        store: store, state: state, entity: store.schema.entities[link.destination], key: $0)
    }
  }
}
