import DatastoreCore
import SwiftDatastore

extension Effect {
  /// Finds the values in a property's column with the number of their rows, unless they are too many; the
  /// search before it ends.
  ///
  /// The first rows show that a column has many values. The user does not have to wait for the answer and can
  /// type a value without it.
  static func findValues(_ target: EditTarget) -> Effect {
    .answer(in: Lane("occurring values", .latest)) {
      try await $0.occurringValues(of: target)
    } then: { state, entries in
      state.changeOverlay(as: CellEditor.self) { $0.apply((try? entries.get()) ?? [], of: target) }
      if case .failure(let failure) = entries { state.tell(failure.message, .error) }
    }
  }
}

extension EffectRunner {
  /// The most values that are offered: with more, typing is quicker.
  private static let mostOccurring = 40

  fileprivate func occurringValues(of target: EditTarget) async throws -> [FrequencyTable.Entry] {
    let entity = schema.entities[target.object.entity]
    let name = entity.properties[target.slot].name
    let first = try await view.answer(
      DistinctValuesQuestion(
        of: name, entity: entity.index, beginningWith: "", limit: Self.mostOccurring + 1))
    guard first.count <= Self.mostOccurring else { return [] }
    let table = try await view.answer(
      FrequencyQuestion(
        of: [name], in: FetchRequest(entity: entity.name), limit: Self.mostOccurring + 1))
    let values = table.entries.filter { !$0.value.isNull }
    // If each value occurs once, there is nothing to choose from.
    return values.contains { $0.count > 1 } ? values : []
  }
}
