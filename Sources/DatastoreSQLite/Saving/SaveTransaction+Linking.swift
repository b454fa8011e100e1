import Basics
import DatastoreCore
import DatastoreSQL
import GRDB
import GRDBSQLite

extension SaveTransaction {
  /// Removes pairs of a join table, before the rows they lead to: a pair may refer to a column of theirs.
  func remove(_ links: LinkChanges) throws {
    if links.removed.isEmpty { return }
    let pair = pair(of: links)
    try run("DELETE FROM \(name: pair.table) WHERE \(pair.isThere)", links.removed, links)
  }

  /// Adds pairs to a join table. An existing one, because someone else linked the same two, is fine.
  func add(_ links: LinkChanges) throws {
    if links.added.isEmpty { return }
    let pair = pair(of: links)
    let insertion: SQLFragment = """
      INSERT INTO \(name: pair.table) (\(pair.names.joined(by: ", "))) \
      SELECT \(pair.values.joined(by: ", ")) \
      WHERE NOT EXISTS (SELECT 1 FROM \(name: pair.table) WHERE \(pair.isThere))
      """
    try run(insertion, links.added, links)
  }

  /// A row of a join table that leads from the object `?1` to the object `?2`.
  private struct Pair {
    let table: String
    let names: [SQLFragment]
    let values: [SQLFragment]
    /// Whether a row is this one.
    let isThere: SQLFragment
  }

  private func pair(of links: LinkChanges) -> Pair {
    guard case .toManyJoin(let join) = mapping.entities[links.entity].slots[links.slot] else {
      trap("only relationships with a join table have link changes")
    }
    let builder = QueryBuilder(mapping)
    let own = builder.referencedValues(links.entity, join.ownReference, key: "?1")
    let other = builder.referencedValues(destination(of: links), join.otherReference, key: "?2")
    let names = (join.ownColumns + join.otherColumns).map { "\(name: $0)" as SQLFragment }
    let isPair = zip(names, own + other).map { "\($0) = \($1)" as SQLFragment }
    var isThere = "(\(isPair.joined(by: " AND ")))" as SQLFragment
    if join.isSymmetric {
      let isReversed = zip(names, other + own).map { "\($0) = \($1)" as SQLFragment }
      isThere += " OR (\(isReversed.joined(by: " AND ")))"
    }
    return Pair(table: join.table, names: names, values: own + other, isThere: isThere)
  }

  private func destination(of links: LinkChanges) -> EntityIndex {
    guard let link = mapping.schema.entities[links.entity].links[links.slot] else {
      trap("only relationships have link changes")
    }
    return link.destination
  }

  private func run(
    _ sql: SQLFragment, _ pairs: [(source: RowKey, destination: RowKey)], _ links: LinkChanges
  ) throws {
    let destination = destination(of: links)
    let statement = try RawStatement(sql, in: database, isCached: true)
    defer { statement.reset() }
    for pair in pairs {
      statement.bind(current(links.entity, pair.source), at: 1)
      statement.bind(current(destination, pair.destination), at: 2)
      try mapping.naming(links.entity, pair.source, in: database) { try statement.run() }
    }
  }

  /// Numbers the members of an ordered relationship from zero.
  func write(_ order: OrderChange) throws {
    guard let link = mapping.schema.entities[order.entity].links[order.slot] else {
      trap("only relationships have an order")
    }
    let builder = QueryBuilder(mapping)
    let sql: SQLFragment
    switch mapping.entities[order.entity].slots[order.slot] {
    case .toManyForeignKey(_, let column?):
      let alias = builder.makeAlias()
      sql = """
        UPDATE \(builder.table(link.destination, alias)) SET \(name: column) = ?3 \
        WHERE \(builder.isRow(link.destination, alias, key: "?2"))
        """
    case .toManyJoin(let join):
      guard let column = join.orderColumn else { return }
      let own = builder.referencedValues(order.entity, join.ownReference, key: "?1")
      let other = builder.referencedValues(link.destination, join.otherReference, key: "?2")
      let conditions = zip(join.ownColumns + join.otherColumns, own + other).map {
        "\(name: $0) = \($1)" as SQLFragment
      }
      sql = """
        UPDATE \(name: join.table) SET \(name: column) = ?3 \
        WHERE \(conditions.joined(by: " AND "))
        """
    case .toManyForeignKey, .toOne, .attribute:
      return
    }
    let statement = try RawStatement(sql, in: database, isCached: true)
    defer { statement.reset() }
    let usesOwner = sqlite3_bind_parameter_count(statement.pointer) >= 3
    require(usesOwner, "the statement numbers its parameters up to three")
    for (position, member) in order.members.enumerated() {
      statement.bind(current(order.entity, order.key), at: 1)
      statement.bind(current(link.destination, member), at: 2)
      sqlite3_bind_int64(statement.pointer, 3, Int64(position))
      try mapping.naming(link.destination, member, in: database) { try statement.run() }
    }
  }
}
