import DatastoreCore

/// An object, known by its entity's index and its key.
///
/// References to one key are equal, whatever was seen under it.
struct ObjectReference: Sendable {
  var entity: EntityIndex
  var key: RowKey
  /// What was shown under the key, where it is a mere row number, which another row may have by the time that
  /// something is done with it.
  var seen: SeenRow?

  init(entity: EntityIndex, key: RowKey, seen: SeenRow? = nil) {
    self.entity = entity
    self.key = key
    self.seen = seen
  }
}

extension ObjectReference: Hashable {
  static func == (left: ObjectReference, right: ObjectReference) -> Bool {
    left.entity == right.entity && left.key == right.key
  }

  func hash(into hasher: inout Hasher) {
    hasher.combine(entity)
    hasher.combine(key)
  }
}

/// A row as it was shown.
struct SeenRow: Sendable {
  let row: RowReference
  /// `reloadCount` of the context then: while it is the same, the key leads to the same object.
  let reloadCount: Int
  /// `placement` of the store then: while it is the same, no row was moved.
  let placement: Int64?
}

extension SeenRow: Hashable {
  /// Whether they are of one reading: those of different ones may be equal in all that they hold.
  static func == (left: SeenRow, right: SeenRow) -> Bool {
    left.row.page === right.row.page && left.row.row == right.row.row
      && left.reloadCount == right.reloadCount
  }

  func hash(into hasher: inout Hasher) {
    hasher.combine(ObjectIdentifier(row.page))
    hasher.combine(row.row)
  }
}
