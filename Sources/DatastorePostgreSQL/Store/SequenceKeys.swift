#if PostgreSQL
import DatastoreCore
import DatastoreSQL

/// Numbers for new rows in a third-party table, from the sequence that generates its key.
///
/// The first row takes one number, so that adding one row leaves no gap; a caller that adds many requests
/// twice as many each time.
struct SequenceKeys {
  /// The numbers to be used next, in the order in which the sequence returned them.
  private var waiting: ArraySlice<Int64> = []
  fileprivate var askedFor = 0
  /// The last number that was used if no sequence generates them.
  fileprivate var last: Int64?

  fileprivate static let most = 1_024

  /// The place of `count` consecutive waiting numbers.
  private func run(of count: Int) -> Range<Int>? {
    var start = waiting.startIndex
    for place in waiting.indices {
      if place > start, waiting[place] != waiting[place - 1] + 1 { start = place }
      if place - start + 1 == count { return start..<place + 1 }
    }
    return nil
  }

  fileprivate func has(_ count: Int) -> Bool { run(of: count) != nil }

  /// The first of `count` consecutive numbers; nil if there are not as many.
  fileprivate mutating func take(_ count: Int) -> Int64? {
    guard let run = run(of: count) else { return nil }
    defer { waiting = waiting[run.upperBound...] }
    return waiting[run.lowerBound]
  }

  fileprivate mutating func add(_ numbers: [Int64]) {
    waiting = ArraySlice(waiting + numbers)
    askedFor = numbers.count
  }
}

extension PostgreSQLStore {
  /// A key for a new row in a third-party table.
  ///
  /// - Parameter last: the key that was made before it for the same transaction.
  /// - Throws: `StoreError`.
  func makeSequenceKey(_ entity: EntityIndex, after last: RowKey?) throws -> RowKey {
    try requireWritable()
    if let number = sequenceKeys.withLock({ $0[entity]?.take(1) }) { return RowKey(number) }
    if nextNumber(of: entity) != nil { return try makeSequenceKeys(1, of: entity) }
    guard let column = keyColumn(of: entity) else {
      return mapping.keyTables[entity].makeNumber()
    }
    return try countUp(entity, column, after: last)
  }

  private func keyColumn(of entity: EntityIndex) -> String? {
    guard let slot = mapping.entities[entity].keySlot,
      case .attribute(let key) = mapping.entities[entity].slots[slot]
    else { return nil }
    return key.name
  }

  /// The expression that generates the key of a table; nil if nothing does.
  private func nextNumber(of entity: EntityIndex) -> String? {
    guard let column = keyColumn(of: entity),
      let expression = tables[entity]?.defaultExpression(of: column),
      expression.hasPrefix("nextval(")
    else { return nil }
    return expression
  }

  /// Whether a sequence returns consecutive numbers, as most do.
  func countsOneByOne(_ entity: EntityIndex) -> Bool {
    func isSeen() -> Bool { sequenceKeys.withLock { $0[entity]?.has(RowPage.fullCount) ?? false } }
    if isSeen() { return true }
    try? askForNumbers(RowPage.fullCount, of: entity)
    return isSeen()
  }

  /// The first of `count` consecutive keys.
  ///
  /// - Throws: `StoreError`, also if others take numbers so often that there are never `count` consecutive
  ///   ones.
  func makeSequenceKeys(_ count: Int, of entity: EntityIndex) throws -> RowKey {
    for _ in 0..<100 {
      if let first = sequenceKeys.withLock({ $0[entity]?.take(count) }) { return RowKey(first) }
      try askForNumbers(count, of: entity)
    }
    throw StoreError.unreadable(
      entity: schema.entities[entity].name,
      detail: "its sequence does not give \(count) numbers one after another")
  }

  /// Takes twice as many numbers as the last time, and at least as many as wanted.
  private func askForNumbers(_ wanted: Int, of entity: EntityIndex) throws {
    guard let expression = nextNumber(of: entity) else { return }
    let before = sequenceKeys.withLock { $0[entity]?.askedFor ?? 0 }
    // A caller that wants many takes many more of them.
    let count = min(max(before * 2, wanted), max(SequenceKeys.most, wanted * 64))
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
    let numbers = (0..<result.rowCount).compactMap { result.integer($0, 0) }
    if numbers.isEmpty {
      throw StoreError.unreadable(
        entity: schema.entities[entity].name, detail: "its sequence gives no numbers")
    }
    sequenceKeys.withLock { $0[entity, default: SequenceKeys()].add(numbers) }
  }

  /// The greatest key plus one, since no sequence generates keys: another program that takes the same
  /// meanwhile makes the save fail.
  private func countUp(
    _ entity: EntityIndex, _ column: String, after last: RowKey?
  ) throws -> RowKey {
    let greatest: Int64
    if let last {
      // The server would pass over all rows that the transaction has written, each time.
      greatest = last.rawValue
    } else {
      let table = mapping.entities[entity].qualifiedTable
      let statement = try PostgreSQLStatement(
        "SELECT coalesce(max(\(name: column)), 0)::int8 FROM \(table)")
      greatest = try read { try $0.run(statement).integer(0, 0) ?? 0 }
    }
    return sequenceKeys.withLock { kept in
      let next = max(greatest, kept[entity]?.last ?? 0) + 1
      kept[entity, default: SequenceKeys()].last = next
      return RowKey(next)
    }
  }
}
#endif
