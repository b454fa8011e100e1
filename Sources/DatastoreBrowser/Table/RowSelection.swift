import DatastoreCore
import TerminalUI

/// The selected rows of one entity.
struct RowSelection: Hashable, Sendable {
  private(set) var entity: EntityIndex = 0
  /// The keys that were selected one by one.
  private(set) var keys: Set<RowKey> = []
  /// The query of the table, if all its rows are selected.
  private(set) var all: TableQuery?
  /// The selected rows as they were shown, if their keys are mere row numbers.
  private(set) var seen: [RowKey: SeenRow] = [:]
  /// The range of rows that is being extended.
  private var stretch: Stretch?

  /// A range of rows, and the rows that were selected before it.
  private struct Stretch: Hashable, Sendable {
    let query: TableQuery
    let from: RowKey
    var to: RowKey
    let before: Set<RowKey>
  }

  /// Selects or deselects a row. Deselects the rows of another entity.
  mutating func toggle(_ key: RowKey, in list: KeyList, _ query: TableQuery) {
    if all == query {
      // All rows, less the one that is removed below.
      keys = Set(list.keys)
    } else if entity != query.entity {
      keys = []
    }
    all = nil
    stretch = nil
    entity = query.entity
    if keys.remove(key) == nil { keys.insert(key) }
  }

  /// Selects the rows between the start of the range and another row, besides those selected before. O(rows
  /// of the range), and O(rows) to find the start.
  ///
  /// - Parameters:
  ///   - index: the place in the list that the cursor leaves.
  ///   - target: the place that the cursor goes to.
  mutating func extend(from index: Int, to target: Int, in list: KeyList, _ query: TableQuery) {
    guard all != query else { return }
    if entity != query.entity {
      keys = []
      entity = query.entity
    }
    all = nil
    var stretch =
      stretch.flatMap { $0.query == query && $0.to == list.keys[index] ? $0 : nil }
      ?? Stretch(query: query, from: list.keys[index], to: list.keys[index], before: keys)
    stretch.to = list.keys[target]
    let start = list.keys.firstIndex(of: stretch.from) ?? index
    keys = stretch.before.union(
      (min(start, target)...max(start, target)).lazy.compactMap { list.keys.readKey(at: $0) })
    self.stretch = stretch
  }

  /// Selects all rows of a table, or deselects all if any are selected.
  mutating func toggleAll(_ query: TableQuery) {
    let isEmpty = count(in: query, rows: 1) == 0
    self = RowSelection()
    entity = query.entity
    if isEmpty { all = query }
  }

  /// Keeps the shown values of the selected rows, and of no others.
  mutating func remember(_ rows: [RowKey: RowSnapshot]) {
    if all != nil || keys.isEmpty {
      seen = [:]
      return
    }
    if !seen.isEmpty { seen = seen.filter { keys.contains($0.key) } }
    for (key, row) in rows where keys.contains(key) {
      guard let row = row.seen else { continue }
      // After a change made here the row is still the same; after a reload it may be another row.
      let isKnown = seen[key].map { $0.reloadCount != row.reloadCount } ?? false
      if !isKnown { seen[key] = row }
    }
  }

  /// The selected rows, as they were when they were selected.
  var references: [ObjectReference] {
    keys.sorted().map { ObjectReference(entity: entity, key: $0, seen: seen[$0]) }
  }

  /// Follows the selected rows to their new keys; rows that were not found are deselected.
  ///
  /// - Parameter found: the found rows by the keys that they were looked for with. Rows selected since stay
  ///   selected.
  mutating func follow(_ found: [RowKey: ObjectReference?]) {
    stretch = nil
    let old = keys
    let oldSeen = seen
    keys = old.filter { found[$0] == nil }
    seen = oldSeen.filter { keys.contains($0.key) }
    for key in old {
      guard case .some(.some(let reference)) = found[key] else { continue }
      keys.insert(reference.key)
      seen[reference.key] = reference.seen
    }
  }

  func contains(_ key: RowKey, in query: TableQuery) -> Bool {
    entity == query.entity && (all == query || keys.contains(key))
  }

  /// The number of selected rows in a table with this many rows.
  func count(in query: TableQuery, rows: Int) -> Int {
    guard entity == query.entity else { return 0 }
    return all == query ? rows : keys.count
  }

  func isAll(of query: TableQuery) -> Bool { all == query }
}

/// The objects of a bulk change.
enum BulkTarget: Hashable, Sendable {
  /// Objects that are few enough to be staged.
  case objects([ObjectReference])
  /// The saved objects of an entity that meet a condition: too many to be staged, so the change is written at
  /// once.
  case matching(entity: EntityIndex, Predicate?, count: Int)

  /// The most objects that are staged.
  static let mostStaged = 10_000
  /// The most objects whose changes are kept for after a crash if they are written at once.
  static let mostKept = 100_000

  var count: Int {
    switch self {
    case .objects(let objects): objects.count
    case .matching(_, _, let count): count
    }
  }
}
