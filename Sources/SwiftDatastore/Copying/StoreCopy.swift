import Basics
import DatastoreCore

/// Copies everything in one store into another, empty one of the same model.
///
/// Rows are copied after the rows that they refer to. If entities refer to each other in a circle, an
/// optional reference to a row that is not copied yet is set once all rows are there, as are pairs of
/// many-to-many relationships and orders. Every save has a portion of the rows, so only the keys of a large
/// store are held in memory. Keys do not change.
struct StoreCopy {
  /// The one state of the store that is copied.
  let source: any ReadableStore
  let destination: any StoreEngine
  private(set) var copied = MergedKeys()
  private(set) var count = 0
  /// The keys of all rows, by the root entity of a family.
  private var keys: [EntityIndex: [RowKey]] = [:]
  /// The last key that is written, or about to be, by the root entity of a family.
  private var written: [EntityIndex: RowKey] = [:]
  /// Rows that were written without some of their references, and the slots of these, by entity.
  private var later: [EntityIndex: (keys: [RowKey], slots: SlotSet)] = [:]

  /// Whether to leave out and count data that breaks the model; otherwise saving it throws.
  var leavesOutBroken = false
  /// Called with the number of copied rows, and the total.
  var progress: (@Sendable (_ done: Int, _ total: Int) -> Void)?
  private(set) var losses = CopyLosses()

  /// The number of rows in a save.
  static let portion = 10_000

  init(from source: any ReadableStore, to destination: any StoreEngine) {
    self.source = source
    self.destination = destination
  }

  private var schema: Schema { destination.schema }

  /// Copies everything. If it throws, the rows saved so far stay in the destination.
  ///
  /// - Throws: `StoreError`; `CancellationError` when its task is cancelled.
  mutating func run() throws {
    for root in schema.entities.filter({ $0.parent == nil }).map(\.index) {
      keys[root] = try source.fetchKeys(FetchRequest(entity: schema.entities[root].name)).sorted()
    }
    let total = keys.values.reduce(0) { $0 + $1.count }
    for group in families() {
      var whole = ChangeSet()
      if group.isOneSave { for root in group.roots { written[root] = keys[root]?.last } }
      for root in group.roots {
        let rows = keys[root] ?? []
        for portion in rows.portions(of: Self.portion) {
          // In the order of keys, because a row often refers to an earlier row of its own family.
          if !group.isOneSave { written[root] = portion.last }
          let changes = try insertions(of: root, Array(portion))
          if group.isOneSave { whole.entities += changes } else { try save(changes) }
          progress?(count, total)
        }
        if let last = rows.last { try destination.reserve([last], entity: root) }
      }
      try save(whole.entities)
    }
    for (entity, rows) in later.sorted(by: { $0.key < $1.key }) {
      try refer(entity, rows.keys, rows.slots)
    }
    for entity in schema.entities {
      for case let link? in entity.links where link.entity == entity.index { try copy(link) }
    }
  }

  private func save(_ entities: [EntityChanges]) throws {
    var changes = ChangeSet()
    changes.entities = entities
    try save(changes)
  }

  private func save(_ changes: ChangeSet) throws {
    if changes.isEmpty { return }
    _ = try destination.save(changes, unless: { Task.isCancelled })
  }

  // Order.

  /// Families in the order in which to write them; families that need each other are written together.
  ///
  /// A row that refers to an unwritten row is written twice. So of the families that could come next, one
  /// comes first that refers to none of the others, or else the one with the fewest rows. O(families²).
  private func families() -> [(roots: [EntityIndex], isOneSave: Bool)] {
    var needed: [EntityIndex: Set<EntityIndex>] = [:]
    var wanted: [EntityIndex: Set<EntityIndex>] = [:]
    for entity in schema.entities where !entity.isReadOnly {
      let links = entity.links.compactMap(\.self).filter { !$0.kind.isToMany }
      func roots(_ links: [RelationshipLink]) -> Set<EntityIndex> {
        Set(links.map { schema.entities[$0.destination].root })
      }
      needed[entity.root, default: []].formUnion(roots(links.filter { !$0.description.isOptional }))
      wanted[entity.root, default: []].formUnion(roots(links).subtracting([entity.root]))
    }
    var groups: [(roots: [EntityIndex], isOneSave: Bool)] = []
    while !needed.isEmpty {
      let ready = needed.filter { $0.value.isDisjoint(with: needed.keys) }.map(\.key).sorted()
      func rowsWrittenTwice(_ root: EntityIndex) -> Int {
        wanted[root, default: []].isDisjoint(with: needed.keys) ? 0 : keys[root, default: []].count
      }
      guard let next = ready.min(by: { rowsWrittenTwice($0) < rowsWrittenTwice($1) }) else {
        groups.append((needed.keys.sorted(), true))
        break
      }
      groups.append(([next], false))
      needed[next] = nil
    }
    return groups
  }

  // Rows.

  /// The rows of a family as insertions, by entity, without references to rows that are not written yet.
  private mutating func insertions(of root: EntityIndex, _ keys: [RowKey]) throws -> [EntityChanges]
  {
    let family = schema.entities[root]
    var pages: [EntityIndex: [RowPage]] = [:]
    for page in try source.rows(entity: root, keys: keys) {
      for row in 0..<page.rowCount {
        let entity = schema.entities[family.index(ofRow: row, in: page)]
        if pages[entity.index]?.last?.rowCount ?? RowPage.fullCount == RowPage.fullCount {
          pages[entity.index, default: []].append(RowPage(columnCount: entity.slotCount))
        }
        guard let copy = pages[entity.index]?.last else { continue }
        let place = copy.appendRow(key: page.key(ofRow: row))
        var early = SlotSet()
        for slot in entity.rowSlots {
          if leavesOutBroken, isBroken(page, row: row, slot, of: entity) {
            losses.count(entity.index, slot)
          } else if isEarly(page, row: row, slot, of: entity) {
            early.insert(slot)
          } else {
            copy.copyCell(from: page, row: row, to: place, slot: slot)
          }
        }
        if !early.isEmpty {
          later[entity.index, default: ([], SlotSet())].keys.append(page.key(ofRow: row))
          later[entity.index]?.slots.formUnion(early)
        }
        copied.inserted[entity.index, default: []].append(page.key(ofRow: row))
        count += 1
      }
    }
    return pages.sorted { $0.key < $1.key }.map { entity, pages in
      for page in pages { page.seal() }
      var changes = EntityChanges(entity: entity)
      changes.inserted = pages
      return changes
    }
  }

  /// Whether a cell is an optional reference to a row that is not written yet.
  private func isEarly(_ page: RowPage, row: Int, _ slot: Slot, of entity: Entity) -> Bool {
    guard let link = entity.links[slot], link.description.isOptional,
      let key = page.value(row: row, slot: slot).key
    else { return false }
    guard let last = written[schema.entities[link.destination].root] else { return true }
    return last < key
  }

  /// Sets the references that rows were copied without.
  private func refer(_ entity: EntityIndex, _ keys: [RowKey], _ slots: SlotSet) throws {
    for portion in keys.portions(of: Self.portion) {
      var changes = EntityChanges(entity: entity)
      for page in try source.rows(entity: entity, keys: Array(portion)) {
        for row in 0..<page.rowCount {
          let given = SlotSet(
            slots.filter {
              page.tag(row: row, slot: $0) != .null
                && !(leavesOutBroken && isBroken(page, row: row, $0, of: schema.entities[entity]))
            })
          if given.isEmpty || schema.entities[entity].index(ofRow: row, in: page) != entity {
            continue
          }
          var update = RowUpdate(
            key: page.key(ofRow: row), page: page, row: row, original: page, originalRow: row,
            slots: given)
          update.overwrites = true
          changes.updated.append(update)
        }
      }
      if !changes.updated.isEmpty { try save([changes]) }
    }
  }

  // Relationships.

  /// Copies the pairs of a relationship with a table of its own, and the order of its members.
  private func copy(_ link: RelationshipLink) throws {
    guard link.kind.isToMany else { return }
    let inverse = link.inverseSlot.flatMap { schema.entities[link.destination].links[$0] }
    let isSymmetric = inverse?.slot == link.slot && inverse?.entity == link.entity
    let isPaired = inverse?.kind.isToMany ?? true
    // Of the two sides of a relationship, the first one has the pairs.
    let hasPairs =
      isPaired
      && inverse.map { (link.entity, link.slot) <= ($0.entity, $0.slot) } ?? true
    guard hasPairs || link.kind == .orderedToMany else { return }
    let owners = copiedKeys(of: link.entity)
    for portion in owners.portions(of: Self.portion) {
      let members = try source.relatedRows(
        entity: link.entity, slot: link.slot, keys: Array(portion)
      ).members
      var changes = ChangeSet()
      if hasPairs {
        var links = LinkChanges(entity: link.entity, slot: link.slot)
        for owner in portion {
          for member in members[owner] ?? [] where !(isSymmetric && member < owner) {
            if leavesOutBroken, !isThere(member, link.destination) { continue }
            links.added.append((owner, member))
          }
        }
        if !links.added.isEmpty { changes.links = [links] }
      }
      if link.kind == .orderedToMany {
        changes.orders = portion.compactMap { owner in
          let members = (members[owner] ?? []).filter {
            !leavesOutBroken || isThere($0, link.destination)
          }
          if members.isEmpty { return nil }
          return OrderChange(
            entity: link.entity, slot: link.slot, key: owner, members: members)
        }
      }
      try save(changes)
    }
  }

  /// Whether a cell refers to a row that does not exist, or to external bytes whose file is missing.
  private func isBroken(_ page: RowPage, row: Int, _ slot: Slot, of entity: Entity) -> Bool {
    let tag = page.tag(row: row, slot: slot)
    if tag == .null { return false }
    guard let link = entity.links[slot] else {
      return tag == .text && entity.properties[slot].attribute?.type == .data
    }
    return page.value(row: row, slot: slot).key.map { !isThere($0, link.destination) } ?? true
  }

  private func isThere(_ key: RowKey, _ entity: EntityIndex) -> Bool {
    let all = keys[schema.entities[entity].root] ?? []
    var (low, high) = (0, all.count)
    while low < high {
      let middle = (low + high) / 2
      if all[middle] < key { low = middle + 1 } else { high = middle }
    }
    return low < all.count && all[low] == key
  }

  /// The keys of an entity and its descendants.
  private func copiedKeys(of entity: EntityIndex) -> [RowKey] {
    schema.entities[entity].members.flatMap { copied.inserted[$0] ?? [] }.sorted()
  }
}

/// Data that a copy has left out because it broke the rules of its own model.
struct CopyLosses {
  private var counts: [EntityIndex: [Slot: Int]] = [:]

  mutating func count(_ entity: EntityIndex, _ slot: Slot) {
    counts[entity, default: [:]][slot, default: 0] += 1
  }

  /// A sentence for each property, without its full stop.
  func sentences(_ schema: Schema) -> [String] {
    counts.sorted { $0.key < $1.key }.flatMap { index, slots in
      slots.sorted { $0.key < $1.key }.map { slot, count in
        let entity = schema.entities[index]
        let place = "\(entity.name).\(entity.properties[slot].name)"
        return entity.links[slot] == nil
          ? "\(CountText.counted(count, "value")) of \(place): the files that hold them do not exist"
          : "\(CountText.counted(count, "reference")) of \(place): their destinations do not exist"
      }
    }
  }
}
