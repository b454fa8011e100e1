import Basics

/// The stores that hold an entity, as one: questions about its rows go to all of them, and the answers are
/// merged in the order that one store would have.
///
/// Conditions and rows pass through a `KeyShift`. A store is not asked if the keys in a condition exclude all
/// its rows.
final class SharedReader: ReadableStore {
  /// One of the stores.
  struct Part: Sendable {
    let store: any ReadableStore
    let shift: KeyShift
    /// The index of the store among all, which is the order for reading several at once: the one in which
    /// saves begin.
    let place: Int
  }

  let schema: Schema
  /// By rank: the first part has rank 0, and so on.
  let parts: [Part]

  init(_ schema: Schema, _ parts: [Part]) {
    self.schema = schema
    self.parts = parts
  }

  /// - Returns: nil for a key that no store has assigned.
  private func part(of key: RowKey) -> Part? {
    // An entity that only one store holds, but that refers to others: its keys are the store's.
    if parts.count == 1 { return parts[0] }
    let rank = KeyShift.rank(of: key)
    return parts.indices.contains(rank) ? parts[rank] : nil
  }

  /// Groups keys by their stores, each as the store's own keys.
  func divided(_ keys: [RowKey], of entity: EntityIndex) -> [(part: Part, keys: [RowKey])] {
    if parts.count == 1 { return [(parts[0], parts[0].shift.own(keys, of: entity))] }
    var own = [[RowKey]](repeating: [], count: parts.count)
    for key in keys {
      let rank = KeyShift.rank(of: key)
      if own.indices.contains(rank) { own[rank].append(parts[rank].shift.own(key, of: entity)) }
    }
    return zip(parts, own).filter { !$1.isEmpty }.map { ($0, $1) }
  }

  func rows(entity: EntityIndex, keys: [RowKey]) throws -> [RowPage] {
    try divided(keys, of: entity).flatMap { part, keys in
      try part.shift.telling {
        try part.shift.shared(part.store.rows(entity: entity, keys: keys), of: entity)
      }
    }
  }

  func relatedKeys(entity: EntityIndex, slot: Slot, key: RowKey) throws -> [RowKey] {
    guard let part = part(of: key), let link = schema.entities[entity].links[slot] else {
      return []
    }
    return try part.shift.telling {
      try part.shift.shared(
        part.store.relatedKeys(entity: entity, slot: slot, key: part.shift.own(key, of: entity)),
        of: link.destination)
    }
  }

  func relatedRows(entity: EntityIndex, slot: Slot, keys: [RowKey]) throws -> RelatedRowPages {
    var all = RelatedRowPages()
    guard let link = schema.entities[entity].links[slot] else { return all }
    for (part, keys) in divided(keys, of: entity) {
      let shift = part.shift
      try shift.telling {
        let own = try part.store.relatedRows(entity: entity, slot: slot, keys: keys)
        all.pages += try shift.shared(own.pages, of: link.destination)
        for (owner, members) in own.members {
          all.members[shift.shared(owner, of: entity)] =
            try shift.shared(members, of: link.destination)
        }
      }
    }
    return all
  }

  // MARK: Requests

  /// The stores to ask, each with its request: for as many rows as the result may take from one store.
  func asked(_ request: FetchRequest) throws -> [(part: Part, request: FetchRequest)] {
    let entity = try schema.requiredEntity(named: request.entity)
    let asked = asked(request.predicate, of: entity).map { part, predicate in
      var own = request
      own.predicate = predicate
      return (part, own)
    }
    guard asked.count > 1 else { return asked }
    return asked.map { part, request in
      var own = request
      own.offset = 0
      if request.limit > 0 { own.limit = max(request.offset, 0) + request.limit }
      return (part, own)
    }
  }

  func asked(
    _ predicate: Predicate?, of entity: Entity
  ) -> [(part: Part, predicate: Predicate?)] {
    guard let predicate else { return parts.map { ($0, nil) } }
    return parts.compactMap { part in
      let own = part.shift.own(predicate, of: entity)
      return own == .constant(false) ? nil : (part, own == .constant(true) ? nil : own)
    }
  }

  func fetch(_ request: FetchRequest) throws -> [RowPage] {
    let entity = try schema.requiredEntity(named: request.entity)
    let asked = try asked(request)
    let order = pageOrder(request.sortDescriptors, of: entity)
    if asked.count > 1, order == nil { return try inOrder(fetchKeys(request), of: entity) }
    let pages = try asked.map { part, request in
      try part.shift.telling {
        try part.shift.shared(part.store.fetch(request), of: entity.index)
      }
    }
    return pages.count == 1 ? pages[0] : merged(pages, by: order, request)
  }

  func fetch(_ request: FetchRequest) async throws -> [RowPage] {
    let entity = try schema.requiredEntity(named: request.entity)
    let asked = try asked(request)
    let order = pageOrder(request.sortDescriptors, of: entity)
    if asked.count > 1, order == nil {
      return try inOrder(await answer(KeysQuestion(request)), of: entity)
    }
    var pages: [[RowPage]] = []
    for (part, request) in asked {
      pages.append(
        try await part.shift.telling {
          try part.shift.shared(await part.store.fetch(request), of: entity.index)
        })
    }
    return pages.count == 1 ? pages[0] : merged(pages, by: order, request)
  }

  /// The rows of keys, in their order. Leaves out rows deleted meanwhile.
  private func inOrder(_ keys: [RowKey], of entity: Entity) throws -> [RowPage] {
    var places: [RowKey: RowReference] = [:]
    for page in try rows(entity: entity.index, keys: keys) {
      for row in 0..<page.rowCount { places[page.key(ofRow: row)] = RowReference(page, row) }
    }
    var packer = RowPacker(columnCount: entity.pageColumnCount)
    for case let row? in keys.map({ places[$0] }) { packer.append(row) }
    return packer.finish()
  }

  private func merged(
    _ parts: [[RowPage]], by order: RowOrder?, _ request: FetchRequest
  ) -> [RowPage] {
    let isWhole = request.offset <= 0 && request.limit == 0
    if isWhole, order?.terms.isEmpty ?? true { return parts.flatMap(\.self) }
    let first = parts.lazy.flatMap(\.self).first
    var packer = RowPacker(columnCount: first?.columnCount ?? 0)
    RowMerge.run(
      parts, by: order, offset: max(request.offset, 0),
      limit: request.limit > 0 ? request.limit : nil
    ) { packer.append(RowReference($0.page, $0.row)) }
    return packer.finish()
  }

  /// The order of whole rows; nil if it does not consist of their own values.
  private func pageOrder(_ descriptors: [SortDescriptor], of entity: Entity) -> RowOrder? {
    var terms: [RowOrder.Term] = []
    for descriptor in descriptors {
      guard let path = descriptor.keyPath.map({ entity.resolvingAliases(in: $0, of: schema) })
      else { return nil }
      if path.isEmpty {
        terms.append(.init(column: 0, kind: .row, isAscending: descriptor.ascending))
        break
      }
      guard path.count == 1, let slot = entity.slot(named: path[0]),
        !(entity.links[slot]?.kind.isToMany ?? false)
      else { return nil }
      let isDecimal = entity.properties[slot].attribute?.type == .decimal
      terms.append(
        .init(
          column: slot.rawValue,
          kind: entity.links[slot] == nil
            ? .cells(options: descriptor.options, isDecimal: isDecimal) : .keys,
          isAscending: descriptor.ascending))
    }
    return RowOrder(terms: terms)
  }

  func fetchKeys(_ request: FetchRequest) throws -> [RowKey] {
    let asked = try asked(request)
    let entity = try schema.requiredEntity(named: request.entity)
    guard asked.count > 1 else {
      return try asked.first.map { part, request in
        try part.shift.telling {
          try part.shift.shared(part.store.fetchKeys(request), of: entity.index)
        }
      } ?? []
    }
    return try answer(KeysQuestion(request))
  }

  func count(_ request: FetchRequest) throws -> Int {
    let asked = try asked(request)
    let counts = try asked.map { part, request in
      try part.shift.telling { try part.store.count(request) }
    }
    return Self.total(counts, request)
  }

  /// The number of rows of a request in all stores, from the counts that each returned for its request.
  static func total(_ counts: [Int], _ request: FetchRequest) -> Int {
    let total = counts.reduce(0, +)
    if counts.count < 2 { return total }
    let rest = max(0, total - max(request.offset, 0))
    return request.limit > 0 ? min(rest, request.limit) : rest
  }

  // MARK: Single rows

  func makeKey(entity: EntityIndex) throws -> RowKey {
    trap("the stores are asked for keys one by one")
  }

  func isKeyPart(entity: EntityIndex, slot: Slot) -> Bool {
    parts.contains { $0.store.isKeyPart(entity: entity, slot: slot) }
  }

  func isSameRow(
    entity: EntityIndex, _ stored: RowReference, as original: RowReference, besides edited: SlotSet
  ) -> Bool {
    // Both have the same shift, so their cells are equal if the stored ones are.
    part(of: stored.page.key(ofRow: stored.row))?.store
      .isSameRow(entity: entity, stored, as: original, besides: edited) ?? true
  }

  func mayMoveRows(entity: EntityIndex) -> Bool {
    parts.contains { $0.store.mayMoveRows(entity: entity) }
  }

  func findRows(entity: EntityIndex, equalTo rows: [RowReference]) throws -> [Int: RowKey] {
    try foundRows(of: entity, equalTo: rows) { part, own in
      try part.store.findRows(entity: entity, equalTo: own)
    }
  }

  /// - Parameter find: finds rows in one store.
  func foundRows(
    of entity: EntityIndex, equalTo rows: [RowReference],
    _ find: (Part, [RowReference]) throws -> [Int: RowKey]
  ) throws -> [Int: RowKey] {
    var found: [Int: RowKey] = [:]
    for part in parts {
      let places = rows.indices.filter {
        parts.count == 1
          || KeyShift.rank(of: rows[$0].page.key(ofRow: rows[$0].row))
            == part.shift.ranks[entity]
      }
      if places.isEmpty || !part.store.mayMoveRows(entity: entity) { continue }
      let own = places.map { part.shift.copy(rows[$0], of: entity, part.shift.own) }
      for (place, key) in try part.shift.telling({ try find(part, own) }) {
        found[places[place]] = part.shift.shared(key, of: entity)
      }
    }
    return found
  }

  func countsQuickly(entity: EntityIndex, slot: Slot) -> Bool {
    parts.allSatisfy { $0.store.countsQuickly(entity: entity, slot: slot) }
  }

  func save(_ changes: ChangeSet) throws -> SaveResult {
    trap("saves are divided before they come to a store")
  }
}
