import DatastoreCore

/// The interned keys of all entities that have no integer key of their own, by entity index.
///
/// A class, since SQL functions of every connection refer to the same one.
final class KeyTables: Sendable {
  private let tables: [KeyTable?]

  init(_ tables: [KeyTable?]) {
    self.tables = tables
  }

  /// Traps when the entity's keys are rowids.
  subscript(entity: Int) -> KeyTable {
    guard entity >= 0, entity < tables.count, let table = tables[entity] else {
      preconditionFailure("entity \(entity) has rowids and needs no key table")
    }
    return table
  }
}

/// Stands an `Int64` for every key of an entity whose keys are text, composite, or whole rows.
///
/// A number is given out when a key is first met and stays for the life of the store. May be used
/// from any thread. O(length of the key).
final class KeyTable: Sendable {
  private struct Key: Hashable {
    let values: [Value]
    /// Which of several equal rows, for views.
    let occurrence: Int
  }

  private struct State {
    var numbers: [Key: Int64] = [:]
    var keys: [Int64: Key] = [:]
    var last: Int64 = 0
  }

  private let state = Lock(State())
  /// Whether keys are whole rows, in which NULL is a value like others.
  let isOfWholeRows: Bool

  init(isOfWholeRows: Bool) {
    self.isOfWholeRows = isOfWholeRows
  }

  /// The number of a key, new if it was never met.
  func number(of values: [Value], occurrence: Int = 0) -> Int64 {
    state.withLock { state in
      let key = Key(values: values, occurrence: occurrence)
      if let number = state.numbers[key] { return number }
      state.last += 1
      state.numbers[key] = state.last
      state.keys[state.last] = key
      return state.last
    }
  }

  /// The key a number stands for; nil when it was made for an object that was never saved.
  func values(of number: Int64) -> [Value]? {
    state.withLock { $0.keys[number]?.values }
  }

  /// The number of one more row that equals the row with a number.
  func number(ofOccurrence occurrence: Int, of number: Int64) -> Int64 {
    if occurrence == 0 { return number }
    guard let values = values(of: number) else {
      preconditionFailure("a row of a view is interned before its occurrences are counted")
    }
    return self.number(of: values, occurrence: occurrence)
  }

  /// A number for a row that does not exist yet.
  func makeNumber() -> Int64 {
    state.withLock { state in
      state.last += 1
      return state.last
    }
  }

  /// Gives a number made by `makeNumber()` its key, and answers with the number by which the key is
  /// known from now on: an older one if the key was met before.
  func assign(_ values: [Value], to number: Int64) -> Int64 {
    state.withLock { state in
      let key = Key(values: values, occurrence: 0)
      if let known = state.numbers[key] { return known }
      if state.keys[number] != nil {
        // The number stands for another key: the row was deleted and comes back under a new one.
        state.last += 1
        state.numbers[key] = state.last
        state.keys[state.last] = key
        return state.last
      }
      state.numbers[key] = number
      state.keys[number] = key
      return number
    }
  }
}
