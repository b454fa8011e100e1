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
    var seen = Set((objects + known).map { ObjectReference(entity: $0.entity.index, key: $0.key) })
    var waiting = objects
    outcome.plan.roots = objects.count
    while let object = waiting.popLast() {
      for slot in object.entity.relationshipSlots {
        guard let link = object.entity.links[slot], link.description.deleteRule != .noAction else {
          continue
        }
        let keys = try await keys(object, link)
        guard !keys.isEmpty else { continue }
        if seen.count + outcome.kept.count + keys.count > limit {
          outcome.plan.isWhole = false
          return outcome
        }
        let related = try await runner.view.load(entity: link.destination, keys: keys)
        outcome.kept += related
        let name = link.description.destination
        switch link.description.deleteRule {
        case .cascade:
          for other in related where !other.isKnownDeleted {
            let reference = ObjectReference(entity: other.entity.index, key: other.key)
            guard seen.insert(reference).inserted else { continue }
            outcome.plan.cascaded[name, default: 0] += 1
            waiting.append(other)
          }
        case .nullify:
          // Members of a join table, and to-one owners, lose nothing that a person would miss.
          guard link.kind.isToMany else { continue }
          outcome.plan.nullified[name, default: 0] += related.count
        case .deny:
          outcome.plan.denied[name, default: 0] += related.count { !$0.isKnownDeleted }
        case .noAction: break
        }
      }
    }
    outcome.plan.denied = outcome.plan.denied.filter { $0.value > 0 }
    outcome.kept += objects
    return outcome
  }

  private func keys(_ object: DynamicObject, _ link: RelationshipLink) async throws -> [Int64] {
    if link.kind.isToMany {
      return try await runner.view.loadRelatedKeys(of: object, slot: link.slot)
    }
    if case .integer(let key) = object[link.slot] { return [key] }
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
