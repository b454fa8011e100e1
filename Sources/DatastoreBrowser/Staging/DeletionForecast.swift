import DatastoreCore
import SwiftDatastore

/// The effects of a deletion on other objects, by the name of their entity.
struct DeletionForecast: Hashable, Sendable {
  var cascaded: [String: Int] = [:]
  /// The objects that lose a relationship to a deleted object.
  var left: [String: Int] = [:]
  /// The objects whose relationship to a deleted object the database sets to its default.
  var defaulted: [String: Int] = [:]
  var denied: [String: Int] = [:]
  /// Whether all related objects were examined.
  var isWhole = true
}

extension EffectRunner {
  /// Computes the effects of the delete rules on a deletion, and returns them with the objects read for that.
  /// Reads off the main actor.
  ///
  /// - Parameters:
  ///   - known: other objects that are to be deleted as well, which are not counted.
  ///   - limit: the number of objects after which the search stops; the forecast is then not whole.
  func forecastDeletion(
    of objects: [DynamicObject], besides known: [DynamicObject] = [], limit: Int = .max
  ) async throws -> (forecast: DeletionForecast, kept: [DynamicObject]) {
    var forecast = DeletionForecast()
    var kept = objects
    var deletion = ObjectDeletion(objects, besides: known, in: schema)
    func related(_ owner: ManagedObject, _ link: RelationshipLink) async throws -> [ManagedObject] {
      if link.kind.isToMany { _ = try await view.loadRelatedKeys(of: owner, slot: link.slot) }
      let keys = owner.keys(link)
      if kept.count + keys.count > limit { forecast.isWhole = false }
      guard forecast.isWhole, !keys.isEmpty else { return [] }
      let found = try await view.load(entity: link.destination, keys: keys)
      kept += found
      return found
    }
    while let links = deletion.nextGeneration() {
      for link in links {
        for owner in deletion.objects(of: link.entity, newest: true) {
          deletion.add(try await related(owner, link))
        }
      }
    }
    forecast.cascaded = Self.counts(Array(deletion.objects.dropFirst(objects.count)))
    var denying: [ManagedObject] = []
    for link in deletion.plan.rules.flatMap(\.denying) {
      for owner in deletion.objects(of: link.entity) where owner.state != .inserted {
        denying += try await related(owner, link)
      }
    }
    var left: [ManagedObject] = []
    var leaving: [(ManagedObject, RelationshipLink)] = []
    deletion.forEachLeaving { leaving.append(($0, $1)) }
    for (object, link) in leaving where !link.deleteRule.deletesDestinations {
      let found = try await related(object, link)
      // A to-many relationship that loses a member is no loss that a person would miss.
      let inverse = schema.entities.inverse(of: link)?.kind
      if inverse == .toOne || inverse != nil && link.kind.isToMany { left += found }
    }
    for link in deletion.plan.rules.flatMap(\.oneWay) {
      left += try view.core.graph.owners(of: deletion.objects(of: link.destination), link)
    }
    // In tables of this library, such a reference stays as it is.
    var defaulted: [ManagedObject] = []
    for link in datastore.isNative ? [] : deletion.plan.rules.flatMap(\.keeping) {
      for owner in deletion.objects(of: link.entity) where owner.state != .inserted {
        defaulted += try await related(owner, link)
      }
    }
    forecast.defaulted = Self.counts(deletion.staying(defaulted))
    forecast.denied = Self.counts(deletion.staying(denying))
    forecast.left = Self.counts(deletion.staying(left))
    return (forecast, kept)
  }

  private static func counts(_ objects: [ManagedObject]) -> [String: Int] {
    Dictionary(objects.map { ($0.entity.name, 1) }, uniquingKeysWith: +)
  }
}

extension ObjectDeletion {
  /// The objects that are not deleted, each once, however many ways lead to it.
  fileprivate func staying(_ found: [ManagedObject]) -> [ManagedObject] {
    var seen: Set<ObjectIdentifier> = []
    return found.filter {
      !$0.isKnownDeleted && !contains($0) && seen.insert(ObjectIdentifier($0)).inserted
    }
  }
}
