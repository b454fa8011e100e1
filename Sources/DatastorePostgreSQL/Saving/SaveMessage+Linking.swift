#if PostgreSQL
import Basics
import DatastoreCore
import DatastoreSQL

/// Pairs of join tables, and the positions that ordered relationships give their members.
extension SaveMessage {
  /// One side of pairs: the columns of the join table, and the arrays with the rows they lead to.
  private struct Side {
    let entity: EntityIndex
    let key: SaveKey
    let columns: [String]
    /// The values of the columns.
    let values: [SQLFragment]
    /// The prefix of the names of the arrays' elements.
    let letter: String

    func isPair(_ columns: [String]) -> SQLFragment {
      zip(columns, values).map { "pair.\(name: $0) = \($1)" as SQLFragment }.joined(by: " AND ")
    }
  }

  private func side(
    _ entity: EntityIndex, _ columns: [String], _ reference: KeyReference, _ letter: String
  ) -> Side {
    let key = SaveKey(mapping, entity)
    let values =
      if case .columns(let names) = reference {
        names.map { name in
          """
          (SELECT target.\(name: name) FROM \(table(entity)) AS target \
          WHERE \(key.isRow("target", of: "given", letter)))
          """ as SQLFragment
        }
      } else {
        key.values(of: "given", letter)
      }
    return Side(entity: entity, key: key, columns: columns, values: values, letter: letter)
  }

  private struct Pairs {
    let join: JoinTable
    let own: Side
    let other: Side
    /// The condition that a pair of the table is one of the given pairs.
    let isThere: SQLFragment
    /// The given pairs as a table.
    let given: SQLFragment
  }

  private func pairs(_ links: LinkChanges) -> Pairs {
    guard case .toManyJoin(let join) = mapping.entities[links.entity].slots[links.slot],
      let link = mapping.schema.entities[links.entity].links[links.slot]
    else {
      trap("only relationships with a join table have link changes")
    }
    let own = side(links.entity, join.ownColumns, join.ownReference, "a")
    let other = side(link.destination, join.otherColumns, join.otherReference, "b")
    var isThere: SQLFragment = "(\(own.isPair(own.columns)) AND \(other.isPair(other.columns)))"
    if join.isSymmetric {
      isThere =
        "(\(isThere) OR (\(own.isPair(other.columns)) AND \(other.isPair(own.columns))))"
    }
    let count = own.key.columns.count + other.key.columns.count
    return Pairs(
      join: join, own: own, other: other, isThere: isThere,
      given: """
        unnest(\(parameters(count))) AS given (\(own.key.names("a")), \(other.key.names("b")))
        """)
  }

  private func arrays(
    _ portion: ArraySlice<(source: RowKey, destination: RowKey)>, _ pairs: Pairs
  ) throws -> [PostgreSQLParameter] {
    var own = pairs.own.key.makeArrays(capacity: portion.count)
    var other = pairs.other.key.makeArrays(capacity: portion.count)
    for (source, destination) in portion {
      try append(source, of: pairs.own.entity, by: pairs.own.key, to: &own)
      try append(destination, of: pairs.other.entity, by: pairs.other.key, to: &other)
    }
    return (own + other).map(\.parameter)
  }

  mutating func remove(_ links: LinkChanges) throws {
    let pairs = pairs(links)
    for portion in links.removed.portions(of: Self.portion) {
      add(
        """
        DELETE FROM \(pairs.join.qualifiedTable) AS pair USING \(pairs.given) \
        WHERE \(pairs.isThere)
        """, try arrays(portion, pairs), links.entity)
    }
  }

  /// A pair that exists already, since another program has linked the same two rows, is as it should be.
  mutating func add(_ links: LinkChanges) throws {
    let pairs = pairs(links)
    let names = (pairs.own.columns + pairs.other.columns).map { "\(name: $0)" as SQLFragment }
    let values = pairs.own.values + pairs.other.values
    // A third-party table may have a deferred constraint for this, which the clause does not allow.
    let skipping: SQLFragment = mapping.isNative ? " ON CONFLICT DO NOTHING" : ""
    for portion in links.added.portions(of: Self.portion) {
      add(
        """
        INSERT INTO \(pairs.join.qualifiedTable) (\(names.joined(by: ", "))) \
        SELECT \(values.joined(by: ", ")) FROM \(pairs.given) \
        WHERE NOT EXISTS (SELECT 1 FROM \(pairs.join.qualifiedTable) AS pair \
        WHERE \(pairs.isThere))\(skipping)
        """, try arrays(portion, pairs), links.entity)
    }
  }

  /// Numbers the members of an ordered relationship from zero. Only native tables have ordered relationships.
  mutating func write(_ order: OrderChange) {
    guard let link = mapping.schema.entities[order.entity].links[order.slot] else {
      trap("only relationships have an order")
    }
    let members = PostgreSQLParameter.int8Array(order.members.lazy.map(\.rawValue))
    let places = PostgreSQLParameter.int8Array(order.members.indices.lazy.map { Int64($0) })
    switch mapping.entities[order.entity].slots[order.slot] {
    case .toManyForeignKey(_, let column?):
      let key = SaveKey(mapping, link.destination)
      add(
        """
        UPDATE \(table(link.destination)) AS stored SET \(name: column) = given.p \
        FROM unnest($1, $2) AS given (k0, p) \
        WHERE \(key.isRow("stored", of: "given"))\(key.andIsListed("stored"))
        """, [members, places], link.destination)
    case .toManyJoin(let join):
      guard let column = join.orderColumn else { return }
      add(
        """
        UPDATE \(join.qualifiedTable) AS pair SET \(name: column) = given.p \
        FROM unnest($1, $2) AS given (k, p) \
        WHERE pair.\(name: join.ownColumns[0]) = $3 AND pair.\(name: join.otherColumns[0]) = given.k
        """, [members, places, .int8(order.key.rawValue)], order.entity)
    case .toManyForeignKey, .toOne, .attribute: return
    }
  }
}
#endif
