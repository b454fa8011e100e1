import DatastoreCore
import SwiftDatastore

/// What the delete rules will do when objects are deleted, found out by walking through their
/// relationships; everything that is met is read off the main actor, and stays in memory for as long
/// as the plan does.
@MainActor
struct DeletionWalk {
  private let runner: EffectRunner
  private let limit: Int

  /// - Parameter limit: the objects after which it stops: the plan is then not whole.
  init(_ runner: EffectRunner, limit: Int) {
    self.runner = runner
    self.limit = limit
  }

  /// - Parameter known: objects that are to be deleted besides, which are not counted.
  func run(
    _ objects: [DynamicObject], besides known: [DynamicObject] = []
  ) async throws -> Outcome {
    var outcome = Outcome()
    // An object is counted once, however many ways lead to it.
    var nullified: [ObjectReference: String] = [:]
    var denied: [ObjectReference: String] = [:]
    var seen = Set((objects + known).map(Self.reference))
    var waiting = objects
    outcome.plan.roots = objects.count
    walk: while let object = waiting.popLast() {
      for slot in object.entity.relationshipSlots {
        guard let link = object.entity.links[slot], link.description.deleteRule != .noAction else {
          continue
        }
        let keys = try await keys(object, link)
        guard !keys.isEmpty else { continue }
        if seen.count + outcome.kept.count + keys.count > limit {
          outcome.plan.isWhole = false
          break walk
        }
        let related = try await runner.view.load(entity: link.destination, keys: keys)
        outcome.kept += related
        let name = link.description.destination
        switch link.description.deleteRule {
        case .cascade:
          for other in related where !other.isKnownDeleted {
            guard seen.insert(Self.reference(other)).inserted else { continue }
            outcome.plan.cascaded[name, default: 0] += 1
            waiting.append(other)
          }
        case .nullify:
          // Members of a join table, and to-one owners, lose nothing that a person would miss.
          guard link.kind.isToMany else { continue }
          for other in related { nullified[Self.reference(other)] = name }
        case .deny:
          for other in related where !other.isKnownDeleted { denied[Self.reference(other)] = name }
        case .noAction: break
        }
      }
    }
    outcome.plan.nullified = Self.counts(nullified, without: seen)
    outcome.plan.denied = Self.counts(denied, without: seen)
    outcome.kept += objects
    return outcome
  }

  private static func reference(_ object: DynamicObject) -> ObjectReference {
    ObjectReference(entity: object.entity.index, key: object.key)
  }

  /// How many objects there are of each name, without those that are to be deleted themselves.
  private static func counts(
    _ names: [ObjectReference: String], without deleted: Set<ObjectReference>
  ) -> [String: Int] {
    names.reduce(into: [:]) { counts, entry in
      if !deleted.contains(entry.key) { counts[entry.value, default: 0] += 1 }
    }
  }

  private func keys(_ object: DynamicObject, _ link: RelationshipLink) async throws -> [RowKey] {
    if link.kind.isToMany {
      return try await runner.view.loadRelatedKeys(of: object, slot: link.slot)
    }
    if let key = object[link.slot].key { return [key] }
    return []
  }

  /// A plan, and the objects that it has read.
  struct Outcome {
    var plan = DeletionPlan()
    var kept: [DynamicObject] = []
  }
}

/// What deleting objects will do besides, by the names of the entities.
struct DeletionPlan: Hashable, Sendable {
  var roots = 0
  var cascaded: [String: Int] = [:]
  var nullified: [String: Int] = [:]
  var denied: [String: Int] = [:]
  /// Whether everything was looked at.
  var isWhole = true
}
