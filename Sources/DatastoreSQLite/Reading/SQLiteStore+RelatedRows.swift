package import DatastoreCore
import GRDB
import GRDBSQLite

extension SQLiteStore {
  /// The members of a to-many relationship of many owners, as rows, with one statement.
  package func relatedRows(entity: EntityIndex, slot: Slot, keys: [Int64]) throws -> RelatedRowPages
  {
    try read { database in
      let builder = QueryBuilder(self.mapping)
      guard let link = self.schema.entities[entity].links[slot], link.kind.isToMany else {
        preconditionFailure("only to-many relationships lead to many rows")
      }
      let statement = try RawStatement(builder.relatedRows(link), in: database, isCached: true)
      defer { statement.reset() }
      try statement.bind(.text(keys.jsonText), at: 1)
      let reader = RowReader(self.mapping, entity: link.destination)
      var pages = RowReader.Pages(
        columnCount: self.schema.entities[link.destination].pageColumnCount, expecting: keys.count)
      var members: [Int64: [Int64]] = [:]
      let owner = sqlite3_column_count(statement.pointer) - 1
      while try statement.step() {
        let key = sqlite3_column_int64(statement.pointer, 0)
        try reader.readAny(statement.pointer, key: key, into: try pages.next())
        members[sqlite3_column_int64(statement.pointer, owner), default: []].append(key)
      }
      return RelatedRowPages(pages: pages.finish(), members: members)
    }
  }
}

extension QueryBuilder {
  /// Whole rows of the destination, then the owner's key, for the owners whose keys are the JSON array
  /// `?1`; in the order that the relationship has in each owner.
  fileprivate func relatedRows(_ link: RelationshipLink) -> SQLFragment {
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
      source += " JOIN " + pairs(join, joinAlias)
      order = join.orderColumn
      orderAlias = joinAlias
      if join.mayRepeat { distinct = "DISTINCT " }
    case .attribute, .toOne: preconditionFailure("the relationship is to-many")
    }
    source += " JOIN " + table(link.destination, destination.alias)
    let related = isRelated(
      link, owner: .row(alias: owner.alias), destination: destination.alias, joinAlias: joinAlias)
    return """
      SELECT \(distinct)\(rowColumns(link.destination, destination.alias)), \(ownerKey)\(source) \
      WHERE \(ownerKey) IN (SELECT value FROM json_each(?1)) AND \(related) \
      ORDER BY \(ownerKey), \(ordered(by: order, of: orderAlias))\
      \(key(link.destination, destination.alias))
      """
  }
}
