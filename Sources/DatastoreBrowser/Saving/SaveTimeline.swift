import Basics
import DatastoreCore
import Foundation

/// The saves of this session, each of which can be undone, whatever came after it.
struct SaveTimeline: FeatureState {
  struct Entry: Hashable, Sendable {
    /// The number of the save, from 1.
    let number: Int
    let date: Date
    /// The written changes, with the keys that the file has assigned.
    let objects: [StagedObject]
    /// `2 changed, 1 new`.
    let text: String
  }

  private(set) var entries: [Entry] = []
  private var count = 0

  /// The most saves that are kept, and the most objects in all of them; the oldest saves are removed first.
  private static let most = (entries: 200, objects: 50_000)

  mutating func record(_ objects: [StagedObject], _ text: String) {
    count += 1
    entries.append(Entry(number: count, date: Date(), objects: objects, text: text))
    while entries.count > Self.most.entries
      || entries.count > 1 && entries.reduce(0, { $0 + $1.objects.count }) > Self.most.objects
    {
      entries.removeFirst()
    }
  }
}

extension BrowserState {
  var timeline: SaveTimeline {
    get { self[SaveTimeline.self] }
    _modify { yield &self[SaveTimeline.self] }
  }
}

extension [StagedObject] {
  /// The changes with the keys that the save has assigned to their objects.
  func renamed(_ keys: [EntityIndex: [RowKey: RowKey]], in schema: Schema) -> [StagedObject] {
    guard !keys.isEmpty else { return self }
    func key(_ key: RowKey, _ entity: EntityIndex) -> RowKey { keys[entity]?[key] ?? key }
    return map { object in
      let links = schema.entities[object.entity].links
      func value(_ value: Value, _ slot: Slot) -> Value {
        guard let link = links[slot], let old = value.key else { return value }
        return .key(key(old, link.destination))
      }
      return StagedObject(
        entity: object.entity, key: key(object.key, object.entity), kind: object.kind,
        changes: object.changes.map {
          StagedObject.Change(
            slot: $0.slot, old: value($0.old, $0.slot), new: value($0.new, $0.slot),
            theirs: $0.theirs)
        },
        members: object.members.map { change in
          guard let destination = links[change.slot]?.destination else { return change }
          return StagedObject.MemberChange(
            slot: change.slot, added: change.added.map { key($0, destination) },
            removed: change.removed.map { key($0, destination) },
            order: change.order?.map { key($0, destination) })
        }, row: object.row)
    }
  }
}
