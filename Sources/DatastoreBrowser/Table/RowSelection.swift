import DatastoreCore
import TerminalUI

/// The rows that are selected, of one entity.
struct RowSelection: Hashable, Sendable {
  private(set) var entity: EntityIndex = 0
  /// The keys that were selected one by one.
  private(set) var keys: Set<RowKey> = []
  /// The table all of whose rows are selected.
  private(set) var all: TableQuery?
  /// What was shown when they were selected, where their keys are mere row numbers.
  private(set) var seen: [RowKey: SeenRow] = [:]
  /// The stretch of rows that is being extended.
  private var stretch: Stretch?

  /// Rows from one to another, and what was selected before them.
  private struct Stretch: Hashable, Sendable {
    let query: TableQuery
    let from: RowKey
    var to: RowKey
    let before: Set<RowKey>
  }

  /// Selects a row, or no longer. Rows of another entity are no longer selected then.
  mutating func toggle(_ key: RowKey, in list: KeyList, _ query: TableQuery) {
    if all == query {
      // One row less than all of them.
      keys = Set(list.keys)
    } else if entity != query.entity {
      keys = []
    }
    all = nil
    stretch = nil
    entity = query.entity
    if keys.remove(key) == nil { keys.insert(key) }
  }

  /// Selects the rows between the one that the extending began at and another one, besides what was
  /// selected before. O(rows of the stretch), and O(rows) to find where it began.
  ///
  /// - Parameters:
  ///   - index: the place in the list that the cursor leaves.
  ///   - target: the place that it goes to.
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

  /// Selects all rows of a table, or none when some are selected.
  mutating func toggleAll(_ query: TableQuery) {
    let isEmpty = count(in: query, rows: 1) == 0
    self = RowSelection()
    entity = query.entity
    if isEmpty { all = query }
  }

  /// Remembers what is shown of the selected rows, and of no others.
  mutating func remember(_ rows: [RowKey: RowSnapshot]) {
    if all != nil || keys.isEmpty {
      seen = [:]
      return
    }
    if !seen.isEmpty { seen = seen.filter { keys.contains($0.key) } }
    for (key, row) in rows where keys.contains(key) {
      guard let row = row.seen else { continue }
      // What was written here is still the same row; what came from elsewhere may be another one.
      let isKnown = seen[key].map { $0.reloadCount != row.reloadCount } ?? false
      if !isKnown { seen[key] = row }
    }
  }

  /// The rows, as they were when they were selected.
  var references: [ObjectReference] {
    keys.sorted().map { ObjectReference(entity: entity, key: $0, seen: seen[$0]) }
  }

  /// Continues with those of the rows that were found, wherever they are now; the others are selected no
  /// longer.
  ///
  /// - Parameter found: by the key that a row had when it was looked for. Rows that were selected since stay.
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

  /// How many rows of a table of so many are selected.
  func count(in query: TableQuery, rows: Int) -> Int {
    guard entity == query.entity else { return 0 }
    return all == query ? rows : keys.count
  }

  /// Whether every row of the table is.
  func isAll(of query: TableQuery) -> Bool { all == query }
}

/// Many objects that are changed at once.
enum BulkTarget: Hashable, Sendable {
  /// Few enough to be staged.
  case objects([ObjectReference])
  /// The saved objects of an entity that meet a condition: too many to be staged, so they are written
  /// at once.
  case matching(entity: EntityIndex, Predicate?, count: Int)

  /// More objects are not staged.
  static let mostStaged = 10_000

  var count: Int {
    switch self {
    case .objects(let objects): objects.count
    case .matching(_, _, let count): count
    }
  }
}
