import Basics
package import DatastoreCore

extension QueryBuilder {
  /// `SELECT key …` of the objects in a to-many relationship, with the owner's key as the first parameter.
  package func relatedKeys(_ entity: EntityIndex, _ slot: Slot) -> SQLFragment {
    guard let link = schema.entities[entity].links[slot], link.kind.isToMany else {
      trap("only to-many relationships lead to a list of keys")
    }
    let destination = makeScope(link.destination)
    let joinAlias = makeAlias()
    let key = self.key(link.destination, destination.alias)
    switch mapping.entities[entity].slots[slot] {
    case .toManyForeignKey(_, let order):
      let condition = isRelated(
        link, owner: .key("\(parameter: 1)"), destination: destination.alias, joinAlias: joinAlias)
      return """
        SELECT \(key)\(from(destination)) WHERE \(condition) \
        ORDER BY \(ordered(by: order, of: destination.alias))\(key)
        """
    case .toManyJoin(let join):
      let order = ordered(by: join.orderColumn, of: joinAlias)
      let owner = refers(
        join.ownColumns.map { column(joinAlias, $0) }, to: entity, join.ownReference,
        owner: .key("\(parameter: 1)"))
      if mapping.isNative {
        // The pairs are sufficient; those of third-party files may lead nowhere.
        let other = column(joinAlias, join.otherColumns[0])
        return """
          SELECT \(other) FROM \(pairs(join, joinAlias)) WHERE \(owner) \
          ORDER BY \(order)\(other)
          """
      }
      let condition = isRelated(
        link, owner: .key("\(parameter: 1)"), destination: destination.alias, joinAlias: joinAlias)
      let distinct: SQLFragment = join.mayRepeat ? "DISTINCT " : ""
      return """
        SELECT \(distinct)\(key) FROM \(pairs(join, joinAlias))\(dialect.plainJoin)\
        \(table(link.destination, beside: destination.alias)) \
        WHERE \(condition) ORDER BY \(order)\(key)
        """
    case .attribute, .toOne:
      trap("the slot of a to-many relationship is mapped to one")
    }
  }

  /// Rows that another tool added without a place in the order come last.
  package func ordered(by order: String?, of alias: String) -> SQLFragment {
    guard let order else { return "" }
    let column = self.column(alias, order)
    return "\(column) IS NULL, \(column), "
  }
}
