import Basics
import DatastoreCore
import SwiftDatastore
import TerminalUI

extension Lane {
  static let baseline = Lane("baseline", .latest)
  static let changes = Lane("changes", .latest)
}

extension Effect {
  /// Keeps the current rows as the baseline, after the first data of the screen has been read.
  static var keepBaseline: Effect {
    .answer(in: .baseline) { runner in
      await runner.ended(.list)
      return try await runner.view.answer(BaselineQuestion())
    } then: { (state: inout BrowserState, baseline: Result<any StoreBaseline, EffectFailure>) in
      switch baseline {
      case .success(let baseline): state.changes = .kept(baseline)
      case .failure(let failure): state.changes = .failed(failure)
      }
    }
  }
}

extension BrowserState {
  /// Opens the history: the changes since the file was opened, with the saves of this session beside them;
  /// only the saves while the changes are not known.
  mutating func openHistory() {
    switch changes {
    case .kept(let baseline): openChanges(since: baseline)
    case _ where !timeline.entries.isEmpty: openSaves()
    case .none:
      tell("There are no tables that could change.", .information)
    case .reading:
      tell(
        "The rows are still being read, to be compared with later; try again then.", .information)
    case .failed(let failure):
      tell("The changes are not known: \(failure.message)", .error)
    }
  }

  /// Opens a table of the changes since the file was opened, by others and by saves.
  private mutating func openChanges(since baseline: any StoreBaseline) {
    openDerivedTable(
      titled: "Changes since \(baseline.date.timeOfDay)", "what has changed", entity: "changes",
      tabs: historyTabs(at: 0)
    ) { state in
      let saves = state.timeline.entries.flatMap(\.objects)
      return { runner, _, _ in try await runner.changes(since: baseline, saves) }
    }
  }

  /// The changes and the saves as tabs of each other; nil if there is one of them only.
  func historyTabs(at current: Int) -> DerivedTableState.Tabs? {
    guard case .kept = changes, !timeline.entries.isEmpty else { return nil }
    typealias Tab = DerivedTableState.Tabs.Tab
    return DerivedTableState.Tabs(
      all: [Tab("Changes") { $0.openHistory() }, Tab("Saves") { $0.openSaves() }],
      current: current)
  }
}

extension EffectRunner {
  /// The most objects of one entity that are reported.
  private static let mostTold = 10_000

  /// The changes since the baseline.
  ///
  /// - Parameter saves: the changes saved in this session, in the order of the saves.
  fileprivate func changes(
    since baseline: any StoreBaseline, _ saves: [StagedObject]
  ) async throws -> DerivedRows {
    let question = DifferencesQuestion(since: baseline, limit: Self.mostTold)
    let differences = try await view.answer(question)
    let saved = Dictionary(
      grouping: saves, by: { ObjectReference(entity: $0.entity, key: $0.key) })
    var rows = ChangedRows()
    for part in differences.parts {
      let entity = schema.entities[part.entity].name
      var names = try await names(of: part.objects)
      for object in part.objects {
        let reference = ObjectReference(entity: object.entity, key: object.key)
        if object.kind == .deleted {
          // The file no longer has the name.
          names[reference] = labels[object.entity].text(
            key: object.key, value: { object.row[$0] },
            related: { names[ObjectReference(entity: $0, key: $1)] })
        }
        let origin = ChangeOrigin(object, saved[reference] ?? [])
        rows.add(reviewed(object, names), [.text(origin.title)])
      }
      let others = part.count - part.objects.count
      if others > 0 {
        rows.add("\(CountText.grouped(others)) more objects", entity: entity, [.null])
      }
    }
    for table in differences.leftOut {
      rows.add("not compared: \(table.reason)", entity: table.table, [.null])
    }
    let places = rows.places
    return DerivedRows(
      columns: [.text("written by")] + ChangedRows.columns, rows: rows.rows,
      enter: .goToObject
    ) { rows, _ in
      guard let first = rows.first, let place = places[first] else { return nil }
      return { $0.goTo(place) }
    }
  }
}
