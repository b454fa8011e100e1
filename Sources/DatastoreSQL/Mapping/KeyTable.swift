import Basics
package import DatastoreCore

/// The interned keys of all entities that have no integer key of their own, by entity index.
///
/// A class, since SQL functions of every connection refer to the same one.
package final class KeyTables: Sendable {
  private let tables: [KeyTable?]
  /// What references hold that lead nowhere: `DanglingKey`.
  package let dangling: KeyTable

  package init(_ tables: [KeyTable?], budget: UInt64) {
    self.tables = tables
    dangling = KeyTable(
      isOfWholeRows: false, isLimited: true, from: DanglingKey.range.lowerBound, budget: budget)
  }

  /// The keys of an entity; nil where there is no such entity, or its keys are rowids.
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

/// Gives a `RowKey` to every key of an entity whose keys are text, composite, or whole rows.
///
/// A number is given out when a key is first met and stays for the life of the store. May be used
/// from any thread. O(length of the key).
package final class KeyTable: Sendable {
  private struct Key: Hashable {
    package let values: [Value]
    /// Which of several equal rows, for views.
    package let occurrence: Int
  }

  private struct State {
    package var numbers: [Key: RowKey] = [:]
    package var keys: [RowKey: Key] = [:]
    package var last: RowKey = 0
    /// Bytes that the keys take, about.
    package var size: UInt64 = 0
    /// Bytes that they may take where that is limited.
    package var budget: UInt64

    mutating func makeNumber() -> RowKey {
      last = RowKey(last.rawValue + 1)
      return last
    }
  }

  private let state: Lock<State>
  /// Whether keys are whole rows, in which NULL is a value like others.
  package let isOfWholeRows: Bool

  /// Whether there is an end to the memory that keys take.
  private let isLimited: Bool

  /// - Parameter first: the number behind which those begin that are given out.
  /// - Parameter budget: the bytes that keys may take where that is limited.
  package init(
    isOfWholeRows: Bool, isLimited: Bool = false, from first: RowKey = 0, budget: UInt64
  ) {
    self.isOfWholeRows = isOfWholeRows
    self.isLimited = isLimited || isOfWholeRows
    state = Lock(State(last: first, budget: budget))
  }

  /// The number of a key, new if it was never met.
  ///
  /// - Throws: `TooManyRows` where memory is limited and there are more than it is given for.
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

  /// About what a key takes in both tables.
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

  /// Gives the keys less room, or more.
  package func setBudget(_ bytes: UInt64) {
    state.withLock { $0.budget = bytes }
  }

  /// The key with a number; nil when it was made for an object that was never saved.
  package func values(of number: RowKey) -> [Value]? {
    state.withLock { $0.keys[number]?.values }
  }

  /// The number of one more row that equals the row with a number.
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

  /// Gives a number made by `makeNumber()` its key, and answers with the number by which the key is
  /// known from now on: an older one if the key was met before.
  package func assign(_ values: [Value], to number: RowKey) -> RowKey {
    state.withLock { state in
      let key = Key(values: values, occurrence: 0)
      if let known = state.numbers[key] { return known }
      if state.keys[number] != nil {
        // The number is that of another key: the row was deleted and comes back under a new one.
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

/// A view has more rows than can be distinguished: without a key, each has to be kept in memory.
package struct TooManyRows: Error, CustomStringConvertible {
  /// How many there were until then.
  package let count: Int

  package var description: String {
    "its rows have no key, so all of them are kept in memory, and after \(count) rows the memory for "
      + "them is used up; use “datastore query”, which writes rows one by one, or a condition"
  }
}

/// Tells equal rows of a view apart by counting them.
package struct OccurrenceCounter {
  private let table: KeyTable
  private var counts: [RowKey: Int] = [:]

  package init(_ table: KeyTable) {
    self.table = table
  }

  /// The key of one more row whose content has this number.
  ///
  /// - Throws: `TooManyRows`.
  package mutating func key(_ number: RowKey) throws(TooManyRows) -> RowKey {
    let occurrence = counts[number, default: 0]
    counts[number] = occurrence + 1
    return try table.number(ofOccurrence: occurrence, of: number)
  }
}
