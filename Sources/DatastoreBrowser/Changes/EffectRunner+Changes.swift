import DatastoreCore
import SwiftDatastore

extension Lane {
  static let baseline = Lane("baseline", .latest)
  static let changes = Lane("changes", .latest)
}

extension Effect {
  /// Keeps the rows as they are now, when what the screen shows first has been read.
  static var keepBaseline: Effect {
    .work { runner in
      runner.answer(in: .baseline) { runner in
        await runner.ended(.list)
        return try await runner.view.answer(BaselineQuestion())
      } as: { (result: Result<any StoreBaseline, EffectFailure>) in
        BaselineRead(result: result)
      }
    }
  }

  /// Finds what has changed since then.
  ///
  /// - Parameter saves: what was saved in this session, in the order of the saves.
  static func findChanges(since baseline: any StoreBaseline, saves: [StagedObject]) -> Effect {
    .work { runner in
      runner.answer(in: .changes) { runner in
        try await runner.findChanges(since: baseline, saves)
      } as: { (result: Result<FoundChanges, EffectFailure>) in
        ChangesFound(result: result)
      }
    }
  }
}

/// The rows as they were when the file was opened are kept, or cannot be.
struct BaselineRead: BrowserEvent {
  let result: Result<any StoreBaseline, EffectFailure>

  func apply(to state: inout BrowserState) {
    switch result {
    case .success(let baseline): state.changes = .kept(baseline)
    case .failure(let failure): state.changes = .failed(failure)
    }
  }

  func isSeen(in state: BrowserState) -> Bool { state.overlay(as: ChangesScreen.self) != nil }
}

/// What has changed.
struct ChangesFound: BrowserEvent {
  let result: Result<FoundChanges, EffectFailure>

  func apply(to state: inout BrowserState) {
    let seen = state
    switch result {
    case .success(let found):
      state.changeOverlay(as: ChangesScreen.self) { $0.apply(found, in: seen) }
    case .failure(let failure):
      state.message = BrowserState.Message(
        text: "What has changed is not known: \(failure.message)", severity: .error)
    }
  }
}

extension EffectRunner {
  /// Objects that are told of one entity.
  private static let mostTold = 200

  fileprivate func findChanges(
    since baseline: any StoreBaseline, _ saves: [StagedObject]
  ) async throws -> FoundChanges {
    let question = DifferencesQuestion(since: baseline, limit: Self.mostTold)
    let differences = try await view.answer(question)
    let saved = Dictionary(
      grouping: saves, by: { ObjectReference(entity: $0.entity, key: $0.key) })
    var parts: [FoundChanges.Part] = []
    for part in differences.parts {
      var names = try await names(of: part.objects)
      for object in part.objects where object.kind == .deleted {
        // The file does not know it any more.
        names[ObjectReference(entity: object.entity, key: object.key)] =
          labels[object.entity].text(
            key: object.key, value: { object.row[$0] },
            related: { names[ObjectReference(entity: $0, key: $1)] })
      }
      let objects = part.objects.map { object in
        FoundChanges.Object(
          object: reviewed(object, names),
          origin: FoundChanges.Origin(
            object, saved[ObjectReference(entity: object.entity, key: object.key)] ?? []))
      }
      parts.append(
        FoundChanges.Part(
          entity: schema.entities[part.entity].name,
          counts: StagingMarks.describe(
            changed: part.updated, inserted: part.inserted, deleted: part.deleted),
          objects: objects, others: part.count - objects.count))
    }
    return FoundChanges(
      parts: parts,
      counts: StagingMarks.describe(
        changed: differences.parts.reduce(0) { $0 + $1.updated },
        inserted: differences.parts.reduce(0) { $0 + $1.inserted },
        deleted: differences.parts.reduce(0) { $0 + $1.deleted }),
      leftOut: differences.leftOut.map { "\($0.table) is not compared: \($0.reason)." })
  }
}
