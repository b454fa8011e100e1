#if PostgreSQL
import DatastoreCore
import DatastoreSQL

/// Numbers for new rows in a foreign table, from the sequence that counts up its key.
///
/// The first row takes one number, so that adding one leaves no gap; who adds many asks for twice as many each time.
struct SequenceKeys {
  /// Those to be given out next are last.
  fileprivate var waiting: [RowKey] = []
  fileprivate var askedFor = 0
  /// The last one that was given out where nothing counts them.
  fileprivate var last: Int64?

  fileprivate static let most = 1_024
}

extension PostgreSQLStore {
  /// A key for a new row in a foreign table.
  ///
  /// - Throws: `StoreError`.
  func makeSequenceKey(_ entity: EntityIndex) throws -> RowKey {
    try requireWritable()
    if let key = sequenceKeys.withLock({ $0[entity]?.waiting.popLast() }) { return key }
    guard let column = mapping.entities[entity].keySlot, let table = tables[entity],
      case .attribute(let key) = mapping.entities[entity].slots[column]
    else { return mapping.keyTables[entity].makeNumber() }
    if let expression = table.defaultExpression(of: key.name), expression.hasPrefix("nextval(") {
      return try takeNext(entity, expression)
    }
    return try countUp(entity, key.name)
  }

  private func takeNext(_ entity: EntityIndex, _ expression: String) throws -> RowKey {
    let before = sequenceKeys.withLock { $0[entity]?.askedFor ?? 0 }
    let count = min(max(before * 2, 1), SequenceKeys.most)
    let result: PostgreSQLResult
    do {
      result = try connect { connection in
        try connection.run(
          PostgreSQLStatement(
            "SELECT (\(expression))::int8 FROM generate_series(1, $1::int8)",
            [.int8(Int64(count))]))
      }
    } catch let failure as PostgreSQLFailure {
      throw StoreError(failure, of: entity, in: self)
    }
    var keys = (0..<result.rowCount).compactMap { result.integer($0, 0).map { RowKey($0) } }
    keys.reverse()
    guard let key = keys.popLast() else {
      throw StoreError.unreadable(
        entity: schema.entities[entity].name, detail: "its sequence gives no numbers")
    }
    sequenceKeys.withLock { kept in
      kept[entity, default: SequenceKeys()].waiting = keys
      kept[entity, default: SequenceKeys()].askedFor = count
    }
    return key
  }

  /// One more than the greatest, as nothing counts them up: who takes the same meanwhile makes the save fail.
  private func countUp(_ entity: EntityIndex, _ column: String) throws -> RowKey {
    let table = mapping.entities[entity].qualifiedTable
    let statement = try PostgreSQLStatement(
      "SELECT coalesce(max(\(name: column)), 0)::int8 FROM \(table)")
    let greatest = try read { try $0.run(statement).integer(0, 0) ?? 0 }
    return sequenceKeys.withLock { kept in
      let next = max(greatest, kept[entity]?.last ?? 0) + 1
      kept[entity, default: SequenceKeys()].last = next
      return RowKey(next)
    }
  }
}
#endif
