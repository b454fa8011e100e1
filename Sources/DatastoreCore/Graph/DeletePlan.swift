/// What the delete rules of a family of entities say, relationship by relationship. Made once for a schema.
package struct DeleteRules: Sendable {
  /// What these lead to goes with its owner.
  package private(set) var spreading: [RelationshipLink] = []
  /// An owner cannot go while these lead to anything that stays.
  package private(set) var denying: [RelationshipLink] = []
  /// What these lead to forgets an owner that goes.
  package private(set) var leaving: [RelationshipLink] = []
  /// What these lead to keeps its reference to an owner that is gone.
  package private(set) var keeping: [RelationshipLink] = []
  /// These have no inverse and lead to objects of the family; their owners forget what goes.
  package let oneWay: [RelationshipLink]

  init(of family: EntityIndex, in entities: [Entity], oneWay: [RelationshipLink]) {
    self.oneWay = oneWay.filter { entities[$0.destination].root == family }
    for link in entities.links(ofMembersOf: family) {
      switch link.deleteRule {
      case .deny: denying.append(link)
      // Only what stands in a row of the other side can stay there.
      case .noAction where entities.inverse(of: link)?.kind == .toOne: keeping.append(link)
      case .nullify, .noAction: leaving.append(link)
      case .cascade:
        spreading.append(link)
        leaving.append(link)
      }
    }
  }
}

/// The order in which delete rules are followed, for objects in memory and for rows of a database alike.
///
/// Who follows them says of which entities something was found that goes, and asks for one generation after the
/// other until there is none. Then it is looked at what denies, the others forget what goes, and it is deleted.
package struct DeletePlan {
  private let schema: Schema
  /// The families of which something goes, in the order in which they were found. What was found by a row refers to it
  /// as a rule, so the last is deleted first.
  package private(set) var families: [EntityIndex] = []
  private var newest: [EntityIndex] = []

  package init(_ schema: Schema) { self.schema = schema }

  /// The rules of the families of which something goes.
  package var rules: [DeleteRules] { families.map(schema.deleteRules(of:)) }

  /// Notes that something of an entity's family goes that was not known to go.
  package mutating func found(_ entity: EntityIndex) {
    let family = schema.entities[entity].root
    if !newest.contains(family) { newest.append(family) }
    if !families.contains(family) { families.append(family) }
  }

  /// The relationships by which others go with what was found since the last call; nil where nothing was.
  package mutating func nextGeneration() -> [RelationshipLink]? {
    if newest.isEmpty { return nil }
    defer { newest = [] }
    return newest.flatMap { schema.deleteRules(of: $0).spreading }
  }
}

/// The objects that go with some others, found by whoever can read what they lead to.
package struct ObjectDeletion {
  private let schema: Schema
  package private(set) var plan: DeletePlan
  /// What goes, in the order in which it was found.
  package private(set) var objects: [ManagedObject]
  /// All of them, and what goes besides.
  private var known: Set<ObjectIdentifier>
  private var newest = 0..<0

  /// - Parameter others: objects that go besides, about which nothing is asked.
  package init(_ objects: [ManagedObject], besides others: [ManagedObject] = [], in schema: Schema)
  {
    self.schema = schema
    self.objects = objects
    plan = DeletePlan(schema)
    known = Set((objects + others).map(ObjectIdentifier.init))
    for object in objects { plan.found(object.entity.index) }
  }

  /// The next relationships to be followed, each from the newest objects that have it; nil when all is found.
  package mutating func nextGeneration() -> [RelationshipLink]? {
    newest = newest.upperBound..<objects.count
    return plan.nextGeneration()
  }

  /// Those of an entity; of the newest only, or of all.
  package func objects(of entity: EntityIndex, newest isNew: Bool = false) -> [ManagedObject] {
    (isNew ? objects[newest] : objects[...]).filter {
      $0.entity.isKind(of: schema.entities[entity])
    }
  }

  /// Adds those that are not known to go.
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

  /// Calls the closure with each object that goes and each relationship by which the other side forgets it. Nobody keeps
  /// a reference to what was never saved.
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
