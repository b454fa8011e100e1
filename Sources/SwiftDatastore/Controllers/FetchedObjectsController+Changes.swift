import DatastoreCore
import DatastoreSQLite
import Foundation

/// Keeping the list up to date.
extension FetchedObjectsController: ContextListener {
  /// More changed objects than this are found faster by reading the list anew.
  private static var incrementalLimit: Int { 64 }

  func contextDidChange(_ changes: GraphChanges) {
    guard hasFetched || deferred != nil else { return }
    if deferred != nil {
      deferred?.append(changes)
      return
    }
    apply(changes)
  }

  func contextHasCaughtUp() {
    guard !doubted.isEmpty, deferred == nil else { return }
    apply(GraphChanges(), from: changeSources)
  }

  func apply(_ changes: GraphChanges) { apply(changes, from: [changes.source]) }

  /// - Parameter sources: who made the changes.
  func apply(_ changes: GraphChanges, from sources: Set<ChangeSource>) {
    guard hasFetched else { return }
    var affected = Affected(
      changes, entity: entity, reach: reach, keepsDeleted: keepsDeletedObjects)
    if changes.merged.isEverything { affected.formEverything(Array(list.keys)) }
    guard !affected.isEmpty || !doubted.isEmpty else { return }
    let count = affected.keys.count + doubted.count
    guard !affected.needsRefetch, count <= Self.incrementalLimit else {
      refetch(affected, from: sources)
      return
    }
    let graph = viewContext.core.graph
    let again = doubted.map { affected.rekeyed[$0] ?? $0 }.filter { key in
      guard !affected.moving.contains(key) else { return false }
      return !keepsDeletedObjects
        || !graph.object(entity: entity.index, key: key).willBeDeleted
    }
    let moving = affected.moving + again
    let old = rekeyed(list, affected.rekeyed)
    var editor = KeyListEditor(
      old, of: entity, order: order, predicate: request.predicate, graph: graph,
      former: affected.former)
    editor.place(graph.objects(entity: entity.index, keys: moving))
    doubted = viewContext.mayReadAhead ? Set(moving) : []
    list = editor.list
    guard !observers.isEmpty || !batchStreams.isEmpty || listChanged != nil else { return }
    let touched = affected.keys.subtracting(moving)
      .compactMap { old.keys.firstIndex(of: $0) }
    var difference = ListDifference(
      from: old, to: list, edits: editor.edits, touched: touched)
    // What was only placed again, and stays, has not changed.
    let unchanged = Set(again).subtracting(affected.keys)
    if !unchanged.isEmpty {
      difference.updated.removeAll { unchanged.contains(old.keys[$0]) }
    }
    deliver(difference, from: old, sources: sources)
  }

  private func rekeyed(_ list: KeyList, _ pairs: [Int64: Int64]) -> KeyList {
    guard !pairs.isEmpty else { return list }
    var list = list
    for index in list.keys.indices {
      if let new = pairs[list.keys[index]] { list.keys[index] = new }
    }
    return list
  }

  /// Reads the list anew off the main actor, and tells the difference when it is there.
  private func refetch(_ affected: Affected, from sources: Set<ChangeSource>) {
    generation += 1
    let mine = generation
    fetchTask?.cancel()
    deferred = []
    let store = viewContext.core.coordinator.store
    let request = request
    let group = groupKeyPath
    var changed = affected.keys
    changed.formUnion(unreported)
    unreported = changed
    unreportedSources.formUnion(sources)
    fetchTask = Task { @MainActor [weak self] in
      do {
        let read = try await store.keyList(request, groupBy: group)
        let owners = try await self?.readOwners() ?? []
        try Task.checkCancellation()
        guard let self, self.generation == mine else { return }
        let old = self.rekeyed(self.list, affected.rekeyed)
        let new = self.withUnsavedChanges(read, owners: owners)
        let reported = self.unreported
        let difference = await Task.detached {
          ListDifference(from: old, to: new, changed: reported)
        }.value
        guard self.generation == mine, !Task.isCancelled else { return }
        let sources = self.unreportedSources
        self.unreported = []
        self.unreportedSources = []
        self.list = new
        self.isComplete = true
        self.deliver(difference, from: old, sources: sources)
        self.applyDeferred()
      } catch is CancellationError {
        return
      } catch {
        guard let self, self.generation == mine else { return }
        self.applyDeferred()
        self.fetchFailed?(error)
      }
    }
  }
}

/// What a batch of changes means for one controller.
struct Affected {
  /// Keys of objects that came, went or changed.
  private(set) var keys: Set<Int64> = []
  /// Those among them whose place may be another now, in the order of their changes.
  private(set) var moving: [Int64] = []
  private(set) var rekeyed: [Int64: Int64] = [:]
  /// What changed rows were before, where that is known.
  let former: [Int64: FormerRow]
  /// Something changed behind a relationship that decides places.
  private(set) var needsRefetch = false

  var isEmpty: Bool { keys.isEmpty && rekeyed.isEmpty && !needsRefetch }

  init(_ changes: GraphChanges, entity: Entity, reach: Reach, keepsDeleted: Bool) {
    former = entity.members.reduce(into: [:]) { former, member in
      former.merge(changes.merged.former[member] ?? [:]) { first, _ in first }
    }
    for object in changes.objects {
      let slots = changes.slots[ObjectIdentifier(object)] ?? SlotSet()
      // What was created and saved in one turn is not an inserted object any more.
      let isNewOrGone =
        object.isInserted || object.isDeleted
        || changes.inserted.contains(ObjectIdentifier(object))
      if reach.meets(isNewOrGone ? SlotSet() : slots, ofRelated: object.entity.index) {
        needsRefetch = true
      }
      guard object.entity.isKind(of: entity) else { continue }
      if keepsDeleted, object.willBeDeleted {
        note(object.key, isMoving: false)
        continue
      }
      note(object.key, isMoving: isNewOrGone || reach.meets(slots))
    }
    let merged = changes.merged
    for related in reach.related.keys {
      let updated = merged.updated[related] ?? [:]
      let isMet = updated.values.contains { reach.meets($0, ofRelated: related) }
      if isMet || merged.inserted[related] != nil || merged.deleted[related] != nil {
        needsRefetch = true
      }
    }
    rekeyed = merged.rekeyed[entity.root] ?? [:]
    // Whoever changes a row by a relationship may know no more of it than an ancestor of its entity; the
    // editor passes over those that are of another.
    for entity in entity.members + entity.ancestors {
      for key in merged.inserted[entity] ?? [] { note(key, isMoving: true) }
      for key in merged.deleted[entity] ?? [] { note(key, isMoving: true) }
      for (key, slots) in merged.updated[entity] ?? [:] {
        note(key, isMoving: reach.meets(slots))
      }
    }
  }

  /// Any of the keys may have changed, and others may have come.
  mutating func formEverything(_ keys: [Int64]) {
    self.keys.formUnion(keys)
    needsRefetch = true
  }

  private mutating func note(_ key: Int64, isMoving: Bool) {
    if keys.insert(key).inserted {
      if isMoving { moving.append(key) }
    } else if isMoving, !moving.contains(key) {
      moving.append(key)
    }
  }
}
