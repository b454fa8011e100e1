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
    observations = zip(
      runner.schema.entities[reference.entity].slots,
      runner.schema.entities[reference.entity].properties
    ).map {
      slot, property in
      object.observe(property.name) { [weak self, weak runner] _ in
        MainActor.assumeIsolated {
          guard let self, let runner else { return }
          self.changed(slot, runner)
        }
      }
    }
  }

  private func changed(_ slot: Slot, _ runner: EffectRunner) {
    if object.entity.links[slot]?.kind.isToMany ?? false {
      runner.send(DetailEvent.membersChanged(reference, slot: slot))
    }
    // Many properties may change at once; the object is shown after the last change.
    guard !isRefreshing else { return }
    isRefreshing = true
    runner.perform { [self] runner in
      isRefreshing = false
      await refresh(runner)
    }
  }

  /// Sends the current object.
  func refresh(_ runner: EffectRunner) async {
    guard runner.watched === self else { return }
    if object.isKnownDeleted, !object.willBeDeleted {
      runner.send(DetailEvent.read(reference, nil))
      return
    }
    if object.isFault {
      do {
        _ = try await runner.view.load(reference)
      } catch {
        runner.send(DetailEvent.failed(reference, String(describing: error)))
        return
      }
      guard runner.watched === self, !object.isFault, !object.isGone else { return }
    }
    show(runner)
  }

  /// Sends the object as it is in memory.
  func show(_ runner: EffectRunner) {
    runner.send(DetailEvent.read(reference, snapshot(in: runner.schema)))
  }

  private func snapshot(in schema: Schema) -> DetailSnapshot {
    // The additional properties of a descendant are shown in a table of their own.
    let entity = schema.entities[reference.entity]
    return DetailSnapshot(
      object: reference, entityName: object.entity.name,
      fields: zip(entity.slots, entity.properties).map { slot, property in
        if let attribute = property.attribute {
          let format = ValueFormat(attribute)
          let value = object.shownValue(at: slot)
          return DetailSnapshot.Field(
            slot: slot, name: attribute.name, type: TypeText.describe(attribute),
            content: format.content(value, limit: DetailSnapshot.limit),
            stored: attribute.dateConvention == nil ? nil : format.storedText(of: value),
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
    case .integer(let number):
      CellContent(
        DisplayName.placeholder(key: RowKey(number)), role: .dim, kind: .reference(RowKey(number)))
    default: ValueFormat(type: .undefined).cell(value)
    }
  }
}
