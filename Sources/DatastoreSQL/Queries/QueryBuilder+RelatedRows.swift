import Basics
package import DatastoreCore

/// The owners and members of a relationship, in pairs.
struct RelatedPairs {
  /// ` FROM …`.
  let from: SQLFragment
  /// The condition that a row is a pair; empty if each is one.
  let condition: SQLFragment
  /// The key of the owner.
  let owner: SQLFragment
  /// The key of the member.
  let member: SQLFragment
  /// The member's table, if it is read.
  var memberAlias = ""
  /// The table of pairs, if there is one.
  var joinAlias = ""

  /// The pairs with ` WHERE …`.
  ///
  /// - Parameter wanted: a further condition.
  func rows(where wanted: SQLFragment? = nil) -> SQLFragment {
    let conditions = [wanted, condition].compactMap(\.self).filter { !$0.isEmpty }
    return conditions.isEmpty ? from : "\(from) WHERE \(conditions.joined(by: " AND "))"
  }
}

extension QueryBuilder {
  /// The pairs of a relationship.
  ///
  /// In native tables a reference is a key that leads to a row, so only the table with the references is
  /// read: engines that distribute rows over several machines need no join then.
  ///
  /// - Parameters:
  ///   - readsMembers: whether to include the members' table.
  ///   - join: how to join the tables, the owner's first; nil for a plain join.
  func relatedPairs(
    _ link: RelationshipLink, readingMembers readsMembers: Bool = false,
    joinedBy join: SQLFragment? = nil
  ) -> RelatedPairs {
    let join = join ?? dialect.plainJoin
    switch mapping.entities[link.entity].slots[link.slot] {
    case .toOne(let foreign):
      let owner = makeScope(link.entity)
      let member = toOneKey(foreign, owner.alias)
      return RelatedPairs(
        from: from(owner), condition: dialect.isWhole(member), owner: key(link.entity, owner.alias),
        member: member)
    case .toManyForeignKey(let inverse, _) where mapping.isNative:
      guard case .toOne(let foreign) = mapping.entities[link.destination].slots[inverse] else {
        trap("the inverse of a one-to-many relationship is to-one")
      }
      let member = makeScope(link.destination)
      let owner = toOneKey(foreign, member.alias)
      return RelatedPairs(
        from: from(member), condition: dialect.isWhole(owner), owner: owner,
        member: key(link.destination, member.alias), memberAlias: member.alias)
    case .toManyJoin(let pairs) where mapping.isNative:
      let joinAlias = makeAlias()
      var result = RelatedPairs(
        from: " FROM \(self.pairs(pairs, joinAlias))", condition: "",
        owner: column(joinAlias, pairs.ownColumns[0]).typed(.key),
        member: column(joinAlias, pairs.otherColumns[0]).typed(.key), joinAlias: joinAlias)
      if readsMembers {
        let member = makeAlias()
        result = RelatedPairs(
          from: result.from + join + table(link.destination, beside: member),
          condition: matches(link.destination, member, pairs.otherReference, [result.member]),
          owner: result.owner, member: key(link.destination, member), memberAlias: member,
          joinAlias: joinAlias)
      }
      return result
    case .toManyForeignKey, .toManyJoin, .attribute:
      let owner = makeScope(link.entity)
      let member = makeScope(link.destination)
      let joinAlias = makeAlias()
      var source = from(owner) + join
      if case .toManyJoin(let pairs) = mapping.entities[link.entity].slots[link.slot] {
        source += self.pairs(pairs, joinAlias) + join
      }
      source += table(link.destination, beside: member.alias)
      return RelatedPairs(
        from: source,
        condition: isRelated(
          link, owner: .row(alias: owner.alias), destination: member.alias, joinAlias: joinAlias),
        owner: key(link.entity, owner.alias), member: key(link.destination, member.alias),
        memberAlias: member.alias, joinAlias: joinAlias)
    }
  }

  /// Whole rows of the destination, then the owner's key, for the owners whose keys are the list in the first
  /// parameter; in the relationship's order for each owner.
  package func relatedRows(_ link: RelationshipLink) -> SQLFragment {
    let pairs = relatedPairs(link, readingMembers: true)
    var order: String?
    var orderAlias = pairs.memberAlias
    var distinct: SQLFragment = ""
    switch mapping.entities[link.entity].slots[link.slot] {
    case .toManyForeignKey(_, let column): order = column
    case .toManyJoin(let join):
      order = join.orderColumn
      orderAlias = pairs.joinAlias
      if join.mayRepeat { distinct = "DISTINCT " }
    case .attribute, .toOne: trap("the relationship is to-many")
    }
    return """
      SELECT \(distinct)\(rowColumns(link.destination, pairs.memberAlias)), \(pairs.owner)\
      \(pairs.rows(where: dialect.isMember(pairs.owner, of: "\(parameter: 1)"))) \
      ORDER BY \(pairs.owner), \(ordered(by: order, of: orderAlias))\
      \(key(link.destination, pairs.memberAlias))
      """
  }
}
