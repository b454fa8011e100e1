import Basics
import DatastoreCore
import SwiftDatastore

extension Effect {
  /// Finds the selected rows after someone else has written the file.
  static func findSelection(_ references: [ObjectReference]) -> Effect {
    .work { runner in
      guard let entity = references.first?.entity else { return }
      runner.performStaging { runner in
        // If the store cannot be read, the rows are compared when a command uses them.
        guard let found = try? await runner.rows(references) else { return }
        runner.send(SelectionFound(entity: entity, rows: found))
      }
    }
  }
}

/// The result of the search for selected rows.
private struct SelectionFound: BrowserEvent {
  let entity: EntityIndex
  /// The rows by their former keys; nil for those that were not found.
  let rows: [RowKey: ObjectReference?]

  func apply(to state: inout BrowserState) {
    guard state.editing.selection.entity == entity else { return }
    let before = state.editing.selection.keys.count
    state.editing.selection.follow(rows)
    let lost = before - state.editing.selection.keys.count
    if lost > 0 {
      let (were, are) = lost == 1 ? ("was", "is") : ("were", "are")
      state.tell(
        "\(CountText.counted(lost, "selected row")) \(were) changed or deleted by someone "
          + "else, and \(are) no longer selected.", .warning)
    }
  }
}

extension EffectRunner {
  /// Finds the selected rows by their former keys; nil for those that are not found.
  fileprivate func rows(
    _ references: [ObjectReference]
  ) async throws -> [RowKey: ObjectReference?] {
    var rows: [RowKey: ObjectReference?] = [:]
    for (old, found) in zip(references, try await find(references)) {
      switch found {
      case .object(let object), .moved(let object):
        rows.updateValue(
          reference(to: object, as: schema.entities[old.entity]), forKey: old.key)
      case .another, .missing: rows.updateValue(nil, forKey: old.key)
      }
    }
    return rows
  }
}
