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
          let outcome = try await runner.undo(save)
          runner.view.processPendingChanges()
          runner.publishStaging()
          runner.send(SaveUndone(number: save.number, outcome: outcome))
        } catch is CancellationError {
          return
        } catch {
          runner.send(StagingEvent.refused(String(describing: error)))
        }
      }
    }
  }
}

/// The result of undoing a save.
struct SaveUndone: BrowserEvent {
  /// The number of objects with a new change, and sentences about those without.
  struct Outcome: Sendable {
    var staged = 0
    var conflicts: [String] = []
  }

  let number: Int
  let outcome: Outcome

  func apply(to state: inout BrowserState) {
    let staged = CountText.counted(outcome.staged, "object")
    guard let first = outcome.conflicts.first else {
      state.message = BrowserState.Message(
        text: "Save \(number) is undone by unsaved changes of \(staged). Save to write them.",
        severity: .success)
      return
    }
    let more =
      outcome.conflicts.count > 1 ? " (and \(outcome.conflicts.count - 1) more; see gl)" : ""
    for conflict in outcome.conflicts.dropFirst().reversed() {
      state.messageLog.record(BrowserState.Message(text: conflict, severity: .warning))
    }
    state.message = BrowserState.Message(
      text: "\(first)\(more) Undone for \(staged).", severity: .warning)
  }
}

/// The opposite of a save as new edits, for each object that has not changed since.
extension EffectRunner {
  fileprivate func undo(_ save: SaveTimeline.Entry) async throws -> SaveUndone.Outcome {
    var outcome = SaveUndone.Outcome()
    var steps: [() -> Void] = []
    // Deleted objects are created again before others refer to them.
    var restored: [ObjectReference: DynamicObject] = [:]
    var kept: [DynamicObject] = []
    let byKind = Dictionary(grouping: save.objects, by: \.kind)
    for saved in byKind[.deleted] ?? [] {
      if let name = try await reasonNotToRestore(saved) {
        outcome.conflicts.append(name)
        continue
      }
      let object = try view.undoGroup { try restore(saved) }
      restored[ObjectReference(entity: saved.entity, key: saved.key)] = object
      outcome.staged += 1
    }
    for saved in byKind[.deleted] ?? [] {
      guard let object = restored[ObjectReference(entity: saved.entity, key: saved.key)] else {
        continue
      }
      for slot in object.entity.relationshipSlots {
        guard let link = object.entity.links[slot], link.kind == .toOne,
          !link.description.isReadOnly, saved.row.indices.contains(slot),
          let key = saved.row[slot].key
        else { continue }
        let reference = ObjectReference(entity: link.destination, key: key)
        var other = restored[reference]
        if other == nil { other = try await load(entity: link.destination, key: key) }
        guard let other, !other.isKnownDeleted else {
          outcome.conflicts.append(
            "\(object.entity.name): the \(link.description.destination) it was related to is gone.")
          continue
        }
        kept.append(other)
        steps.append { object.set(other, for: link.description.name) }
      }
    }
    for saved in byKind[.updated] ?? [] {
      if let step = try await opposite(of: saved, restored, &kept, &outcome) { steps.append(step) }
    }
    var deleted: [DynamicObject] = []
    for saved in byKind[.inserted] ?? [] {
      guard let object = try await load(entity: saved.entity, key: saved.key),
        !object.isKnownDeleted
      else { continue }
      if let change = saved.changes.first(where: { object[$0.slot] != $0.new }) {
        outcome.conflicts.append(said(object, change.slot))
        continue
      }
      deleted.append(object)
      outcome.staged += 1
    }
    kept += try await forecastDeletion(of: deleted).kept
    withExtendedLifetime(kept) {
      view.undoGroup {
        for step in steps { step() }
        for object in deleted { view.deleteObject(object) }
      }
    }
    return outcome
  }

  /// Returns the step that restores the values of an object from before the save; nil, with a conflict in the
  /// outcome, if someone has changed the object since.
  private func opposite(
    of saved: StagedObject, _ restored: [ObjectReference: DynamicObject],
    _ kept: inout [DynamicObject], _ outcome: inout SaveUndone.Outcome
  ) async throws -> (() -> Void)? {
    let entity = schema.entities[saved.entity]
    guard let object = try await load(entity: saved.entity, key: saved.key), !object.isKnownDeleted
    else {
      outcome.conflicts.append(
        "\(entity.name) \(DisplayName.placeholder(key: saved.key)) is not there any more.")
      return nil
    }
    if let change = saved.changes.first(where: { object[$0.slot] != $0.new }) {
      outcome.conflicts.append(said(object, change.slot))
      return nil
    }
    var steps: [() -> Void] = []
    for change in saved.changes {
      guard let link = entity.links[change.slot] else {
        steps.append { object[change.slot] = change.old }
        continue
      }
      var other: DynamicObject?
      if let key = change.old.key {
        other = restored[ObjectReference(entity: link.destination, key: key)]
        if other == nil { other = try await load(entity: link.destination, key: key) }
        guard let other, !other.isKnownDeleted else {
          outcome.conflicts.append(
            "\(entity.name) \(knownName(of: object, as: saved.entity)): the \(link.description.destination) "
              + "it was related to is gone.")
          return nil
        }
        kept.append(other)
      }
      let former = try await view.load(
        entity: link.destination, keys: [object[change.slot].key].compactMap { $0 })
      kept += former
      steps.append { object.set(other, for: link.description.name) }
    }
    for change in saved.members {
      guard let link = entity.links[change.slot] else { continue }
      _ = try await view.loadRelatedKeys(of: object, slot: change.slot)
      let members = try await view.load(
        entity: link.destination, keys: change.added + change.removed)
      kept += members
      let added = Set(change.added)
      steps.append { [view] in
        for member in members where !member.isKnownDeleted {
          view.setMember(
            member, of: object, slot: change.slot, isMember: !added.contains(member.key))
        }
      }
    }
    kept.append(object)
    outcome.staged += 1
    return { for step in steps { step() } }
  }

  /// Why a deleted object cannot be created again; nil if it can.
  private func reasonNotToRestore(_ saved: StagedObject) async throws -> String? {
    let entity = schema.entities[saved.entity]
    guard !saved.row.isEmpty else {
      return
        "\(entity.name) \(DisplayName.placeholder(key: saved.key)): its former values are not known."
    }
    let hasKey = entity.slots.contains { view.isKeyPart($0, of: entity) }
    guard hasKey, let there = try await load(entity: saved.entity, key: saved.key),
      !there.isKnownDeleted
    else { return nil }
    return "\(entity.name) \(DisplayName.placeholder(key: saved.key)): another row has its key now."
  }

  private func restore(_ saved: StagedObject) throws -> DynamicObject {
    let entity = schema.entities[saved.entity]
    let object = try view.createObject(entityName: entity.name)
    for slot in entity.slots {
      guard entity.properties[slot].attribute?.isReadOnly == false, saved.row.indices.contains(slot)
      else { continue }
      object[slot] = saved.row[slot]
    }
    return object
  }

  private func said(_ object: DynamicObject, _ slot: Slot) -> String {
    "\(object.entity.name) \(knownName(of: object, as: object.entity.index)): "
      + "\(object.entity.properties[slot].name) was changed since."
  }
}
