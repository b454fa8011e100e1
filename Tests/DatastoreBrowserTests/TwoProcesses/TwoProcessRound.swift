import DatastoreCore
import DatastoreTestSupport
import Foundation
import SwiftDatastore

@testable import DatastoreBrowser

/// One file, and rounds of both processes.
@MainActor
struct TwoProcessRound {
  struct Tally: CustomStringConvertible {
    var saved = 0
    var conflicts = 0
    var refusals = 0
    var crashes = 0
    var edits = 0
    var deletions = 0

    var description: String {
      "\(saved) saves with \(edits) edits and \(deletions) deletions, \(conflicts) told as "
        + "conflicts, \(refusals) refused, \(crashes) crashes"
    }
  }

  let kind: SharedTable.Kind
  var other: OtherProcess
  var table = SharedTable()
  let ours: OurProcess
  var faults: [String] = []

  init(
    _ kind: SharedTable.Kind, isWAL: Bool, isFar: Bool, _ random: inout SeededRandom
  ) throws {
    self.kind = kind
    let file = try TemporaryFile("", name: "shared.db")
    other = try OtherProcess(file.url, kind)
    let columns = "name TEXT, n INT, note TEXT, mark INT"
    _ = other.program.run("PRAGMA journal_mode = \(isWAL ? "WAL" : "DELETE");")
    other.run("CREATE TABLE t \(kind.declaration.replacing("%", with: columns));")
    for id in 1...8 {
      let name = "r\(table.makeNumber())"
      let row = SharedTable.Row(id: kind.isText ? "k\(id)" : "\(id)", values: table.makeValues())
      table.rows[name] = row
      let list = row.values.map { "'\($0)'" }.joined(separator: ", ")
      other.run("INSERT INTO t (id, name, n, note, mark) VALUES ('\(row.id)', '\(name)', \(list));")
    }
    ours = try OurProcess(file, isFar: isFar)
  }

  func end() async throws {
    _ = await ours.perform(.stage(.revertAll))
    ours.runner.stop()
    try ours.datastore.close()
  }

  /// Stages, lets the other process act, and saves, with a crash now and then.
  mutating func run(_ random: inout SeededRandom, _ tally: inout Tally) async throws {
    for _ in 0...random.below(3) {
      switch random.below(6) {
      case 0..<3: try await stageEdit(&random)
      case 3: try await stageDeletion(&random)
      case 4: try await stageInsertion(&random)
      default: await ours.look()
      }
      if random.below(2) == 0 { other.act(&table, &random) }
    }
    for _ in 0..<random.below(4) { other.act(&table, &random) }
    if random.below(3) == 0 { await ours.look() }
    if random.below(6) == 0 {
      tally.crashes += 1
      try await crash(&random)
    }
    if random.below(8) > 0 { try await save(&random, &tally) }
    compare()
  }

  mutating func compare() {
    let stored = other.program.run(SharedTable.query)
    if stored != table.lines {
      let missing = Set(table.lines).subtracting(stored).sorted()
      let surplus = Set(stored).subtracting(table.lines).sorted()
      faults.append("the file lacks \(missing) and has \(surplus)")
    }
  }

  mutating func stageEdit(_ random: inout SeededRandom) async throws {
    guard let (key, name, values) = try await ours.shown(&random), ours.intents[name] == nil else {
      return
    }
    let column = random.below(kind.declaration.contains("(id, mark)") ? 2 : 3)
    guard let slot = ours.entity.slot(named: SharedTable.columns[column]) else { return }
    let new = table.makeValues()[column]
    let value: Value = column == 1 ? .text(new) : .integer(Int64(new) ?? 0)
    if isRefused(
      await ours.perform(.stage(.assign([ours.reference(key)], slot: slot, value))))
    {
      return
    }
    ours.intents[name] = OurProcess.Staged(
      key: key, intent: .edit([column: (values[column], new)]), shown: values)
    other.record("we edit \(name), key \(key): \(SharedTable.columns[column]) = \(new)")
  }

  mutating func stageDeletion(_ random: inout SeededRandom) async throws {
    guard let (key, name, values) = try await ours.shown(&random), ours.intents[name] == nil else {
      return
    }
    if isRefused(await ours.perform(.stage(.delete([ours.reference(key)])))) { return }
    ours.intents[name] = OurProcess.Staged(
      key: key, intent: .deletion(values: values), shown: values)
    other.record("we delete \(name), key \(key)")
  }

  /// Whether nothing was staged, which was reported.
  mutating func isRefused(_ events: [any BrowserEvent]) -> Bool {
    for case StagingEvent.refused(let reason) in events {
      other.record("not staged: \(reason)")
      return true
    }
    return false
  }

  mutating func stageInsertion(_ random: inout SeededRandom) async throws {
    let name = "r\(table.makeNumber())"
    let row = SharedTable.Row(
      id: kind.isText ? "k\(table.makeNumber())" : "\(table.makeNumber() + 100_000)",
      values: table.makeValues())
    var values: [Slot: Value] = [:]
    let numbers = [0: Int64(row.values[0]), 2: Int64(row.values[2])]
    let id: Value = kind.isText ? .text(row.id) : Int64(row.id).map { .integer($0) } ?? .null
    for (property, value) in [
      ("id", id), ("name", .text(name)),
      ("n", numbers[0].flatMap { $0 }.map { .integer($0) } ?? .null),
      ("note", .text(row.values[1])),
      ("mark", numbers[2].flatMap { $0 }.map { .integer($0) } ?? .null),
    ] {
      if let slot = ours.entity.slot(named: property) { values[slot] = value }
    }
    _ = await ours.perform(.stage(.create(entity: ours.entity.index, values)))
    ours.insertions[name] = row
    other.record("we add \(name)")
  }

  mutating func save(_ random: inout SeededRandom, _ tally: inout Tally) async throws {
    var conflicts: [Conflict] = []
    let recovery = random.below(12) == 0 ? try await ours.recoveryContents() : nil
    for attempt in 0..<4 {
      let before = other.program.run(SharedTable.query)
      other.record(
        "we save \(ours.runner.view.stagedObjects().map { "\($0.kind) \($0.key) \(name(of: $0))" })"
      )
      let events = await ours.perform(.save)
      for event in events {
        switch event {
        case SavingEvent.saved:
          tally.saved += 1
          other.record("we have saved")
          let hasNewRows = !ours.insertions.isEmpty
          take(&tally)
          if let recovery, attempt == 0 {
            tally.crashes += 1
            try await crash(leaving: recovery, hasNewRows: hasNewRows, &random)
          }
          return
        case SavingEvent.saveFailed(.conflicting(let found)):
          tally.conflicts += found.count
          conflicts = found
          requireTrue(found)
          other.record("told: \(found.map { "\($0)" }.joined(separator: " "))")
        case SavingEvent.saveFailed(let failure):
          tally.refusals += 1
          other.record("refused: \(failure)")
          conflicts = []
        default: continue
        }
      }
      if other.program.run(SharedTable.query) != before {
        faults.append("something was written by a save that was refused")
      }
      if conflicts.isEmpty || attempt == 3 { break }
      await settle(conflicts, keepingMine: random.below(3) == 0)
    }
    try await giveUp()
  }

  /// Reverts everything; reopens a file that was replaced, or whose tables have changed.
  mutating func giveUp() async throws {
    _ = await ours.perform(.stage(.revertAll))
    ours.forget()
    other.record("we give up")
    try await ours.crash()
  }

  mutating func settle(_ conflicts: [Conflict], keepingMine: Bool) async {
    let choices = conflicts.map { keepingMine && mayKeepMine($0) }
    let settlements = zip(conflicts, choices).map { conflict, isMine in
      Settlement(
        conflict: conflict,
        mine: isMine
          ? Set(conflict.isAboutObject ? [conflict.entity] : conflict.properties.map(\.name)) : [])
    }
    other.record("we settle, \(choices.map { $0 ? "ours" : "theirs" })")
    _ = await ours.perform(.settle(settlements, saves: false))
    for (conflict, isMine) in zip(conflicts, choices) { record(conflict, isMine: isMine) }
  }

  /// After a report that a row may have moved, the user looks for the row first. If another row is there for
  /// which something else is staged, the user leaves that alone.
  func mayKeepMine(_ conflict: Conflict) -> Bool {
    guard let name = ours.intents.first(where: { $0.value.key == conflict.key })?.key else {
      return true
    }
    if conflict.isDeleted { return !conflict.mayBeElsewhere || table.rows[name] == nil }
    guard let present = conflict.properties.first(where: { $0.name == "name" })?.theirs else {
      return true
    }
    return ours.intents[Self.text(present)] == nil
  }

  /// A row that did not change is never reported as gone or as another one, wherever it is now.
  mutating func requireTrue(_ conflicts: [Conflict]) {
    for conflict in conflicts {
      guard let (name, staged) = ours.intents.first(where: { $0.value.key == conflict.key }),
        let row = table.rows[name]
      else { continue }
      if row.values == staged.shown, conflict.isDeleted || conflict.isAnotherRow {
        faults.append("\(name) is there as it was shown, and was told as: \(conflict)")
      }
      if conflict.isDeleted, !conflict.mayBeElsewhere {
        faults.append("\(name) is there, and was told as deleted: \(conflict)")
      }
    }
  }

  /// Records the decision about a row: the row is as the conflict shows it.
  mutating func record(_ conflict: Conflict, isMine: Bool) {
    guard let name = ours.intents.first(where: { $0.value.key == conflict.key })?.key,
      let staged = ours.intents[name]
    else { return }
    let (key, intent) = (staged.key, staged.intent)
    ours.intents[name] = nil
    if !isMine {
      // Of several properties the others stay.
      guard case .edit(var edits) = intent, !conflict.isAboutObject else { return }
      for property in conflict.properties {
        if let column = SharedTable.columns.firstIndex(of: property.name) { edits[column] = nil }
      }
      if !edits.isEmpty {
        ours.intents[name] = OurProcess.Staged(
          key: key, intent: .edit(edits), shown: Self.shown(conflict, staged.shown))
      }
      return
    }
    if conflict.isDeleted {
      // It is created again, with all that was shown of it.
      createAgain(name, key)
      return
    }
    var shown: [String: String] = [:]
    for property in conflict.properties { shown[property.name] = Self.text(property.theirs) }
    let present = shown["name"] ?? name
    switch intent {
    case .edit(let edits):
      var rebased = edits
      for (column, edit) in edits {
        rebased[column] = (shown[SharedTable.columns[column]] ?? edit.old, edit.new)
      }
      ours.intents[present] = OurProcess.Staged(
        key: key, intent: .edit(rebased), shown: Self.shown(conflict, staged.shown))
    case .deletion(let values):
      let values = Self.shown(conflict, values)
      ours.intents[present] = OurProcess.Staged(
        key: key, intent: .deletion(values: values), shown: values)
    }
  }

  /// The values of a row, after a conflict has shown its current ones.
  static func shown(_ conflict: Conflict, _ before: [String]) -> [String] {
    SharedTable.columns.enumerated().map { place, column in
      conflict.properties.first { $0.name == column }.map { text($0.theirs) } ?? before[place]
    }
  }

  mutating func createAgain(_ name: String, _ key: RowKey) {
    guard
      let object = ours.runner.view.loadedObject(entity: ours.entity.index, key: key),
      object.isInserted
    else { return }
    ours.insertions[name] = SharedTable.Row(
      id: Self.text(object["id"]), values: SharedTable.columns.map { Self.text(object[$0]) })
  }

  static func text(_ value: Value) -> String {
    switch value {
    case .text(let text): text
    case .integer(let integer): "\(integer)"
    case .real(let real): "\(real)"
    case .null, .blob: ""
    }
  }

  /// Applies the saved changes to the model, and finds conflicts that were not reported.
  mutating func take(_ tally: inout Tally) {
    for (name, staged) in ours.intents.sorted(by: { $0.key < $1.key }) {
      switch staged.intent {
      case .edit(let edits):
        tally.edits += 1
        guard var row = table.rows[name] else {
          faults.append("\(name) is gone, and its edit was reported as saved")
          continue
        }
        for (column, edit) in edits {
          let present = row.values[column]
          if present != edit.old {
            faults.append(
              "\(name).\(SharedTable.columns[column]) was \(edit.old) when it was edited, and "
                + "\(present) was overwritten without a word")
          }
          row.values[column] = edit.new
        }
        table.rows[name] = row
      case .deletion(let values):
        tally.deletions += 1
        if let row = table.rows[name], row.values != values {
          faults.append("\(name) was deleted as \(values), and was \(row.values)")
        }
        table.rows[name] = nil
      }
    }
    for (name, row) in ours.insertions { table.rows[name] = row }
    ours.forget()
  }
}
