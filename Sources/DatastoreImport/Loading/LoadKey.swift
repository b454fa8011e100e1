import DatastoreCore

/// What identifies the objects of an entity in the files of a load.
struct LoadKey: Hashable {
  enum Kind: Hashable {
    /// The attribute in that slot.
    case attribute(slot: Slot)
    /// The key of the row itself.
    case rowKey
    /// A column that is not kept: it identifies only during the load.
    case column
  }

  /// Index of the entity.
  let entity: EntityIndex
  let kind: Kind
}

/// The objects of one entity that a load has met, by their key in the files.
struct KeyIndex {
  struct Entry {
    let key: RowKey
    /// The number of the file whose record made or changed the object; -1 if it was only looked up.
    var file: Int
  }

  private var entries: [Value: Entry] = [:]
  /// Values that were looked up in the store and are not there.
  private var absent: Set<Value> = []

  subscript(value: Value) -> Entry? {
    get { entries[value] }
    set { entries[value] = newValue }
  }

  /// Whether nobody has looked for the value in the store yet.
  func isUnknown(_ value: Value) -> Bool { entries[value] == nil && !absent.contains(value) }

  mutating func noteAbsent(_ values: [Value]) {
    for value in values where entries[value] == nil { absent.insert(value) }
  }
}
