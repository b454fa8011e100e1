import DatastoreCore
import TerminalUI

/// The names of related objects, as far as they have been read.
struct NameCache: Sendable {
  /// The cached state of an object.
  enum Entry: Hashable, Sendable {
    case name(String)
    /// The row does not exist; the value of the reference to it.
    case missing(String)

    /// The text and style of a reference to the object.
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

  /// The entry of an object, perhaps from before a change.
  subscript(entity: EntityIndex, key: RowKey) -> Entry? {
    entries[ObjectReference(entity: entity, key: key)]
  }

  /// Returns those of the keys that have to be read, and marks them as requested.
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

  /// Applies the names of objects that were read.
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

  /// Marks all names to be read again, including those that could not be read before.
  mutating func invalidateAll() {
    stale = Set(entries.keys)
    requested = []
  }

  private static let capacity = 20_000
}
