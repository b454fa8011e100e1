import DatastoreCore
import TerminalUI

/// The display names of related objects, as far as they have been read.
struct NameCache: Sendable {
  /// What is known of an object.
  enum Entry: Hashable, Sendable {
    case name(String)
    /// There is no such row; what the reference to it holds.
    case missing(String)

    /// Text and look of a reference to the object.
    var shown: (text: String, role: StyleRole) {
      switch self {
      case .name(let name): (name, .relationship)
      case .missing(let reference): (reference + " is missing", .warning)
      }
    }
  }

  private var entries: [ObjectReference: Entry] = [:]
  private var stale: Set<ObjectReference> = []
  private var requested: Set<ObjectReference> = []

  /// What is known of an object, perhaps from before a change.
  subscript(entity: EntityIndex, key: RowKey) -> Entry? {
    entries[ObjectReference(entity: entity, key: key)]
  }

  /// Those among the keys that have to be read; they count as asked for.
  mutating func takeMissing(entity: EntityIndex, keys: some Sequence<RowKey>) -> [RowKey] {
    let wanted = keys.filter { key in
      let object = ObjectReference(entity: entity, key: key)
      return (entries[object] == nil || stale.contains(object)) && !requested.contains(object)
    }
    for key in wanted {
      requested.insert(ObjectReference(entity: entity, key: key))
      stale.remove(ObjectReference(entity: entity, key: key))
    }
    return wanted.sorted()
  }

  /// Applies what was read of objects.
  mutating func apply(_ names: [RowKey: Entry], entity: EntityIndex) {
    if entries.count > Self.capacity {
      entries = [:]
      stale = []
    }
    for (key, name) in names {
      let object = ObjectReference(entity: entity, key: key)
      requested.remove(object)
      entries[object] = name
    }
  }

  /// Marks the names of objects to be read again when they are next shown.
  mutating func invalidate(entity: EntityIndex, keys: some Sequence<RowKey>) {
    for key in keys {
      let object = ObjectReference(entity: entity, key: key)
      if entries[object] != nil { stale.insert(object) }
      requested.remove(object)
    }
  }

  /// Marks everything to be read again, also what could not be read before.
  mutating func invalidateAll() {
    stale = Set(entries.keys)
    requested = []
  }

  private static let capacity = 20_000
}
