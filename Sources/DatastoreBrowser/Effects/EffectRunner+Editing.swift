import DatastoreCore
import Foundation
import SwiftDatastore

/// Making properties ready to be edited, and saving.
extension EffectRunner {
  func beginEdit(_ target: EditTarget, _ bulk: BulkTarget?) {
    performInOrder { runner in
      do {
        guard let object = try await runner.load([target.object]).first else { return }
        guard object.key == target.object.key else {
          throw StagingRefusal("Someone else has moved this row; press the key again.")
        }
        if let reason = runner.reasonNotWritable(object, target.slot) {
          throw StagingRefusal(reason)
        }
        var subject = runner.subject(object, target)
        subject.bulk = bulk
        runner.send(.editReady(subject))
      } catch is CancellationError {
        return
      } catch let refusal as StagingRefusal {
        runner.send(.stagingRefused(refusal.reason))
      } catch {
        runner.send(.stagingRefused(String(describing: error)))
      }
    }
  }

  private func subject(_ object: DynamicObject, _ target: EditTarget) -> EditSubject {
    let link = object.entity.links[target.slot]
    let isToMany = link?.kind.isToMany ?? false
    // What the editor shows is what is edited.
    let reference = ObjectReference(
      entity: target.object.entity, key: target.object.key, seen: seen(object))
    let shown = EditTarget(object: reference, slot: target.slot, panel: target.panel)
    return EditSubject(
      target: shown, entity: object.entity.name,
      property: object.entity.properties[target.slot],
      value: isToMany ? .null : object[target.slot],
      allowed: object.entity.properties[target.slot].attribute?.cases?.map(\.value)
        ?? view.allowedValues(of: target.slot, in: object.entity),
      destination: link?.destination, today: Self.today)
  }

  private static var today: String {
    let day = (Date().timeIntervalSinceReferenceDate / 86_400).rounded(.down) * 86_400
    return PredicateDate.format(day).map { String($0.prefix(10)) } ?? ""
  }

  func save() {
    saveWork = performInOrder { runner in
      let staged = runner.view.stagedObjects()
      do {
        let saved = try await runner.view.save()
        runner.finish(saved, staged)
      } catch is CancellationError {
        runner.send(.saveFailed(.stopped))
      } catch let error as ValidationError {
        runner.send(.saveFailed(.invalid(error.faults)))
      } catch let error as ConflictError {
        runner.send(.saveFailed(.conflicting(error.conflicts)))
      } catch let error as StoreError where error.isAboutAnotherFile {
        let way = "To do that, leave with q and k: the changes are kept and offered again then."
        runner.send(.saveFailed(.refused("\(error) \(way)")))
      } catch let error as StoreError {
        let issues = runner.issues(error, among: staged)
        runner.send(
          .saveFailed(issues.isEmpty ? .refused(error.description) : .refusedRow(issues)))
      } catch {
        runner.send(.saveFailed(.refused(String(describing: error))))
      }
    }
  }

  /// The properties that a refusal of the store is about, for an object that is staged; else nothing.
  private func issues(
    _ error: StoreError, among staged: [StagedObject]
  ) -> [IssueList.Issue] {
    let (name, key, properties): (String?, Int64?, [String]) =
      switch error {
      case .notUnique(let entity, let properties, let key): (entity, key, properties)
      case .missingValue(let entity, let property, let key):
        (entity, key, property.components(separatedBy: ", "))
      case .brokenReference(let entity, let property, let key, _):
        (entity, key, property.map { [$0] } ?? [])
      case .keyChanged(let entity, let property, let key): (entity, key, [property])
      case .checkFailed(let entity, _, let key), .refused(let entity, let key, _): (entity, key, [])
      default: (nil, nil, [])
      }
    guard let entity = name.flatMap({ schema.entity(named: $0) }), let key,
      staged.contains(where: { $0.entity == entity.index && $0.key == key && $0.kind != .deleted })
    else { return [] }
    var slots = properties.compactMap { entity.slot(named: $0) }
    if case .checkFailed(_, let constraint, _) = error {
      slots = view.slots(ofCheck: constraint, in: entity)
    }
    let object = ObjectReference(entity: entity.index, key: key)
    guard slots.count > 1 else {
      return [IssueList.Issue(object: object, slot: slots.first, text: error.description)]
    }
    return slots.map { slot in
      IssueList.Issue(
        object: object, slot: slot,
        text: "\(entity.properties[slot].name): \(error.description)")
    }
  }

  func settle(_ settlements: [Settlement], saves: Bool) {
    performInOrder { runner in
      do {
        for settlement in settlements {
          try await runner.view.settle(settlement.conflict, keeping: settlement.mine)
        }
        runner.view.processPendingChanges()
        runner.publishStaging()
        if saves { runner.save() }
      } catch {
        runner.send(.saveFailed(.refused(String(describing: error))))
      }
    }
  }

  /// Ends the browser when what is staged is on the disk.
  func keepAndLeave() {
    performInOrder { runner in
      await runner.recoveryWritten()
      if runner.recovery == nil || runner.hasRecoveryFailed {
        runner.send(
          .stagingRefused("The changes cannot be kept, for no file can be written for them."))
      } else {
        runner.send(.keptForNextTime)
      }
    }
  }

  private func finish(_ saved: SwiftDatastoreSavedChanges, _ staged: [StagedObject]) {
    // Rows that were only written do not tell of it: nothing of theirs has changed here.
    if let list {
      let renamed = saved.rekeyed[list.entity] ?? [:]
      let keys = staged.filter { $0.entity == list.entity }.map { renamed[$0.key] ?? $0.key }
      send(.listChanged(fetch: list.number, list.controller.list, changed: Set(keys)))
    }
    publishStaging()
    send(
      .saved(
        SaveReport(
          changed: saved.updatedCount, inserted: saved.insertedCount,
          deleted: saved.deletedCount, related: staged.count, entities: Set(staged.map(\.entity)),
          rekeyed: saved.rekeyed)))
  }

  func planDeletion(of objects: [ObjectReference]) {
    performInOrder { runner in
      do {
        let loaded = try await runner.load(objects)
        let outcome = try await DeletionWalk(runner, limit: DeletionPlan.limit).run(loaded)
        // What the question is about is what is deleted.
        let seen = zip(objects, loaded).map { reference, object in
          ObjectReference(
            entity: reference.entity, key: reference.key,
            seen: reference.seen ?? runner.seen(object))
        }
        runner.send(.deletionPlanned(seen, outcome.plan))
      } catch is CancellationError {
        return
      } catch let refusal as StagingRefusal {
        runner.send(.stagingRefused(refusal.reason))
      } catch {
        runner.send(.stagingRefused(String(describing: error)))
      }
    }
  }
}

extension StoreError {
  /// Whether the file has to be opened anew before anything can be saved.
  fileprivate var isAboutAnotherFile: Bool {
    switch self {
    case .replaced, .tablesChanged: true
    default: false
    }
  }
}
