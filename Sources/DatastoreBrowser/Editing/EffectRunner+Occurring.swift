import DatastoreCore
import SwiftDatastore

extension EffectRunner {
  /// More different values are not offered: typing is quicker then.
  private static let mostOccurring = 40

  /// Finds the values that occur in the column of a property, with the number of their rows, unless
  /// they are too many; ends the search before.
  ///
  /// A column of many values is known by its first rows. Nobody waits for the answer, and without one
  /// the value is typed.
  func findValues(_ target: EditTarget) {
    cancel(occurringWork)
    let entity = schema.entities[target.object.entity]
    let name = entity.properties[target.slot].name
    occurringWork = perform { runner in
      do {
        let first = try await runner.view.distinctValues(
          of: name, entity: entity.index, beginningWith: "", limit: Self.mostOccurring + 1)
        var entries: [FrequencyTable.Entry] = []
        if first.count <= Self.mostOccurring {
          let table = try await runner.view.frequencies(
            of: [name], in: FetchRequest(entity: entity.name), limit: Self.mostOccurring + 1)
          let values = table.entries.filter { !$0.value.isNull }
          // Where each value occurs once there is nothing to choose from.
          if values.contains(where: { $0.count > 1 }) { entries = values }
        }
        try Task.checkCancellation()
        runner.send(.valuesFound(target, entries))
      } catch is CancellationError {
        return
      } catch {
        runner.send(.valuesFound(target, []))
        runner.send(.readFailed(String(describing: error)))
      }
    }
  }
}
