/// Rows that someone else changed while they were being edited. Nothing of the save was written.
public struct ConflictError: Error, Sendable, Codable, CustomStringConvertible {
  /// Every object in conflict.
  public let conflicts: [Conflict]

  /// Creates an error from conflicts.
  public init(conflicts: [Conflict]) {
    self.conflicts = conflicts
  }

  public var description: String {
    let list = conflicts.map { "  - \($0)" }.joined(separator: "\n")
    return "Nothing was saved, because the store changed while objects were being edited:\n\(list)"
  }
}

/// One object whose stored row is no longer the one that its edit began from.
///
/// A property that someone else has set to the same value is in conflict, too: if two writers each count from
/// 5 to 6, the result is not 7.
public struct Conflict: Error, Sendable, Hashable, Codable, CustomStringConvertible {
  /// One property with its three values.
  public struct Property: Sendable, Hashable, Codable {
    /// The name of the property.
    public let name: String
    /// The value before the edit.
    public let original: Value
    /// The value to be saved.
    public let mine: Value
    /// The value in the store now.
    public let theirs: Value

    /// A property with its three values.
    public init(name: String, original: Value, mine: Value, theirs: Value) {
      self.name = name
      self.original = original
      self.mine = mine
      self.theirs = theirs
    }
  }

  /// The name of the object's entity.
  public let entity: String
  /// The key of the object's row.
  public let key: RowKey
  /// The properties in conflict; empty when the row is deleted. If another row has the key, or the object was
  /// to be deleted, every property whose stored value has changed.
  public let properties: [Property]
  /// Whether someone else deleted the row.
  public let isDeleted: Bool
  /// Whether another row has the key now: the row was moved by `VACUUM`, or deleted and its key used
  /// again.
  public let isAnotherRow: Bool
  /// Whether the object was to be deleted, not changed.
  public let wasToBeDeleted: Bool
  /// Whether a missing row may have moved to another number and been changed by someone else: its table has
  /// no key to tell. Creating the object again may duplicate it.
  public let mayBeElsewhere: Bool

  /// A conflict about one object.
  public init(
    entity: String, key: RowKey, properties: [Property], isDeleted: Bool,
    isAnotherRow: Bool = false, wasToBeDeleted: Bool = false, mayBeElsewhere: Bool = false
  ) {
    self.entity = entity
    self.key = key
    self.properties = properties
    self.isDeleted = isDeleted
    self.isAnotherRow = isAnotherRow
    self.wasToBeDeleted = wasToBeDeleted
    self.mayBeElsewhere = mayBeElsewhere
  }

  public var description: String {
    if isDeleted, wasToBeDeleted {
      return "\(entity) \(key) could not be deleted: someone else has deleted or moved it."
    }
    if isDeleted, mayBeElsewhere {
      return "\(entity) \(key) is no longer there: someone else has deleted it, or changed and "
        + "moved it."
    }
    if isDeleted { return "\(entity) \(key) was deleted by someone else." }
    if isAnotherRow || wasToBeDeleted {
      let list = properties.map { "\($0.name) is now \($0.theirs), was \($0.original)" }
        .joined(separator: "; ")
      return isAnotherRow
        ? "\(entity) \(key) is a different row now: \(list)."
        : "\(entity) \(key) was to be deleted, but someone else has changed it: \(list)."
    }
    let list = properties.map { property in
      property.mine == property.theirs
        ? "\(property.name) was \(property.original) when the edit began, and someone else has changed it to "
          + "\(property.theirs), which it was to become"
        : "\(property.name) is now \(property.theirs), was \(property.original) when the edit began, and "
          + "was to become \(property.mine)"
    }
    return "\(entity) \(key): \(list.joined(separator: "; "))."
  }
}

extension Conflict.Property {
  /// The property in a slot, with its values in three rows.
  package init(
    _ slot: Slot, of entity: Entity, original: RowReference, mine: RowReference,
    theirs: RowReference
  ) {
    self.init(
      name: entity.properties[slot].name, original: original.value(slot), mine: mine.value(slot),
      theirs: theirs.value(slot))
  }
}
