/// A save between being packed and being settled. Not Sendable itself: only `changes` travels.
package struct PendingSave {
  /// What the store writes.
  package var changes = ChangeSet()
  var objects: [ManagedObject] = []
  /// Where the new values of an object stand.
  var rows: [ObjectIdentifier: (RowPage, Int)] = [:]
  var touched: Set<Touched> = []
  /// What the graph had merged when the rows were packed.
  var mergeCount = 0
  private var openInserted: [Int: RowPage] = [:]
  private var openUpdated: [Int: RowPage] = [:]
  private var linkPlaces: [Int: Int] = [:]

  package var isEmpty: Bool { changes.isEmpty }

  mutating func appendRow(
    of object: ManagedObject, isNew: Bool, at place: Int
  ) -> (RowPage, Int) {
    var page = isNew ? openInserted[place] : openUpdated[place]
    if let full = page, full.isFull {
      full.seal()
      page = nil
    }
    let target = page ?? RowPage(slotCount: object.entity.slotCount)
    if page == nil {
      if isNew {
        openInserted[place] = target
        changes.entities[place].inserted.append(target)
      } else {
        openUpdated[place] = target
      }
    }
    let row = target.appendRow(key: object.key)
    rows[ObjectIdentifier(object)] = (target, row)
    return (target, row)
  }

  mutating func seal(_ place: Int) {
    openInserted[place]?.seal()
    openUpdated[place]?.seal()
    openInserted[place] = nil
    openUpdated[place] = nil
  }

  mutating func link(entity: Int, slot: Int, key: Int64, added: [Int64], removed: [Int64]) {
    guard !added.isEmpty || !removed.isEmpty else { return }
    let id = entity << 32 | slot
    if linkPlaces[id] == nil {
      linkPlaces[id] = changes.links.count
      changes.links.append(LinkChanges(entity: entity, slot: slot))
    }
    guard let place = linkPlaces[id] else { return }
    changes.links[place].added += added.map { (key, $0) }
    changes.links[place].removed += removed.map { (key, $0) }
  }
}

/// A to-many relationship of one row whose members changed.
package struct Touched: Sendable, Hashable {
  package let entity: Int
  package let slot: Int
  package let key: Int64
}

/// What a save has changed in the store, for the other contexts of the same store.
public struct SavedChanges: Sendable {
  package let entities: [EntityChanges]
  package let touched: Set<Touched>
  package let rekeyed: [Int: [Int64: Int64]]
  /// Rows whose stored values may not be the ones written, by entity.
  package let stale: [Int: [Int64]]
  /// The `transactionAuthor` of the context that saved.
  package let author: String?
  /// Other rows that triggers of the file have changed in the course of the save.
  package let sideChanges: MergedKeys

  package init(_ save: PendingSave, _ result: SaveResult, author: String?) {
    self.author = author
    sideChanges = result.sideChanges
    entities = save.changes.entities
    touched = save.touched
    rekeyed = result.rekeyed
    stale = result.stale
  }

  /// The same save with what the store has answered.
  package init(_ draft: SavedChanges, _ result: SaveResult) {
    author = draft.author
    entities = draft.entities
    touched = draft.touched
    rekeyed = result.rekeyed
    stale = result.stale
    sideChanges = result.sideChanges
  }

  /// Whether nothing was saved.
  public var isEmpty: Bool { entities.isEmpty && touched.isEmpty }

  /// How many rows were inserted, updated and deleted.
  public var counts: (inserted: Int, updated: Int, deleted: Int) {
    entities.reduce(into: (0, 0, 0)) { counts, entity in
      counts.inserted += entity.inserted.reduce(0) { $0 + $1.rowCount }
      counts.updated += entity.updated.count
      counts.deleted += entity.deleted.count
    }
  }
}
