#if PostgreSQL
import DatastoreCore
import DatastoreSQL

/// Pairs of join tables, and the places that ordered relationships give their members.
extension SaveMessage {
  mutating func write(_ links: LinkChanges) {
    guard case .toManyJoin(let join) = mapping.entities[links.entity].slots[links.slot] else {
      preconditionFailure("only relationships with a join table have link changes")
    }
    let (own, other) = (join.ownColumns[0], join.otherColumns[0])
    var isThere: SQLFragment =
      "(pair.\(name: own) = given.a AND pair.\(name: other) = given.b)"
    if join.isSymmetric {
      isThere = "(\(isThere) OR (pair.\(name: own) = given.b AND pair.\(name: other) = given.a))"
    }
    for portion in links.removed.portions(of: Self.portion) {
      add(
        """
        DELETE FROM \(name: join.table) AS pair USING unnest($1, $2) AS given (a, b) \
        WHERE \(isThere)
        """, Self.arrays(portion), links.entity)
    }
    // A pair that is there already, since someone else linked the same two, is as it should be.
    for portion in links.added.portions(of: Self.portion) {
      add(
        """
        INSERT INTO \(name: join.table) (\(name: own), \(name: other)) \
        SELECT given.a, given.b FROM unnest($1, $2) AS given (a, b) \
        WHERE NOT EXISTS (SELECT 1 FROM \(name: join.table) AS pair WHERE \(isThere)) \
        ON CONFLICT DO NOTHING
        """, Self.arrays(portion), links.entity)
    }
  }

  private static func arrays(
    _ pairs: ArraySlice<(source: RowKey, destination: RowKey)>
  ) -> [PostgreSQLParameter] {
    [
      .int8Array(pairs.lazy.map(\.source.rawValue)),
      .int8Array(pairs.lazy.map(\.destination.rawValue)),
    ]
  }

  /// Numbers the members of an ordered relationship from zero.
  mutating func write(_ order: OrderChange) {
    guard let link = mapping.schema.entities[order.entity].links[order.slot] else {
      preconditionFailure("only relationships have an order")
    }
    let members = PostgreSQLParameter.int8Array(order.members.lazy.map(\.rawValue))
    let places = PostgreSQLParameter.int8Array(order.members.indices.lazy.map { Int64($0) })
    switch mapping.entities[order.entity].slots[order.slot] {
    case .toManyForeignKey(_, let column?):
      let key = keyColumn(link.destination)
      add(
        """
        UPDATE \(table(link.destination)) AS stored SET \(name: column) = given.p \
        FROM unnest($1, $2) AS given (k, p) \
        WHERE stored.\(key) = given.k AND stored.\(key) = ANY($1)
        """, [members, places], link.destination)
    case .toManyJoin(let join):
      guard let column = join.orderColumn else { return }
      add(
        """
        UPDATE \(name: join.table) AS pair SET \(name: column) = given.p \
        FROM unnest($1, $2) AS given (k, p) \
        WHERE pair.\(name: join.ownColumns[0]) = $3 AND pair.\(name: join.otherColumns[0]) = given.k
        """, [members, places, .int8(order.key.rawValue)], order.entity)
    case .toManyForeignKey, .toOne, .attribute: return
    }
  }
}
#endif
