import DatastoreCore
import TerminalUI

/// The rows that are selected, of one entity.
struct RowSelection: Hashable, Sendable {
  private(set) var entity = 0
  /// The keys that were selected one by one.
  private(set) var keys: Set<Int64> = []
  /// The table all of whose rows are selected.
  private(set) var all: TableQuery?
  /// The stretch of rows that is being extended.
  private var stretch: Stretch?

  /// Rows from one to another, and what was selected before them.
  private struct Stretch: Hashable, Sendable {
    let query: TableQuery
    let from: Int64
    var to: Int64
    let before: Set<Int64>
  }

  /// Selects a row, or no longer. Rows of another entity are no longer selected then.
  mutating func toggle(_ key: Int64, in list: KeyList, _ query: TableQuery) {
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
    keys = stretch.before.union(list.keys[min(start, target)..<max(start, target) + 1])
    self.stretch = stretch
  }

  /// Selects all rows of a table, or none when some are selected.
  mutating func toggleAll(_ query: TableQuery) {
    let isEmpty = count(in: query, rows: 1) == 0
    self = RowSelection()
    entity = query.entity
    if isEmpty { all = query }
  }

  func contains(_ key: Int64, in query: TableQuery) -> Bool {
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
  case matching(entity: Int, Predicate?, count: Int)

  /// More objects are not staged.
  static let mostStaged = 10_000

  var count: Int {
    switch self {
    case .objects(let objects): objects.count
    case .matching(_, _, let count): count
    }
  }
}

extension BrowserState {
  /// The selected rows, or all rows of the table when none is selected; nil while there are none, or
  /// while they are still being read.
  var bulkTarget: BulkTarget? {
    guard let table else { return nil }
    let query = table.query
    let selection = editing.selection
    let selected = selection.count(in: query, rows: table.list.keys.count)
    if selected > 0, !selection.isAll(of: query), selected <= BulkTarget.mostStaged {
      return .objects(
        selection.keys.sorted().map { ObjectReference(entity: query.entity, key: $0) })
    }
    guard table.isComplete, !table.list.keys.isEmpty else { return nil }
    if table.list.keys.count <= BulkTarget.mostStaged {
      return .objects(
        table.list.keys.map { ObjectReference(entity: query.entity, key: $0) })
    }
    return .matching(
      entity: query.entity, query.request(in: schema).predicate, count: table.list.keys.count)
  }

  /// Selects the row under the cursor, or no longer, and goes on to the next.
  mutating func selectRow() -> [Effect] {
    guard var table, case .row(let index) = table.currentLine else { return [] }
    editing.selection.toggle(table.list.keys[index], in: table.list, table.query)
    table.scroll.move(by: 1, count: table.lines.count, height: tableHeight)
    table.noteAnchor()
    self.table = table
    return []
  }

  /// Goes to the next row, or the one before, and selects all rows on the way; going back no longer
  /// selects them.
  mutating func extendSelection(by step: Int) -> [Effect] {
    guard var table, case .row(let index) = table.currentLine else {
      return move(step > 0 ? .lineDown : .lineUp)
    }
    var line = table.scroll.cursor + step
    if case .header = table.lines[line] { line += step }
    guard case .row(let target) = table.lines[line] else { return [] }
    editing.selection.extend(from: index, to: target, in: table.list, table.query)
    table.scroll.move(to: line, count: table.lines.count, height: tableHeight)
    table.noteAnchor()
    self.table = table
    return []
  }

  /// Begins to change the column under the cursor in many objects.
  mutating func beginBulkUpdate() -> [Effect] {
    guard let target = editTarget, let bulk = bulkTarget else { return [] }
    awaitAnswer(.editor(target))
    return [.beginEdit(target, bulk)]
  }

  /// Shows what a change of many objects would do, and asks.
  mutating func ask(_ plan: UpdatePlan) {
    guard overlays.isEmpty else { return }
    // Marks that every terminal shows.
    let marks = Marks(.ascii)
    let new = plan.new.shown(marks).text
    var lines = [
      "Set \(plan.property) to \(new) in \(CountText.counted(plan.target.count, "object"))."
    ]
    for sample in plan.samples {
      lines.append("\(sample.name): \(sample.old.shown(marks).text) \(marks.leadsTo) \(new)")
    }
    if plan.target.count > plan.samples.count {
      lines.append("and \(CountText.grouped(plan.target.count - plan.samples.count)) more")
    }
    switch plan.target {
    case .objects(let objects):
      lines.append("One undo takes all of it back; nothing is written before it is saved.")
      open(
        Question(
          title: "Change many objects", message: lines.joined(separator: "\n"),
          answers: [
            Question.Answer("y", "change") { _ in
              [.stage(.assign(objects, slot: plan.slot, plan.value))]
            },
            Question.Answer("n", "leave them") { _ in [] },
          ]))
    case .matching(let entity, let predicate, _):
      lines.append("These are too many to stage: they are WRITTEN AT ONCE and cannot be undone.")
      open(
        Question(
          title: "Change many objects", message: lines.joined(separator: "\n"),
          answers: [
            Question.Answer("W", "write now") { state in
              state.editing.isSaving = true
              return [.writeUpdate(entity: entity, predicate, slot: plan.slot, plan.value)]
            },
            Question.Answer("n", "leave them") { _ in [] },
          ], role: .warning))
    }
  }

  /// Begins to delete many objects.
  mutating func beginBulkDeletion() -> [Effect] {
    guard let bulk = bulkTarget, let entity else { return [] }
    switch bulk {
    case .objects(let objects):
      awaitAnswer(.deletion(objects))
      return [.planDeletion(objects)]
    case .matching(let index, let predicate, let count):
      open(
        Question(
          title: "Delete many objects",
          message: "Delete \(CountText.grouped(count)) \(entity.name), with what the delete rules "
            + "say?\n\(bulkSource)\n"
            + "These are too many to stage: they are DELETED AT ONCE, which cannot be undone.",
          answers: [
            Question.Answer("W", "delete now") { state in
              state.editing.isSaving = true
              return [.writeDeletion(entity: index, predicate)]
            },
            Question.Answer("n", "keep them") { _ in [] },
          ], role: .warning))
      return []
    }
  }
}

/// What a change of many objects would do.
struct UpdatePlan: Hashable, Sendable {
  /// One of the first objects, as it is now.
  struct Sample: Hashable, Sendable {
    let name: String
    let old: CellContent
  }

  let target: BulkTarget
  let slot: Int
  let value: Value
  /// `Employee.salary`.
  let property: String
  let new: CellContent
  let samples: [Sample]
}
