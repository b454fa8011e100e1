/// Objects whose rows get other keys: new ones numbered by the file, and those of tables without keys moved
/// by `VACUUM`.
extension ObjectGraph {
  /// Changes the keys of objects, wherever the old ones are known.
  ///
  /// If another object gets the key of a known object, that object leaves the graph: its row has lost the
  /// key. O(known objects).
  ///
  /// - Parameters:
  ///   - keys: old keys to new ones, by root entity.
  ///   - taken: the old keys that now belong to rows of someone else, by root entity.
  func rekey(_ keys: [EntityIndex: [RowKey: RowKey]], taken: [EntityIndex: [RowKey]] = [:]) {
    let keys = keys.filter { !$0.value.isEmpty }
    if keys.isEmpty { return }
    keyChanges.record(KeyChange(keys: keys, taken: taken))
    var displaced: [ManagedObject] = []
    for (entity, pairs) in keys {
      // All are removed before the first is added, because they may have exchanged keys.
      let moving = pairs.compactMap { old, new in maps[entity][old].map { ($0, new) } }
      for (object, _) in moving { maps[entity].remove(key: object.key) }
      for (object, new) in moving {
        if let former = maps[entity][new] {
          vanish(former, isLost: true)
          displaced.append(former)
        }
        object.key = new
        maps[entity].insert(object)
      }
    }
    for (entity, pairs) in keys {
      guard let former = referred[entity] else { continue }
      referred[entity] = Dictionary(
        former.map { (pairs[$0.key] ?? $0.key, $0.value) }, uniquingKeysWith: { first, _ in first })
    }
    for map in distinctMaps { map.visit { rename($0, keys, taken) } }
    journal?.rename { entity, key in keys[schema.entities[entity].root]?[key] ?? key }
    for object in displaced {
      record(object)
      object.notify(SlotSet(object.entity.slots))
    }
  }

  /// Applies the key changes of the parent's rows.
  package func adopt(_ changes: [KeyChange]) {
    for change in changes { rekey(change.keys, taken: change.taken) }
  }

  /// Replaces the keys of others in one object.
  private func rename(
    _ object: ManagedObject, _ keys: [EntityIndex: [RowKey: RowKey]],
    _ taken: [EntityIndex: [RowKey]]
  ) {
    var isReferring = false
    for slot in object.entity.relationshipSlots {
      guard let link = object.entity.links[slot],
        let pairs = keys[schema.entities[link.destination].root]
      else { continue }
      if link.kind == .toOne {
        if let page = object.page, page.tag(row: Int(object.row), slot: slot) == .integer,
          pairs[RowKey(page.integer(row: Int(object.row), slot: slot))] != nil
        {
          isReferring = true
        }
        if let extras = object.extras, extras.changedSlots.contains(slot),
          let key = extras.values[slot].key, let new = pairs[key]
        {
          extras.values[slot] = .key(new)
        }
      } else if var state = object.toManyState(slot) {
        let root = schema.entities[link.destination].root
        // Either row may be the member, so the members are read again.
        let isMixed = taken[root].map { state.stored?.contains(where: $0.contains) ?? false }
        state.rename { pairs[$0] ?? $0 }
        if isMixed ?? false { state = state.staged }
        object.setToManyState(state, slot)
      }
    }
    let isRenamed = keys[object.entity.root]?.values.contains(object.key) ?? false
    if (isReferring || isRenamed) && object.state == .clean { forgetRow(of: object) }
  }
}

extension ToManyState {
  fileprivate mutating func rename(_ new: (RowKey) -> RowKey) {
    stored = stored?.map(new)
    members = members?.map(new)
    added.rename(new)
    removed = Set(removed.map(new))
    order = order?.map(new)
  }
}

extension UndoJournal {
  /// Replaces the keys of members in the steps.
  ///
  /// - Parameter new: the key for an entity and an old key.
  fileprivate func rename(_ new: (_ entity: EntityIndex, _ key: RowKey) -> RowKey) {
    renameSteps { step in
      func member(_ object: ManagedObject, _ slot: Slot, _ key: RowKey) -> RowKey {
        object.entity.links[slot].map { new($0.destination, key) } ?? key
      }
      return switch step {
      case .gained(let object, let slot, let key):
        .gained(object, slot, member(object, slot, key))
      case .lost(let object, let slot, let key): .lost(object, slot, member(object, slot, key))
      case .ordered(let object, let slot, let members):
        .ordered(object, slot, members.map { member(object, slot, $0) })
      case .changed(let object, let slot, let former):
        .changed(object, slot, former.renamed { member(object, slot, $0) })
      case .inserted, .deleted: step
      }
    }
  }
}

extension UndoJournal.Former {
  fileprivate func renamed(_ new: (RowKey) -> RowKey) -> UndoJournal.Former {
    func renamed(_ value: Value) -> Value {
      if let key = value.key { .key(new(key)) } else { value }
    }
    return UndoJournal.Former(
      value: renamed(value), base: base.map(renamed), saveCount: saveCount)
  }
}

/// Rows that have got other keys, by root entity.
package struct KeyChange: Sendable {
  /// Old keys to new ones.
  let keys: [EntityIndex: [RowKey: RowKey]]
  /// The old keys that now belong to rows of someone else.
  let taken: [EntityIndex: [RowKey]]
}

/// All key changes of one graph, which are rare: another program has to use a key between the creation of an
/// object and its save. Any thread.
package final class KeyChangeLog: Sendable {
  private let changes = Lock<[KeyChange]>([])

  package var count: Int { changes.withLock { $0.count } }

  func record(_ change: KeyChange) { changes.withLock { $0.append(change) } }

  /// The changes after the first `count`.
  package func all(since count: Int) -> [KeyChange] {
    changes.withLock { Array($0.dropFirst(count)) }
  }
}
