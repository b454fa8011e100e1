import DatastoreCore

/// A key that identifies the objects of an entity in the files of a load.
struct LoadKey: Hashable {
  enum Kind: Hashable {
    case attribute(slot: Slot)
    /// The key of the row itself.
    case rowKey
    /// A column that is not stored: it identifies objects only during the load.
    case column
    /// Columns that a foreign key refers to, each by the path to its attribute: a column may itself refer to
    /// another table.
    case columns([[Slot]])
  }

  let entity: EntityIndex
  let kind: Kind
}

/// The values of a key: one, or one for each column of a composite key.
struct KeyValues: Hashable {
  let first: Value
  let others: [Value]

  init(_ first: Value, _ others: [Value] = []) {
    self.first = first
    self.others = others
  }

  /// - Parameter all: at least one.
  init(_ all: some Collection<Value>) {
    self.init(all.first ?? .null, Array(all.dropFirst()))
  }

  var all: [Value] { [first] + others }

  /// Whether it identifies nothing: a key with NULL refers to no row.
  var isNull: Bool { first.isNull || others.contains(where: \.isNull) }
}

/// The objects of one entity that a load has encountered, by their key in the files.
struct KeyIndex {
  struct Entry {
    let key: RowKey
    /// The number of the file whose record created or changed the object; -1 if it was only looked up.
    var file: Int
    /// The number of stored rows that had the value when it was looked up.
    var storedCount = 1
  }

  private var entries: [KeyValues: Entry] = [:]
  /// Values that were looked up in the store without success.
  private var absent: Set<KeyValues> = []

  subscript(value: KeyValues) -> Entry? {
    get { entries[value] }
    set { entries[value] = newValue }
  }

  /// Whether the value was not looked up in the store yet.
  func isUnknown(_ value: KeyValues) -> Bool { entries[value] == nil && !absent.contains(value) }

  mutating func markAbsent(_ values: [KeyValues]) {
    for value in values where entries[value] == nil { absent.insert(value) }
  }
}
