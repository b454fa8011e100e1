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
      // Only a reference in a row of the other side can stay there.
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
/// Who follows them says of which entities something was found that goes, and asks for one generation after
/// the other until there is none. Then it is looked at what denies, the others forget what goes, and it is
/// deleted.
package struct DeletePlan {
  private let schema: Schema
  /// The families of which something goes, in the order in which they were found. What was found by a row
  /// refers to it as a rule, so the last is deleted first.
  package private(set) var families: [EntityIndex] = []
  private var newest: [EntityIndex] = []

  package init(_ schema: Schema) { self.schema = schema }

  /// The rules of the families of which something goes.
  package var rules: [DeleteRules] { families.map(schema.deleteRules(of:)) }

  /// Records that something of an entity's family goes that was not known to go.
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

extension [Entity] {
  /// The relationships of an entity and of those that inherit from it, each once. Rows of other entities of
  /// the family lead nowhere by them.
  package func links(ofMembersOf entity: EntityIndex) -> [RelationshipLink] {
    self[entity].members.flatMap { member in
      self[member].links.compactMap(\.self).filter { $0.entity == member || member == entity }
    }
  }

  /// The other side of a relationship; nil where there is none.
  package func inverse(of link: RelationshipLink) -> RelationshipLink? {
    link.inverseSlot.flatMap { self[link.destination].links[$0] }
  }
}
