#if PostgreSQL
import DatastoreCore
import DatastoreSQL

/// Numbers for new rows in a foreign table, from the sequence that counts up its key.
///
/// The first row takes one number, so that adding one leaves no gap; who adds many asks for twice as many
/// each time.
struct SequenceKeys {
  /// Those to be given out next are last.
  fileprivate var waiting: [RowKey] = []
  fileprivate var askedFor = 0
  /// Numbers one after another, for who needs them so.
  fileprivate var run: Range<Int64> = 0..<0
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
    if let expression = nextNumber(of: entity) { return try takeNext(entity, expression) }
    guard let column = keyColumn(of: entity) else {
      return mapping.keyTables[entity].makeNumber()
    }
    return try countUp(entity, column)
  }

  private func keyColumn(of entity: EntityIndex) -> String? {
    guard let slot = mapping.entities[entity].keySlot,
      case .attribute(let key) = mapping.entities[entity].slots[slot]
    else { return nil }
    return key.name
  }

  /// What counts up the key of a table; nil where nothing does.
  private func nextNumber(of entity: EntityIndex) -> String? {
    guard let column = keyColumn(of: entity),
      let expression = tables[entity]?.defaultExpression(of: column),
      expression.hasPrefix("nextval(")
    else { return nil }
    return expression
  }

  /// Whether a sequence gives numbers one after another, as most do.
  func countsOneByOne(_ entity: EntityIndex) -> Bool {
    nextNumber(of: entity) != nil && (try? takeRun(RowPage.fullCount, of: entity)) == true
  }

  /// The first of so many keys, one after another.
  ///
  /// - Throws: `StoreError`, also where others take numbers so often that there are never so many.
  func makeSequenceKeys(_ count: Int, of entity: EntityIndex) throws -> RowKey {
    for _ in 0..<100 {
      let first = sequenceKeys.withLock { kept -> Int64? in
        guard let run = kept[entity]?.run, run.count >= count else { return nil }
        kept[entity]?.run = run.dropFirst(count)
        return run.lowerBound
      }
      if let first { return RowKey(first) }
      _ = try takeRun(count, of: entity)
    }
    throw StoreError.unreadable(
      entity: schema.entities[entity].name,
      detail: "its sequence does not give \(count) numbers one after another")
  }

  /// Takes twice as many numbers as the last time, and keeps those that come one after another.
  ///
  /// - Returns: whether there are as many as wanted.
  private func takeRun(_ wanted: Int, of entity: EntityIndex) throws -> Bool {
    if sequenceKeys.withLock({ $0[entity]?.run.count ?? 0 }) >= wanted { return true }
    guard let expression = nextNumber(of: entity) else { return false }
    let before = sequenceKeys.withLock { $0[entity]?.askedFor ?? 0 }
    let numbers = try numbers(
      entity, expression, count: min(max(before * 2, wanted), SequenceKeys.most * 16))
    var run: Range<Int64> = 0..<0
    for number in numbers {
      if number == run.upperBound, !run.isEmpty {
        run = run.lowerBound..<number + 1
      } else if run.count < wanted {
        run = number..<number + 1
      } else {
        break
      }
    }
    sequenceKeys.withLock { kept in
      kept[entity, default: SequenceKeys()].run = run
      kept[entity, default: SequenceKeys()].askedFor = numbers.count
    }
    return run.count >= wanted
  }

  private func takeNext(_ entity: EntityIndex, _ expression: String) throws -> RowKey {
    let before = sequenceKeys.withLock { $0[entity]?.askedFor ?? 0 }
    let count = min(max(before * 2, 1), SequenceKeys.most)
    var keys = try numbers(entity, expression, count: count).map { RowKey($0) }
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

  /// The next numbers of a sequence.
  private func numbers(
    _ entity: EntityIndex, _ expression: String, count: Int
  ) throws -> [Int64] {
    do {
      let result = try connect { connection in
        try connection.run(
          PostgreSQLStatement(
            "SELECT (\(expression))::int8 FROM generate_series(1, $1::int8)",
            [.int8(Int64(count))]))
      }
      return (0..<result.rowCount).compactMap { result.integer($0, 0) }
    } catch let failure as PostgreSQLFailure {
      throw StoreError(failure, of: entity, in: self)
    }
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
