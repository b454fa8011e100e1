/// Rows whose keys are only row numbers, which `VACUUM` may change.
extension ObjectGraph {
  /// Staged objects whose rows are not under their keys, and may be under others, by entity.
  package func strayObjects() -> [EntityIndex: [ManagedObject]] {
    let stray = tracked.filter { object in
      guard object.page != nil, store.mayMoveRows(entity: object.entity.index) else { return false }
      return switch object.state {
      case .updated: object.stagedRow == .gone
      case .deleted: object.stagedRow == .stale
      case .fault, .clean, .inserted, .gone: false
      }
    }
    return Dictionary(grouping: stray, by: \.entity.index)
  }

  /// Connects staged objects with their rows, which were found under other keys. An object whose new key
  /// belongs to another staged object, which keeps it, is unchanged: the save reports it.
  package func follow(_ found: [(object: ManagedObject, key: RowKey)]) {
    var keys: [EntityIndex: [RowKey: RowKey]] = [:]
    for (object, key) in withoutBlocked(found) {
      keys[object.entity.root, default: [:]][object.key] = key
    }
    rekey(keys)
    var merged = MergedKeys()
    for (object, key) in found where object.key == key { object.stagedRow = .asRead }
    for (root, pairs) in keys {
      let all = SlotSet(schema.entities[root].slots)
      for (old, new) in pairs {
        merged.updated[root, default: [:]][old] = all
        merged.updated[root, default: [:]][new] = all
      }
    }
    record(merged)
    for (object, _) in found {
      record(object)
      object.notify(SlotSet(object.entity.slots))
    }
  }

  /// The objects that can take their new keys, because no other row stays there. If one cannot, the object
  /// that was to take its key cannot either.
  private func withoutBlocked(
    _ found: [(object: ManagedObject, key: RowKey)]
  ) -> [(object: ManagedObject, key: RowKey)] {
    var moving: [Place: (object: ManagedObject, key: RowKey)] = [:]
    var wanted: [Place: Place] = [:]
    for (object, key) in found {
      let present = Place(root: object.entity.root, key: object.key)
      moving[present] = (object, key)
      wanted[Place(root: present.root, key: key)] = present
    }
    var blocked = moving.filter { present, move in
      let place = Place(root: present.root, key: move.key)
      return moving[place] == nil && (maps[place.root][place.key]?.isTracked ?? false)
    }.map(\.key)
    while let key = blocked.popLast() {
      guard moving.removeValue(forKey: key) != nil else { continue }
      if let next = wanted[key] { blocked.append(next) }
    }
    return found.filter { moving[Place(root: $0.object.entity.root, key: $0.object.key)] != nil }
  }

  private struct Place: Hashable {
    let root: EntityIndex
    let key: RowKey
  }

  /// Remembers the content of an object that becomes the destination of a staged relationship.
  func markReferred(_ object: ManagedObject) {
    let root = object.entity.root
    guard store.mayMoveRows(entity: object.entity.index), object.state != .inserted,
      let page = object.loadedPage()
    else { return }
    // Content remembered for staged changes that were reverted since does not count.
    if !referred.isEmpty, !hasChanges { referred = [:] }
    if referred[root]?[object.key] == nil {
      referred[root, default: [:]][object.key] = RowReference(page, Int(object.row))
    }
  }

  func markReferred(by object: ManagedObject, into save: inout PendingSave) {
    for slot in object.entity.relationshipSlots {
      guard let extras = object.extras, extras.changedSlots.contains(slot),
        let link = object.entity.links[slot], link.kind == .toOne,
        let key = extras.values[slot].key
      else { continue }
      markReferred(link.destination, key, by: object, into: &save)
    }
  }

  func markReferred(
    _ entity: EntityIndex, _ key: RowKey, by object: ManagedObject, into save: inout PendingSave
  ) {
    guard let original = referred[schema.entities[entity].root]?[key] else { return }
    save.changes.referred.append(
      ReferredRow(
        entity: entity, key: key, original: original,
        owner: (object.entity.index, object.key)))
  }
}
