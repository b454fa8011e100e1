import Basics

/// The view of an object in memory by predicates and sort orders.
///
/// Called only where the object itself may be used, synchronously.
package protocol PredicateSubject {
  /// Its entity: tells which steps of a path lead to many objects, which an empty result of
  /// `predicateRelated(_:)` cannot.
  var predicateEntity: Entity { get }
  /// The schema that `predicateEntity` belongs to.
  var predicateSchema: Schema { get }
  /// The object's key: the value of `SELF`, which breaks ties in sort orders.
  var predicateKey: RowKey { get }
  /// The value of an attribute, or the key of a to-one's destination, NULL when there is none.
  func predicateValue(_ property: String) -> Value
  /// The objects a relationship leads to: none or one for a to-one, any number for a to-many.
  func predicateRelated(_ relationship: String) -> [any PredicateSubject]
  /// The number of those objects.
  func predicateRelatedCount(_ relationship: String) -> Int
  /// The value in the column of a to-one relationship that leads to no object.
  func predicateDangling(_ relationship: String) -> Value
}

extension PredicateSubject {
  package func predicateRelatedCount(_ relationship: String) -> Int {
    predicateRelated(relationship).count
  }

  package func predicateDangling(_ relationship: String) -> Value { .null }

  /// The values of a path.
  ///
  /// Exactly one for a path of to-one steps, NULL when a step is missing. After a to-many step one for each
  /// route: a missing to-one after it gives NULL, another to-many after a missing one gives nothing. Decimals
  /// are returned as numbers, unless `asStored` asks for their stored text.
  func predicateValues(along path: [String], asStored: Bool = false) -> [Value] {
    let path = predicateEntity.resolvingAliases(in: path, of: predicateSchema)
    guard let last = path.last else { return [.key(predicateKey)] }
    if let calculation = Calculation(path, of: predicateEntity) {
      let operand = try? calculation.operand(of: predicateEntity, in: predicateSchema)
      return [operand?.value(for: self) ?? .null]
    }
    if last == PredicatePath.entityStep {
      let (reached, entity) = predicateReach(path.dropLast())
      if entity.slot(named: last) == nil {
        return reached.map { $0.map { .text($0.predicateEntity.name) } ?? .null }
      }
    }
    if last == PredicatePath.storedStep, path.count > 1 {
      let (reached, entity) = predicateReach(path.dropLast(2))
      let name = path[path.count - 2]
      if let referred = entity.predicateLink(name)?.description.referred {
        return reached.map { $0?.predicateStored(name, referred) ?? .null }
      }
    }
    // Only the store knows the rank of an object.
    if path == [PredicatePath.rankStep], predicateEntity.slot(named: last) == nil { return [.null] }
    if let part = DatePart(step: last), path.count > 1 {
      let (reached, entity) = predicateReach(path.dropLast(2))
      let name = path[path.count - 2]
      // A property may have the name of a part of a date; its owner is then not a date.
      if let slot = entity.slot(named: name), let dates = entity.properties[slot].attribute?.dates {
        return reached.map { part.value(of: $0?.predicateValue(name) ?? .null, dates) }
      }
    }
    let (reached, entity) = predicateReach(path.dropLast())
    if let link = entity.predicateLink(last), link.kind.isToMany {
      return reached.flatMap { $0?.predicateRelated(last) ?? [] }
        .map { .key($0.predicateKey) }
    }
    let values = reached.map { $0?.predicateValue(last).withoutNaN ?? .null }
    return entity.isDecimal(last) && !asStored ? values.map(\.decimalNumber) : values
  }

  /// The value of a path of to-one steps; nil if a missing to-many leaves none.
  ///
  /// A validated predicate has no path through a to-many here.
  package func predicateScalar(along path: [String], asStored: Bool = false) -> Value {
    predicateValues(along: path, asStored: asStored).first ?? .null
  }

  /// Whether a path ends in a decimal attribute.
  func predicateIsDecimal(along path: [String]) -> Bool {
    guard let last = path.last else { return false }
    var entity = predicateEntity
    for name in path.dropLast() {
      guard let link = entity.predicateLink(name) else { return false }
      entity = predicateSchema.entities[link.destination]
    }
    return entity.isDecimal(last)
  }

  /// The number of objects on a path of relationships, counting each route.
  func predicateCount(along path: [String]) -> Int {
    let path = predicateEntity.resolvingAliases(in: path, of: predicateSchema)
    guard let last = path.last else { return 1 }
    let (reached, _) = predicateReach(path.dropLast())
    return reached.reduce(0) { $0 + ($1?.predicateRelatedCount(last) ?? 0) }
  }

  /// The value in the column of a to-one relationship that refers to a column of the destination.
  private func predicateStored(
    _ relationship: String, _ referred: String, after steps: Int = 0
  ) -> Value {
    guard let related = predicateRelated(relationship).first else {
      return predicateDangling(relationship)
    }
    let entity = related.predicateEntity
    guard let slot = entity.slot(named: referred),
      let next = entity.links[slot]?.description.referred
    else {
      let isKnown =
        entity.slot(named: referred) != nil || entity.description.aliases[referred] != nil
      return isKnown ? related.predicateScalar(along: [referred]) : .null
    }
    // That column refers to another one; rows may refer to each other in a circle.
    if steps > predicateSchema.entities.count { return .null }
    return related.predicateStored(referred, next, after: steps + 1)
  }

  private func predicateReach(
    _ path: ArraySlice<String>
  ) -> (objects: [(any PredicateSubject)?], entity: Entity) {
    var objects: [(any PredicateSubject)?] = [self]
    var entity = predicateEntity
    for name in path {
      guard let link = entity.predicateLink(name) else {
        trap(
          "\(entity.name).\(name) is an attribute, so a predicate's path must end there.")
      }
      if link.kind.isToMany {
        objects = objects.flatMap { $0?.predicateRelated(name) ?? [] }
      } else {
        objects = objects.map { $0?.predicateRelated(name).first }
      }
      entity = predicateSchema.entities[link.destination]
    }
    return (objects, entity)
  }
}

extension Entity {
  /// The relationship with a name, or nil for an attribute.
  ///
  /// - Precondition: the entity has a property with that name.
  fileprivate func predicateLink(_ name: String) -> RelationshipLink? {
    guard let slot = slot(named: name) else {
      trap(
        "A predicate names “\(name)”, which \(self.name) does not have; validate it first.")
    }
    return links[slot]
  }
}

extension Entity {
  fileprivate func isDecimal(_ name: String) -> Bool {
    slot(named: name).flatMap { properties[$0].attribute }?.type == .decimal
  }
}
