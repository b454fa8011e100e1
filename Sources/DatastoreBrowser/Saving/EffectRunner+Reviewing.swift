import DatastoreCore
import SwiftDatastore
import TerminalUI

extension Effect {
  /// Describes the staged changes in words.
  static var review: Effect {
    .answer { runner in
      let staged = Array(runner.view.stagedObjects().prefix(EffectRunner.mostReviewed))
      let names = try await runner.names(of: staged)
      return staged.map { runner.reviewed($0, names) }
    } then: { (state: inout BrowserState, result: Result<[ReviewedObject], EffectFailure>) in
      switch result {
      case .success(let objects):
        let seen = state
        state.changeOverlay(as: ReviewScreen.self) { $0.apply(objects, in: seen) }
      case .failure(let failure): StagingEvent.refused(failure.message).apply(to: &state)
      }
    }
  }
}

/// The staged changes in words.
extension EffectRunner {
  /// The most objects that are listed.
  fileprivate static let mostReviewed = 2_000

  /// The names of the objects, and of those that their relationships lead to.
  func names(of staged: [StagedObject]) async throws -> [ObjectReference: String] {
    var wanted: [EntityIndex: Set<RowKey>] = [:]
    for object in staged {
      wanted[object.entity, default: []].insert(object.key)
      let links = schema.entities[object.entity].links
      for change in object.changes {
        guard let link = links[change.slot] else { continue }
        for case let key? in [change.old, change.new, change.theirs].map(\.?.key) {
          wanted[link.destination, default: []].insert(key)
        }
      }
      for change in object.members {
        guard let link = links[change.slot] else { continue }
        wanted[link.destination, default: []].formUnion(change.added + change.removed)
      }
    }
    var names: [ObjectReference: String] = [:]
    for (entity, keys) in wanted {
      for (key, name) in try await self.names(entity: entity, keys: Array(keys)) {
        names[ObjectReference(entity: entity, key: key)] = name
      }
    }
    return names
  }

  func reviewed(
    _ staged: StagedObject, _ names: [ObjectReference: String]
  ) -> ReviewedObject {
    let entity = schema.entities[staged.entity]
    let reference = ObjectReference(entity: staged.entity, key: staged.key)
    let name = names[reference] ?? DisplayName.placeholder(key: staged.key)
    func content(_ slot: Slot, _ value: Value) -> CellContent {
      guard let link = entity.links[slot] else {
        let format = entity.properties[slot].attribute.map { ValueFormat($0) }
        return (format ?? ValueFormat(type: .undefined)).cell(value)
      }
      guard let key = value.key else { return CellContent("", role: .null, kind: .null) }
      let name = names[ObjectReference(entity: link.destination, key: key)]
      return CellContent(name ?? text(ofKey: key, link.destination), role: .relationship)
    }
    func members(_ slot: Slot, _ keys: [RowKey], _ word: String) -> CellContent {
      guard let link = entity.links[slot], !keys.isEmpty else { return CellContent("", role: .dim) }
      let list = keys.prefix(5).map { key in
        names[ObjectReference(entity: link.destination, key: key)]
          ?? DisplayName.placeholder(key: key)
      }.joined(separator: ", ")
      return CellContent(
        "\(word) \(list)\(keys.count > 5 ? " and \(keys.count - 5) more" : "")",
        role: .relationship)
    }
    let values = staged.changes.map { change in
      ReviewedObject.Change(
        slot: change.slot, property: entity.properties[change.slot].name,
        old: content(change.slot, change.old), new: content(change.slot, change.new),
        theirs: change.theirs.map { content(change.slot, $0) })
    }
    let related = staged.members.map { change in
      ReviewedObject.Change(
        slot: change.slot, property: entity.properties[change.slot].name,
        old: members(change.slot, change.removed, "without"),
        new: change.added.isEmpty && change.removed.isEmpty
          ? CellContent("another order", role: .relationship)
          : members(change.slot, change.added, "with"))
    }
    return ReviewedObject(
      object: reference, mark: StagingMarks.Mark(staged), entity: entity.name, name: name,
      changes: values + related)
  }
}
