import Basics
import DatastoreCore
import Foundation
import SwiftDatastore

extension Effect {
  static var save: Effect { .work { $0.save() } }

  /// Stops a save or a bulk write.
  static var stopSaving: Effect { .work { $0.service(Saver.self).stopSaving() } }

  /// Settles conflicts by the user's choices, and then saves.
  static func settle(_ settlements: [Settlement], saves: Bool) -> Effect {
    .work { runner in
      runner.performStaging { runner in
        do {
          for settlement in settlements {
            try await runner.view.settle(settlement.conflict, keeping: settlement.mine)
          }
          runner.view.processPendingChanges()
          runner.publishStaging()
          if saves { runner.save() }
        } catch {
          runner.send(SavingEvent.saveFailed(.refused(String(describing: error))))
        }
      }
    }
  }
}

enum SavingEvent: BrowserEvent {
  case saved(SaveReport)
  case saveFailed(SaveFailure)
  /// Many objects were changed in the store, described in words.
  case written(entity: EntityIndex, String)

  func apply(to state: inout BrowserState) {
    switch self {
    case .saved(let report): state.apply(saved: report)
    case .saveFailed(let failure): state.apply(failure)
    case .written(let entity, let said): state.apply(written: entity, said)
    }
  }
}

/// The write that is running among the staging work.
private final class Saver: EffectService {
  private unowned let runner: EffectRunner
  /// The number of the last save or bulk write.
  var work: Int?

  init(_ runner: EffectRunner) {
    self.runner = runner
  }

  func stopSaving() {
    if let work { runner.cancel(work) }
  }
}

extension EffectRunner {
  /// Performs a save or a bulk write that can be stopped.
  func performSaving(_ body: @escaping @MainActor (EffectRunner) async -> Void) {
    service(Saver.self).work = performStaging(body)
  }

  fileprivate func save() {
    performSaving { runner in
      let computed = runner.service(ComputedValues.self)
      if !computed.isEmpty {
        // The save compares only what it writes. A lock on the file is reported by the save.
        let datastore = runner.datastore
        _ = await BlockingWork.run { try? datastore.checkForExternalChanges() }
        await runner.drainMainQueue()
        runner.publishStaging()
      }
      let staged = runner.view.stagedObjects()
      let feed = runner.service(StagingFeed.self)
      feed.savingHasAdvanced(.begun(staged))
      var isSaved = false
      defer { feed.savingHasAdvanced(isSaved ? .saved : .failed) }
      do {
        let saved = try await runner.view.save()
        isSaved = true
        computed.forget()
        runner.finish(saved, staged)
      } catch is CancellationError {
        runner.send(SavingEvent.saveFailed(.stopped))
      } catch let error as ValidationError {
        runner.send(SavingEvent.saveFailed(.invalid(error.faults.compactMap { runner.issue($0) })))
      } catch let error as ConflictError {
        runner.send(SavingEvent.saveFailed(.conflicting(error.conflicts)))
      } catch let error as StoreError where error.isAboutAnotherFile {
        let way = "To do that, press q, then k: the changes are kept and offered next time."
        runner.send(SavingEvent.saveFailed(.refused("\(error) \(way)")))
      } catch let error as StoreError {
        let issues = runner.issues(error, among: staged)
        runner.send(
          SavingEvent.saveFailed(issues.isEmpty ? .refused(error.description) : .invalid(issues))
        )
      } catch {
        runner.send(SavingEvent.saveFailed(.refused(String(describing: error))))
      }
    }
  }

  private func issue(_ fault: ValidationError.Fault) -> SaveIssue? {
    guard let entity = schema.entity(named: fault.entity) else { return nil }
    let object = ObjectReference(entity: entity.index, key: fault.key)
    return SaveIssue(
      object: object, slot: entity.slot(named: fault.property),
      text: naming(object, in: fault.description))
  }

  /// A sentence that begins with an object, with its name, which says more than a key. The key of a new
  /// object is not shown anywhere.
  private func naming(_ object: ObjectReference, in text: String) -> String {
    guard let loaded = view.loadedObject(entity: object.entity, key: object.key) else {
      return text
    }
    let entity = schema.entities[object.entity].name
    let name = knownName(of: loaded, as: object.entity)
    let isNamed = name != DisplayName.placeholder(key: object.key)
    guard isNamed || loaded.isInserted else { return text }
    return Quoting.substituting(
      "\(entity) \(object.key)",
      with: (loaded.isInserted ? "The new " : "") + entity + (isNamed ? " \(name)" : ""), in: text)
  }

  /// The issues of a row that the store refused, by property, if its object is staged; empty otherwise.
  private func issues(
    _ error: StoreError, among staged: [StagedObject]
  ) -> [SaveIssue] {
    let (name, key, properties): (String?, RowKey?, [String]) =
      switch error {
      case .notUnique(let entity, let properties, let key): (entity, key, properties)
      case .missingValue(let entity, let property, let key):
        (entity, key, property.parts(at: ", ").map(String.init))
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
    let text = naming(object, in: error.description)
    guard slots.count > 1 else {
      return [SaveIssue(object: object, slot: slots.first, text: text)]
    }
    return slots.map { slot in
      SaveIssue(
        object: object, slot: slot,
        text: "\(entity.properties[slot].name): \(text)")
    }
  }

  private func finish(_ saved: SwiftDatastoreSavedChanges, _ staged: [StagedObject]) {
    // Rows that were only written do not notify the list, since their values have not changed here.
    if let list {
      let renamed = saved.rekeyed[list.entity] ?? [:]
      let keys = staged.filter { $0.entity == list.entity }.map { renamed[$0.key] ?? $0.key }
      send(ListEvent.changed(fetch: list.number, list.controller.list, changed: Set(keys)))
    }
    publishStaging()
    send(
      SavingEvent.saved(
        SaveReport(
          changed: saved.updatedCount, inserted: saved.insertedCount,
          deleted: saved.deletedCount, related: staged.count, entities: Set(staged.map(\.entity)),
          rekeyed: saved.rekeyed, objects: staged.renamed(saved.rekeyed, in: schema))))
  }
}

extension StoreError {
  /// Whether the file must be opened again before anything can be saved.
  fileprivate var isAboutAnotherFile: Bool {
    switch self {
    case .replaced, .tablesChanged, .migrated: true
    default: false
    }
  }
}
