import DatastoreCore
import Foundation
import SwiftDatastore

extension Lane {
  /// Work that changes the staged changes or depends on them, in the order of the requests.
  static let staging = Lane("staging", .inOrder, atEnd: .cancelled)
}

extension Effect {
  /// Stages a change in the view context.
  static func stage(_ step: StagingStep) -> Effect { .work { $0.stage(step) } }
}

extension BrowserState {
  /// Stages a change. Keys wait until it has been reported, or for the answer that they wait for already.
  mutating func stage(_ step: StagingStep) {
    if editing.pendingAnswer == nil { awaitAnswer(.staging) }
    request(.stage(step))
  }
}

/// Staging in the view context: on the main actor, after all objects involved have been read off it.
extension EffectRunner {
  func stage(_ step: StagingStep) {
    performStaging { runner in
      defer { runner.send(StagingEvent.ended) }
      do {
        try await runner.carryOut(step)
      } catch is CancellationError {
        return
      } catch {
        runner.send(StagingEvent.refused(String(describing: error)))
      }
      runner.view.processPendingChanges()
      runner.publishStaging()
    }
  }

  /// Performs work on the staged changes, after all such work requested before.
  @discardableResult
  func performStaging(_ body: @escaping @MainActor (EffectRunner) async -> Void) -> Int {
    perform(in: .staging, body)
  }

  /// Finds an answer about the staged changes and changes the state by it; reports a refusal as a sentence.
  func answerStaging<Answer: Sendable>(
    _ find: @escaping @MainActor (EffectRunner) async throws -> Answer,
    then change: @escaping @Sendable (inout BrowserState, Answer) -> Void
  ) {
    answer(in: .staging, find) { result in
      switch result {
      case .success(let answer): StateChange { change(&$0, answer) }
      case .failure(let failure): StagingEvent.refused(failure.message)
      }
    }
  }

  /// Notifies the screens of the staged changes, if these have changed.
  func publishStaging() { service(StagingFeed.self).publish() }

  private func carryOut(_ step: StagingStep) async throws {
    switch step {
    case .assign(let objects, let slot, let value):
      try await assign(to: objects) { _ in [slot: value] }
    case .assignEach(let objects, let values, let sources):
      try await assign(to: objects, computedFrom: sources) { values[$0] ?? [:] }
    case .setMember(let object, let slot, let member, let isMember):
      try await setMember(member, of: object, slot, isMember)
    case .create(let entity, let values): try await create(schema.entities[entity], [values])
    case .createEach(let entity, let values): try await create(schema.entities[entity], values)
    case .duplicate(let objects): try await duplicate(objects)
    case .delete(let objects): try await delete(objects)
    case .undo, .redo:
      let before = view.stagedObjects()
      if step == .undo { view.undo() } else { view.redo() }
      send(StepReport(isUndo: step == .undo, from: before, to: view.stagedObjects()))
    case .revertAll: view.revertChanges()
    case .revert(let object, let slot): try await revert(object, slot)
    }
  }

  private func assign(
    to references: [ObjectReference], computedFrom sources: SlotSet = SlotSet(),
    _ values: (RowKey) -> [Slot: Value]
  ) async throws {
    let objects = try begin(try await find(references))
    let assignments = zip(references, objects).map { ($1, values($0.key)) }
    for (object, values) in assignments {
      if let reason = values.keys.lazy.compactMap({ self.reasonNotWritable(object, $0) }).first {
        throw StagingRefusal(reason)
      }
    }
    guard let entity = objects.first?.entity else { return }
    let destinations = try await destinations(of: assignments.map(\.1), entity)
    // The other side of a one-to-one relationship loses its value, so it must be in memory.
    var kept: [DynamicObject] = []
    for slot in entity.relationshipSlots where destinations[slot] != nil {
      guard let link = entity.links[slot] else { continue }
      let former = assignments.compactMap { $1[slot] == nil ? nil : $0[slot].key }
      kept += try await view.load(entity: link.destination, keys: former)
    }
    let computed = service(ComputedValues.self)
    withExtendedLifetime(kept) {
      view.undoGroup {
        for (reference, (object, values)) in zip(references, assignments) {
          set(values, of: object, destinations)
          if let seen = reference.seen {
            view.antedate(object, SlotSet(values.keys), to: seen.row)
            computed.remember(values, of: object, from: sources, in: seen.row)
          }
        }
        computed.check()
      }
    }
  }

  /// The destination objects of relationship values, each once; nil for a relationship that loses its value.
  private func destinations(
    of values: [[Slot: Value]], _ entity: Entity
  ) async throws -> [Slot: [Value: DynamicObject?]] {
    var destinations: [Slot: [Value: DynamicObject?]] = [:]
    for (slot, value) in values.joined() {
      guard let link = entity.links[slot], destinations[slot]?[value] == nil else { continue }
      destinations[slot, default: [:]].updateValue(
        try await destination(value, link), forKey: value)
    }
    return destinations
  }

  private func set(
    _ values: [Slot: Value], of object: DynamicObject,
    _ destinations: [Slot: [Value: DynamicObject?]]
  ) {
    for (slot, value) in values {
      if let found = destinations[slot]?[value] {
        object.set(found, for: object.entity.properties[slot].name)
      } else if object.entity.links[slot] == nil {
        object[slot] = value
      }
    }
  }

  private func destination(
    _ value: Value, _ link: RelationshipLink
  ) async throws -> DynamicObject? {
    guard let key = value.key else { return nil }
    var reference = ObjectReference(entity: link.destination, key: key)
    reference.seen = service(OfferedRows.self).seen(reference)
    if reference.seen != nil, try await find([reference])[0].objectInPlace == nil {
      throw StagingRefusal(
        "The chosen \(link.description.destination) is a different row now, or someone else has changed "
          + "it; choose it again.")
    }
    guard let object = try await view.load(reference), !object.isKnownDeleted else {
      throw StagingRefusal("The chosen \(link.description.destination) is no longer in the store.")
    }
    return object
  }

  private func setMember(
    _ member: RowKey, of reference: ObjectReference, _ slot: Slot, _ isMember: Bool
  ) async throws {
    guard let object = try await load([reference]).first, let link = object.entity.links[slot],
      let other = try await destination(.key(member), link)
    else { return }
    _ = try await view.loadRelatedKeys(of: object, slot: slot)
    if let inverse = link.inverseSlot, other.entity.links[inverse]?.kind == .toOne {
      if let reason = reasonNotWritable(other, inverse) { throw StagingRefusal(reason) }
    }
    view.undoGroup { view.setMember(other, of: object, slot: slot, isMember: isMember) }
  }

  private func create(_ entity: Entity, _ values: [[Slot: Value]]) async throws {
    let destinations = try await destinations(of: values, entity)
    // The first new object of an entity asks the store for its key, once.
    let objects = try view.undoGroup {
      try values.map { values in
        let object = try view.createObject(entityName: entity.name)
        set(values, of: object, destinations)
        return object
      }
    }
    guard let first = objects.first else { return }
    send(StagingEvent.created(ObjectReference(entity: entity.index, key: first.key)))
  }

  private func duplicate(_ references: [ObjectReference]) async throws {
    let objects = try await load(references)
    var related: [ObjectIdentifier: [Slot: DynamicObject]] = [:]
    for object in objects {
      for slot in object.entity.relationshipSlots {
        guard let link = object.entity.links[slot], Self.isCopied(link, in: schema),
          let destination = try await destination(object[slot], link)
        else { continue }
        related[ObjectIdentifier(object), default: [:]][slot] = destination
      }
    }
    let copies = try view.undoGroup {
      try objects.map { object in
        let copy = try view.createObject(entityName: object.entity.name)
        for slot in object.entity.slots where isCopied(slot, of: object.entity) {
          copy[slot] = object[slot]
        }
        for (slot, destination) in related[ObjectIdentifier(object)] ?? [:] {
          copy.set(destination, for: object.entity.properties[slot].name)
        }
        return copy
      }
    }
    // The table may be that of an ancestor entity.
    if let first = copies.first, let original = references.first {
      send(StagingEvent.created(ObjectReference(entity: original.entity, key: first.key)))
    }
  }

  /// Values that must be unique are left out, as are read-only ones.
  private func isCopied(_ slot: Slot, of entity: Entity) -> Bool {
    guard let attribute = entity.properties[slot].attribute else { return false }
    let isUnique =
      attribute.isUnique || entity.description.uniqueness.contains { $0.contains(attribute.name) }
    return !isUnique && !attribute.isReadOnly && !view.isKeyPart(slot, of: entity)
  }

  /// The destination of a one-to-one relationship belongs to the original.
  private static func isCopied(_ link: RelationshipLink, in schema: Schema) -> Bool {
    guard link.kind == .toOne, !link.description.isReadOnly else { return false }
    return schema.entities.inverse(of: link)?.kind != .toOne
  }

  private func delete(_ references: [ObjectReference]) async throws {
    let found = try await find(references)
    let objects = try begin(found)
    withExtendedLifetime(try await forecastDeletion(of: objects).kept) {
      view.undoGroup {
        for object in objects { view.deleteObject(object) }
        for (reference, object) in zip(references, objects) {
          if let seen = reference.seen { view.antedate(object, to: seen.row) }
        }
      }
    }
  }

  private func revert(_ reference: ObjectReference, _ slot: Slot?) async throws {
    guard let object = try await view.load(reference) else { return }
    for slot in object.entity.relationshipSlots where object.hasStagedMembers(at: slot) {
      _ = try await view.loadRelatedKeys(of: object, slot: slot)
    }
    view.undoGroup {
      if let slot {
        view.revertChanges(of: object, slot: slot)
      } else {
        view.revertChanges(of: object)
      }
    }
  }

  /// Why a property of an object cannot be changed; nil if it can.
  func reasonNotWritable(_ object: DynamicObject, _ slot: Slot) -> String? {
    let property = object.entity.properties[slot]
    if object.isKnownDeleted {
      return "This object is marked for deletion; press u to undo that, or revert it."
    }
    if !object.isInserted, view.isKeyPart(slot, of: object.entity) {
      return
        "\(property.name) is part of the primary key, which a saved object keeps; duplicate it "
        + "with A and delete this one instead."
    }
    guard !object.isWritable(at: slot) else { return nil }
    return "\(object.entity.name).\(property.name) is read-only: the file computes it."
  }
}

/// Why a change cannot be staged, in words.
struct StagingRefusal: Error, CustomStringConvertible {
  let reason: String

  var description: String { reason }

  init(_ reason: String) {
    self.reason = reason
  }
}
