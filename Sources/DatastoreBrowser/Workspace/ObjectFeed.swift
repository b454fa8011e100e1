import DatastoreCore
import SwiftDatastore
import TerminalUI

/// The object of the detail pane, observed property by property.
@MainActor
final class ObjectFeed {
  let reference: ObjectReference
  let object: DynamicObject
  private var observations: [PropertyObservation] = []
  private var isRefreshing = false

  init(_ object: DynamicObject, _ reference: ObjectReference, runner: EffectRunner) {
    self.reference = reference
    self.object = object
    observations = runner.schema.entities[reference.entity].properties.enumerated().map {
      slot, property in
      object.observe(property.name) { [weak self, weak runner] _ in
        MainActor.assumeIsolated {
          guard let self, let runner else { return }
          self.changed(slot, runner)
        }
      }
    }
  }

  private func changed(_ slot: Int, _ runner: EffectRunner) {
    if object.entity.links[slot]?.kind.isToMany ?? false {
      runner.send(.membersChanged(reference, slot: slot))
    }
    // Many properties change at once; the object is shown when the last one has.
    guard !isRefreshing else { return }
    isRefreshing = true
    runner.perform { [self] runner in
      isRefreshing = false
      await refresh(runner)
    }
  }

  /// Sends the object as it is now.
  func refresh(_ runner: EffectRunner) async {
    guard runner.watched === self else { return }
    if object.isKnownDeleted, !object.willBeDeleted {
      runner.send(.detailRead(reference, nil))
      return
    }
    if object.isFault {
      do {
        _ = try await runner.view.load(entity: reference.entity, keys: [reference.key])
      } catch {
        runner.send(.detailFailed(reference, String(describing: error)))
        return
      }
      guard runner.watched === self, !object.isFault, !object.isGone else { return }
    }
    show(runner)
  }

  /// Sends the object as it is in memory.
  func show(_ runner: EffectRunner) {
    runner.send(.detailRead(reference, snapshot(in: runner.schema)))
  }

  private func snapshot(in schema: Schema) -> DetailSnapshot {
    // What a descendant has more of is shown in a table of its own.
    let entity = schema.entities[reference.entity]
    return DetailSnapshot(
      object: reference, entityName: object.entity.name,
      fields: entity.properties.enumerated().map { slot, property in
        if let attribute = property.attribute {
          return DetailSnapshot.Field(
            slot: slot, name: attribute.name, type: TypeText.describe(attribute),
            content: ValueFormat(attribute).content(
              object.shownValue(at: slot), limit: DetailSnapshot.limit),
            destination: nil,
            isMissing: object.isInserted && !attribute.isOptional && !attribute.isReadOnly
              && object[slot].isNull)
        }
        let link = entity.links[slot]
        return DetailSnapshot.Field(
          slot: slot, name: property.name, type: link?.description.destination ?? "",
          content: link?.kind == .toOne ? reference(object.shownValue(at: slot)) : nil,
          destination: link?.destination)
      })
  }

  private func reference(_ value: Value) -> CellContent {
    switch value {
    case .integer(let key):
      CellContent(DisplayName.placeholder(key: key), role: .dim, kind: .reference(key))
    default: ValueFormat(type: .undefined).cell(value)
    }
  }
}

extension EffectRunner {
  func watch(_ reference: ObjectReference?) {
    cancel(watchWork)
    watched = nil
    guard let reference else { return }
    // The rows around the cursor have been read for the table, so that the details mostly come with
    // the same picture as the cursor.
    if let object = view.loadedObject(entity: reference.entity, key: reference.key) {
      let feed = ObjectFeed(object, reference, runner: self)
      watched = feed
      feed.show(self)
      return
    }
    watchWork = perform { runner in
      do {
        let objects = try await runner.view.load(
          entity: reference.entity, keys: [reference.key])
        try Task.checkCancellation()
        guard let object = objects.first else {
          runner.send(.detailRead(reference, nil))
          return
        }
        let feed = ObjectFeed(object, reference, runner: runner)
        runner.watched = feed
        await feed.refresh(runner)
      } catch is CancellationError {
        return
      } catch {
        runner.send(.detailFailed(reference, String(describing: error)))
      }
    }
  }

  func loadMembers(of reference: ObjectReference, slot: Int) {
    guard let feed = watched, feed.reference == reference,
      let link = schema.entities[reference.entity].links[slot]
    else { return }
    perform { runner in
      do {
        let keys = try await runner.view.loadRelatedKeys(of: feed.object, slot: slot)
        let first = Array(keys.prefix(Members.shown))
        let names = try await runner.names(entity: link.destination, keys: first)
        let members = first.map { key in
          Members.Member(key: key, name: names[key] ?? DisplayName.placeholder(key: key))
        }
        runner.send(
          .membersRead(reference, slot: slot, Members(count: keys.count, first: members)))
      } catch is CancellationError {
        return
      } catch {
        runner.send(.membersFailed(reference, slot: slot, String(describing: error)))
      }
    }
  }
}
