import Basics
package import DatastoreCore

/// The interned keys of all entities without an integer key, by entity index.
///
/// A class, because SQL functions of every connection refer to the same instance.
package final class KeyTables: Sendable {
  private let tables: [KeyTable?]
  /// The stored values of references that lead nowhere: `DanglingKey`.
  package let dangling: KeyTable

  package init(_ tables: [KeyTable?], budget: UInt64) {
    self.tables = tables
    dangling = KeyTable(
      isOfWholeRows: false, isLimited: true, from: DanglingKey.range.lowerBound, budget: budget)
  }

  /// The keys of an entity; nil if there is no such entity, or its keys are rowids.
  package func table(entity: Int64) -> KeyTable? {
    guard entity >= 0, entity < Int64(tables.count) else { return nil }
    return tables[Int(entity)]
  }

  /// Traps when the entity's keys are rowids.
  package subscript(entity: EntityIndex) -> KeyTable {
    guard let table = table(entity: Int64(entity.rawValue)) else {
      trap("entity \(entity) has rowids and needs no key table")
    }
    return table
  }
}

/// Assigns a `RowKey` to every key of an entity whose keys are text, composite, or whole rows.
///
/// A number is assigned when a key is first met and kept for the lifetime of the store. May be used from any
/// thread. O(length of the key).
package final class KeyTable: Sendable {
  private struct Key: Hashable {
    package let values: [Value]
    /// The index among several equal rows, for views.
    package let occurrence: Int
  }

  private struct State {
    package var numbers: [Key: RowKey] = [:]
    package var keys: [RowKey: Key] = [:]
    package var last: RowKey = 0
    /// The approximate number of bytes of the keys.
    package var size: UInt64 = 0
    /// The greatest number of bytes, if memory is limited.
    package var budget: UInt64

    mutating func makeNumber() -> RowKey {
      last = RowKey(last.rawValue + 1)
      return last
    }
  }

  private let state: Lock<State>
  /// Whether keys are whole rows, in which NULL is a value like others.
  package let isOfWholeRows: Bool

  /// Whether the memory for keys is limited.
  private let isLimited: Bool

  /// - Parameter first: the number before the first assigned one.
  /// - Parameter budget: the greatest number of bytes for keys, if memory is limited.
  package init(
    isOfWholeRows: Bool, isLimited: Bool = false, from first: RowKey = 0, budget: UInt64
  ) {
    self.isOfWholeRows = isOfWholeRows
    self.isLimited = isLimited || isOfWholeRows
    state = Lock(State(last: first, budget: budget))
  }

  /// The number of a key; a new one if it was never met.
  ///
  /// - Throws: `TooManyRows` if memory is limited and exhausted.
  package func number(of values: [Value], occurrence: Int = 0) throws(TooManyRows) -> RowKey {
    try state.withLock { state throws(TooManyRows) in
      let key = Key(values: values, occurrence: occurrence)
      if let number = state.numbers[key] { return number }
      if isLimited {
        state.size += Self.size(of: values, isShared: occurrence > 0)
        if state.size > state.budget { throw TooManyRows(count: state.keys.count) }
      }
      let number = state.makeNumber()
      state.numbers[key] = number
      state.keys[number] = key
      return number
    }
  }

  /// The approximate number of bytes of a key in both tables.
  private static func size(of values: [Value], isShared: Bool) -> UInt64 {
    let own: UInt64 = 160
    return isShared
      ? own
      : values.reduce(into: own) { size, value in
        switch value {
        case .null, .integer, .real: size += 32
        case .text(let text): size += 64 + UInt64(text.utf8.count)
        case .blob(let data): size += 96 + UInt64(data.count)
        }
      }
  }

  /// Changes the greatest number of bytes for keys.
  package func setBudget(_ bytes: UInt64) {
    state.withLock { $0.budget = bytes }
  }

  /// The key with a number; nil when it was made for an object that was never saved.
  package func values(of number: RowKey) -> [Value]? {
    state.withLock { $0.keys[number]?.values }
  }

  /// The number of a further row that equals the row with a number.
  ///
  /// - Throws: `TooManyRows`.
  package func number(ofOccurrence occurrence: Int, of number: RowKey) throws(TooManyRows) -> RowKey
  {
    if occurrence == 0 { return number }
    guard let values = values(of: number) else {
      trap("a row of a view is interned before its occurrences are counted")
    }
    return try self.number(of: values, occurrence: occurrence)
  }

  /// A number for a row that does not exist yet.
  package func makeNumber() -> RowKey {
    state.withLock { $0.makeNumber() }
  }

  /// Assigns a key to a number made by `makeNumber()`, and returns the number of the key from now on: an
  /// older one if the key was met before.
  package func assign(_ values: [Value], to number: RowKey) -> RowKey {
    state.withLock { state in
      let key = Key(values: values, occurrence: 0)
      if let known = state.numbers[key] { return known }
      if state.keys[number] != nil {
        // The number belongs to another key: the row was deleted and is inserted again under a new one.
        let number = state.makeNumber()
        state.numbers[key] = number
        state.keys[number] = key
        return number
      }
      state.numbers[key] = number
      state.keys[number] = key
      return number
    }
  }
}

/// The error of a view with more rows than can be distinguished: without a key, each has to be kept in
/// memory.
package struct TooManyRows: Error, CustomStringConvertible {
  /// The number of rows up to then.
  package let count: Int

  package var description: String {
    "its rows have no key, so all of them are kept in memory, and after \(count) rows the memory for "
      + "them is used up; use “datastore query”, which writes rows one by one, or a condition"
  }
}

/// Distinguishes equal rows of a view by counting them.
package struct OccurrenceCounter {
  private let table: KeyTable
  private var counts: [RowKey: Int] = [:]

  package init(_ table: KeyTable) {
    self.table = table
  }

  /// The key of the next row whose content has this number.
  ///
  /// - Throws: `TooManyRows`.
  package mutating func key(_ number: RowKey) throws(TooManyRows) -> RowKey {
    let occurrence = counts[number, default: 0]
    counts[number] = occurrence + 1
    return try table.number(ofOccurrence: occurrence, of: number)
  }
}
