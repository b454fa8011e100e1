/// Collects the objects that are deleted together with others. Its owner reads their relationships.
package struct ObjectDeletion {
  private let schema: Schema
  package private(set) var plan: DeletePlan
  /// The objects to delete, in the order in which they were found.
  package private(set) var objects: [ManagedObject]
  /// All objects to delete, including the additional ones.
  private var known: Set<ObjectIdentifier>
  private var newest = 0..<0

  /// - Parameter others: further objects to delete, whose relationships are not followed.
  package init(_ objects: [ManagedObject], besides others: [ManagedObject] = [], in schema: Schema)
  {
    self.schema = schema
    self.objects = objects
    plan = DeletePlan(schema)
    known = Set((objects + others).map(ObjectIdentifier.init))
    for object in objects { plan.found(object.entity.index) }
  }

  /// The next relationships to follow, each from the newest objects that have it; nil when all is found.
  package mutating func nextGeneration() -> [RelationshipLink]? {
    newest = newest.upperBound..<objects.count
    return plan.nextGeneration()
  }

  /// The objects of an entity; only the newest, or all.
  package func objects(of entity: EntityIndex, newest isNew: Bool = false) -> [ManagedObject] {
    (isNew ? objects[newest] : objects[...]).filter {
      $0.entity.isKind(of: schema.entities[entity])
    }
  }

  /// Adds the objects that were not found before.
  package mutating func add(_ found: [ManagedObject]) {
    for object in found
    where !object.isKnownDeleted && known.insert(ObjectIdentifier(object)).inserted {
      objects.append(object)
      plan.found(object.entity.index)
    }
  }

  package func contains(_ object: ManagedObject) -> Bool {
    known.contains(ObjectIdentifier(object))
  }

  /// Calls the closure with each object to delete and each relationship by which the other side loses its
  /// reference. No row refers to an object that was never saved.
  package func forEachLeaving(_ body: (ManagedObject, RelationshipLink) -> Void) {
    for rules in plan.rules {
      for link in rules.leaving { for object in objects(of: link.entity) { body(object, link) } }
      for link in rules.keeping + rules.denying {
        for object in objects(of: link.entity) where object.state == .inserted {
          body(object, link)
        }
      }
    }
  }
}
