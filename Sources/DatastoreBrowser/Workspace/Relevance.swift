import DatastoreCore
import SwiftDatastore

extension DisabledReason {
  static let noRanks = DisabledReason { state in
    guard let table = state.table else { return "There is no table here." }
    guard table.query.searched.isEmpty else { return nil }
    return "Only what a filter with SEARCH finds has a relevance; press w and type, for example, "
      + "name SEARCH \"words\"."
  }
}

extension Effect {
  /// Reports a missing index of words, without which the found rows cannot be ranked.
  static func checkRanks(of attributes: [String], _ entity: EntityIndex) -> Effect {
    .work { runner in
      let indexes = runner.view.store.information(about: runner.schema.entities[entity]).wordIndexes
      guard attributes.allSatisfy({ indexes[$0] == nil }) else { return }
      runner.send(
        StateChange {
          $0.tell(
            "\(attributes[0]) has no index of its words, so all rows are equally relevant.",
            .warning)
        })
    }
  }
}
