/// The delete rules of a family of entities, by relationship. Made once for a schema.
package struct DeleteRules: Sendable {
  /// Relationships whose destinations are deleted with the owner.
  package private(set) var spreading: [RelationshipLink] = []
  /// Relationships that deny deleting the owner while a destination stays.
  package private(set) var denying: [RelationshipLink] = []
  /// Relationships whose destinations lose their reference to a deleted owner.
  package private(set) var leaving: [RelationshipLink] = []
  /// Relationships whose destinations keep their reference to a deleted owner.
  package private(set) var keeping: [RelationshipLink] = []
  /// One-way relationships to objects of the family, which lose their deleted destinations.
  package let oneWay: [RelationshipLink]

  init(of family: EntityIndex, in entities: [Entity], oneWay: [RelationshipLink]) {
    self.oneWay = oneWay.filter { entities[$0.destination].root == family }
    for link in entities.links(ofMembersOf: family) {
      switch link.deleteRule {
      case .deny: denying.append(link)
      // Only a reference in a row of the destination can be kept.
      case .noAction where entities.inverse(of: link)?.kind == .toOne: keeping.append(link)
      case .nullify, .noAction: leaving.append(link)
      case .cascade:
        spreading.append(link)
        leaving.append(link)
      }
    }
  }
}

/// The order in which delete rules are applied, for objects in memory and for rows of a database alike.
///
/// The caller records the entities of objects to delete, and asks for one generation after the other until
/// there is none. Then it checks the rules that deny, clears references, and deletes.
package struct DeletePlan {
  private let schema: Schema
  /// The families with objects to delete, in the order in which they were found. An object found through a
  /// row usually refers to it, so the last family is deleted first.
  package private(set) var families: [EntityIndex] = []
  private var newest: [EntityIndex] = []

  package init(_ schema: Schema) { self.schema = schema }

  /// The rules of the families with objects to delete.
  package var rules: [DeleteRules] { families.map(schema.deleteRules(of:)) }

  /// Records that objects of an entity's family are to be deleted that were not recorded before.
  package mutating func found(_ entity: EntityIndex) {
    let family = schema.entities[entity].root
    if !newest.contains(family) { newest.append(family) }
    if !families.contains(family) { families.append(family) }
  }

  /// The cascading relationships of the families found since the last call; nil if there were none.
  package mutating func nextGeneration() -> [RelationshipLink]? {
    if newest.isEmpty { return nil }
    defer { newest = [] }
    return newest.flatMap { schema.deleteRules(of: $0).spreading }
  }
}

extension [Entity] {
  /// The relationships of an entity and its descendants, each once. Rows of other entities of the family have
  /// no values in them.
  package func links(ofMembersOf entity: EntityIndex) -> [RelationshipLink] {
    self[entity].members.flatMap { member in
      self[member].links.compactMap(\.self).filter { $0.entity == member || member == entity }
    }
  }

  package func inverse(of link: RelationshipLink) -> RelationshipLink? {
    link.inverseSlot.flatMap { self[link.destination].links[$0] }
  }
}
