import Basics
import DatastoreCore
import SwiftDatastore

extension Effect {
  /// Stages the opposite of a save.
  static func undo(_ save: SaveTimeline.Entry) -> Effect {
    .work { runner in
      runner.performStaging { runner in
        do {
          // Reads the changes of others first. A lock on the file is reported by the next save.
          let datastore = runner.datastore
          _ = await BlockingWork.run { try? datastore.checkForExternalChanges() }
          await runner.drainMainQueue()
          let report = try await runner.undo(save)
          runner.view.processPendingChanges()
          runner.publishStaging()
          runner.send(StateChange { $0.tellUndone(save.number, report) })
        } catch is CancellationError {
          return
        } catch {
          runner.send(StagingEvent.refused(String(describing: error)))
        }
      }
    }
  }
}

extension BrowserState {
  /// Tells the result of undoing a save.
  fileprivate mutating func tellUndone(_ number: Int, _ report: RestagingReport) {
    let staged = CountText.counted(report.count, "object")
    guard let first = report.losses.first else {
      return tell(
        "Save \(number) is undone by unsaved changes of \(staged). Save to write them.", .success)
    }
    let more = report.losses.count > 1 ? " (and \(report.losses.count - 1) more; see gl)" : ""
    for loss in report.losses.dropFirst().reversed() {
      messageLog.record(BrowserState.Message(text: loss, severity: .warning))
    }
    tell("\(first)\(more) Undone for \(staged).", .warning)
  }
}

extension EffectRunner {
  /// Stages the opposite of a save for each object that has not changed since; the report names the others.
  fileprivate func undo(_ save: SaveTimeline.Entry) async throws -> RestagingReport {
    var kept: [DynamicObject] = []
    for (entity, saved) in Dictionary(grouping: save.objects, by: \.entity) {
      kept += try await view.load(entity: entity, keys: saved.map(\.key))
    }
    var reasons: [String] = []
    var opposites: [StagedObject] = []
    withExtendedLifetime(kept) {
      for saved in save.objects {
        let object = view.loadedObject(entity: saved.entity, key: saved.key)
        let present = object?.isKnownDeleted == false ? object : nil
        if let reason = reasonNotToUndo(saved, present) {
          reasons.append(reason)
        } else if present != nil || saved.kind != .inserted {
          opposites.append(saved.opposite(schema.entities[saved.entity]))
        }
      }
    }
    let recorded = RecordedObject.record(opposites, schema: schema) { _, _ in nil }
    var report = try await Restaging(self, mayBeSaved: false).run(recorded)
    report.losses = reasons + report.losses
    return report
  }

  /// Why the change of an object is not undone; nil if it is.
  ///
  /// - Parameter present: the object as it is now; nil if it is gone.
  private func reasonNotToUndo(_ saved: StagedObject, _ present: DynamicObject?) -> String? {
    let entity = schema.entities[saved.entity]
    let placeholder = DisplayName.placeholder(key: saved.key)
    switch saved.kind {
    case .deleted:
      if saved.row.isEmpty {
        return "\(entity.name) \(placeholder): its former values are not known."
      }
      let hasKey = entity.slots.contains { view.isKeyPart($0, of: entity) }
      return hasKey && present != nil
        ? "\(entity.name) \(placeholder): another row has its key now." : nil
    case .inserted, .updated:
      guard let present else {
        return saved.kind == .updated
          ? "\(entity.name) \(placeholder) is not there any more." : nil
      }
      return saved.changes.first { present[$0.slot] != $0.new }.map { change in
        "\(present.entity.name) \(knownName(of: present, as: present.entity.index)): "
          + "\(present.entity.properties[change.slot].name) was changed since."
      }
    }
  }
}

extension StagedObject {
  /// The change that takes this one back. What was deleted is inserted with the values it had.
  fileprivate func opposite(_ entity: Entity) -> StagedObject {
    var opposite = StagedObject(
      entity: self.entity, key: key, kind: kind.opposite, changes: [], members: [], row: [])
    switch kind {
    case .inserted: break
    case .updated:
      opposite.changes = changes.map {
        Change(slot: $0.slot, old: $0.new, new: $0.theirs ?? $0.old)
      }
      opposite.members = members.map {
        MemberChange(slot: $0.slot, added: $0.removed, removed: $0.added, order: nil)
      }
    case .deleted:
      for (slot, value) in row.placed where !value.isNull && !entity.readOnlySlots.contains(slot) {
        opposite.changes.append(Change(slot: slot, old: .null, new: value))
      }
    }
    return opposite
  }
}

extension StagedObject.Kind {
  fileprivate var opposite: Self {
    switch self {
    case .inserted: .deleted
    case .updated: .updated
    case .deleted: .inserted
    }
  }
}
