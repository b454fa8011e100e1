import DatastoreCore
import SwiftDatastore
import TerminalUI

extension Effect {
  /// Works out what a value would do to many objects.
  static func planUpdate(_ target: BulkTarget, slot: Slot, _ value: Value) -> Effect {
    .work { runner in
      runner.answerStaging {
        try await $0.updatePlan(target, slot: slot, value)
      } as: {
        EditingEvent.updatePlanned($0)
      }
    }
  }

  /// Writes a value to all objects that meet a condition, in the store and at once.
  static func writeUpdate(entity: EntityIndex, _ predicate: Predicate?, slot: Slot, _ value: Value)
    -> Effect
  {
    .work { $0.writeUpdate(entity: entity, predicate, slot: slot, value) }
  }

  /// Deletes all objects that meet a condition, in the store and at once.
  static func writeDeletion(entity: EntityIndex, _ predicate: Predicate?) -> Effect {
    .work { $0.writeDeletion(entity: entity, predicate) }
  }
}

/// Changes of many objects at once.
extension EffectRunner {
  /// Objects that the preview shows.
  private static let sampled = 5

  fileprivate func updatePlan(
    _ target: BulkTarget, slot: Slot, _ value: Value
  ) async throws -> UpdatePlan {
    let target = try await shown(target)
    let objects = try await samples(of: target)
    guard let first = objects.first else { throw StagingRefusal("There are no objects.") }
    let entity = first.entity
    if let refused = objects.first(where: { reasonNotWritable($0, slot) != nil }) {
      throw StagingRefusal(reasonNotWritable(refused, slot) ?? "")
    }
    let contents = try await contents(
      [value] + objects.map { $0.shownValue(at: slot) }, slot, entity)
    let nameSlot = DisplayName.slot(of: entity)
    let samples = zip(objects, contents.dropFirst()).map { object, old in
      UpdatePlan.Sample(
        name: DisplayName.name(nameSlot.map { object[$0] } ?? .null, key: object.key), old: old)
    }
    return UpdatePlan(
      target: target, slot: slot, value: value,
      property: "\(entity.name).\(entity.properties[slot].name)", new: contents[0],
      samples: samples)
  }

  /// The target with what it leads to now, so that what the question is about is what is changed.
  private func shown(_ target: BulkTarget) async throws -> BulkTarget {
    guard case .objects(let objects) = target else { return target }
    return .objects(try await shown(objects))
  }

  private func samples(of target: BulkTarget) async throws -> [DynamicObject] {
    switch target {
    case .objects(let objects): return try await load(Array(objects.prefix(Self.sampled)))
    case .matching(let entity, let predicate, _):
      return try await view.loadObjects(
        FetchRequest(
          entity: schema.entities[entity].name, predicate: predicate, limit: Self.sampled))
    }
  }

  /// Values as they are shown; related objects by their names.
  private func contents(
    _ values: [Value], _ slot: Slot, _ entity: Entity
  ) async throws -> [CellContent] {
    guard let link = entity.links[slot] else {
      let format =
        entity.properties[slot].attribute.map { ValueFormat($0) } ?? ValueFormat(type: .undefined)
      return values.map { format.cell($0) }
    }
    let keys = values.compactMap { if let key = $0.key { key } else { nil } }
    let names = try await names(entity: link.destination, keys: Array(Set(keys)))
    return values.map { value in
      guard let key = value.key else { return CellContent("", role: .null, kind: .null) }
      return CellContent(names[key] ?? text(ofKey: key, link.destination), role: .relationship)
    }
  }

  fileprivate func writeUpdate(
    entity: EntityIndex, _ predicate: Predicate?, slot: Slot, _ value: Value
  ) {
    let described = schema.entities[entity]
    let name = described.name
    let property = described.properties[slot].name
    write(entity) { context in
      let count = try context.updateMany(
        entityName: name, where: predicate, values: [property: value])
      return "Changed \(CountText.counted(count, "object")) of \(name)."
    }
  }

  fileprivate func writeDeletion(entity: EntityIndex, _ predicate: Predicate?) {
    let name = schema.entities[entity].name
    write(entity) { context in
      let count = try context.deleteMany(entityName: name, where: predicate)
      return "Deleted \(CountText.counted(count, "object")) of \(name)."
    }
  }

  private func write(
    _ entity: EntityIndex,
    _ body: @escaping @Sendable (SwiftDatastoreContext.Closure) throws -> String
  ) {
    performSaving { runner in
      let isCancelled = Lock(false)
      let context = runner.datastore.newContext()
      do {
        let said = try await withTaskCancellationHandler {
          try await context.perform { context in
            context.core.isStopped = { isCancelled.withLock { $0 } }
            return try body(context)
          }
        } onCancel: {
          isCancelled.withLock { $0 = true }
        }
        await runner.drainMainQueue()
        runner.send(SavingEvent.written(entity: entity, said))
      } catch is CancellationError {
        runner.send(SavingEvent.saveFailed(.stopped))
      } catch {
        runner.send(SavingEvent.saveFailed(.refused(String(describing: error))))
      }
    }
  }
}
