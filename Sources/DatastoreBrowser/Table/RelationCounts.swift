import DatastoreCore

/// The number of members in the to-many relationships of rows, as far as it has been read.
struct RelationCounts: Sendable {
  /// The counts by slot and key.
  private var counts: [Slot: [RowKey: Int]] = [:]
  private var stale: [Slot: Set<RowKey>] = [:]
  private var requested: [Slot: Set<RowKey>] = [:]
  /// The most rows whose counts are kept.
  private static let capacity = 4000

  /// The number of members, perhaps from before a change; nil while unknown.
  func count(slot: Slot, key: RowKey) -> Int? { counts[slot]?[key] }

  /// Returns those of the keys whose counts must be read, and marks them as requested.
  mutating func takeMissing(slot: Slot, keys: [RowKey]) -> [RowKey] {
    let wanted = keys.filter { key in
      (counts[slot]?[key] == nil || stale[slot]?.contains(key) == true)
        && requested[slot]?.contains(key) != true
    }
    requested[slot, default: []].formUnion(wanted)
    stale[slot]?.subtract(wanted)
    return wanted
  }

  mutating func apply(_ read: [RowKey: Int], slot: Slot) {
    if counts[slot, default: [:]].count > Self.capacity {
      counts[slot] = [:]
      stale[slot] = []
    }
    counts[slot, default: [:]].merge(read) { _, new in new }
    requested[slot]?.subtract(read.keys)
  }

  /// Marks the counts of some slots to be read again when they are next shown.
  mutating func invalidate(slots: some Sequence<Slot>) {
    for slot in slots {
      stale[slot] = Set(counts[slot, default: [:]].keys)
      requested[slot] = []
    }
  }
}
