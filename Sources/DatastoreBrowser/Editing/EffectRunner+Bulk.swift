import Basics
import DatastoreCore
import SwiftDatastore
import TerminalUI

extension Effect {
  /// Computes the effects of setting many objects to a value.
  static func planUpdate(_ target: BulkTarget, slot: Slot, _ value: Value) -> Effect {
    plan { try await $0.updatePlan(target, slot: slot, value) }
  }

  /// Computes the effects of a computed change of many objects.
  static func planUpdate(_ target: BulkTarget, slot: Slot, _ change: ComputedChange) -> Effect {
    plan { try await $0.updatePlan(target, slot: slot, change) }
  }

  /// Computes the effects of setting many objects to the value of the first one.
  static func planFilling(
    _ target: BulkTarget, slot: Slot, from first: ObjectReference
  ) -> Effect {
    plan { runner in
      guard let object = try await runner.load([first]).first else {
        throw StagingRefusal("There are no objects.")
      }
      return try await runner.updatePlan(target, slot: slot, object[slot])
    }
  }

  private static func plan(
    of maker: String = #function,
    _ find: @escaping @MainActor (EffectRunner) async throws -> UpdatePlan
  ) -> Effect {
    .work(of: maker) { runner in
      runner.answerStaging(find) { (state: inout BrowserState, plan: UpdatePlan) in
        state.answerCame(for: .update(plan.target)) { $0.ask(plan) }
      }
    }
  }

  /// Changes all objects that meet a condition, directly in the store.
  ///
  /// - Parameter isKept: whether the changes are kept in the recovery file, as if they had been staged, until
  ///   the files of a copy have them.
  static func writeUpdate(
    entity: EntityIndex, _ predicate: Predicate?, slot: Slot, _ change: UpdatePlan.Change,
    isKept: Bool
  ) -> Effect {
    .work { runner in
      switch change {
      case .value(let value) where isKept:
        runner.writeUpdate(entity: entity, predicate, slot: slot, isKept) { _, _ in value }
      case .value(let value):
        runner.writeUpdate(entity: entity, predicate, slot: slot, value)
      case .computed(let change, _):
        runner.writeUpdate(
          entity: entity, predicate, slot: slot, isKept, change.relationships
        ) { object, attribute throws(ValueFault) in
          try change.value(of: object, replacing: object[slot], attribute)
        }
      }
    }
  }

  /// Deletes all objects that meet a condition, directly in the store.
  ///
  /// - Parameter isKept: as for `writeUpdate(entity:_:slot:_:isKept:)`.
  static func writeDeletion(
    entity: EntityIndex, _ predicate: Predicate?, isKept: Bool
  ) -> Effect {
    .work { $0.writeDeletion(entity: entity, predicate, isKept) }
  }
}

/// Changes of many objects at once.
extension EffectRunner {
  /// The number of objects in the preview.
  private static let sampled = 5
  /// The number of objects whose new values the preview computes, if there are too many to stage.
  private static let computed = 1000

  fileprivate func updatePlan(
    _ target: BulkTarget, slot: Slot, _ value: Value
  ) async throws -> UpdatePlan {
    let target = try await shown(target)
    let objects = try await first(Self.sampled, of: target, isEnough: true)
    guard let first = objects.first else { throw StagingRefusal("There are no objects.") }
    let entity = first.entity
    if let refused = objects.first(where: { reasonNotWritable($0, slot) != nil }) {
      throw StagingRefusal(reasonNotWritable(refused, slot) ?? "")
    }
    let contents = try await contents(
      [value] + objects.map { $0.shownValue(at: slot) }, slot, entity)
    let names = try await names(of: objects, as: entity.index)
    let samples = zip(objects, contents.dropFirst()).map { object, old in
      UpdatePlan.Sample(
        name: names[object.key] ?? DisplayName.placeholder(key: object.key), old: old,
        new: contents[0])
    }
    return UpdatePlan(
      target: target, slot: slot, change: .value(value),
      property: "\(entity.name).\(entity.properties[slot].name)",
      new: contents[0].shown(Marks(.ascii)).text, samples: samples)
  }

  fileprivate func updatePlan(
    _ target: BulkTarget, slot: Slot, _ change: ComputedChange
  ) async throws -> UpdatePlan {
    let target = try await shown(target)
    let objects = try await first(Self.computed, of: target)
    // Objects of a model's own classes may have other keys than the ones they were found by.
    var keys = objects.map(\.key)
    if case .objects(let references) = target { keys = references.map(\.key) }
    guard let entity = objects.first?.entity, let attribute = entity.properties[slot].attribute
    else { throw StagingRefusal("Only attributes are computed.") }
    if let refused = objects.first(where: { reasonNotWritable($0, slot) != nil }) {
      throw StagingRefusal(reasonNotWritable(refused, slot) ?? "")
    }
    let related = try await relatedObjects(of: objects, change.relationships)
    let format = ValueFormat(attribute)
    var values: [RowKey: Value] = [:]
    var samples: [UpdatePlan.Sample] = []
    try withExtendedLifetime(related) {
      for (key, object) in zip(keys, objects) {
        let name = knownName(of: object, as: entity.index)
        do throws(ValueFault) {
          guard
            let value = try change.value(of: object, replacing: object[slot], attribute)
          else { continue }
          values[key] = value
          guard samples.count < Self.sampled else { continue }
          samples.append(
            UpdatePlan.Sample(
              name: name, old: format.cell(object[slot]), new: format.cell(value)))
        } catch {
          throw StagingRefusal("\(entity.name) \(name): \(error.message)")
        }
      }
    }
    return UpdatePlan(
      target: target, slot: slot, change: .computed(change, values),
      property: "\(entity.name).\(attribute.name)", new: change.text, samples: samples)
  }

  /// Loads the objects of some relationships, so that computing values reads nothing.
  private func relatedObjects(
    of objects: [DynamicObject], _ relationships: Set<String>
  ) async throws -> [DynamicObject] {
    var related: [DynamicObject] = []
    for name in relationships {
      guard let entity = objects.first?.entity, let slot = entity.slot(named: name),
        let link = entity.links[slot], !link.kind.isToMany
      else { continue }
      let keys = Set(objects.compactMap { $0[slot].key })
      related += try await view.load(entity: link.destination, keys: keys.sorted())
    }
    return related
  }

  /// The target with its current objects, so that the change applies to those in the question.
  private func shown(_ target: BulkTarget) async throws -> BulkTarget {
    guard case .objects(let objects) = target else { return target }
    return .objects(try await shown(objects))
  }

  /// The first objects of the target. All of those to be staged, unless the first ones are enough.
  private func first(
    _ most: Int, of target: BulkTarget, isEnough: Bool = false
  ) async throws -> [DynamicObject] {
    switch target {
    case .objects(let objects):
      return try await load(isEnough ? Array(objects.prefix(most)) : objects)
    case .matching(let entity, let predicate, _):
      return try await view.loadObjects(
        FetchRequest(entity: schema.entities[entity].name, predicate: predicate, limit: most))
    }
  }

  /// Values as cells; related objects are shown by their names.
  func contents(
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
      return ("Changed \(CountText.counted(count, "object")) of \(name).", nil)
    }
  }

  /// Gives each object its new value, and saves all of them in one transaction.
  ///
  /// - Parameters:
  ///   - relationships: the relationships whose objects are needed.
  ///   - newValue: the new value of an object; nil if it keeps the current one.
  fileprivate func writeUpdate(
    entity: EntityIndex, _ predicate: Predicate?, slot: Slot, _ isKept: Bool,
    _ relationships: Set<String> = [],
    _ newValue:
      @escaping @Sendable (DynamicObject, AttributeDescription) throws(ValueFault)
      -> Value?
  ) {
    let described = schema.entities[entity]
    guard let attribute = described.properties[slot].attribute else { return }
    write(entity) { context in
      let objects: [DynamicObject] = try context.fetch(
        FetchRequest(entity: described.name, predicate: predicate))
      let core = context.core
      defer { core.graph.forgetPrefetched() }
      for way in relationships.compactMap({ described.slot(named: $0) }) {
        try core.graph.prefetch([way], from: objects)
      }
      var count = 0
      for object in objects {
        if core.isStopped?() ?? false { throw CancellationError() }
        do throws(ValueFault) {
          guard let value = try newValue(object, attribute) else { continue }
          object[slot] = value
          count += 1
        } catch {
          throw EffectFailure(
            message:
              "\(described.name) \(DisplayName.placeholder(key: object.key)): \(error.message) Nothing was changed."
          )
        }
      }
      let changes = isKept ? core.graph.stagedObjects() : nil
      try context.saveChanges()
      return ("Changed \(CountText.counted(count, "object")) of \(described.name).", changes)
    }
  }

  fileprivate func writeDeletion(entity: EntityIndex, _ predicate: Predicate?, _ isKept: Bool) {
    let name = schema.entities[entity].name
    write(entity) { context in
      var changes: [StagedObject]?
      let count: Int
      if isKept {
        let objects: [DynamicObject] = try context.fetch(
          FetchRequest(entity: name, predicate: predicate))
        for object in objects { context.deleteObject(object) }
        changes = context.core.graph.stagedObjects()
        try context.saveChanges()
        count = objects.count
      } else {
        count = try context.deleteMany(entityName: name, where: predicate)
      }
      return ("Deleted \(CountText.counted(count, "object")) of \(name).", changes)
    }
  }

  /// - Parameter body: writes; returns what it has done in words, and the changes if they are kept.
  private func write(
    _ entity: EntityIndex,
    _ body:
      @escaping @Sendable (SwiftDatastoreContext.Closure) throws -> (String, [StagedObject]?)
  ) {
    performSaving { runner in
      let isCancelled = Lock(false)
      let context = runner.datastore.newContext()
      do {
        let (said, changes) = try await withTaskCancellationHandler {
          try await context.perform { context in
            context.core.isStopped = { isCancelled.withLock { $0 } }
            return try body(context)
          }
        } onCancel: {
          isCancelled.withLock { $0 = true }
        }
        await runner.drainMainQueue()
        runner.service(StagingFeed.self).savingHasAdvanced(.writtenDirectly(changes))
        runner.send(SavingEvent.written(entity: entity, said))
      } catch is CancellationError {
        runner.send(SavingEvent.saveFailed(.stopped))
      } catch {
        runner.send(SavingEvent.saveFailed(.refused(EffectFailure(error).message)))
      }
    }
  }
}
