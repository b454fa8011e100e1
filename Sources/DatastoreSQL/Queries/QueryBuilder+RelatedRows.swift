import Basics
package import DatastoreCore

extension QueryBuilder {
  /// Whole rows of the destination, then the owner's key, for the owners whose keys are the list that is
  /// the first parameter; in the order that the relationship has in each owner.
  package func relatedRows(_ link: RelationshipLink) -> SQLFragment {
    let owner = makeScope(link.entity)
    let destination = makeScope(link.destination)
    let joinAlias = makeAlias()
    let ownerKey = key(link.entity, owner.alias)
    var source = from(owner)
    var order: String?
    var orderAlias = destination.alias
    var distinct: SQLFragment = ""
    switch mapping.entities[link.entity].slots[link.slot] {
    case .toManyForeignKey(_, let column): order = column
    case .toManyJoin(let join):
      source += dialect.plainJoin + pairs(join, joinAlias)
      order = join.orderColumn
      orderAlias = joinAlias
      if join.mayRepeat { distinct = "DISTINCT " }
    case .attribute, .toOne: trap("the relationship is to-many")
    }
    source += dialect.plainJoin + table(link.destination, destination.alias)
    let related = isRelated(
      link, owner: .row(alias: owner.alias), destination: destination.alias, joinAlias: joinAlias)
    return """
      SELECT \(distinct)\(rowColumns(link.destination, destination.alias)), \(ownerKey)\(source) \
      WHERE \(dialect.isMember(ownerKey, of: "\(parameter: 1)")) AND \(related) \
      ORDER BY \(ownerKey), \(ordered(by: order, of: orderAlias))\
      \(key(link.destination, destination.alias))
      """
  }
}
