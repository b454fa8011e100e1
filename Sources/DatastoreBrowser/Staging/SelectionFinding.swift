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
        runner.send(StateChange { $0.followSelection(of: entity, found) })
      }
    }
  }
}

extension BrowserState {
  /// - Parameter rows: the selected rows by their former keys; nil for those that were not found.
  fileprivate mutating func followSelection(
    of entity: EntityIndex, _ rows: [RowKey: ObjectReference?]
  ) {
    guard editing.selection.entity == entity else { return }
    let before = editing.selection.keys.count
    editing.selection.follow(rows)
    let lost = before - editing.selection.keys.count
    if lost > 0 {
      let (were, are) = lost == 1 ? ("was", "is") : ("were", "are")
      tell(
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
