/// The one rule by which every engine writes a batch of rows that have a key.
extension RowRules {
  /// Decides what becomes of each row of a batch, in order: a stored row gets new values, any other row is
  /// new, and a row whose key a row before it had, or several stored rows have, is left out.
  ///
  /// - Parameters:
  ///   - stored: for each row, the stored row with its key; nil if there is none. Rows of this batch are not
  ///     among them.
  ///   - key: the key of a row in the form that the store compares. Called for rows that are not stored.
  ///   - count: the number of stored rows with the key of a stored row.
  ///   - isWritten: whether a stored row was written by an earlier batch of the same transaction.
  ///   - update: gives a stored row the values of a row.
  ///   - insert: adds a row that the closure fills; returns false if the closure does.
  @inlinable
  package mutating func decide<Stored>(
    _ stored: [Stored?], key: (_ row: Int) -> Value, count: (Stored) -> Int,
    isWritten: (Stored) -> Bool,
    update: (_ row: Int, _ stored: Stored) throws -> Void,
    insert: (_ row: Int, _ fill: (RowPage, Int) throws -> Bool) throws -> Bool
  ) throws {
    var new: Set<Value> = []
    for (row, place) in stored.enumerated() {
      if let place {
        if isWritten(place) {
          try refuseRepeated(row)
        } else if count(place) > 1 {
          try refuseAmbiguous(row, count: count(place))
        } else if try updates(row) {
          try update(row, place)
        }
        continue
      }
      let key = key(row)
      if new.contains(key) {
        try refuseRepeated(row)
      } else if try insert(row, { try fill($0, $1, with: row) }) {
        new.insert(key)
      }
    }
  }
}

extension Value {
  /// The key as SQLite compares keys: a real number that is whole equals the integer.
  package var asSQLiteKey: Value {
    if case .real(let real) = self, let integer = Int64(exactly: real) { return .integer(integer) }
    return self
  }
}
