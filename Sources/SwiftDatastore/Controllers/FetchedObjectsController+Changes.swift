import DatastoreCore
import Dispatch
import Foundation

/// Keeping the list up to date.
extension FetchedObjectsController: ContextListener {
  /// With more changed objects than this, reading the list again is faster.
  private static var incrementalLimit: Int { 64 }

  func contextDidChange(_ changes: GraphChanges) {
    if reading == nil { apply(changes) } else { reading?.changes.append(changes) }
  }

  func contextDidSave(_ saved: SavedChanges) {
    if reading != nil {
      reading?.saved.formUnion(MergedKeys(saved))
    } else if movesMany(MergedKeys(saved)) {
      content.outdate()
      DispatchQueue.main.async { [weak self] in
        guard let self, content.outdated != nil, reading == nil else { return }
        apply(GraphChanges(), from: [.thisContext])
      }
    }
  }

  func contextHasCaughtUp() {
    guard !content.uncertainKeys.isEmpty, reading == nil else { return }
    apply(GraphChanges(), from: changeSources)
  }

  func contextIsQuiet() {
    if reading == nil { content.uncertainKeys = [] }
  }

  func apply(_ changes: GraphChanges) { apply(changes, from: [changes.source]) }

  /// - Parameter sources: the sources of the changes.
  func apply(_ changes: GraphChanges, from sources: Set<ChangeSource>) {
    guard hasFetched else { return }
    var affected = affected(by: changes)
    let uncertainKeys = content.uncertainKeys
    if changes.merged.isEverything { affected.formEverything(list.keys.readKeys.map(\.key)) }
    if order.isRanked || isLong, isMoved(by: changes.merged) { content.outdate() }
    guard !affected.isEmpty || !uncertainKeys.isEmpty || content.outdated != nil else { return }
    let count = affected.keys.count + uncertainKeys.count
    let crossesBorders = isWindow && !(affected.moving.isEmpty && uncertainKeys.isEmpty)
    guard !affected.needsRefetch, content.outdated == nil, !crossesBorders,
      count <= Self.incrementalLimit
    else {
      refetch(affected, from: sources)
      return
    }
    let graph = viewContext.core.graph
    // Reads together the objects to be placed and those to be passed to observers.
    let needed = uncertainKeys.union(observers.isEmpty ? Set(affected.moving) : affected.keys)
    let known = graph.objects(entity: entity.index, keys: Array(needed))
    viewContext.read(known)
    let gone = Set(known.lazy.filter(\.isGone).map(\.key)).subtracting(affected.moving)
    if isWindow || isLong, !gone.subtracting(content.pendingInsertions).isEmpty {
      return refetch(affected, from: sources)
    }
    let again = uncertainKeys.map { affected.rekeyed[$0] ?? $0 }.filter { key in
      guard !affected.moving.contains(key), !gone.contains(key) else { return false }
      return !keepsDeletedObjects
        || !graph.object(entity: entity.index, key: key).willBeDeleted
    }
    let old = rekeyed(list, affected.rekeyed)
    content.pendingInsertions = Set(content.pendingInsertions.map { affected.rekeyed[$0] ?? $0 })
    let moving = movable(affected.moving + again + gone)
    var editor = KeyListEditor(
      old, of: entity, order: order, predicate: request.predicate, graph: graph,
      former: affected.former, isLong: isLong)
    editor.place(graph.objects(entity: entity.index, keys: moving))
    content.uncertainKeys = viewContext.mayReadAhead ? Set(moving) : []
    content.list = editor.list
    content.pendingInsertions.formUnion(moving)
    guard !observers.isEmpty || !batchStreams.isEmpty || listChanged != nil else { return }
    let touched = affected.keys.subtracting(moving)
    let places = touched.compactMap { old.keys.firstIndex(of: $0) }
    var difference = ListDifference(
      from: old, to: list, edits: editor.edits, touched: places)
    // An object that was placed again only because its place was uncertain, and stays, has not changed.
    let unchanged = Set(again).subtracting(affected.keys)
    if !unchanged.isEmpty {
      difference.updated.removeAll { unchanged.contains(old.keys[$0]) }
    }
    withExtendedLifetime(known) {
      // Whoever has shown a row may still keep it, even when it is far away in a long list.
      deliver(
        difference, from: old, sources: sources, isRekeyed: !affected.rekeyed.isEmpty,
        isKnown: !isLong || places.count == touched.count)
    }
  }

  func rekeyed(_ list: KeyList, _ pairs: [RowKey: RowKey]) -> KeyList {
    guard !pairs.isEmpty else { return list }
    var list = list
    let names = Set(pairs.values)
    let known = Set(list.keys.readKeys.lazy.map(\.key).filter(names.contains))
    let places = list.keys.readKeys.compactMap { place, key in pairs[key].map { (place, $0) } }
    // A list that was read after the save already has the new key; the old key there belongs to someone
    // else's row.
    for (place, key) in places where !known.contains(key) || pairs[key] != nil {
      list.keys[place] = key
    }
    return list
  }

  /// Reads the list again off the main actor, then notifies observers of the difference.
  ///
  /// If that fails, the list is read with the next change.
  private func refetch(_ affected: Affected, from sources: Set<ChangeSource>) {
    content.outdate(affected.keys, from: sources)
    reload(from: rekeyed(list, affected.rekeyed)) { [weak self] error in
      self?.viewContext.core.coordinator.log(.error, .failed(.refetchingList, error))
      self?.applyDeferred(hasFailed: true)
      self?.fetchFailed?(error)
    }
  }
}

/// The effect of a batch of changes on one controller.
struct Affected {
  /// Keys of objects that were added, removed or changed.
  private(set) var keys: Set<RowKey> = []
  /// Those of them whose place may have changed, in the order of their changes.
  private(set) var moving: [RowKey] = []
  private(set) var rekeyed: [RowKey: RowKey] = [:]
  /// The former rows of changed objects, if known.
  let former: [RowKey: FormerRow]
  /// Whether something changed behind a relationship that determines places.
  private(set) var needsRefetch = false

  var isEmpty: Bool { keys.isEmpty && rekeyed.isEmpty && !needsRefetch }

  init(_ changes: GraphChanges, entity: Entity, dependencies: QueryDependencies, keepsDeleted: Bool)
  {
    former = entity.members.reduce(into: [:]) { former, member in
      former.merge(changes.merged.former[member] ?? [:]) { first, _ in first }
    }
    for object in changes.objects {
      let slots = changes.slots[ObjectIdentifier(object)] ?? SlotSet()
      // An object that was created and saved in one turn is no longer an inserted object.
      let id = ObjectIdentifier(object)
      let isNewOrGone =
        object.isInserted || object.isKnownDeleted || changes.inserted.contains(id)
        || changes.returned.contains(id)
      if dependencies.intersect(isNewOrGone ? SlotSet() : slots, ofRelated: object.entity.index) {
        needsRefetch = true
      }
      guard object.entity.isKind(of: entity) else { continue }
      if keepsDeleted, object.willBeDeleted {
        record(object.key, isMoving: false)
        continue
      }
      record(object.key, isMoving: isNewOrGone || dependencies.intersect(slots))
    }
    let merged = changes.merged
    for related in dependencies.related.keys {
      let updated = merged.updated[related] ?? [:]
      let isAffected = updated.values.contains { dependencies.intersect($0, ofRelated: related) }
      if isAffected || merged.inserted[related] != nil || merged.deleted[related] != nil {
        needsRefetch = true
      }
    }
    rekeyed = merged.rekeyed[entity.root] ?? [:]
    // A change of a row by a relationship may know only an ancestor of its entity; the editor ignores objects
    // of other entities.
    for entity in entity.members + entity.ancestors {
      for key in merged.inserted[entity] ?? [] { record(key, isMoving: true) }
      for key in merged.deleted[entity] ?? [] { record(key, isMoving: true) }
      for (key, slots) in merged.updated[entity] ?? [:] {
        record(key, isMoving: dependencies.intersect(slots))
      }
    }
  }

  /// Any of the keys may have changed, and others may have been added.
  mutating func formEverything(_ keys: [RowKey]) {
    self.keys.formUnion(keys)
    needsRefetch = true
  }

  private mutating func record(_ key: RowKey, isMoving: Bool) {
    if keys.insert(key).inserted {
      if isMoving { moving.append(key) }
    } else if isMoving, !moving.contains(key) {
      moving.append(key)
    }
  }
}
