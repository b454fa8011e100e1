import DatastoreCore
import Foundation
import SwiftDatastore

extension EffectRunner {
  /// By entity: the to-many relationships whose members are counted quickly.
  var quickCounts: [Set<Int>] {
    schema.entities.map { entity in
      Set(entity.relationshipSlots.filter { view.countsQuickly(entity: entity.index, slot: $0) })
    }
  }

  func loadCounts(fetch: Int, entity: Int, slot: Int, keys: [Int64]) {
    perform { runner in
      do {
        let counts = try await runner.view.relatedCounts(entity: entity, slot: slot, keys: keys)
        runner.send(.countsLoaded(fetch: fetch, slot: slot, counts))
      } catch is CancellationError {
        return
      } catch {
        runner.send(.countsFailed(String(describing: error)))
      }
    }
  }

  func loadMemberKeys(of reference: ObjectReference, slot: Int) {
    perform { runner in
      do {
        let objects = try await runner.view.load(entity: reference.entity, keys: [reference.key])
        guard let object = objects.first else { return }
        let keys = try await runner.view.loadRelatedKeys(of: object, slot: slot)
        runner.send(.memberKeysRead(reference, slot: slot, keys))
      } catch is CancellationError {
        return
      } catch {
        runner.send(.readFailed(String(describing: error)))
      }
    }
  }

  func keepColumns(_ settings: ColumnSettings, of entity: String) {
    guard let settingsFile else { return }
    let before = lastSettingsWrite
    let write = Task.detached {
      await before?.value
      do {
        try settingsFile.write(settings, of: entity)
        return String?.none
      } catch {
        return "The arrangement of columns could not be kept in \(settingsFile.url.path): "
          + error.localizedDescription
      }
    }
    perform { runner in
      if let fault = await write.value { runner.send(.settingsFailed(fault)) }
    }
    lastSettingsWrite = Task { _ = await write.value }
  }

  /// Returns when everything that was decided is in the file.
  func settingsAreKept() async {
    await lastSettingsWrite?.value
  }
}
