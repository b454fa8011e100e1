import DatastoreCore

/// A reference to an object by the index of its entity and its key.
///
/// References to the same key are equal, whatever row was seen under it.
struct ObjectReference: Sendable {
  var entity: EntityIndex
  var key: RowKey
  /// The row that was shown under the key, if the key is a mere row number: another row may have that number
  /// by the time of a command. While an editor, a preview or a question is open, the row that it is about.
  var seen: SeenRow?
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
  /// The `reloadCount` of the context at that time: while it is the same, the key leads to the same object.
  let reloadCount: Int
  /// The `placement` of the store at that time: while it is the same, no row was moved.
  let placement: Int64?
}

extension SeenRow: Hashable {
  /// Whether both were read at the same time: rows read at different times may be equal in all their values.
  static func == (left: SeenRow, right: SeenRow) -> Bool {
    left.row.page === right.row.page && left.row.row == right.row.row
      && left.reloadCount == right.reloadCount
  }

  func hash(into hasher: inout Hasher) {
    hasher.combine(ObjectIdentifier(row.page))
    hasher.combine(row.row)
  }
}
